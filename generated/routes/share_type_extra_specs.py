"""Dispatch rows of ``handlers.share_type_extra_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_type_extra_specs.create",
        "POST",
        "/types/{type_id}/extra_specs",
        rules=("share_types_extra_spec:create",),
        variants=(Variant(0, LATEST, 200, body="ShareTypeExtraSpecsCreateRequest"),),
    ),
    *rows(
        "share_type_extra_specs.delete",
        "DELETE",
        "/types/{type_id}/extra_specs/{id}",
        rules=("share_types_extra_spec:delete",),
        variants=(
            Variant(0, 23, 202),
            Variant(24, LATEST, 202),
        ),
    ),
    *rows(
        "share_type_extra_specs.list",
        "GET",
        "/types/{type_id}/extra_specs",
        rules=("share_types_extra_spec:index",),
        variants=(Variant(0, LATEST, 200),),
    ),
    *rows(
        "share_type_extra_specs.show",
        "GET",
        "/types/{type_id}/extra_specs/{id}",
        rules=("share_types_extra_spec:show",),
        variants=(Variant(0, LATEST, 200),),
    ),
    *rows(
        "share_type_extra_specs.update",
        "PUT",
        "/types/{type_id}/extra_specs/{id}",
        rules=("share_types_extra_spec:update",),
        body_optional=True,
        variants=(Variant(0, LATEST, 200, body="SingleSpecRequest"),),
    ),
)
