"""Routes of ``share_replicas``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_replicas.list", "GET", "/share-replicas", None, 11, 55, True, None, None, None, "ShareReplicasResponse", 200, ("share_replica:get_all",), False),
    Route("share_replicas.list", "GET", "/share-replicas", None, 56, 99, False, None, None, None, "ShareReplicasResponse", 200, ("share_replica:get_all",), False),
    Route("share_replicas.create", "POST", "/share-replicas", None, 11, 55, True, "ShareReplicaCreateRequest_v2_11", None, None, "ShareReplicaResponse", 202, ("share_replica:create",), False),
    Route("share_replicas.create", "POST", "/share-replicas", None, 56, 66, False, "ShareReplicaCreateRequest_v2_11", None, None, "ShareReplicaResponse", 202, ("share_replica:create",), False),
    Route("share_replicas.create", "POST", "/share-replicas", None, 67, 71, False, "ShareReplicaCreateRequest_v2_67", None, None, "ShareReplicaResponse", 202, ("share_replica:create",), False),
    Route("share_replicas.create", "POST", "/share-replicas", None, 72, 94, False, "ShareReplicaCreateRequest_v2_72", None, None, "ShareReplicaResponse", 202, ("share_replica:create",), False),
    Route("share_replicas.create", "POST", "/share-replicas", None, 95, 99, False, "ShareReplicaCreateRequest_v2_95", None, None, "ShareReplicaResponse", 202, ("share_replica:create",), False),
    Route("share_replicas.detail", "GET", "/share-replicas/detail", None, 11, 55, True, None, None, None, "ShareReplicasDetailResponse", 200, ("share_replica:get_all",), False),
    Route("share_replicas.detail", "GET", "/share-replicas/detail", None, 56, 99, False, None, None, None, "ShareReplicasDetailResponse", 200, ("share_replica:get_all",), False),
    Route("share_replicas.delete", "DELETE", "/share-replicas/{id}", None, 11, 55, True, None, None, None, None, 202, ("share_replica:delete",), False),
    Route("share_replicas.delete", "DELETE", "/share-replicas/{id}", None, 56, 99, False, None, None, None, None, 202, ("share_replica:delete",), False),
    Route("share_replicas.show", "GET", "/share-replicas/{id}", None, 11, 55, True, None, None, None, "ShareReplicaResponse", 200, ("share_replica:show",), False),
    Route("share_replicas.show", "GET", "/share-replicas/{id}", None, 56, 99, False, None, None, None, "ShareReplicaResponse", 200, ("share_replica:show",), False),
)
