"""A share server that takes its ports along: Neutron is asked what the original asks, and nothing is left bound."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import pathlib
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import heartbeats, reports
from db.connection import Database
from drivers.base import BackendOptions
from network.neutron import Client, NeutronOptions
from network.neutron_bind import BindOptions, NeutronBindPlugin
from network.standalone import StandaloneOptions, StandalonePlugin
from network.tokens import fixed
from tests.handlers.catalogue import asker, core_over
from tests.network import bindings
from tests.worker.test_server_migration import WISH, Driver, Stage
from worker.operation import Backend
from worker.periodic import Now
from worker.tasks.migration import server_migration_continue

RECORDED = json.loads((pathlib.Path(bindings.__file__).parent / "recorded_bindings.json").read_text())
NET, SUBNET = "00000000-0000-4000-8000-00000000000e", "00000000-0000-4000-9000-00000000000e"
UUID = re.compile(r"(?!00000000)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclasses.dataclass(slots=True)
class Moving(Stage):
    """A stage whose back ends bind ports, with what Neutron was asked since the last look."""

    neutron: Any = None
    seen: list[Any] = dataclasses.field(default_factory=list)

    def writes(self) -> list[Any]:
        """The changing requests since the last look; ids as numbers in the order of their appearance."""
        calls, self.neutron.state.calls = self.neutron.state.calls, []
        names = ("method", "path", "body", "status")
        self.seen += [{name: one[name] for name in names} for one in calls if one["method"] != "GET"]
        known: dict[str, str] = {}

        def number(found: re.Match[str]) -> str:
            return known.setdefault(found.group(), f"id-{len(known) + 1}")

        fresh = len(self.seen) - sum(one["method"] != "GET" for one in calls)
        shown: list[Any] = json.loads(UUID.sub(number, json.dumps(self.seen)))
        return shown[fresh:]

    def bound(self) -> list[Any]:
        """Where each port is bound."""
        return [one["bindings"] for one in self.neutron.state.ports.values()]

    async def check(self) -> Any:
        """What the answer to a check is, asked while a worker is there."""
        wish = {"host": f"node1@{self.target}", **WISH, "new_share_network_id": None}
        return await self.serve_while(self.action({"migration_check": wish}))

    async def serve_while(self, asking: Any) -> Any:
        """Serve the back ends while a request is under way."""
        asked = asyncio.create_task(asking)
        while not asked.done():
            await self.work()
            await asyncio.sleep(0.02)
        return (await asked).json

    async def segments(self) -> set[tuple[str, int]]:
        """Server and segment of the tenant's addresses."""
        rows = await self.rows(
            """
            SELECT share_server_id, segmentation_id FROM network_allocations
            WHERE deleted = 'False' AND label = 'user'
            """
        )
        return {(row["share_server_id"], row["segmentation_id"]) for row in rows}


def _backend(name: str, url: str, host: str, physical: str) -> Backend:
    options = NeutronOptions(url, physical_network=physical, backoff=0.001)
    return Backend(
        name,
        f"node1@{name}",
        Driver(BackendOptions(name, name.upper())),
        NeutronBindPlugin(Client(options, fixed("t")), bind=BindOptions(host)),
        StandalonePlugin(StandaloneOptions("11.0.0.1", "24"), "admin"),
    )


async def _join(stage: Stage, backend: Backend) -> None:
    stage.backends[backend.name] = backend
    async with stage.core.db.write() as conn:
        service = await heartbeats.register(conn, "manila-share", "manila-share", backend.host, "nova")
        await heartbeats.beat(conn, service)
        await reports.save(conn, backend.host, await backend.driver.get_share_stats(refresh=True))


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Moving]:
    core = core_over(db, server_migration_extend_neutron_network=True)
    neutron = bindings.start()
    one = Moving(core, asker(core), {}, source="gamma", target="delta", neutron=neutron)
    await _join(one, _backend("gamma", neutron.url, "node1", "physnet1"))
    specs = {"driver_handles_share_servers": "True", "snapshot_support": "True"}
    made = await one.ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": specs}})
    assert made.status == 200, made.json
    body: Any = {"share_network": {"neutron_net_id": NET, "neutron_subnet_id": SUBNET}}
    one.network = (await one.ask("member-a", "POST", "/v2/share-networks", body)).json["share_network"]["id"]
    body = {"share": {"size": 1, "share_proto": "NFS", "share_network_id": one.network}}
    one.share = (await one.ask("member-a", "POST", "/v2/shares", body)).json["share"]["id"]
    await one.work()
    ((one.server, _),) = (await one.servers()).items()
    await _join(one, _backend("delta", neutron.url, "node2", "physnet2"))
    yield one
    for backend in one.backends.values():
        assert backend.network is not None
        await backend.network.close()
    neutron.shutdown()
    neutron.server_close()


