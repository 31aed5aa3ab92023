"""A back end compared with its rows: work for what is broken, once; orphans reported, removed only if they may be."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import prometheus_client
import pytest

from cli import metrics
from db import private_data, tasks
from db.connection import Database, Row
from db.write import insert
from drivers.base import BackendOptions, ShareUpdate
from drivers.dummy.driver import DummyDriver
from drivers.reconciling import Broken, Findings, Orphan, ReadRows, Rows, Waiting
from generated.errors import SnapshotResourceNotFound
from tests.worker.test_periodic import core_over
from worker.operation import Backend
from worker.periodic import Now, PeriodicRunner
from worker.registry import operations
from worker.runner import Runner
from worker.service import Served, ShareManager
from worker.tasks import reconcile

HOST = "node1@alpha"
ORPHAN = Orphan("Pod", "holder-x", "x", 99999.0, True, "it has no row", "uid-1")
FINDINGS = Findings(
    (Broken("share", "i1", "gone"), Broken("share_server", "v1", "gone"), Broken("snapshot", "n1", "gone")),
    (ORPHAN, replace(ORPHAN, name="holder-y", proven=False)),
    (Waiting("v1", "node-1", "silent"),),
)


class Compared(DummyDriver):
    """A driver that finds what it is told to, and notes what is asked of it."""

    def __init__(self) -> None:
        super().__init__(BackendOptions("alpha", "ALPHA"))
        self.found = FINDINGS
        self.done: list[str] = []
        self.seen = Rows()
        self.told: asyncio.Queue[str] = asyncio.Queue()

    async def inspect(self, read: ReadRows) -> Findings:
        self.seen = await read(["i1", "n1", "v1", "x"])
        return self.found

    async def changes(self) -> AsyncIterator[str]:
        while True:
            yield await self.told.get()

    async def ensure_server(self, share_server: Row) -> None:
        self.done.append(f"server {share_server['id']}")

    async def ensure_snapshot(
        self, snapshot: Row, access_rules: Sequence[Row], share_server: Row | None = None
    ) -> None:
        self.done.append(f"snapshot {snapshot['id']}")
        raise SnapshotResourceNotFound(name=snapshot["id"])

    async def ensure_shares(self, shares: Sequence[Row]) -> Mapping[str, ShareUpdate]:
        self.done += [f"share {one['id']}" for one in shares]
        return {one["id"]: {"status": "error"} for one in shares}

    async def remove_orphan(self, orphan: Orphan) -> None:
        self.done.append(f"remove {orphan.name}")


@pytest.fixture
async def driver(db: Database) -> Compared:
    """Rows of a share with a snapshot on a server."""
    async with db.write() as conn:
        await insert(conn, "shares", {"id": "h1", "size": 1, "share_proto": "NFS", "project_id": "p"})
        await insert(conn, "share_servers", {"id": "v1", "status": "active", "host": HOST})
        share: Row = {"id": "i1", "share_id": "h1", "status": "available", "host": f"{HOST}#pool"}
        share |= {"cast_rules_to_readonly": False, "share_server_id": "v1"}
        await insert(conn, "share_instances", share)
        snapshot: Row = {"id": "s1", "share_id": "h1", "size": 1, "project_id": "p", "share_size": 1}
        await insert(conn, "share_snapshots", snapshot)
        instance = {"id": "n1", "snapshot_id": "s1", "share_instance_id": "i1", "status": "available"}
        await insert(conn, "share_snapshot_instances", instance)
    return Compared()


def now(db: Database, driver: Compared) -> Now:
    return Now(core_over(db), Backend("alpha", HOST, driver))


async def queued(db: Database) -> list[str]:
    async with db.read() as conn:
        return [row["kind"] for row in await conn.all("SELECT kind FROM openkeel_tasks ORDER BY id")]


async def work_off(db: Database, driver: Compared) -> None:
    runner = Runner(core_over(db), operations(), {HOST: Backend("alpha", HOST, driver)}, poll=0.05)
    stop = asyncio.Event()
    running = asyncio.create_task(runner.run(stop))
    async with asyncio.timeout(10):
        while True:
            async with db.read() as conn:
                if not await tasks.pending(conn):
                    break
            await asyncio.sleep(0.01)
    stop.set()
    runner.wake()
    await running


async def test_what_is_broken_is_left_as_work_once(db: Database, driver: Compared) -> None:
    for _ in range(2):
        await reconcile.reconcile(now(db, driver))
    assert await queued(db) == ["share_ensure", "server_ensure", "snapshot_ensure"]
    assert [one["id"] for one in driver.seen.shares] == ["i1"]
    assert driver.seen.shares[0]["share_server"]["id"] == "v1"
    assert driver.seen.known == {"i1", "n1", "v1"}
    assert driver.done == [], "a look touches nothing that has a row"


async def test_the_work_asks_the_driver_and_lost_data_is_told_to_its_owner(db: Database, driver: Compared) -> None:
    await reconcile.reconcile(now(db, driver))
    await work_off(db, driver)
    assert sorted(driver.done) == ["server v1", "share i1", "snapshot n1"]
    async with db.read() as conn:
        told = await conn.all("SELECT resource_type, resource_id FROM messages ORDER BY resource_type")
        share = await conn.one("SELECT status FROM share_instances WHERE id = 'i1'")
        snapshot = await conn.one("SELECT status FROM share_snapshot_instances WHERE id = 'n1'")
    assert [(one["resource_type"], one["resource_id"]) for one in told] == [("SHARE", "h1"), ("SHARE_SNAPSHOT", "s1")]
    assert (share, snapshot) == ({"status": "error"}, {"status": "error"})


async def test_work_for_what_has_changed_meanwhile_does_nothing(db: Database, driver: Compared) -> None:
    await reconcile.reconcile(now(db, driver))
    for table in ("share_servers", "share_instances", "share_snapshot_instances"):
        async with db.write() as conn:
            await conn.run(f"UPDATE {table} SET status = 'deleting'")
    await work_off(db, driver)
    assert driver.done == []


@pytest.mark.parametrize("status", ["extending_error", "reverting_error", "unmanage_error", "shrinking_error"])
async def test_what_failed_on_a_share_leaves_it_in_care(db: Database, driver: Compared, status: str) -> None:
    """Clients have it mounted all the same: it must follow its gateway to another node."""
    async with db.write() as conn:
        await conn.run("UPDATE share_instances SET status = %s", (status,))
    driver.found = replace(FINDINGS, broken=FINDINGS.broken[:1])
    await reconcile.reconcile(now(db, driver))
    assert [one["id"] for one in driver.seen.shares] == ["i1"]
    await work_off(db, driver)
    assert driver.done == ["share i1"]


@pytest.mark.parametrize("status", ["creating", "deleting", "error", "reverting"])
async def test_shares_in_other_hands_are_not_compared(db: Database, driver: Compared, status: str) -> None:
    async with db.write() as conn:
        await conn.run("UPDATE share_instances SET status = %s", (status,))
    await reconcile.reconcile(now(db, driver))
    assert driver.seen.shares == []
    assert "i1" in driver.seen.known, "its objects are no orphans"


async def test_orphans_stay_unless_they_may_go_and_have_no_row(db: Database, driver: Compared) -> None:
    await reconcile.reconcile(now(db, driver))
    assert driver.done == []
    driver.found = replace(FINDINGS, may_remove=True)
    await reconcile.reconcile(now(db, driver))
    assert driver.done == ["remove holder-x"]
    driver.found = Findings((), (replace(ORPHAN, about="i1"),), may_remove=True)
    await reconcile.reconcile(now(db, driver))
    assert driver.done == ["remove holder-x"]


async def test_the_metrics_tell_what_the_last_look_found(db: Database, driver: Compared) -> None:
    await reconcile.reconcile(now(db, driver))
    await metrics.read_cluster(core_over(db))
    text = prometheus_client.generate_latest().decode()
    assert 'manila_backend_orphans{backend="node1@alpha",kind="Pod"} 2.0' in text
    assert 'manila_backend_broken{backend="node1@alpha",kind="share"} 1.0' in text
    assert 'manila_backend_gateways_waiting{backend="node1@alpha"} 1.0' in text
    driver.found = Findings()
    await reconcile.reconcile(now(db, driver))
    await metrics.read_cluster(core_over(db))
    assert "manila_backend_orphans{" not in prometheus_client.generate_latest().decode()
    async with db.read() as conn:
        longest = await conn.one(f"SELECT max(length(value)) AS most FROM {private_data.TABLE}")
    assert longest is not None and longest["most"] < 1023


async def test_a_driver_that_cannot_be_compared_is_left_alone(db: Database) -> None:
    backend = Backend("alpha", HOST, DummyDriver(BackendOptions("alpha", "ALPHA")))
    await reconcile.reconcile(Now(core_over(db), backend))
    assert await queued(db) == []


class Looks:
    """How often a driver was asked to compare. Both time out long before its interval of a minute is over."""

    def __init__(self, db: Database, driver: Compared) -> None:
        self.count, self._db, self._driver = 0, db, driver
        self._inspect, driver.found = driver.inspect, Findings()
        driver.inspect = self._counted  # type: ignore[method-assign]

    async def _counted(self, read: ReadRows) -> Findings:
        self.count += 1
        return await self._inspect(read)

    async def reach(self, count: int) -> None:
        async with asyncio.timeout(20):
            while self.count < count:
                await asyncio.sleep(0.02)

    @contextlib.asynccontextmanager
    async def worker(self) -> AsyncIterator[None]:
        backends = [Backend("alpha", HOST, self._driver)]
        manager = ShareManager(core_over(self._db), backends, zone="nova", periodic=reconcile.PERIODIC)
        await manager.start()
        stop = asyncio.Event()
        running = asyncio.create_task(manager.run(stop))
        try:
            yield
        finally:
            stop.set()
            await running


async def test_a_change_is_looked_at_before_its_time(db: Database, driver: Compared) -> None:
    looks = Looks(db, driver)
    async with looks.worker():
        await looks.reach(1)
        for count in (2, 3):  # one of them may be that of the start
            driver.told.put_nowait("a pod was removed")
            await looks.reach(count)


async def test_a_worker_that_starts_looks_at_once_however_lately_another_did(db: Database, driver: Compared) -> None:
    """What happened between the two nobody was told of: a node may have been lost."""
    looks = Looks(db, driver)
    async with looks.worker():
        await looks.reach(1)
    before = looks.count
    async with looks.worker():
        await looks.reach(before + 1)


async def test_two_processes_never_compare_at_once(db: Database, driver: Compared) -> None:
    busy = most = 0

    async def counted(read: ReadRows) -> Findings:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0.2)
        busy -= 1
        return Findings()

    driver.inspect = counted  # type: ignore[method-assign]
    backend = Backend("alpha", HOST, driver)
    runners = [PeriodicRunner(core_over(db), reconcile.PERIODIC, [backend], owner) for owner in "ab"]
    stop = asyncio.Event()
    jobs: list[Any] = [asyncio.create_task(one.run(stop, look=0.02)) for one in runners]
    for _ in range(10):
        for one in runners:
            one.hasten(f"reconcile:{HOST}")
        await asyncio.sleep(0.1)
    stop.set()
    await asyncio.gather(*jobs)
    assert most == 1
    assert Served(backend, 1).beating
