"""Dispatch rows of ``handlers.share_replicas_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_replicas.metadata.create",
        "POST",
        "/share-replicas/{resource_id}/metadata",
        rules=("share_replica:update_metadata",),
        variants=(Variant(95, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "share_replicas.metadata.delete_item",
        "DELETE",
        "/share-replicas/{resource_id}/metadata/{key}",
        rules=("share_replica:delete_metadata",),
        empty_json=True,
        variants=(Variant(95, LATEST, 200),),
    ),
    *rows(
        "share_replicas.metadata.list",
        "GET",
        "/share-replicas/{resource_id}/metadata",
        rules=("share_replica:get_metadata",),
        variants=(Variant(95, LATEST, 200),),
    ),
    *rows(
        "share_replicas.metadata.show_item",
        "GET",
        "/share-replicas/{resource_id}/metadata/{key}",
        rules=("share_replica:get_metadata",),
        variants=(Variant(95, LATEST, 200),),
    ),
    *rows(
        "share_replicas.metadata.update_all",
        "PUT",
        "/share-replicas/{resource_id}/metadata",
        rules=("share_replica:update_metadata",),
        variants=(Variant(95, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "share_replicas.metadata.update_item",
        "POST",
        "/share-replicas/{resource_id}/metadata/{key}",
        rules=("share_replica:update_metadata",),
        variants=(Variant(95, LATEST, 200, body="MetadataRequest"),),
    ),
)
