"""The share manager process: its back ends, their heartbeats and capability reports, and the tasks they run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import structlog

from db import backend_info, ensure, heartbeats, reports
from services.core import Core
from worker.operation import Backend
from worker.operations.share_ensure import MOUNTED
from worker.periodic import Periodic, PeriodicRunner
from worker.presence import leave, patiently
from worker.private_data import DatabaseStorage
from worker.registry import operations
from worker.runner import Runner, StepHook, own_name

LOG = structlog.get_logger("share")
TOPIC = "manila-share"
RECONCILE = "reconcile"
"""Name of the periodic task that compares a back end with the database."""
FIRST_RETRY, LONGEST_RETRY = 1.0, 60.0


@dataclass(slots=True)
class Served:
    """A back end that this process serves. ``beating`` of False holds its heartbeat (tests of a dead service)."""

    backend: Backend
    service_id: int
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    beating: bool = True


class ShareManager:
    """Serves back ends until told to stop; one that cannot start does not keep the others waiting.

    Args:
        unusable: hosts of back ends that can't be served as configured; their services are there, and not up.
        zone: availability zone of the back ends' services.
        report_interval: seconds between heartbeats and capability reports.
    """

    def __init__(
        self,
        core: Core,
        backends: Sequence[Backend],
        *,
        zone: str,
        unusable: Iterable[str] = (),
        report_interval: float = 10.0,
        periodic: Iterable[Periodic] = (),
        after_step: StepHook | None = None,
    ) -> None:
        self.core = core
        self.backends = list(backends)
        for backend in self.backends:
            backend.driver.private_storage = DatabaseStorage(core.db)
        self._unusable = list(unusable)
        self.served: dict[str, Served] = {}
        self._zone, self._interval = zone, report_interval
        self._periodic = list(periodic)
        self._after_step = after_step

    async def start(self) -> None:
        """Register the services; the back ends are set up by ``run`` or ``set_up``."""
        for backend in self.backends:
            async with self.core.db.write() as conn:
                service_id = await heartbeats.register(conn, "manila-share", TOPIC, backend.host, self._zone)
            self.served[backend.name] = Served(backend, service_id)
        for host in self._unusable:
            async with self.core.db.write() as conn:
                await heartbeats.register(conn, "manila-share", TOPIC, host, self._zone)

    async def set_up(self, one: Served) -> None:
        """Set a back end up, export again what it should export, report it. Raises what the driver raises."""
        driver = one.backend.driver
        await driver.do_setup()
        await driver.check_for_setup_error()
        await self.export_anew(one.backend)
        one.ready.set()
        await self.report(one)

    async def export_anew(self, backend: Backend) -> int | None:
        """Leave work to export every share of a back end again, each in turn with other work on it; how many.

        None, and nothing to do, when the driver says of the back end what it said the last time.
        """
        try:
            info: str | None = backend_info.hash_of(await backend.driver.get_backend_info())
        except NotImplementedError:
            info, says = None, False
        else:
            says = True
        async with self.core.db.write() as conn:
            if says and info == await backend_info.known(conn, backend.host):
                return None
            count = await ensure.order(conn, backend.host, MOUNTED)
            if info is not None:
                await backend_info.keep(conn, backend.host, info)
        return count

    async def report(self, one: Served) -> None:
        """A sign of life and, when the back end is set up, its capabilities."""
        if not one.beating:
            return
        async with self.core.db.single() as conn:
            await heartbeats.beat(conn, one.service_id)
        if one.ready.is_set():
            stats = await one.backend.driver.get_share_stats(refresh=True)
            async with self.core.db.single() as conn:
                await reports.save(conn, one.backend.host, stats)

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set; then the services say that they stopped."""
        if not self.served:
            await patiently(stop, self.start)
        jobs = [asyncio.create_task(self._serve(one, stop)) for one in self.served.values()]
        periodic = PeriodicRunner(self.core, self._periodic, self.backends, own_name())
        jobs.append(asyncio.create_task(periodic.run(stop)))
        jobs += [asyncio.create_task(_watch(one, periodic, stop)) for one in self.served.values()]
        await asyncio.gather(*jobs)
        for one in self.served.values():
            for network in (one.backend.network, one.backend.admin_network):
                if network is not None:
                    await network.close()
        await leave(self.core.db, [one.service_id for one in self.served.values()])

    async def _serve(self, one: Served, stop: asyncio.Event) -> None:
        delay = FIRST_RETRY
        while not stop.is_set() and not one.ready.is_set():
            try:
                await self.set_up(one)
            except Exception as error:
                LOG.error("the back end cannot start", backend=one.backend.host, error=repr(error), retry_in=delay)
                await _pause(stop, delay)
                delay = min(LONGEST_RETRY, delay * 2)
        own = self.core.settings.openkeel
        runner = Runner(
            self.core,
            operations(),
            {one.backend.host: one.backend},
            lease=own.task_lease,
            poll=own.task_poll,
            concurrency=own.task_concurrency,
            after_step=self._after_step,
        )
        await asyncio.gather(runner.run(stop), self._beat(one, stop))

    async def _beat(self, one: Served, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self.report(one)
            except Exception as error:
                LOG.warning("cannot report", backend=one.backend.host, error=repr(error))
            await _pause(stop, self._interval)


async def _watch(one: Served, periodic: PeriodicRunner, stop: asyncio.Event) -> None:
    """Hasten the comparison of a back end when its driver says that something has happened there.

    What happened before nobody was told of: the first one is due at once, however lately another worker looked.
    """
    while not stop.is_set():
        following = asyncio.create_task(_follow(one, periodic))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({following, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for task in (following, stopping):
            task.cancel()
        (ended, _) = await asyncio.gather(following, stopping, return_exceptions=True)
        if isinstance(ended, NotImplementedError):
            return
        if isinstance(ended, Exception):
            LOG.warning("a back end is not watched for a moment", backend=one.backend.host, error=repr(ended))
            await _pause(stop, FIRST_RETRY)


async def _follow(one: Served, periodic: PeriodicRunner) -> None:
    await one.ready.wait()
    periodic.hasten(f"{RECONCILE}:{one.backend.host}")
    async for what in one.backend.driver.changes():
        LOG.debug("a comparison is due", backend=one.backend.host, what=what)
        periodic.hasten(f"{RECONCILE}:{one.backend.host}")


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
