"""Dispatch rows of ``handlers.os_availability_zones``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "os_availability_zones.list",
        "GET",
        "/os-availability-zone",
        rules=("availability_zone:index",),
        presence_first=True,
        variants=(Variant(0, 6, 200, query="availability_zones.index_request_query", view="availability_zone"),),
    ),
)
