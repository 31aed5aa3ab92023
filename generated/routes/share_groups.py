"""Dispatch rows of ``handlers.share_groups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_groups.create",
        "POST",
        "/share-groups",
        rules=("share_group:create",),
        presence_first=True,
        variants=(
            Variant(31, 54, 202, experimental=True, body="ShareGroupCreateRequest", view="share_group"),
            Variant(55, LATEST, 202, body="ShareGroupCreateRequest", view="share_group"),
        ),
    ),
    *rows(
        "share_groups.delete",
        "DELETE",
        "/share-groups/{id}",
        rules=("share_group:delete",),
        presence_first=True,
        variants=(
            Variant(31, 54, 202, experimental=True),
            Variant(55, LATEST, 202),
        ),
    ),
    *rows(
        "share_groups.detail",
        "GET",
        "/share-groups/detail",
        rules=("share_group:get_all",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_groups.list",
        "GET",
        "/share-groups",
        rules=("share_group:get_all",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_groups.show",
        "GET",
        "/share-groups/{id}",
        rules=("share_group:get",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, view="share_group"),
            Variant(55, LATEST, 200, view="share_group"),
        ),
    ),
    *rows(
        "share_groups.update",
        "PUT",
        "/share-groups/{id}",
        rules=("share_group:update",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, body="ShareGroupUpdateRequest", view="share_group"),
            Variant(55, LATEST, 200, body="ShareGroupUpdateRequest", view="share_group"),
        ),
    ),
)