async def test_what_neutron_is_asked_is_what_the_original_asks(stage: Moving) -> None:
    recorded = RECORDED["full"]
    assert stage.writes() == recorded["create"]
    assert await stage.segments() == {(stage.server, 201)}
    answer = await stage.check()
    assert answer["compatible"] and answer["supported_capabilities"]["migration_cancel"]
    assert stage.writes() == recorded["check"]
    assert stage.bound() == [{"node1": "ACTIVE"}] * 2
    await stage.start()
    assert stage.writes() == recorded["start"]
    assert stage.bound()[:2] == [{"node1": "ACTIVE", "node2": "INACTIVE"}] * 2
    await stage.arrive()
    assert stage.writes() == recorded["complete"]
    assert stage.bound() == [{"node2": "ACTIVE"}] * 4
    ((server, (status, _, host)),) = (await stage.servers()).items()
    assert (status, host) == ("active", "node1@delta") and server != stage.server
    assert await stage.segments() == {(server, 5001)}
    assert {one["device_id"] for one in stage.neutron.state.ports.values()} == {server}
    network = (await stage.ask("admin", "GET", f"/v2/share-networks/{stage.network}")).json["share_network"]
    assert network["share_network_subnets"][0]["segmentation_id"] == 5001


async def test_a_server_taken_as_it_is_keeps_its_ports(stage: Moving) -> None:
    stage.driver("target").able = {"nondisruptive": True}
    before = await stage.rows("SELECT id, ip_address FROM network_allocations WHERE deleted = 'False' ORDER BY id")
    await stage.start(nondisruptive=True)
    await stage.arrive()
    after = await stage.rows("SELECT id, ip_address FROM network_allocations WHERE deleted = 'False' ORDER BY id")
    assert after == before
    assert stage.bound() == [{"node2": "ACTIVE"}] * 2


async def test_cancel_takes_the_bindings_back(stage: Moving) -> None:
    stage.writes()
    await stage.check()
    await stage.start()
    stage.writes()
    assert (await stage.action({"migration_cancel": None})).status == 202
    await stage.work()
    assert stage.writes()[:2] == RECORDED["cancel"]["cancel"]
    assert stage.bound()[:2] == [{"node1": "ACTIVE"}] * 2


@pytest.mark.parametrize("fails", ["share_server_migration_check_compatibility", "share_server_migration_start"])
async def test_a_failure_takes_the_bindings_back(stage: Moving, fails: str) -> None:
    stage.driver("target").faults.fail(fails)
    await stage.start()
    assert (await stage.servers())[stage.server][:2] == ("active", "migration_error")
    assert stage.bound() == [{"node1": "ACTIVE"}] * 2


async def test_a_driver_that_fails_on_the_way_leaves_no_binding(stage: Moving) -> None:
    await stage.start()
    stage.driver("target").faults.fail("share_server_migration_continue")
    await server_migration_continue(Now(stage.core, stage.backends["delta"]))
    await stage.work()
    assert stage.bound()[:2] == [{"node1": "ACTIVE"}] * 2


async def test_a_network_that_does_not_reach_the_back_end_is_not_compatible(stage: Moving) -> None:
    stage.neutron.state.networks[NET]["segments"].pop()
    answer = await stage.check()
    assert not answer["compatible"] and answer["supported_capabilities"]["writable"] is None
    assert stage.bound() == [{"node1": "ACTIVE"}] * 2


async def test_a_plugin_that_cannot_bind_is_not_compatible(stage: Moving) -> None:
    stage.backends["delta"].network = StandalonePlugin(StandaloneOptions("10.0.0.1", "24"))
    assert not (await stage.check())["compatible"]
    await stage.start()
    assert (await stage.servers())[stage.server][:2] == ("active", "migration_error")


async def test_the_driver_sees_the_segments_of_its_side(stage: Moving) -> None:
    seen: list[Any] = []
    driver = stage.driver("target")
    for name in ("share_server_migration_check_compatibility", "share_server_migration_start"):
        original = getattr(driver, name)

        async def spy(server: Any, *rest: Any, call: Any = original) -> Any:
            seen.append([one["segmentation_id"] for one in server["network_allocations"]])
            return await call(server, *rest)

        setattr(driver, name, spy)
    await stage.start()
    assert seen == [[5001, 5001]] * 2
    details = await stage.rows(
        "SELECT value FROM share_server_backend_details WHERE key = 'segmentation_id' AND deleted = 'False'"
    )
    assert [one["value"] for one in details] == ["5001"]
