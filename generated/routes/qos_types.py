"""Dispatch rows of ``handlers.qos_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "qos_types.create",
        "POST",
        "/qos-types",
        rules=("qos_type:create",),
        variants=(Variant(94, LATEST, 200, body="QosTypeCreateRequest", view="qos_type"),),
    ),
    *rows(
        "qos_types.delete",
        "DELETE",
        "/qos-types/{id}",
        rules=("qos_type:delete",),
        variants=(Variant(94, LATEST, 204),),
    ),
    *rows(
        "qos_types.list",
        "GET",
        "/qos-types",
        rules=("qos_type:index",),
        variants=(Variant(94, LATEST, 200, view="qos_type"),),
    ),
    *rows(
        "qos_types.show",
        "GET",
        "/qos-types/{id}",
        rules=("qos_type:show",),
        variants=(Variant(94, LATEST, 200, view="qos_type"),),
    ),
    *rows(
        "qos_types.update",
        "PUT",
        "/qos-types/{id}",
        rules=("qos_type:update",),
        variants=(Variant(94, LATEST, 200, body="QosTypeUpdateRequest", view="qos_type"),),
    ),
)
