"""What piles up is removed: expired messages, finished tasks; services that are silent are marked."""

from __future__ import annotations

from db import heartbeats, messages, tasks
from worker.periodic import Now, Periodic

DAY = 86_400.0
YEAR = 365 * DAY
KEEP_TASKS = 7 * DAY
"""Seconds that a finished task can still be looked at."""


async def expired_messages(now: Now) -> None:
    """Remove user messages that are over their time to live."""
    async with now.core.db.single() as conn:
        await messages.delete_expired(conn, YEAR if now.expired else 0)


async def mark_services_down(now: Now) -> None:
    """Mark services that have not reported for ``service_down_time``."""
    async with now.core.db.single() as conn:
        await heartbeats.mark_down(conn, now.core.settings.default.service_down_time)


async def finished_tasks(now: Now) -> None:
    """Remove finished tasks of long ago, in pieces so that no statement runs long."""
    while True:
        async with now.core.db.single() as conn:
            if not await tasks.purge_done(conn, KEEP_TASKS):
                return


PERIODIC = (
    Periodic("expired_messages", expired_messages, DAY, per_backend=False),
    Periodic("mark_services_down", mark_services_down, 60.0, per_backend=False),
    Periodic("finished_tasks", finished_tasks, 3600.0, per_backend=False),
)
