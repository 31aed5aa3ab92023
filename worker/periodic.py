"""Periodic tasks: each runs in one process of the cluster at a time, on its own interval."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import prometheus_client
import structlog

from db import leases
from db.connection import LOST
from generated.settings import Settings
from services.core import Core
from worker.operation import Backend

LOG = structlog.get_logger("periodic")
INTERVAL = prometheus_client.Gauge(
    "manila_periodic_interval_seconds", "How often a periodic task of this process is to run", ["task", "backend"]
)
LEASE = 60.0
"""Seconds after which a process that ended in the middle of a task is taken for dead."""
LONGEST_LOOK = 30.0
"""Seconds between looks whether a turn of another process is over, at most."""
DRAIN_SECONDS = 10.0
HASTE = 1.0
"""Seconds at least between two runs of a task that is hastened."""


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
    """Runs periodic tasks until told to stop; one that fails or takes long does not keep the others waiting.

    A run holds a lease that is renewed while it lasts, so that another process takes over only from a dead one.

    Args:
        owner: names this process in the leases.
    """

    def __init__(self, core: Core, tasks: Iterable[Periodic], backends: Iterable[Backend], owner: str) -> None:
        self._core, self._owner = core, owner
        known = list(tasks)
        self._turns: dict[str, tuple[Periodic, Backend | None]] = {
            f"{task.name}:{backend.host}": (task, backend) for backend in backends for task in known if task.per_backend
        }
        self._turns |= {task.name: (task, None) for task in known if not task.per_backend}
        for name, (task, _) in self._turns.items():
            kind, _, host = name.partition(":")
            INTERVAL.labels(kind, host).set(task.every(core.settings))
        self._running: dict[str, asyncio.Task[None]] = {}
        self._next = dict.fromkeys(self._turns, 0.0)
        """When to ask for a turn again, by the monotonic clock."""
        self._due: set[str] = set()

    def hasten(self, name: str) -> None:
        """Run a task as soon as no other process runs it, whenever it ran last; ``name`` as in the leases."""
        if name in self._turns:
            self._due.add(name)
            self._next[name] = 0.0

    async def run(self, stop: asyncio.Event, look: float = 1.0) -> None:
        """Serve until ``stop`` is set; ``look`` is the pause between looks, in seconds."""
        while not stop.is_set():
            for name in self._turns:
                if name not in self._running and time.monotonic() >= self._next[name]:
                    self._running[name] = asyncio.create_task(self._turn(name, look))
            try:
                await asyncio.wait_for(stop.wait(), look)
            except TimeoutError:
                continue
        if self._running:
            _, late = await asyncio.wait(self._running.values(), timeout=DRAIN_SECONDS)
            for one in late:
                one.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _turn(self, name: str, look: float) -> None:
        task, backend = self._turns[name]
        every = task.every(self._core.settings)
        hurried = name in self._due
        try:
            async with self._core.db.single() as conn:
                ours = await leases.take_turn(conn, name, self._owner, min(every, HASTE) if hurried else every, LEASE)
            if ours:
                self._due.discard(name)
                await self._run(name, task, backend)
            pause = every if ours else HASTE if hurried else min(LONGEST_LOOK, every / 10)
            self._next[name] = 0.0 if name in self._due and ours else time.monotonic() + pause
        except Exception as error:
            LOG.error("periodic task failed", task=name, error=repr(error), exc_info=True)
            self._next[name] = time.monotonic() + look
        finally:
            del self._running[name]

    async def _run(self, name: str, task: Periodic, backend: Backend | None) -> None:
        failure, started = None, time.monotonic()
        renewing = asyncio.create_task(self._renew(name))
        try:
            await task.run(Now(self._core, backend))
        except Exception as error:
            failure = repr(error)
            raise
        finally:
            renewing.cancel()
            async with self._core.db.single() as conn:
                await leases.ran(conn, name, time.monotonic() - started, failure)
                await leases.end_turn(conn, name, self._owner)

    async def _renew(self, name: str) -> None:
        while True:
            await asyncio.sleep(LEASE / 3)
            with contextlib.suppress(*LOST):
                async with self._core.db.single() as conn:
                    await leases.renew(conn, name, self._owner, LEASE)
