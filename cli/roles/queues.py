"""The roles ``scheduler`` and ``data``: do the tasks of the queue of that name."""

from __future__ import annotations

import asyncio
import contextlib
import socket

from db import heartbeats
from services.core import Core
from worker import transports
from worker.data import service as data
from worker.notifier import Notifier
from worker.periodic import PeriodicRunner
from worker.presence import leave, patiently
from worker.registry import operations
from worker.runner import Runner
from worker.schedule import TASKS


async def serve(parts: Core, role: str, stop: asyncio.Event, listening: socket.socket | None) -> None:
    """A service row with a heartbeat, and the tasks, until ``stop`` is set."""
    default, own = parts.settings.default, parts.settings.openkeel
    if role == "data":
        data.check(parts.settings)
    service = await patiently(stop, lambda: _begin(parts, role))
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
    await leave(parts.db, [service])


async def _begin(parts: Core, role: str) -> int:
    """Tidy what a process before this one left, and register; the service's row."""
    default, binary = parts.settings.default, f"manila-{role}"
    if role == "data":
        await data.tidy(parts)
    async with parts.db.write() as conn:
        return await heartbeats.register(conn, binary, binary, str(default.host), default.storage_availability_zone)
