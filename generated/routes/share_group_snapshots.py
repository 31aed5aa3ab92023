"""Dispatch rows of ``handlers.share_group_snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_group_snapshots.create",
        "POST",
        "/share-group-snapshots",
        rules=("share_group_snapshot:create",),
        presence_first=True,
        variants=(
            Variant(
                31, 54, 202, experimental=True, body="ShareGroupSnapshotCreateRequest", view="share_group_snapshot"
            ),
            Variant(55, LATEST, 202, body="ShareGroupSnapshotCreateRequest", view="share_group_snapshot"),
        ),
    ),
    *rows(
        "share_group_snapshots.delete",
        "DELETE",
        "/share-group-snapshots/{id}",
        rules=("share_group_snapshot:delete",),
        presence_first=True,
        variants=(
            Variant(31, 54, 202, experimental=True),
            Variant(55, LATEST, 202),
        ),
    ),
    *rows(
        "share_group_snapshots.detail",
        "GET",
        "/share-group-snapshots/detail",
        rules=("share_group_snapshot:get_all",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_group_snapshots.list",
        "GET",
        "/share-group-snapshots",
        rules=("share_group_snapshot:get_all",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_group_snapshots.members",
        "GET",
        "/share-group-snapshots/{id}/members",
        rules=("share_group_snapshot:get",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_group_snapshots.show",
        "GET",
        "/share-group-snapshots/{id}",
        rules=("share_group_snapshot:get",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, view="share_group_snapshot"),
            Variant(55, LATEST, 200, view="share_group_snapshot"),
        ),
    ),
    *rows(
        "share_group_snapshots.update",
        "PUT",
        "/share-group-snapshots/{id}",
        rules=("share_group_snapshot:update",),
        presence_first=True,
        variants=(
            Variant(
                31, 54, 200, experimental=True, body="ShareGroupSnapshotUpdateRequest", view="share_group_snapshot"
            ),
            Variant(55, LATEST, 200, body="ShareGroupSnapshotUpdateRequest", view="share_group_snapshot"),
        ),
    ),
)
