"""Share servers: one for many shares of a subnet, one for each network, none left over after a failure."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import heartbeats, reports, share_servers, tasks
from db.connection import Database
from db.write import insert
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from generated.settings import BackendSection
from network.base import Allocated, Unavailable
from network.standalone import StandaloneOptions, StandalonePlugin
from services.core import Core
from tests.handlers.catalogue import Ask, asker, core_over
from worker import servers
from worker.operation import Backend
from worker.periodic import Now
from worker.registry import operations
from worker.runner import Runner
from worker.tasks.servers import delete_free_share_servers


class Stage:
    """An API and two workers of one back end with share servers on standalone networks."""

    def __init__(self, core: Core, backend: Backend) -> None:
        self.core, self.backend = core, backend
        self.ask: Ask = asker(core)
        self.driver: Any = backend.driver

    async def work(self) -> None:
        """Let two workers do what is due."""
        stop = asyncio.Event()
        by_host = {self.backend.host: self.backend}
        runners = [Runner(self.core, operations(), by_host, queues=("scheduler",), poll=0.05) for _ in range(2)]
        running = [asyncio.create_task(one.run(stop)) for one in runners]
        while await self.count("openkeel_tasks", "state IN ('queued', 'running')"):
            await asyncio.sleep(0.01)
        stop.set()
        for one in runners:
            one.wake()
        await asyncio.gather(*running)

    async def count(self, table: str, condition: str) -> int:
        async with self.core.db.read() as conn:
            row = await conn.one(f"SELECT count(*) AS n FROM {table} WHERE {condition}")
        assert row is not None
        return int(row["n"])

    async def network(self, who: str = "member-a") -> str:
        answer = await self.ask(who, "POST", "/v2/share-networks", {"share_network": {}})
        return str(answer.json["share_network"]["id"])

    async def order(self, network_id: str, who: str = "member-a", size: int = 1) -> str:
        body = {"share": {"size": size, "share_proto": "NFS", "share_network_id": network_id}}
        answer = await self.ask(who, "POST", "/v2/shares", body)
        assert answer.status == 200, answer.json
        return str(answer.json["share"]["id"])

    async def share(self, share_id: str) -> Any:
        return (await self.ask("admin", "GET", f"/v2/shares/{share_id}")).json["share"]

    async def servers(self) -> list[Any]:
        found: list[Any] = (await self.ask("admin", "GET", "/v2/share-servers")).json["share_servers"]
        return found


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    core = core_over(db)
    backend = Backend(
        "gamma",
        "node1@gamma",
        DummyDriver(BackendOptions("gamma", "GAMMA", max_shares_per_share_server=3)),
        StandalonePlugin(StandaloneOptions("10.0.0.1", "28")),
        StandalonePlugin(StandaloneOptions("11.0.0.1", "24"), "admin"),
    )
    async with db.write() as conn:
        service = await heartbeats.register(conn, "manila-share", "manila-share", backend.host, "nova")
        await heartbeats.beat(conn, service)
        await reports.save(conn, backend.host, await backend.driver.get_share_stats(refresh=True))
    one = Stage(core, backend)
    specs = {"driver_handles_share_servers": "True"}
    made = await one.ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": specs}})
    assert made.status == 200, made.json
    yield one


async def test_shares_ordered_at_once_get_one_server(stage: Stage) -> None:
    network = await stage.network()
    ids = [await stage.order(network) for _ in range(3)]
    await stage.work()
    shares = [await stage.share(one) for one in ids]
    assert {one["status"] for one in shares} == {"available"}
    assert len({one["share_server_id"] for one in shares}) == 1
    assert len(await stage.servers()) == 1
    assert await stage.count("network_allocations", "deleted = 'False'") == 3


async def test_a_full_server_is_followed_by_another_and_networks_do_not_share(stage: Stage) -> None:
    first, second = await stage.network(), await stage.network("member-b")
    ids = [await stage.order(first) for _ in range(4)]
    other = await stage.order(second, "member-b")
    await stage.work()
    on = [(await stage.share(one))["share_server_id"] for one in ids]
    assert sorted(on.count(one) for one in set(on)) == [1, 3]
    assert (await stage.share(other))["share_server_id"] not in on


@pytest.mark.parametrize("limit", ["max_shares_per_share_server", "max_share_server_size"])
async def test_a_limit_of_zero_is_none(stage: Stage, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    limits: dict[str, Any] = {"max_shares_per_share_server": -1, limit: 0}
    options = dataclasses.replace(stage.backend.driver.options, **limits)
    monkeypatch.setattr(stage.backend.driver, "options", options)
    network = await stage.network()
    ids = [await stage.order(network) for _ in range(2)]
    await stage.work()
    assert len({(await stage.share(one))["share_server_id"] for one in ids}) == 1


async def test_an_empty_server_takes_a_share_beyond_the_limit(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each share of such a size would leave an empty server behind, and get one of its own."""
    monkeypatch.setattr(
        stage.backend.driver, "options", dataclasses.replace(stage.backend.driver.options, max_share_server_size=10)
    )
    network = await stage.network()
    small = await stage.order(network)
    await stage.work()
    await stage.ask("member-a", "DELETE", f"/v2/shares/{small}")
    await stage.work()
    for made in (1, 2):
        share = await stage.order(network, size=20)
        await stage.work()
        assert (await stage.share(share))["status"] == "available"
        assert len(await stage.servers()) == made


