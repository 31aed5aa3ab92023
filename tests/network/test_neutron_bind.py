"""Bound ports: what is asked of Neutron, and what happens when a binding does not come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from generated.errors import NetworkBindException, NetworkException
from generated.settings import NetworkSection, NeutronSection
from network import factory
from network.base import BindingPlugin
from network.neutron import Client, NeutronOptions, NeutronPlugin
from network.neutron_bind import BindOptions, NeutronBindPlugin
from network.tokens import fixed
from tests.network import bindings

MULTI = {
    "id": "subnet-row",
    "neutron_net_id": "00000000-0000-4000-8000-00000000000e",
    "neutron_subnet_id": "00000000-0000-4000-9000-00000000000e",
}
VLAN = {name: value.replace("0e", "0c") for name, value in MULTI.items()}


@pytest.fixture
def neutron() -> Iterator[Any]:
    server = bindings.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
async def plugin(neutron: Any) -> AsyncIterator[NeutronBindPlugin]:
    one = _plugin(neutron, BindOptions("host-1"))
    yield one
    await one.close()


def _plugin(neutron: Any, bind: BindOptions) -> NeutronBindPlugin:
    options = NeutronOptions(neutron.url, physical_network="physnet2", backoff=0.0001)
    return NeutronBindPlugin(Client(options, fixed("t")), bind=bind)


def test_it_binds_and_the_others_do_not(plugin: NeutronBindPlugin) -> None:
    assert isinstance(plugin, BindingPlugin)
    assert not isinstance(NeutronPlugin(plugin.client), BindingPlugin)


async def test_the_binding_chooses_the_segment(plugin: NeutronBindPlugin) -> None:
    assert (await plugin.describe(MULTI))["segmentation_id"] is None
    got = await plugin.allocate("srv", "p", MULTI, 2)
    assert {(one["network_type"], one["segmentation_id"]) for one in got.allocations} == {("vxlan", 5001)}
    assert (got.subnet["network_type"], got.subnet["segmentation_id"], got.subnet["mtu"]) == ("vxlan", 5001, 1442)


async def test_a_network_with_one_segment(plugin: NeutronBindPlugin) -> None:
    got = await plugin.allocate("srv", "p", VLAN, 1)
    assert got.subnet["segmentation_id"] == 101
    assert await plugin.extend(got.allocations, VLAN) == 101


async def test_ports_that_stay_down_are_an_error_with_what_was_made(plugin: NeutronBindPlugin, neutron: Any) -> None:
    create = neutron.state.create_port
    neutron.state.create_port = lambda body: {**create(body)} | _down(neutron)
    with pytest.raises(NetworkBindException) as error:
        await plugin.allocate("srv", "p", VLAN, 1)
    assert len(error.value.detail_data["allocations"]) == 1


def _down(neutron: Any) -> Any:
    for port in neutron.state.ports.values():
        port["status"] = "DOWN"
    return {}


async def test_a_binding_that_failed_is_not_waited_for(plugin: NeutronBindPlugin, neutron: Any) -> None:
    got = await plugin.allocate("srv", "p", VLAN, 1)
    (port,) = neutron.state.ports.values()
    port["binding:vif_type"] = "binding_failed"
    normal = _plugin(neutron, BindOptions("host-1", "normal"))
    with pytest.raises(NetworkException):
        await normal.bound(got.allocations)
    await normal.close()


async def test_an_agent_binds_normal_ports_later(plugin: NeutronBindPlugin, neutron: Any) -> None:
    normal = _plugin(neutron, BindOptions("host-1", "normal"))
    got = await normal.allocate("srv", "p", VLAN, 1)
    assert [call["path"] for call in neutron.state.calls].count(f"/v2.0/ports/{got.allocations[0]['id']}") == 0
    await normal.bound(got.allocations)
    await plugin.bound([{"id": "of no port: others are bound when they are made"}])
    await normal.close()


async def test_profiles_name_switch_ports(neutron: Any) -> None:
    section = NetworkSection(
        network_api_class="manila.network.neutron.neutron_network_plugin.NeutronBindNetworkPlugin",
        neutron_host_id="host-1",
        neutron_binding_profiles=("leaf",),
    )
    leaf = NetworkSection(neutron_switch_id="s1", neutron_port_id="p1", neutron_switch_info=(("ip", "10.4.30.5"),))
    options = NeutronSection(url=neutron.url, auth_type="admin_token", token="t")
    plugin = factory.build(section, options, profiles=[leaf])
    await plugin.allocate("srv", "p", VLAN, 1)
    (port,) = neutron.state.ports.values()
    link = {"switch_id": "s1", "port_id": "p1", "switch_info": {"ip": "10.4.30.5"}}
    assert port["binding:profile"] == {"local_link_information": [link]}
    assert (port["binding:host_id"], port["binding:vnic_type"]) == ("host-1", "baremetal")
    await plugin.close()


async def test_without_port_binding_nothing_is_made(plugin: NeutronBindPlugin, neutron: Any) -> None:
    neutron.state.extensions = [one for one in neutron.state.extensions if one["name"] != "Port Binding"]
    with pytest.raises(NetworkException):
        await plugin.allocate("srv", "p", VLAN, 1)
    assert neutron.state.ports == {}


async def test_every_part_of_a_move_may_be_repeated(neutron: Any, plugin: NeutronBindPlugin) -> None:
    got = await plugin.allocate("old", "p", MULTI, 1)
    other = _plugin(neutron, BindOptions("host-2"))
    (port,) = neutron.state.ports.values()
    for _ in range(2):
        assert await other.extend(got.allocations, MULTI) == 5001
        assert port["bindings"] == {"host-1": "ACTIVE", "host-2": "INACTIVE"}
    for _ in range(2):
        await other.cut_over(got.allocations, "host-1", "new")
        assert (port["bindings"], port["device_id"]) == ({"host-2": "ACTIVE"}, "new")
    with pytest.raises(NetworkException):
        await other.extend([], MULTI)
    await other.close()


async def test_a_segment_may_come_late_and_a_refused_removal_is_no_error(
    plugin: NeutronBindPlugin, neutron: Any
) -> None:
    got = await plugin.allocate("old", "p", VLAN, 1)
    neutron.state.faults.append({"method": "DELETE", "path": "/bindings", "status": 500, "count": 1})
    await plugin.retract(got.allocations)
    segments = neutron.state.networks[MULTI["neutron_net_id"]]["segments"]
    last, looked = segments.pop(), neutron.state.find

    def find(collection: str, kind: str, ident: str) -> Any:
        if collection == "networks" and len(neutron.state.calls) > 9 and len(segments) == 1:
            segments.append(last)
        return looked(collection, kind, ident)

    neutron.state.find = find
    assert await plugin.extend(got.allocations, MULTI) == 5001
