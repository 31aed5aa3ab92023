"""The operations of ``handlers.scheduler_stats``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Protocol

from generated.protocols import C, R


class SchedulerStats(Protocol[C, R]):
    """Handlers behind /scheduler-stats/pools, /scheduler-stats/pools/detail."""

    async def pools(self, call: C) -> R:
        """GET /scheduler-stats/pools: from 2.0."""

    async def pools_detail(self, call: C) -> R:
        """GET /scheduler-stats/pools/detail: from 2.0."""
