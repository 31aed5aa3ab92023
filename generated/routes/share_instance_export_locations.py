"""Routes of ``share_instance_export_locations``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_instance_export_locations.list", "GET", "/share_instances/{share_instance_id}/export_locations", None, 9, 99, False, None, None, None, "ExportLocationsResponse", 200, ("share_instance_export_location:index",), False),
    Route("share_instance_export_locations.show", "GET", "/share_instances/{share_instance_id}/export_locations/{export_location_uuid}", None, 9, 99, False, None, None, None, "ExportLocationResponse", 200, ("share_instance_export_location:show",), False),
)
