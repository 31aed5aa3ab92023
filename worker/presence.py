"""The rows that say which services are there, written whatever the database does meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

import structlog

from db import heartbeats
from db.connection import LOST, Database

T = TypeVar("T")
LOG = structlog.get_logger("manila")
PAUSE, LEAVE_SECONDS = 1.0, 5.0


async def patiently(stop: asyncio.Event | None, attempt: Callable[[], Awaitable[T]]) -> T:
    """What ``attempt`` returns, as soon as the database lets it; it may run several times.

    Raises:
        DatabaseUnavailable: the database was still away when ``stop`` was set.
    """
    while True:
        try:
            return await attempt()
        except LOST as error:
            if stop is None or stop.is_set():
                raise
            LOG.warning("the start waits for the database", error=str(error), retry_in=PAUSE)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), PAUSE)


async def leave(database: Database, services: Iterable[int]) -> None:
    """Mark services as stopped. Where the database is away they count as down after ``service_down_time``."""
    try:
        async with asyncio.timeout(LEAVE_SECONDS):
            for one in services:
                async with database.single() as conn:
                    await heartbeats.stopped(conn, one)
    except (TimeoutError, *LOST) as error:
        LOG.warning("that the service stops could not be written", error=str(error))
