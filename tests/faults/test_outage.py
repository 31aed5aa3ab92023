"""A service that others are away from: what was asked for meanwhile is done when they are back."""

from __future__ import annotations

import pathlib
import sys

import pytest

from tests.conformance import launch
from tests.faults import stories
from tests.faults.stage import Stage, stage, until
from tests.faults.stories import Facts


async def _tried(here: Stage) -> bool:
    rows = await here.rows("SELECT 1 FROM openkeel_tasks WHERE kind = 'share_create' AND last_error IS NOT NULL")
    return bool(rows)


@pytest.mark.slow
async def test_a_create_outlives_an_outage_of_neutron(database_url: str, tmp_path: pathlib.Path) -> None:
    """The first share of a network is asked for while Neutron is away: it gets its server once Neutron is back."""
    (port,) = launch.free_ports(1)
    fake = [sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(port)]
    facts: Facts = {}
    async with stage(tmp_path, database_url, f"http://127.0.0.1:{port}", ["gamma"]) as here:
        await stories.make_type(here, servers=True)
        async with here.worker():
            with launch.process(fake):  # the network is looked at when it is made
                await here.ready()
                await stories.a_network(here, facts)
            await stories.ask_share(here, facts)
            await until(lambda: _tried(here), "the worker has met the outage", here.patience)
            assert (await stories.show(here, facts))["status"] == "creating"
            with launch.process(fake):

                async def available() -> bool:
                    return bool((await stories.show(here, facts))["status"] != "creating")

                await until(available, "the share is made or given up", here.patience)
                await here.settled()
                await stories.check_share_on_server(here, facts)
                ports = await here.rows("SELECT id FROM network_allocations WHERE deleted = 'False'")
                assert len(ports) == 3, "two ports of the server and its address for the administrators"
        assert await here.rows("SELECT 1 FROM messages WHERE deleted = 'False'") == []
        assert await here.rows("SELECT 1 FROM openkeel_tasks WHERE kind = 'share_create' AND state <> 'done'") == []


@pytest.mark.slow
async def test_a_subnet_that_neutron_does_not_know_is_named(database_url: str, tmp_path: pathlib.Path) -> None:
    (port,) = launch.free_ports(1)
    fake = [sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(port)]
    facts: Facts = {}
    with launch.process(fake):
        async with stage(tmp_path, database_url, f"http://127.0.0.1:{port}", ["gamma"]) as here:
            await stories.make_type(here, servers=True)
            async with here.worker():
                await here.ready()
                wrong = {"neutron_net_id": stories.NETWORK, "neutron_subnet_id": "00000000-0000-4000-9000-0000000000ff"}
                made = await here.member("POST", "/v2/share-networks", {"share_network": wrong})
                network = made.json["share_network"]
                facts["share_keys"] = {"share_network_id": network["id"]}
                await stories.ask_share(here, facts)
                await here.settled()
            assert (await stories.show(here, facts))["status"] == "error"
            (subnet,) = network["share_network_subnets"]
            shown = (await here.member("GET", f"/v2/share-networks/{network['id']}")).json["share_network"]
            assert [(one["mtu"], one["cidr"]) for one in shown["share_network_subnets"]] == [(1442, None)]
            told = (await here.member("GET", "/v2/messages")).json["messages"]
            found = {(one["resource_type"], one["resource_id"], one["detail_id"]) for one in told}
            assert found == {("SHARE", facts["share"], "004"), ("SHARE_NETWORK_SUBNET", subnet["id"], "004")}
