"""Running the service: any of its roles in one process, until SIGTERM."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import signal
import socket
from collections.abc import AsyncIterator, Sequence

import structlog

from cli import metrics
from db.connection import Database
from generated.settings import Settings
from services.core import Core
from services.policy import Policy

LOG = structlog.get_logger("manila")
MODULES = {
    "api": "cli.roles.api",
    "scheduler": "cli.roles.queues",
    "share": "cli.roles.share",
    "data": "cli.roles.queues",
}
"""Role -> the module that plays it."""
DRAIN_SECONDS = 15
"""How long an API that stops waits for its open requests."""
API_CONNECTIONS = 10
"""Connections that one API process, which is one event loop, can keep busy."""
REQUEST_WAITS, TASK_WAITS = 2.0, 30.0
"""Seconds to wait for a connection while none is given back, unless ``pool_timeout`` says how long."""


def pool_size(settings: Settings, roles: Sequence[str]) -> int:
    """Connections that the roles of a process can use at once, within ``max_pool_size`` and ``max_overflow``.

    Each task may hold one, so a back end needs as many as it runs tasks, and a few for its heartbeat and its leases.
    """
    queue = settings.openkeel.task_concurrency + 2
    needed = {
        "api": API_CONNECTIONS,
        "scheduler": queue,
        "data": queue,
        "share": queue * max(1, len(settings.default.enabled_share_backends)),
    }
    wanted = 2 + sum(needed[role] for role in roles)
    database = settings.database
    if database.max_overflow < 0:  # no limit, as in SQLAlchemy
        return wanted
    allowed = max(2, database.max_pool_size + database.max_overflow)
    if allowed < wanted:
        LOG.info("tasks wait for one another's connections", connections=allowed, useful=wanted)
    return min(allowed, wanted)


@contextlib.asynccontextmanager
async def core(settings: Settings, name: str, roles: Sequence[str] = ("api",)) -> AsyncIterator[Core]:
    """The parts of the service over an open database pool, which is large enough for ``roles``.

    Raises:
        DatabaseUnavailable: there is no connection to be had.
    """
    url = settings.database.connection
    if not url:
        raise ValueError("[database] connection is not set")
    size = pool_size(settings, roles)
    wait = settings.database.pool_timeout or (REQUEST_WAITS if set(roles) == {"api"} else TASK_WAITS)
    database = Database(str(url), size=size, name=name, wait=float(wait))
    await database.open()
    try:
        yield Core(database, settings, Policy(settings))
    finally:
        await database.close()


async def run(settings: Settings, roles: tuple[str, ...], listening: socket.socket | None = None) -> None:
    """Run roles until SIGTERM or SIGINT, then let requests and tasks finish.

    Without ``listening`` the API binds the configured address itself.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with core(settings, "manila-" + "+".join(roles), roles) as parts:
        jobs = [
            asyncio.create_task(importlib.import_module(MODULES[role]).serve(parts, role, stop, listening))
            for role in roles
        ]
        if settings.openkeel.metrics_port:
            jobs.append(asyncio.create_task(metrics.serve(parts, stop)))
        LOG.info("started", roles=",".join(roles))
        ending = asyncio.create_task(_hurry(parts.db, stop))
        await asyncio.wait(jobs, return_when=asyncio.FIRST_EXCEPTION)
        stop.set()
        ended = await asyncio.gather(*jobs, return_exceptions=True)
        await ending
    for failure in ended:
        if failure is not None:
            raise failure


async def _hurry(database: Database, stop: asyncio.Event) -> None:
    """From ``stop`` on nobody waits long for a database that is away: what is not done is done after the next start."""
    await stop.wait()
    database.wait = min(database.wait, REQUEST_WAITS)
