"""Routes of ``snapshots_metadata``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("snapshots.metadata.list", "GET", "/snapshots/{resource_id}/metadata", None, 73, 99, False, None, None, None, "MetadataResponse", 200, ("share_snapshot:get_metadata",), False),
    Route("snapshots.metadata.create", "POST", "/snapshots/{resource_id}/metadata", None, 73, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_snapshot:update_metadata",), False),
    Route("snapshots.metadata.update_all", "PUT", "/snapshots/{resource_id}/metadata", None, 73, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_snapshot:update_metadata",), False),
    Route("snapshots.metadata.delete_item", "DELETE", "/snapshots/{resource_id}/metadata/{key}", None, 73, 99, False, None, None, None, None, 200, ("share_snapshot:delete_metadata",), False),
    Route("snapshots.metadata.show_item", "GET", "/snapshots/{resource_id}/metadata/{key}", None, 73, 99, False, None, None, None, "MetadataItemResponse", 200, ("share_snapshot:get_metadata",), False),
    Route("snapshots.metadata.update_item", "POST", "/snapshots/{resource_id}/metadata/{key}", None, 73, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_snapshot:update_metadata",), False),
)
