"""Dispatch rows of ``handlers.availability_zones``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "availability_zones.list",
        "GET",
        "/availability-zones",
        rules=("availability_zone:index",),
        presence_first=True,
        variants=(Variant(7, LATEST, 200, query="availability_zones.index_request_query", view="availability_zone"),),
    ),
)
