"""Dispatch rows of ``handlers.share_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_types.create",
        "POST",
        "/types",
        rules=("share_type:create",),
        presence_first=True,
        variants=(
            Variant(0, 23, 200, body="ShareTypeCreateRequestV20", view="share_type"),
            Variant(24, 40, 200, body="ShareTypeCreateRequestV20", view="share_type"),
            Variant(41, LATEST, 200, body="ShareTypeCreateRequestV241", view="share_type"),
        ),
    ),
    *rows(
        "share_types.default",
        "GET",
        "/types/default",
        rules=("share_type:default",),
        variants=(Variant(0, LATEST, 200, view="share_type"),),
    ),
    *rows(
        "share_types.delete", "DELETE", "/types/{id}", rules=("share_type:delete",), variants=(Variant(0, LATEST, 202),)
    ),
    *rows(
        "share_types.list",
        "GET",
        "/types",
        rules=("share_type:index",),
        variants=(Variant(0, LATEST, 200, view="share_type"),),
    ),
    *rows(
        "share_types.list_access",
        "GET",
        "/types/{id}/share_type_access",
        rules=("share_type:list_project_access",),
        variants=(Variant(0, LATEST, 200, view="share_type_access"),),
    ),
    *rows(
        "share_types.os_list_access",
        "GET",
        "/types/{id}/os-share-type-access",
        rules=("share_type:list_project_access",),
        variants=(Variant(0, LATEST, 200, view="share_type_access"),),
    ),
    *rows(
        "share_types.show",
        "GET",
        "/types/{id}",
        rules=("share_type:show",),
        variants=(Variant(0, LATEST, 200, view="share_type"),),
    ),
    *rows(
        "share_types.update",
        "PUT",
        "/types/{id}",
        rules=("share_type:update",),
        variants=(Variant(50, LATEST, 200, body="ShareTypeUpdateRequest", view="share_type"),),
    ),
)
