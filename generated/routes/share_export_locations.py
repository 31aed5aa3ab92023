"""Routes of ``share_export_locations``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_export_locations.list", "GET", "/shares/{share_id}/export_locations", None, 9, 46, False, None, None, "share_export_locations.empty_query_schema", "ExportLocationsResponse", 200, ("share_export_location:index",), False),
    Route("share_export_locations.list", "GET", "/shares/{share_id}/export_locations", None, 47, 99, False, None, None, "share_export_locations.empty_query_schema", "ExportLocationsResponse", 200, ("share_export_location:index",), False),
    Route("share_export_locations.show", "GET", "/shares/{share_id}/export_locations/{export_location_uuid}", None, 9, 46, False, None, None, "share_export_locations.empty_query_schema", "ExportLocationResponse", 200, ("share_export_location:show",), False),
    Route("share_export_locations.show", "GET", "/shares/{share_id}/export_locations/{export_location_uuid}", None, 47, 99, False, None, None, "share_export_locations.empty_query_schema", "ExportLocationResponse", 200, ("share_export_location:show",), False),
)
