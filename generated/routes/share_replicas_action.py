"""Dispatch rows of ``handlers.share_replicas_action``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_replicas.action.force_delete",
        "POST",
        "/share-replicas/{id}/action",
        action="force_delete",
        rules=("share_replica:force_delete",),
        variants=(
            Variant(11, 55, 202, experimental=True, body="ShareReplicasForceDeleteRequest"),
            Variant(56, LATEST, 202, body="ShareReplicasForceDeleteRequest"),
        ),
    ),
    *rows(
        "share_replicas.action.promote",
        "POST",
        "/share-replicas/{id}/action",
        action="promote",
        rules=("share_replica:promote",),
        variants=(
            Variant(11, 55, 202, experimental=True, body="ShareReplicaPromoteRequestV211", view="share_replica"),
            Variant(56, 74, 202, body="ShareReplicaPromoteRequestV211", view="share_replica"),
            Variant(75, LATEST, 202, body="ShareReplicaPromoteRequestV275", view="share_replica"),
        ),
    ),
    *rows(
        "share_replicas.action.reset_replica_state",
        "POST",
        "/share-replicas/{id}/action",
        action="reset_replica_state",
        rules=("share_replica:reset_replica_state", "share_replica:reset_status"),
        variants=(
            Variant(11, 55, 202, experimental=True, body="ShareReplicaResetReplicaStateRequest"),
            Variant(56, LATEST, 202, body="ShareReplicaResetReplicaStateRequest"),
        ),
    ),
    *rows(
        "share_replicas.action.reset_status",
        "POST",
        "/share-replicas/{id}/action",
        action="reset_status",
        rules=("share_replica:reset_status",),
        variants=(
            Variant(11, 55, 202, experimental=True, body="ShareReplicaResetStatusRequest"),
            Variant(56, LATEST, 202, body="ShareReplicaResetStatusRequest"),
        ),
    ),
    *rows(
        "share_replicas.action.resync",
        "POST",
        "/share-replicas/{id}/action",
        action="resync",
        rules=("share_replica:resync",),
        variants=(
            Variant(11, 55, 202, experimental=True, body="ShareReplicasResyncRequest"),
            Variant(56, LATEST, 202, body="ShareReplicasResyncRequest"),
        ),
    ),
)
