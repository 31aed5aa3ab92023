"""Dispatch rows of ``handlers.qos_type_specs``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "qos_type_specs.create",
        "POST",
        "/qos-types/{id}/specs",
        rules=("qos_type_specs:create",),
        variants=(Variant(94, LATEST, 200, body="QosTypeSpecsCreateRequest"),),
    ),
    *rows(
        "qos_type_specs.delete",
        "DELETE",
        "/qos-types/{id}/specs/{key}",
        rules=("qos_type_specs:delete",),
        variants=(Variant(94, LATEST, 204),),
    ),
    *rows(
        "qos_type_specs.list",
        "GET",
        "/qos-types/{id}/specs",
        rules=("qos_type_specs:index",),
        variants=(Variant(94, LATEST, 200),),
    ),
    *rows(
        "qos_type_specs.show",
        "GET",
        "/qos-types/{id}/specs/{key}",
        rules=("qos_type_specs:show",),
        variants=(Variant(94, LATEST, 200),),
    ),
    *rows(
        "qos_type_specs.update",
        "PUT",
        "/qos-types/{id}/specs/{key}",
        rules=("qos_type_specs:update",),
        body_optional=True,
        variants=(Variant(94, LATEST, 200, body="SingleSpecRequest"),),
    ),
)
