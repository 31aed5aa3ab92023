"""Dispatch rows of ``handlers.share_group_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_group_types.create",
        "POST",
        "/share-group-types",
        rules=("share_group_type:create",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, body="ShareGroupTypeCreateRequest", view="share_group_type"),
            Variant(55, LATEST, 200, body="ShareGroupTypeCreateRequest", view="share_group_type"),
        ),
    ),
    *rows(
        "share_group_types.default",
        "GET",
        "/share-group-types/default",
        rules=("share_group_type:default",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, view="share_group_type"),
            Variant(55, LATEST, 200, view="share_group_type"),
        ),
    ),
    *rows(
        "share_group_types.delete",
        "DELETE",
        "/share-group-types/{id}",
        rules=("share_group_type:delete",),
        presence_first=True,
        variants=(
            Variant(31, 54, 204, experimental=True),
            Variant(55, LATEST, 204),
        ),
    ),
    *rows(
        "share_group_types.list",
        "GET",
        "/share-group-types",
        rules=("share_group_type:index",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, view="share_group_type"),
            Variant(55, LATEST, 200, view="share_group_type"),
        ),
    ),
    *rows(
        "share_group_types.list_access",
        "GET",
        "/share-group-types/{id}/access",
        rules=("share_group_type:list_project_access",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, view="share_group_type_access"),
            Variant(55, LATEST, 200, view="share_group_type_access"),
        ),
    ),
    *rows(
        "share_group_types.show",
        "GET",
        "/share-group-types/{id}",
        rules=("share_group_type:show",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True, view="share_group_type"),
            Variant(55, LATEST, 200, view="share_group_type"),
        ),
    ),
)
