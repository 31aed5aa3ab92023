"""Nothing stays in a transitional status for ever."""

from __future__ import annotations

import structlog

from db import stuck
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("share")
LOOK_EVERY = 300.0


async def end_stuck(now: Now) -> None:
    """End rows in ``creating``, ``deleting``, ... that have no task and did not change for ``stuck_timeout``."""
    timeout = now.core.settings.openkeel.stuck_timeout
    if not timeout:
        return
    async with now.core.db.write() as conn:
        for row in await stuck.end(conn, timeout):
            LOG.error("nobody works on it any more", **row)


PERIODIC = (Periodic("end_stuck", end_stuck, LOOK_EVERY, per_backend=False),)
