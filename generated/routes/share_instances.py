"""Dispatch rows of ``handlers.share_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "share_instances.list",
        "GET",
        "/share_instances",
        rules=("share_instance:index",),
        variants=(
            Variant(3, 34, 200),
            Variant(35, 68, 200),
            Variant(69, LATEST, 200),
        ),
    ),
    *rows(
        "share_instances.list_by_share",
        "GET",
        "/shares/{share_id}/instances",
        rules=("share_instance:index",),
        variants=(Variant(3, LATEST, 200),),
    ),
    *rows(
        "share_instances.show",
        "GET",
        "/share_instances/{id}",
        rules=("share_instance:show",),
        variants=(Variant(3, LATEST, 200, view="share_instance"),),
    ),
)
