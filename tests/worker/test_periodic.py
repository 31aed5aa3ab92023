"""Periodic tasks: once in the whole cluster, none in another's way, and what became of each can be seen."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import prometheus_client
import pytest

from cli import metrics
from db import leases, reservations
from db.connection import Database
from db.write import insert
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from generated.settings import DefaultSection, Settings
from services.core import Core
from services.policy import Policy
from worker import periodic
from worker.operation import Backend
from worker.periodic import Now, Periodic, PeriodicRunner
from worker.schedule import TASKS


def core_over(db: Database, **options: Any) -> Core:
    settings = Settings(default=DefaultSection(**options))
    return Core(db, settings, Policy(settings))


def counting(name: str, interval: float, **more: Any) -> tuple[Periodic, list[str]]:
    """A task that notes which back end it ran for."""
    runs: list[str] = []

    async def run(now: Now) -> None:
        runs.append(now.backend.host if now.backend else "")

    return Periodic(name, run, interval, **more), runs


@contextlib.asynccontextmanager
async def running(*runners: PeriodicRunner) -> AsyncIterator[None]:
    stop = asyncio.Event()
    jobs = [asyncio.create_task(one.run(stop, look=0.02)) for one in runners]
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(*jobs)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


def back_ends(*names: str) -> list[Backend]:
    return [Backend(name, f"node1@{name}", DummyDriver(BackendOptions(name, name.upper()))) for name in names]


async def test_two_processes_run_a_task_once_for_each_back_end(db: Database) -> None:
    task, runs = counting("look", 3600.0)
    common, once = counting("tidy", 3600.0, per_backend=False)
    made = [PeriodicRunner(core_over(db), (task, common), back_ends("alpha", "beta"), owner) for owner in "ab"]
    async with running(*made):
        await until(lambda: len(runs) >= 2 and len(once) >= 1)
        await asyncio.sleep(0.3)
    assert sorted(runs) == ["node1@alpha", "node1@beta"]
    assert once == [""]


async def test_it_runs_again_after_its_interval(db: Database) -> None:
    task, runs = counting("look", 0.1, per_backend=False)
    async with running(PeriodicRunner(core_over(db), (task,), (), "a")):
        await until(lambda: len(runs) >= 3)


async def test_one_that_hangs_or_fails_is_in_nobodys_way(db: Database) -> None:
    release = asyncio.Event()

    async def hang(now: Now) -> None:
        await release.wait()

    async def fail(now: Now) -> None:
        raise RuntimeError("broken")

    other, runs = counting("other", 0.05, per_backend=False)
    tasks = (Periodic("hang", hang, 0.05, False), Periodic("fail", fail, 0.05, False), other)
    async with running(PeriodicRunner(core_over(db), tasks, (), "a")):
        await until(lambda: len(runs) >= 3)
        async with db.read() as conn:
            found = {row["name"]: row for row in await leases.turns(conn)}
        release.set()
    assert found["hang"]["running"] and found["hang"]["runs"] == 0
    assert found["fail"]["failures"] >= 1
    assert found["other"]["failures"] == 0


async def test_a_long_run_keeps_its_turn(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(periodic, "LEASE", 0.3)
    started: list[int] = []

    async def long(now: Now) -> None:
        started.append(1)
        await asyncio.sleep(1.0)

    task = Periodic("long", long, 0.01, False)
    async with running(*(PeriodicRunner(core_over(db), (task,), (), owner) for owner in "ab")):
        await asyncio.sleep(0.8)
        assert len(started) == 1


async def test_the_metrics_tell_of_every_task(db: Database) -> None:
    task, runs = counting("visible", 3600.0)
    async with running(PeriodicRunner(core_over(db), (task,), back_ends("alpha"), "a")):
        await until(lambda: bool(runs))
    await metrics.read_cluster(core_over(db))
    text = prometheus_client.generate_latest(prometheus_client.REGISTRY).decode()
    assert 'manila_periodic_runs{backend="node1@alpha",task="visible"} 1.0' in text
    assert 'manila_periodic_interval_seconds{backend="node1@alpha",task="visible"} 3600.0' in text
    assert 'manila_periodic_failures{backend="node1@alpha",task="visible"} 0.0' in text
    assert 'manila_periodic_last_start_timestamp_seconds{backend="node1@alpha",task="visible"}' in text


INTERVALS = {
    "expired_messages": "message_reap_interval",
    "mark_services_down": "service_down_time",
    "delete_expired_shares": "check_for_expired_shares_in_recycle_bin_interval",
    "delete_expired_transfers": "check_for_expired_transfers",
    "share_usage_size": "share_usage_size_update_interval",
    "share_status_update": "periodic_interval",
    "deferred_share_deletion": "periodic_deferred_delete_interval",
    "deferred_snapshot_deletion": "periodic_deferred_delete_interval",
    "replica_state_update": "replica_state_update_interval",
    "replica_snapshot_update": "replica_state_update_interval",
    "migration_continue": "migration_driver_continue_update_interval",
    "server_migration_continue": "server_migration_driver_continue_update_interval",
    "backup_continue": "driver_backup_continue_update_interval",
    "restore_continue": "driver_restore_continue_update_interval",
}
"""Task of the original -> the option that says how often it runs."""


@pytest.mark.parametrize(("name", "option"), sorted(INTERVALS.items()))
def test_intervals_are_the_originals_options(name: str, option: str) -> None:
    default: Any = {option: 4711}
    (task,) = [one for one in TASKS if one.name == name]
    assert task.every(Settings(default=DefaultSection(**default))) == 4711


async def test_reservations_of_the_original_expire(db: Database) -> None:
    async with db.write() as conn:
        usage = await insert(
            conn, "quota_usages", {"project_id": "p", "user_id": "u", "resource": "shares", "in_use": 1, "reserved": 3}
        )
        for delta, expire in ((2, "2020-01-01 00:00:00"), (-1, "2020-01-01 00:00:00"), (1, "2999-01-01 00:00:00")):
            values = {"uuid": f"r{delta}", "usage_id": usage["id"], "project_id": "p", "resource": "shares"}
            await insert(conn, "reservations", {**values, "delta": delta, "expire": expire})
        assert await reservations.expire(conn) == 2
        assert await reservations.expire(conn) == 0
        row = await conn.one("SELECT in_use, reserved FROM quota_usages")
    assert row == {"in_use": 1, "reserved": 1}
