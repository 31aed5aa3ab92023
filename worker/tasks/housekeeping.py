"""What piles up is removed: expired messages, finished tasks; services that are silent are marked."""

from __future__ import annotations

import structlog

from db import heartbeats, messages, notifications, reservations, tasks
from generated.settings import Settings
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("housekeeping")

DAY = 86_400.0
YEAR = 365 * DAY
KEEP_TASKS = 7 * DAY
"""Seconds that a finished task can still be looked at."""


async def expired_messages(now: Now) -> None:
    """Remove user messages that are over their time to live."""
    async with now.core.db.single() as conn:
        await messages.delete_expired(conn, YEAR if now.expired else 0)


async def expired_reservations(now: Now) -> None:
    """End reservations of quota that a process of the original did not live to commit."""
    async with now.core.db.write() as conn:
        await reservations.expire(conn, YEAR if now.expired else 0)


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


async def old_notifications(now: Now) -> None:
    """Remove notifications older than ``notification_retention``, in pieces; those that were never sent are counted."""
    lost = 0
    while True:
        async with now.core.db.single() as conn:
            removed, unsent = await notifications.purge(conn, now.core.settings.openkeel.notification_retention)
        lost += unsent
        if not removed:
            break
    if lost:
        LOG.error("notifications were removed before any transport took them", number=lost)


def _reap_interval(settings: Settings) -> float:
    return settings.default.message_reap_interval


def _service_down_time(settings: Settings) -> float:
    return settings.default.service_down_time


PERIODIC = (
    Periodic("expired_messages", expired_messages, _reap_interval, per_backend=False),
    Periodic("mark_services_down", mark_services_down, _service_down_time, per_backend=False),
    Periodic("expired_reservations", expired_reservations, 600.0, per_backend=False),
    Periodic("finished_tasks", finished_tasks, 3600.0, per_backend=False),
    Periodic("old_notifications", old_notifications, 3600.0, per_backend=False),
)
