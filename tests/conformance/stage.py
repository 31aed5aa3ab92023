"""The service's parts on one event loop, and the verbs that steer them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import fcntl
import functools
import pathlib
import time
from collections.abc import Callable, MutableMapping
from typing import Any

from api.app import make_app
from cli import config, log, read_over
from db import heartbeats, notifications, tasks
from db.connection import Database
from services.core import Core
from services.policy import Policy
from tests.conformance import settings as files
from worker import backends, periodic
from worker.registry import operations
from worker.runner import Runner
from worker.schedule import TASKS
from worker.service import ShareManager

SETTLE_SECONDS = 15.0
DOWN = "2001-01-01 00:00:00"
"""Time of the last heartbeat of a service that is held down."""


def take_from(ledger: pathlib.Path) -> bool:
    """Take one from the number in a file that several processes share; False when none is left."""
    with ledger.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        left = int(file.read())
        file.seek(0)
        file.truncate()
        file.write(str(max(0, left - 1)))
        return left > 0


class Stage:
    """A service that can be reset to an empty one.

    Args:
        file: its configuration file.
        fresh: makes an empty, migrated database and returns its URL.
    """

    def __init__(self, file: pathlib.Path, fresh: Callable[[], str]) -> None:
        self._file, self._fresh = file, fresh
        self.settings = config.load([file])
        log.set_up(self.settings.openkeel)
        self._app: Any = None
        self._stop = asyncio.Event()
        self._jobs: list[asyncio.Task[None]] = []

    async def app(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """The API of the moment."""
        await self._app(scope, receive, send)

    async def start(self) -> None:
        """Bring up a fresh service on a fresh database."""
        db = Database(await asyncio.to_thread(self._fresh), size=16, name="conformance")
        await db.open()
        self.core = Core(db, self.settings, Policy(self.settings))
        self._app = make_app(self.core)
        self._stop = asyncio.Event()
        self._dumped = (0, 0)
        zone = self.settings.default.storage_availability_zone
        self.manager = ShareManager(self.core, backends.build(self.settings), zone=zone, report_interval=1e9)
        self.others: dict[str, int] = {}
        self.held: set[str] = set()
        host = self.settings.default.host or "node1"
        # in this order, since the recordings show the numbers of the services
        await self._register("scheduler", host, zone)
        await self.manager.start()
        await self._register("data", host, zone)
        others = Runner(self.core, operations(), queues=("scheduler", "data"))
        self._jobs = [asyncio.create_task(job) for job in (self.manager.run(self._stop), others.run(self._stop))]
        for one in self.manager.served.values():
            await asyncio.wait_for(one.ready.wait(), 20)
        await self.verb_tick()

    async def _register(self, name: str, host: str, zone: str) -> None:
        binary = f"manila-{name}"
        async with self.core.db.write() as conn:
            self.others[name] = await heartbeats.register(conn, binary, binary, host, zone)

    async def stop(self) -> None:
        """Stop the workers and let go of the database."""
        self._stop.set()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.gather(*self._jobs, return_exceptions=True), 10)
        await self.core.db.close()

    async def verb_reset(self) -> None:
        await self.stop()
        self.settings = config.load([self._file])
        await self.start()

    async def verb_settle(self) -> None:
        deadline = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < deadline:
            async with self.core.db.read() as conn:
                if not await tasks.pending(conn):
                    return
            await asyncio.sleep(0.004)

    async def verb_tick(self) -> None:
        async with self.core.db.read() as conn:
            for name, ident in self.others.items():
                if name not in self.held:
                    await heartbeats.beat(conn, ident)
        for one in self.manager.served.values():
            await self.manager.report(one)

    async def verb_heartbeat(self, service: str, up: bool) -> None:
        served = self.manager.served.get(service)
        ident = served.service_id if served else self.others[service]
        if served:
            served.beating = up
        (self.held.discard if up else self.held.add)(service)
        if up:
            await self.verb_tick()
            return
        async with self.core.db.read() as conn:
            await conn.run("UPDATE services SET state = 'down', updated_at = %s WHERE id = %s", (DOWN, ident))

    async def verb_periodic(self, task: str, expired: bool = False) -> None:
        one = next((known for known in TASKS if known.name == task), None)
        if one is None:
            raise ValueError(f"no periodic task is named {task}")
        turns = [served.backend for served in self.manager.served.values()] if one.per_backend else [None]
        for backend in turns:
            await one.run(periodic.Now(self.core, backend, expired))
            await self.verb_settle()

    async def verb_driver_fail(
        self,
        backend: str,
        method: str,
        message: str = "injected failure",
        count: int = 1,
        exception: str | None = None,
        detail: Any = None,
        ledger: str | None = None,
    ) -> None:
        """``ledger``: file with the number of failures that are left for all processes of a cluster."""
        driver: Any = self.manager.served[backend].backend.driver
        take = None if ledger is None else functools.partial(take_from, pathlib.Path(ledger))
        driver.faults.fail(method, count, message, exception, detail, take)

    async def verb_dump(self) -> dict[str, Any]:
        """Tasks, failed tasks and notifications since the last dump."""
        async with self.core.db.read() as conn:
            told = await notifications.since(conn, self._dumped[0])
            work = await tasks.since(conn, self._dumped[1])
        self._dumped = (told[-1]["id"] if told else self._dumped[0], work[-1]["id"] if work else self._dumped[1])
        frames = [
            {"kind": "cast", "topic": one["queue"], "method": one["kind"], "args": one["payload"]} for one in work
        ]
        errors = [
            {"method": one["kind"], "topic": one["queue"], "message": one["last_error"]}
            for one in work
            if one["state"] == "failed"
        ]
        names = ("priority", "publisher_id", "event_type", "payload")
        return {
            "rpc": frames,
            "cast_errors": errors,
            "notifications": [{name: one[name] for name in names} for one in told],
        }

    async def verb_config(self, option: str, value: Any = None, group: str | None = None) -> None:
        name = group or "DEFAULT"
        if name in self.core.settings.backends:
            self._of_backend(name, option, value)
            return
        if option in read_over.OPTIONS.get(name, ()):
            return  # it does nothing there, as with the original
        name = name.lower()
        section = getattr(self.core.settings, name)
        changed = dataclasses.replace(section, **{option: files.override(getattr(section, option), value)})
        self.core.settings = dataclasses.replace(self.core.settings, **{name: changed})

    def _of_backend(self, name: str, option: str, value: Any) -> None:
        """An option in the section of a back end, for the service and for the driver that runs."""
        self.core.settings = config.replaced(self.core.settings, option, value, section=name)
        backend = self.manager.served[name].backend
        backend.section = self.core.settings.backends[name]
        backend.driver.options = backends.options(name, backend.section, type(backend.driver.options))
