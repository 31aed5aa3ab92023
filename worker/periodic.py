"""Periodic tasks: each runs in one process of the cluster at a time, on its own interval."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import structlog

from db import leases
from generated.settings import Settings
from services.core import Core
from worker.operation import Backend

LOG = structlog.get_logger("periodic")


@dataclass(frozen=True, slots=True)
class Now:
    """What a periodic task is given. ``expired``: act as if a year had passed (tests of expiry)."""

    core: Core
    backend: Backend | None
    expired: bool = False


@dataclass(frozen=True, slots=True)
class Periodic:
    """A periodic task.

    Attributes:
        interval: seconds between two runs, or what reads them from the configuration.
        per_backend: one turn for each back end's host.
    """

    name: str
    run: Callable[[Now], Awaitable[None]]
    interval: float | Callable[[Settings], float]
    per_backend: bool = True

    def every(self, settings: Settings) -> float:
        """Seconds between two runs."""
        return self.interval(settings) if callable(self.interval) else self.interval


class PeriodicRunner:
    """Runs periodic tasks until told to stop; a task that fails is logged and has its next turn as usual."""

    def __init__(self, core: Core, tasks: Iterable[Periodic], backends: Iterable[Backend], owner: str) -> None:
        self._core, self._owner = core, owner
        self._turns: list[tuple[Periodic, Backend | None]] = [
            (task, backend) for task in tasks if task.per_backend for backend in backends
        ]
        self._turns += [(task, None) for task in tasks if not task.per_backend]

    async def run(self, stop: asyncio.Event, look: float = 1.0) -> None:
        """Serve until ``stop`` is set; ``look`` is the pause between looks, in seconds."""
        while not stop.is_set():
            for task, backend in self._turns:
                await self._turn(task, backend)
            try:
                await asyncio.wait_for(stop.wait(), look)
            except TimeoutError:
                continue

    async def _turn(self, task: Periodic, backend: Backend | None) -> None:
        name = task.name if backend is None else f"{task.name}:{backend.host}"
        every = task.every(self._core.settings)
        try:
            async with self._core.db.single() as conn:
                ours = await leases.take_turn(conn, name, self._owner, every, max(300.0, every))
            if ours:
                await self._run(task, backend, name)
        except Exception as error:
            LOG.error("periodic task failed", task=name, error=repr(error), exc_info=True)

    async def _run(self, task: Periodic, backend: Backend | None, name: str) -> None:
        failure, started = None, time.monotonic()
        try:
            await task.run(Now(self._core, backend))
        except Exception as error:
            failure = repr(error)
            raise
        finally:
            async with self._core.db.single() as conn:
                await leases.ran(conn, name, time.monotonic() - started, failure)
                await leases.end_turn(conn, name, self._owner)
