"""Routes of ``share_replicas_action``.

Generated from spec/routes; do not edit: change the contract and run ``nox -s generate``.
"""

from __future__ import annotations

from generated.runtime import Route

# operation, method, path, action, since, until, experimental, body, schema, query_schema, view, status, rules, body_first
ROUTES = (
    Route("share_replicas.action.force_delete", "POST", "/share-replicas/{id}/action", "force_delete", 11, 55, True, "ShareReplicasForceDeleteRequest", None, None, None, 202, ("share_replica:force_delete",), False),
    Route("share_replicas.action.force_delete", "POST", "/share-replicas/{id}/action", "force_delete", 56, 99, False, "ShareReplicasForceDeleteRequest", None, None, None, 202, ("share_replica:force_delete",), False),
    Route("share_replicas.action.promote", "POST", "/share-replicas/{id}/action", "promote", 11, 55, True, "ShareReplicaPromoteRequest_v2_11", None, None, "ShareReplicaResponse", 202, ("share_replica:promote",), False),
    Route("share_replicas.action.promote", "POST", "/share-replicas/{id}/action", "promote", 56, 74, False, "ShareReplicaPromoteRequest_v2_11", None, None, "ShareReplicaResponse", 202, ("share_replica:promote",), False),
    Route("share_replicas.action.promote", "POST", "/share-replicas/{id}/action", "promote", 75, 99, False, "ShareReplicaPromoteRequest_v2_75", None, None, "ShareReplicaResponse", 202, ("share_replica:promote",), False),
    Route("share_replicas.action.reset_replica_state", "POST", "/share-replicas/{id}/action", "reset_replica_state", 11, 55, True, "ShareReplicaResetReplicaStateRequest", None, None, None, 202, ("share_replica:reset_replica_state", "share_replica:reset_status"), False),
    Route("share_replicas.action.reset_replica_state", "POST", "/share-replicas/{id}/action", "reset_replica_state", 56, 99, False, "ShareReplicaResetReplicaStateRequest", None, None, None, 202, ("share_replica:reset_replica_state", "share_replica:reset_status"), False),
    Route("share_replicas.action.reset_status", "POST", "/share-replicas/{id}/action", "reset_status", 11, 55, True, "ShareReplicaResetStatusRequest", None, None, None, 202, ("share_replica:reset_status",), False),
    Route("share_replicas.action.reset_status", "POST", "/share-replicas/{id}/action", "reset_status", 56, 99, False, "ShareReplicaResetStatusRequest", None, None, None, 202, ("share_replica:reset_status",), False),
    Route("share_replicas.action.resync", "POST", "/share-replicas/{id}/action", "resync", 11, 55, True, "ShareReplicasResyncRequest", None, None, None, 202, ("share_replica:resync",), False),
    Route("share_replicas.action.resync", "POST", "/share-replicas/{id}/action", "resync", 56, 99, False, "ShareReplicasResyncRequest", None, None, None, 202, ("share_replica:resync",), False),
)
