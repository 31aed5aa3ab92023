"""Routes of ``snapshot_export_locations``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("snapshot_export_locations.list", "GET", "/snapshots/{snapshot_id}/export-locations", None, 32, 99, False, None, None, None, "SnapshotExportLocationsResponse", 200, ("share_snapshot_export_location:index",), False),
    Route("snapshot_export_locations.show", "GET", "/snapshots/{snapshot_id}/export-locations/{export_location_id}", None, 32, 99, False, None, None, None, "SnapshotExportLocationResponse", 200, ("share_snapshot_export_location:show",), False),
)
