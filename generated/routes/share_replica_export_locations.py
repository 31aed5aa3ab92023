"""Routes of ``share_replica_export_locations``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_replica_export_locations.list", "GET", "/share-replicas/{share_replica_id}/export-locations", None, 47, 55, True, None, None, None, "ReplicaExportLocationsResponse", 200, ("share_replica_export_location:index",), False),
    Route("share_replica_export_locations.list", "GET", "/share-replicas/{share_replica_id}/export-locations", None, 56, 99, False, None, None, None, "ReplicaExportLocationsResponse", 200, ("share_replica_export_location:index",), False),
    Route("share_replica_export_locations.show", "GET", "/share-replicas/{share_replica_id}/export-locations/{export_location_uuid}", None, 47, 55, True, None, None, None, "ReplicaExportLocationResponse", 200, ("share_replica_export_location:show",), False),
    Route("share_replica_export_locations.show", "GET", "/share-replicas/{share_replica_id}/export-locations/{export_location_uuid}", None, 56, 99, False, None, None, None, "ReplicaExportLocationResponse", 200, ("share_replica_export_location:show",), False),
)