class Away(StandalonePlugin):
    """A network service that can't be reached."""

    local = False

    async def allocate(self, *_: Any, **__: Any) -> Allocated:
        raise Unavailable("no connection", code=503)


@pytest.mark.parametrize("patience", [0.0, 3600.0])
async def test_a_network_service_that_stays_away(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """After some minutes and runs the share is in error and its owner is told; before, nothing has failed."""
    monkeypatch.setattr(servers, "PATIENCE", patience)
    monkeypatch.setattr(servers, "TRIES", 2)
    stage.backend.network = Away(StandaloneOptions("10.0.0.1", "28"))
    share = await stage.order(await stage.network())
    working = asyncio.create_task(stage.work())
    try:
        while await stage.count("openkeel_tasks", "kind = 'share_create' AND failures < 2 AND state <> 'failed'"):
            assert (await stage.share(share))["status"] == "creating"
            assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")).status == 403
            await asyncio.sleep(0.05)
        if patience:
            assert (await stage.share(share))["status"] == "creating"
            return
        await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert (await stage.share(share))["status"] == "error"
    assert [one["status"] for one in await stage.servers()] == ["error"]
    (told,) = (await stage.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert (told["resource_id"], told["detail_id"]) == (share, "004")
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")).status == 202


async def test_a_driver_that_fails_leaves_a_server_in_error_without_addresses(stage: Stage) -> None:
    stage.driver.faults.fail("setup_server", detail={"server_details": {"half": "made"}})
    network = await stage.network()
    share = await stage.order(network)
    await stage.work()
    assert (await stage.share(share))["status"] == "error"
    (server,) = await stage.servers()
    assert server["status"] == "error"
    details = await stage.ask("admin", "GET", f"/v2/share-servers/{server['id']}/details")
    assert details.json == {"details": {"half": "made"}}
    assert await stage.count("network_allocations", "deleted = 'False'") == 0
    again = await stage.order(network)
    await stage.work()
    assert (await stage.share(again))["status"] == "available"


async def test_a_network_without_free_addresses_fails_the_share_only(stage: Stage) -> None:
    ids = [await stage.order(await stage.network()) for _ in range(7)]
    await stage.work()
    statuses = [(await stage.share(one))["status"] for one in ids]
    assert statuses.count("error") == 1
    assert await stage.count("messages", "detail_id = '004'") == 1


async def test_unused_servers_are_removed_those_in_transition_stay(stage: Stage) -> None:
    network = await stage.network()
    share = await stage.order(network)
    await stage.work()
    now = Now(stage.core, stage.backend, expired=True)
    await delete_free_share_servers(now)
    await stage.work()
    (server,) = await stage.servers()
    assert (await stage.ask("admin", "DELETE", f"/v2/share-servers/{server['id']}")).status == 409
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    path = f"/v2/share-servers/{server['id']}/action"
    for status, left in (("creating", 1), ("active", 0)):
        assert (await stage.ask("admin", "POST", path, {"reset_status": {"status": status}})).status == 202
        await delete_free_share_servers(now)
        await stage.work()
        assert len(await stage.servers()) == left
    assert await stage.count("network_allocations", "deleted = 'False'") == 0


@pytest.mark.parametrize("status", ["inactive", "active", "error", "creating", "deleting", "network_change"])
@pytest.mark.parametrize("changed", [None, "2001-01-01"])
async def test_an_old_server_that_was_never_changed_is_unused_too(stage: Stage, status: str, changed: Any) -> None:
    """One whose maker died has no ``updated_at``; the sweeper of the original never finds it."""
    values = {"host": stage.backend.host, "status": status, "is_auto_deletable": True}
    async with stage.core.db.write() as conn:
        old = {**values, "id": "old", "created_at": "2001-01-01", "updated_at": changed}
        await insert(conn, "share_servers", old)
        await insert(conn, "share_servers", {**values, "id": "young", "updated_at": None})
    await delete_free_share_servers(Now(stage.core, stage.backend))
    await stage.work()
    swept = status in ("inactive", "active", "error")
    assert {one["id"] for one in await stage.servers()} == ({"young"} if swept else {"old", "young"})


async def test_a_back_end_says_when_its_servers_are_unused(stage: Stage) -> None:
    async with stage.core.db.write() as conn:
        values = {"host": stage.backend.host, "status": "active", "is_auto_deletable": True}
        await insert(conn, "share_servers", {**values, "id": "old"})
        old = "timezone('utc', clock_timestamp()) - interval '15 minutes'"
        await conn.run(f"UPDATE share_servers SET updated_at = {old}")
    for options, left in (
        ({"unused_share_server_cleanup_interval": 20}, 1),
        ({"automatic_share_server_cleanup": False}, 1),
        ({"unused_share_server_cleanup_interval": 11}, 0),
    ):
        stage.backend.section = dataclasses.replace(BackendSection(), **options)
        await delete_free_share_servers(Now(stage.core, stage.backend))
        await stage.work()
        assert len(await stage.servers()) == left, options


async def test_the_sweep_comes_again_for_a_server_whose_removal_failed(stage: Stage) -> None:
    share = await stage.order(await stage.network())
    await stage.work()
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    stage.driver.faults.fail("teardown_server", count=2)
    for left in (1, 1, 0):
        await delete_free_share_servers(Now(stage.core, stage.backend, expired=True))
        await stage.work()
        assert [one["status"] for one in await stage.servers()] == ["error"] * left
        await delete_free_share_servers(Now(stage.core, stage.backend))
        assert await stage.count("openkeel_tasks", "state IN ('queued', 'running')") == 0, "not before its time"
    assert await stage.count("network_allocations", "deleted = 'False'") == 0


async def test_removing_a_network_removes_its_idle_server(stage: Stage) -> None:
    network = await stage.network()
    share = await stage.order(network)
    await stage.work()
    assert (await stage.ask("member-a", "DELETE", f"/v2/share-networks/{network}")).status == 409
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    assert (await stage.ask("member-a", "DELETE", f"/v2/share-networks/{network}")).status == 202
    await stage.work()
    assert await stage.servers() == []
    async with stage.core.db.read() as conn:
        assert await tasks.pending(conn) == 0


def _with(stage: Stage, **options: Any) -> None:
    default = dataclasses.replace(stage.core.settings.default, **options)
    stage.core.settings = dataclasses.replace(stage.core.settings, default=default)


async def test_the_last_share_takes_its_server_along(stage: Stage) -> None:
    _with(stage, delete_share_server_with_last_share=True)
    network = await stage.network()
    ids = [await stage.order(network) for _ in range(3)]
    await stage.work()
    await stage.ask("member-a", "DELETE", f"/v2/shares/{ids[0]}")
    await stage.work()
    assert [one["status"] for one in await stage.servers()] == ["active"]
    for one in ids[1:]:
        await stage.ask("member-a", "DELETE", f"/v2/shares/{one}")
    await stage.work()
    assert await stage.servers() == []
    assert await stage.count("network_allocations", "deleted = 'False'") == 0


@pytest.mark.parametrize("keeps", ["the option", "an administrator", "a group"])
async def test_a_server_stays_without_shares(stage: Stage, keeps: str) -> None:
    _with(stage, delete_share_server_with_last_share=keeps != "the option")
    share = await stage.order(await stage.network())
    await stage.work()
    ((server,),) = [await stage.servers()]
    async with stage.core.db.write() as conn:
        if keeps == "an administrator":
            await share_servers.set_status(conn, server["id"], "active", is_auto_deletable=False)
        if keeps == "a group":
            group = {"share_server_id": server["id"], "status": "available", "id": "group", "user_id": "u"}
            await insert(conn, "share_groups", {**group, "project_id": "p"})
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    assert [one["status"] for one in await stage.servers()] == ["active"]
