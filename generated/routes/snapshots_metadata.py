"""Dispatch rows of ``handlers.snapshots_metadata``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "snapshots.metadata.create",
        "POST",
        "/snapshots/{resource_id}/metadata",
        rules=("share_snapshot:update_metadata",),
        variants=(Variant(73, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "snapshots.metadata.delete_item",
        "DELETE",
        "/snapshots/{resource_id}/metadata/{key}",
        rules=("share_snapshot:delete_metadata",),
        empty_json=True,
        variants=(Variant(73, LATEST, 200),),
    ),
    *rows(
        "snapshots.metadata.list",
        "GET",
        "/snapshots/{resource_id}/metadata",
        rules=("share_snapshot:get_metadata",),
        variants=(Variant(73, LATEST, 200),),
    ),
    *rows(
        "snapshots.metadata.show_item",
        "GET",
        "/snapshots/{resource_id}/metadata/{key}",
        rules=("share_snapshot:get_metadata",),
        variants=(Variant(73, LATEST, 200),),
    ),
    *rows(
        "snapshots.metadata.update_all",
        "PUT",
        "/snapshots/{resource_id}/metadata",
        rules=("share_snapshot:update_metadata",),
        variants=(Variant(73, LATEST, 200, body="MetadataRequest"),),
    ),
    *rows(
        "snapshots.metadata.update_item",
        "POST",
        "/snapshots/{resource_id}/metadata/{key}",
        rules=("share_snapshot:update_metadata",),
        variants=(Variant(73, LATEST, 200, body="MetadataRequest"),),
    ),
)
