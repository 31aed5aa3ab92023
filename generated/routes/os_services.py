"""Dispatch rows of ``handlers.os_services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "os_services.list",
        "GET",
        "/os-services",
        rules=("service:index",),
        presence_first=True,
        variants=(Variant(0, 6, 200, view="service"),),
    ),
    *rows(
        "os_services.update",
        "PUT",
        "/os-services/{id}",
        rules=("service:update",),
        presence_first=True,
        variants=(Variant(0, 6, 200, body="ServiceToggleV20", view="service_update"),),
    ),
)
