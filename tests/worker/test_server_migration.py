"""Share servers that move: to another back end or network, as they are or made anew, and not at all."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import heartbeats, reports
from db.connection import Database, Row
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from network.standalone import StandaloneOptions, StandalonePlugin
from services import server_migration
from services.core import Core
from tests.handlers.catalogue import Ask, asker, core_over
from tests.handlers.share_stage import refused
from worker.operation import Backend
from worker.periodic import Now
from worker.registry import operations
from worker.runner import Runner
from worker.tasks.migration import server_migration_continue

WISH = {"writable": False, "nondisruptive": False, "preserve_snapshots": True}


class Driver(DummyDriver):
    """A dummy driver that says what it can, and remembers the levels that it was to enforce."""

    def __init__(self, options: BackendOptions) -> None:
        super().__init__(options)
        self.able: dict[str, bool] = {}
        self.levels: list[list[str]] = []

    async def share_server_migration_check_compatibility(self, *arguments: Any) -> Row:
        return {**await super().share_server_migration_check_compatibility(*arguments), **self.able}

    async def share_server_migration_complete(self, *arguments: Any) -> Row:
        if self.able.get("nondisruptive"):
            return {}
        return await super().share_server_migration_complete(*arguments)

    async def update_access(self, share: Any, access_rules: Any, *others: Any, **more: Any) -> Any:
        self.levels.append([rule["access_level"] for rule in access_rules])
        return await super().update_access(share, access_rules, *others, **more)


@dataclasses.dataclass(slots=True)
class Stage:
    """Back ends gamma and delta on standalone networks, a share with a rule on a server of one of them."""

    core: Core
    ask: Ask
    backends: dict[str, Backend]
    share: str = ""
    server: str = ""
    network: str = ""
    source: str = ""
    target: str = ""

    async def work(self) -> None:
        """Do what is due."""
        by_host = {one.host: one for one in self.backends.values()}
        runner = Runner(self.core, operations(), by_host, queues=("scheduler",), poll=0.05)
        stop = asyncio.Event()
        running = asyncio.create_task(runner.run(stop))
        while await self.rows("SELECT 1 FROM openkeel_tasks WHERE state IN ('queued', 'running')"):
            await asyncio.sleep(0.005)
        stop.set()
        runner.wake()
        await running

    async def rows(self, sql: str, *params: Any) -> list[Row]:
        async with self.core.db.read() as conn:
            return await conn.all(sql, params)

    def driver(self, name: str) -> Any:
        """The driver of ``source`` or ``target``."""
        return self.backends[getattr(self, name)].driver

    async def action(self, body: Any) -> Any:
        headers = {"X-OpenStack-Manila-API-Experimental": "true"}
        return await self.ask("admin", "POST", f"/v2/share-servers/{self.server}/action", body, headers=headers)

    async def start(self, **more: Any) -> None:
        answer = await self.action({"migration_start": {"host": f"node1@{self.target}", **WISH, **more}})
        assert answer.status == 202, answer.json
        await self.work()

    async def arrive(self) -> None:
        """Go on until the first phase is done, and complete."""
        for _ in range(2):
            for backend in self.backends.values():
                await server_migration_continue(Now(self.core, backend))
            await self.work()
        assert (await self.action({"migration_complete": None})).status == 200
        await self.work()

    async def servers(self) -> dict[str, tuple[str, str | None, str]]:
        """Id -> status, task state and host."""
        rows = await self.rows("SELECT id, status, task_state, host FROM share_servers WHERE deleted = 'False'")
        return {row["id"]: (row["status"], row["task_state"], row["host"]) for row in rows}

    async def shown(self) -> Any:
        return (await self.ask("admin", "GET", f"/v2/shares/{self.share}")).json["share"]

    async def new_network(self) -> str:
        answer = await self.ask("member-a", "POST", "/v2/share-networks", {"share_network": {}})
        return str(answer.json["share_network"]["id"])


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    core, backends = core_over(db), {}
    for number, name in enumerate(("gamma", "delta")):
        backend = Backend(
            name,
            f"node1@{name}",
            Driver(BackendOptions(name, name.upper())),
            StandalonePlugin(StandaloneOptions(f"10.0.{number}.1", "24")),
            StandalonePlugin(StandaloneOptions("11.0.0.1", "24"), "admin"),
        )
        backends[name] = backend
        async with db.write() as conn:
            service = await heartbeats.register(conn, "manila-share", "manila-share", backend.host, "nova")
            await heartbeats.beat(conn, service)
            await reports.save(conn, backend.host, await backend.driver.get_share_stats(refresh=True))
    one = Stage(core, asker(core), backends)
    specs = {"driver_handles_share_servers": "True", "snapshot_support": "True"}
    made = await one.ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": specs}})
    assert made.status == 200, made.json
    one.network = await one.new_network()
    body = {"share": {"size": 1, "share_proto": "NFS", "share_network_id": one.network}}
    one.share = (await one.ask("member-a", "POST", "/v2/shares", body)).json["share"]["id"]
    await one.work()
    rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.5"}}
    assert (await one.ask("member-a", "POST", f"/v2/shares/{one.share}/action", rule)).status == 200
    await one.work()
    ((one.server, (_, _, host)),) = (await one.servers()).items()
    one.source = host.partition("@")[2]
    one.target = "delta" if one.source == "gamma" else "gamma"
    yield one


async def test_a_server_is_made_anew_on_the_other_back_end(stage: Stage) -> None:
    await stage.start()
    found = await stage.servers()
    assert found[stage.server][:2] == ("server_migrating", "migration_driver_in_progress")
    assert (await stage.shown())["status"] == "server_migrating"
    await stage.arrive()
    ((server, (status, task_state, host)),) = (await stage.servers()).items()
    assert (status, task_state, host) == ("active", "migration_success", f"node1@{stage.target}")
    shown = await stage.shown()
    assert (shown["status"], shown["share_server_id"]) == ("available", server)
    assert shown["host"] == f"node1@{stage.target}#fake_pool_for_{stage.target.upper()}"
    rows = await stage.rows("SELECT DISTINCT share_server_id AS id FROM network_allocations WHERE deleted = 'False'")
    assert [row["id"] for row in rows] == [server]
    answer = await stage.action({"migration_get_progress": None})
    assert (answer.json["total_progress"], answer.json["destination_share_server_id"]) == (100, server)


async def test_a_server_that_the_driver_takes_as_it_is_keeps_its_addresses(stage: Stage) -> None:
    before = await stage.rows("SELECT id, ip_address FROM network_allocations WHERE deleted = 'False' ORDER BY id")
    details = await stage.rows("SELECT key, value FROM share_server_backend_details ORDER BY key")
    stage.driver("target").able = {"nondisruptive": True}
    await stage.start(nondisruptive=True)
    await stage.arrive()
    ((server, (status, _, host)),) = (await stage.servers()).items()
    assert (status, host) == ("active", f"node1@{stage.target}") and server != stage.server
    after = await stage.rows("SELECT id, ip_address FROM network_allocations WHERE deleted = 'False' ORDER BY id")
    assert after == before
    kept = await stage.rows(
        """
        SELECT key, value FROM share_server_backend_details
        WHERE share_server_id = %s AND deleted = 'False' ORDER BY key
        """,
        server,
    )
    assert kept == details
    rows = await stage.rows("SELECT identifier FROM share_servers WHERE id = %s", server)
    assert rows[0]["identifier"] == stage.server


async def test_a_network_to_which_a_server_moves_stays(stage: Stage) -> None:
    other = await stage.new_network()
    await stage.start(new_share_network_id=other)
    answer = await stage.ask("member-a", "DELETE", f"/v2/share-networks/{other}")
    assert refused(answer)[0] == 409
    await stage.arrive()
    assert (await stage.shown())["share_network_id"] == other


async def test_the_old_back_end_makes_rules_read_only_and_restores_them(stage: Stage) -> None:
    stage.driver("target").able = {"writable": False}
    await stage.start()
    assert stage.driver("source").levels[-1] == ["ro"]
    assert (await stage.action({"migration_cancel": None})).status == 202
    await stage.work()
    assert stage.driver("source").levels[-1] == ["rw"]
    assert (await stage.servers())[stage.server][:2] == ("active", "migration_cancelled")
    await stage.start()
    await stage.arrive()
    assert stage.driver("target").levels[-1] == ["rw"]


@pytest.mark.parametrize("fails", ["share_server_migration_start", "setup_server"])
async def test_a_server_that_cannot_move_stays_active(stage: Stage, fails: str) -> None:
    stage.driver("target").faults.fail(fails)
    await stage.start()
    found = await stage.servers()
    assert found.pop(stage.server)[:2] == ("active", "migration_error")
    assert [one[0] for one in found.values()] == (["error"] if fails == "setup_server" else [])
    assert (await stage.shown())["status"] == "available"


async def test_a_driver_that_fails_on_the_way_gives_everything_back(stage: Stage) -> None:
    await stage.start()
    stage.driver("target").faults.fail("share_server_migration_continue")
    await server_migration_continue(Now(stage.core, stage.backends[stage.target]))
    await stage.work()
    found = await stage.servers()
    assert found.pop(stage.server)[:2] == ("active", "migration_error")
    assert [one[:2] for one in found.values()] == [("error", "migration_error")]
    assert (await stage.shown())["status"] == "available"


async def test_a_cancel_that_the_driver_refuses_may_be_repeated(stage: Stage) -> None:
    await stage.start()
    stage.driver("target").faults.fail("share_server_migration_cancel")
    assert (await stage.action({"migration_cancel": None})).status == 202
    await stage.work()
    assert (await stage.servers())[stage.server][1] == "migration_driver_in_progress"
    assert (await stage.action({"migration_cancel": None})).status == 202
    await stage.work()
    assert (await stage.servers())[stage.server][:2] == ("active", "migration_cancelled")


@pytest.mark.parametrize(("host", "status"), [("node1", 404), ("node1@x", 404), ("node1@delta#p", 400), (["x"], 400)])
async def test_odd_hosts_are_refused(stage: Stage, host: Any, status: int) -> None:
    for action in ("migration_check", "migration_start"):
        answer = await stage.action({action: {"host": host, **WISH, "new_share_network_id": None}})
        assert answer.status == status, answer.content


async def test_a_back_end_that_does_not_answer_a_check_is_told(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_migration, "CHECK_SECONDS", 0.05)
    wish = {"host": f"node1@{stage.target}", **WISH, "new_share_network_id": None}
    assert (await stage.action({"migration_check": wish})).status == 503


async def test_progress_before_the_new_server_is_there(stage: Stage) -> None:
    wish = {"host": f"node1@{stage.target}", **WISH}
    assert (await stage.action({"migration_start": wish})).status == 202
    answer = await stage.action({"migration_get_progress": None})
    assert answer.json == {"total_progress": 0, "task_state": "", "destination_share_server_id": ""}


@pytest.mark.parametrize("goes", [True, False])
async def test_a_cancelled_migration_leaves_the_new_server_or_removes_it(stage: Stage, goes: bool) -> None:
    default = dataclasses.replace(stage.core.settings.default, delete_share_server_with_last_share=goes)
    stage.core.settings = dataclasses.replace(stage.core.settings, default=default)
    await stage.start()
    assert (await stage.action({"migration_cancel": None})).status == 202
    await stage.work()
    found = await stage.servers()
    assert found.pop(stage.server)[:2] == ("active", "migration_cancelled")
    assert [one[0] for one in found.values()] == ([] if goes else ["inactive"])
