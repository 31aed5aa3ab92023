"""Dispatch rows of ``handlers.share_replicas``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_replicas.create",
        "POST",
        "/share-replicas",
        rules=("share_replica:create",),
        presence_first=True,
        variants=(
            Variant(11, 55, 202, experimental=True, body="ShareReplicaCreateRequestV211", view="share_replica"),
            Variant(56, 66, 202, body="ShareReplicaCreateRequestV211", view="share_replica"),
            Variant(67, 71, 202, body="ShareReplicaCreateRequestV267", view="share_replica"),
            Variant(72, 94, 202, body="ShareReplicaCreateRequestV272", view="share_replica"),
            Variant(95, LATEST, 202, body="ShareReplicaCreateRequestV295", view="share_replica"),
        ),
    ),
    *rows(
        "share_replicas.delete",
        "DELETE",
        "/share-replicas/{id}",
        rules=("share_replica:delete",),
        presence_first=True,
        variants=(
            Variant(11, 55, 202, experimental=True),
            Variant(56, LATEST, 202),
        ),
    ),
    *rows(
        "share_replicas.detail",
        "GET",
        "/share-replicas/detail",
        rules=("share_replica:get_all",),
        presence_first=True,
        variants=(
            Variant(11, 55, 200, experimental=True),
            Variant(56, LATEST, 200),
        ),
    ),
    *rows(
        "share_replicas.list",
        "GET",
        "/share-replicas",
        rules=("share_replica:get_all",),
        presence_first=True,
        variants=(
            Variant(11, 55, 200, experimental=True),
            Variant(56, LATEST, 200),
        ),
    ),
    *rows(
        "share_replicas.show",
        "GET",
        "/share-replicas/{id}",
        rules=("share_replica:show",),
        presence_first=True,
        variants=(
            Variant(11, 55, 200, experimental=True, view="share_replica"),
            Variant(56, LATEST, 200, view="share_replica"),
        ),
    ),
)
