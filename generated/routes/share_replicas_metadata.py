"""Routes of ``share_replicas_metadata``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_replicas.metadata.list", "GET", "/share-replicas/{resource_id}/metadata", None, 95, 99, False, None, None, None, "MetadataResponse", 200, ("share_replica:get_metadata",), False),
    Route("share_replicas.metadata.create", "POST", "/share-replicas/{resource_id}/metadata", None, 95, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_replica:update_metadata",), False),
    Route("share_replicas.metadata.update_all", "PUT", "/share-replicas/{resource_id}/metadata", None, 95, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_replica:update_metadata",), False),
    Route("share_replicas.metadata.delete_item", "DELETE", "/share-replicas/{resource_id}/metadata/{key}", None, 95, 99, False, None, None, None, None, 200, ("share_replica:delete_metadata",), False),
    Route("share_replicas.metadata.show_item", "GET", "/share-replicas/{resource_id}/metadata/{key}", None, 95, 99, False, None, None, None, "MetadataItemResponse", 200, ("share_replica:get_metadata",), False),
    Route("share_replicas.metadata.update_item", "POST", "/share-replicas/{resource_id}/metadata/{key}", None, 95, 99, False, "MetadataRequest", None, None, "MetadataResponse", 200, ("share_replica:update_metadata",), False),
)
