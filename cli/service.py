"""Running the service: any of its roles in one process, until SIGTERM."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Sequence

import structlog
import uvicorn

from api.app import make_app
from cli import metrics
from cli.listen import bind_api
from cli.metrics import serve_until
from db import heartbeats
from db.connection import Database
from generated.settings import Settings
from services.core import Core
from services.policy import Policy
from worker import backends, transports
from worker.data import service as data
from worker.notifier import Notifier
from worker.periodic import PeriodicRunner
from worker.registry import operations
from worker.runner import Runner
from worker.schedule import TASKS
from worker.service import ShareManager

LOG = structlog.get_logger("manila")
ROLES = ("api", "scheduler", "share", "data")
DRAIN_SECONDS = 15
API_CONNECTIONS = 10
"""Connections that one API process, which is one event loop, can keep busy."""
REQUEST_WAITS, TASK_WAITS = 2.0, 30.0
"""Seconds to wait for a connection, unless ``pool_timeout`` says how long."""


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
        jobs = [asyncio.create_task(_role(parts, role, stop, listening)) for role in roles]
        if settings.openkeel.metrics_port:
            jobs.append(asyncio.create_task(metrics.serve(parts, stop)))
        LOG.info("started", roles=",".join(roles))
        await asyncio.wait(jobs, return_when=asyncio.FIRST_EXCEPTION)
        stop.set()
        await asyncio.gather(*jobs)


async def _role(parts: Core, role: str, stop: asyncio.Event, listening: socket.socket | None) -> None:
    if role == "api":
        await _api(parts, stop, listening or bind_api(parts.settings))
    elif role in ("scheduler", "data"):
        await _queue(parts, role, stop)
    else:
        await _share(parts, stop)


async def _api(parts: Core, stop: asyncio.Event, listening: socket.socket) -> None:
    own = parts.settings.openkeel
    config = uvicorn.Config(
        make_app(parts), log_config=None, access_log=False, lifespan="off", interface="asgi3", http="httptools",
        ssl_certfile=own.tls_certificate, ssl_keyfile=own.tls_key, timeout_graceful_shutdown=DRAIN_SECONDS,
        server_header=False, proxy_headers=False,
    )  # fmt: skip
    await serve_until(uvicorn.Server(config), listening, stop)


async def _queue(parts: Core, role: str, stop: asyncio.Event) -> None:
    """The scheduler or the data service: a service row with a heartbeat, and the tasks of the queue of that name."""
    default, own = parts.settings.default, parts.settings.openkeel
    if role == "data":
        data.check(parts.settings)
        await data.tidy(parts)
    binary = f"manila-{role}"
    async with parts.db.write() as conn:
        service = await heartbeats.register(conn, binary, binary, str(default.host), default.storage_availability_zone)
    runner = Runner(
        parts,
        operations(),
        queues=(role,),
        lease=own.task_lease,
        poll=own.task_poll,
        concurrency=own.task_concurrency,
    )

    async def beat() -> None:
        while not stop.is_set():
            with contextlib.suppress(Exception):
                async with parts.db.single() as conn:
                    await heartbeats.beat(conn, service)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(stop.wait(), default.report_interval)

    jobs = [runner.run(stop), beat()]
    if role == "scheduler":
        # the cluster's own tasks, so that they run when no back end is served: services that died are marked
        common = [one for one in TASKS if not one.per_backend]
        jobs.append(PeriodicRunner(parts, common, (), runner.owner).run(stop))
        jobs.append(Notifier(parts, transports.build(parts.settings), runner.owner).run(stop))
    await asyncio.gather(*jobs)
    async with parts.db.single() as conn:
        await heartbeats.stopped(conn, service)


async def _share(parts: Core, stop: asyncio.Event) -> None:
    default = parts.settings.default
    manager = ShareManager(
        parts,
        backends.build(parts.settings),
        zone=default.storage_availability_zone,
        report_interval=default.report_interval,
        periodic=TASKS,
    )
    await manager.run(stop)
