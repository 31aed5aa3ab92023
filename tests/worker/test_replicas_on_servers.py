"""Replicas of shares on share servers: each on a server of its own zone's subnet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import heartbeats, reports, tasks
from db.connection import Database
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from network.standalone import StandaloneOptions, StandalonePlugin
from services.core import Core
from tests.handlers.catalogue import Ask, asker, core_over
from tests.handlers.share_stage import refused
from worker.operation import Backend
from worker.registry import operations
from worker.runner import Runner

ZONES = {"gamma": "east", "delta": "west"}
SPECS = {"driver_handles_share_servers": "True", "replication_type": "readable"}


class Stage:
    """An API and a worker of two back ends with share servers, in two zones of one replication domain."""

    def __init__(self, core: Core, backends: list[Backend]) -> None:
        self.core, self.backends = core, backends
        self.ask: Ask = asker(core)
        self.share = ""

    async def work(self) -> None:
        """Run what requests have queued."""
        by_host = {one.host: one for one in self.backends}
        runner = Runner(self.core, operations(), by_host, queues=("scheduler",), poll=0.05)
        stop = asyncio.Event()
        running = asyncio.create_task(runner.run(stop))
        while True:
            async with self.core.db.read() as conn:
                if not await tasks.pending(conn):
                    break
            await asyncio.sleep(0.01)
        stop.set()
        runner.wake()
        await running

    async def network(self, *zones: str) -> str:
        """A share network with one subnet for each zone."""
        body = {"share_network": {"availability_zone": zones[0]}}
        answer = await self.ask("member-a", "POST", "/v2/share-networks", body)
        assert answer.status == 200, answer.json
        ident = str(answer.json["share_network"]["id"])
        for zone in zones[1:]:
            subnet = {"share-network-subnet": {"availability_zone": zone}}
            more = await self.ask("member-a", "POST", f"/v2/share-networks/{ident}/subnets", subnet)
            assert more.status == 200, more.json
        return ident

    async def make(self, network: str) -> None:
        """A share in the east."""
        body = {"share": {"size": 1, "share_proto": "NFS", "share_network_id": network, "availability_zone": "east"}}
        answer = await self.ask("member-a", "POST", "/v2/shares", body)
        assert answer.status == 200, answer.json
        self.share = answer.json["share"]["id"]
        await self.work()

    async def order(self, **more: Any) -> Any:
        body = {"share_replica": {"share_id": self.share, **more}}
        answer = await self.ask("member-a", "POST", "/v2/share-replicas", body)
        await self.work()
        return answer

    async def replicas(self) -> list[dict[str, Any]]:
        answer = await self.ask("admin", "GET", f"/v2/share-replicas/detail?share_id={self.share}")
        found: list[dict[str, Any]] = answer.json["share_replicas"]
        return found


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    core = core_over(db)
    backends = []
    for place, (name, zone) in enumerate(ZONES.items()):
        backend = Backend(
            name,
            f"node1@{name}",
            DummyDriver(BackendOptions(name, name.upper(), replication_domain="one")),
            StandalonePlugin(StandaloneOptions(f"10.{place}.0.1", "28")),
            StandalonePlugin(StandaloneOptions(f"11.{place}.0.1", "24"), "admin"),
        )
        backends.append(backend)
        async with db.write() as conn:
            service = await heartbeats.register(conn, "manila-share", "manila-share", backend.host, zone)
            await heartbeats.beat(conn, service)
            await reports.save(conn, backend.host, await backend.driver.get_share_stats(refresh=True))
    one = Stage(core, backends)
    made = await one.ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": SPECS}})
    assert made.status == 200, made.json
    yield one


async def test_a_replica_stands_on_a_server_of_its_zones_subnet(stage: Stage) -> None:
    network = await stage.network("east", "west")
    await stage.make(network)
    assert (await stage.order(availability_zone="west")).status == 202
    first, second = await stage.replicas()
    assert [(one["availability_zone"], one["replica_state"]) for one in (first, second)] == [
        ("east", "active"), ("west", "in_sync"),
    ]  # fmt: skip
    assert first["share_server_id"] != second["share_server_id"]
    assert {first["share_network_id"], second["share_network_id"]} == {network}
    shown = (await stage.ask("member-a", "GET", f"/v2/share-networks/{network}")).json["share_network"]
    subnets = {one["availability_zone"]: one["id"] for one in shown["share_network_subnets"]}
    for replica in (first, second):
        server = (await stage.ask("admin", "GET", f"/v2/share-servers/{replica['share_server_id']}")).json
        assert server["share_server"]["share_network_subnet_ids"] == [subnets[replica["availability_zone"]]]
    places = await stage.ask("member-a", "GET", f"/v2/share-replicas/{second['id']}/export-locations")
    assert all(one["path"].startswith("10.1.0.") for one in places.json["export_locations"])


async def test_the_zones_of_the_network_are_those_to_choose_from(stage: Stage) -> None:
    await stage.make(await stage.network("east"))
    text = "Share replica cannot be created because the share network is not available within the specified "
    assert refused(await stage.order(availability_zone="west")) == (400, text + "availability zone.")
    text = "Share replica cannot be created because the specified availability zone does not exist."
    assert refused(await stage.order(availability_zone="mars")) == (400, text)
    assert (await stage.order()).status == 202
    states = [one["replica_state"] for one in await stage.replicas()]
    assert states == ["active", "error"]
    wide = await stage.network("east", "west")
    assert (await stage.order(share_network_id=wide)).status == 202
    assert (await stage.replicas())[-1]["share_network_id"] == wide


async def test_another_authentication_domain_is_refused(stage: Stage) -> None:
    await stage.make(await stage.network("east"))
    other = await stage.network("west")
    body = {"security_service": {"type": "ldap", "name": "l"}}
    service = (await stage.ask("member-a", "POST", "/v2/security-services", body)).json["security_service"]["id"]
    added = {"add_security_service": {"security_service_id": service}}
    assert (await stage.ask("member-a", "POST", f"/v2/share-networks/{other}/action", added)).status == 200
    text = "Invalid input received: Share and its replica can't be in different authentication domains."
    assert refused(await stage.order(share_network_id=other)) == (400, text)


async def test_a_replica_without_a_server_is_in_error_and_says_so(stage: Stage) -> None:
    await stage.make(await stage.network("east", "west"))
    driver: Any = stage.backends[1].driver
    driver.faults.fail("setup_server")
    assert (await stage.order(availability_zone="west")).status == 202
    replica = (await stage.replicas())[-1]
    assert (replica["status"], replica["replica_state"]) == ("error", "error")
    messages = (await stage.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert [(one["action_id"], one["detail_id"], one["resource_id"]) for one in messages] == [
        ("002", "004", replica["id"]),
    ]  # fmt: skip
