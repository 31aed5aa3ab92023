"""Dispatch rows of ``handlers.share_group_type_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_group_type_specs.create",
        "POST",
        "/share-group-types/{id}/group-specs",
        rules=("share_group_types_spec:create",),
        variants=(
            Variant(31, 54, 200, experimental=True, body="ShareGroupTypeSpecsCreateRequest"),
            Variant(55, LATEST, 200, body="ShareGroupTypeSpecsCreateRequest"),
        ),
    ),
    *rows(
        "share_group_type_specs.delete",
        "DELETE",
        "/share-group-types/{id}/group-specs/{key}",
        rules=("share_group_types_spec:delete",),
        presence_first=True,
        variants=(
            Variant(31, 54, 204, experimental=True),
            Variant(55, LATEST, 204),
        ),
    ),
    *rows(
        "share_group_type_specs.list",
        "GET",
        "/share-group-types/{id}/group-specs",
        rules=("share_group_types_spec:index",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_group_type_specs.show",
        "GET",
        "/share-group-types/{id}/group-specs/{key}",
        rules=("share_group_types_spec:show",),
        presence_first=True,
        variants=(
            Variant(31, 54, 200, experimental=True),
            Variant(55, LATEST, 200),
        ),
    ),
    *rows(
        "share_group_type_specs.update",
        "PUT",
        "/share-group-types/{id}/group-specs/{key}",
        rules=("share_group_types_spec:update",),
        body_optional=True,
        variants=(
            Variant(31, 54, 200, experimental=True, body="SingleSpecRequest"),
            Variant(55, LATEST, 200, body="SingleSpecRequest"),
        ),
    ),
)
