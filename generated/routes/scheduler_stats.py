"""Dispatch rows of ``handlers.scheduler_stats``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.routes.rows import LATEST, Variant, rows
from generated.runtime import Route

ROUTES: tuple[Route, ...] = (
    *rows(
        "scheduler_stats.pools",
        "GET",
        "/scheduler-stats/pools",
        rules=("scheduler_stats:pools:index",),
        variants=(
            Variant(0, 22, 200, view="pool"),
            Variant(23, LATEST, 200, view="pool"),
        ),
    ),
    *rows(
        "scheduler_stats.pools_detail",
        "GET",
        "/scheduler-stats/pools/detail",
        rules=("scheduler_stats:pools:detail",),
        variants=(
            Variant(0, 22, 200, view="pool_detail"),
            Variant(23, LATEST, 200, view="pool_detail"),
        ),
    ),
)
