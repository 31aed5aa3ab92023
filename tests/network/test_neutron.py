"""The Neutron client against the stand-in: the requests it sends are those of the recordings."""

from __future__ import annotations

import importlib.util
import pathlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from generated.errors import NetworkBadConfigurationException, NetworkException, PortLimitExceeded
from network.base import AddressesExhausted, Held, Row, Sought
from network.neutron import DEVICE_OWNER, Client, NeutronOptions, NeutronPlugin
from network.tokens import fixed

VENDORED = pathlib.Path(__file__).parents[1] / "conformance" / "vendored" / "fake_neutron.py"
PROJECT = "b0000000000000000000000000000000"


def subnet(number: str = "0a") -> dict[str, Any]:
    return {
        "id": "subnet-row",
        "neutron_net_id": f"00000000-0000-4000-8000-0000000000{number}",
        "neutron_subnet_id": f"00000000-0000-4000-9000-0000000000{number}",
    }


@pytest.fixture
def neutron() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("fake_neutron", VENDORED)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = module.FakeNeutron().start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
async def plugin(neutron: Any) -> AsyncIterator[NeutronPlugin]:
    options = NeutronOptions(neutron.url, physical_network="physnet1", backoff=0.001)
    one = NeutronPlugin(Client(options, fixed("t")))
    yield one
    await one.close()


def calls(neutron: Any) -> list[tuple[str, str, int]]:
    seen = [(c["method"], c["path"], c["status"]) for c in neutron.state.calls]
    neutron.state.calls.clear()
    return seen


async def test_allocate_sends_the_recorded_requests(plugin: NeutronPlugin, neutron: Any) -> None:
    result = await plugin.allocate("srv", PROJECT, subnet(), 2)
    bodies = [c["body"] for c in neutron.state.calls if c["body"]]
    net, sub = subnet()["neutron_net_id"], subnet()["neutron_subnet_id"]
    assert calls(neutron) == [
        ("GET", "/v2.0/extensions", 200),
        ("GET", f"/v2.0/networks/{net}", 200),
        ("GET", f"/v2.0/subnets/{sub}", 200),
        ("POST", "/v2.0/ports", 201),
        ("POST", "/v2.0/ports", 201),
    ]
    assert bodies[1] == {
        "port": {
            "network_id": net,
            "admin_state_up": True,
            "project_id": PROJECT,
            "fixed_ips": [{"subnet_id": sub}],
            "device_owner": DEVICE_OWNER,
            "device_id": "srv",
            "name": "srv_1",
        }
    }
    assert result.subnet == {
        "network_type": "geneve",
        "segmentation_id": 1001,
        "mtu": 1442,
        "cidr": "10.0.0.0/24",
        "gateway": "10.0.0.1",
        "ip_version": 4,
    }
    assert [one["ip_address"] for one in result.allocations] == ["10.0.0.50", "10.0.0.51"]
    assert {one["share_network_subnet_id"] for one in result.allocations} == {"subnet-row"}


async def test_the_second_attempt_keeps_the_ports_of_the_first(plugin: NeutronPlugin, neutron: Any) -> None:
    first = await plugin.allocate("srv", PROJECT, subnet(), 2)
    second = await plugin.allocate("srv", PROJECT, subnet(), 2, again=True)
    assert [one["id"] for one in second.allocations] == [one["id"] for one in first.allocations]
    assert len(neutron.state.ports) == 2


@pytest.mark.parametrize(
    ("number", "kind", "segment"), [("0c", "vlan", 101), ("0e", "vlan", 201), ("12", "geneve", 1005)]
)
async def test_segments(plugin: NeutronPlugin, number: str, kind: str, segment: int) -> None:
    found = await plugin.describe(subnet(number))
    assert (found["network_type"], found["segmentation_id"]) == (kind, segment)


async def test_a_port_on_an_external_network_is_disabled(plugin: NeutronPlugin, neutron: Any) -> None:
    await plugin.allocate("srv", PROJECT, subnet("0f"), 1)
    assert [port["admin_state_up"] for port in neutron.state.ports.values()] == [False]


async def test_full_subnet_and_exceeded_quota_are_told_apart(plugin: NeutronPlugin, neutron: Any) -> None:
    with pytest.raises(AddressesExhausted) as full:
        await plugin.allocate("srv", PROJECT, subnet("0d"), 2)
    assert len(full.value.detail_data["allocations"]) == 1
    neutron.state.port_quota = 1
    with pytest.raises(PortLimitExceeded) as quota:
        await plugin.allocate("other", PROJECT, subnet(), 2)
    assert not isinstance(quota.value, AddressesExhausted)


async def test_a_missing_extension_is_a_configuration_error(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.extensions = []
    with pytest.raises(NetworkBadConfigurationException):
        await plugin.allocate("srv", PROJECT, subnet(), 1)


async def test_only_unavailability_is_tried_again(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.faults.append({"method": "GET", "path": "/networks", "status": 503, "count": 2})
    await plugin.describe(subnet())
    assert [status for _, path, status in calls(neutron) if "networks" in path] == [503, 503, 200]
    neutron.state.faults.append({"method": "GET", "path": "/networks", "status": 500, "count": 1})
    with pytest.raises(NetworkException):
        await plugin.describe(subnet())
    assert [status for _, _, status in calls(neutron)] == [500]


async def test_a_port_is_not_made_twice_when_the_answer_is_lost(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.faults.append({"method": "POST", "path": "/ports", "status": 503, "count": 1})
    await plugin.allocate("srv", PROJECT, subnet(), 1)
    assert len(neutron.state.ports) == 1


async def test_deallocate_takes_what_is_gone_and_what_nobody_wrote_down(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await plugin.allocate("srv", PROJECT, subnet(), 2)
    await plugin.deallocate("srv", [{"id": "gone"}, *made.allocations[:1]], Sought(subnet(), PROJECT, 2))
    assert neutron.state.ports == {}
    neutron.state.faults.append({"method": "DELETE", "path": "/ports", "status": 500, "count": 1})
    with pytest.raises(NetworkException):
        await plugin.deallocate("srv", made.allocations)


async def test_the_ports_of_a_server_that_is_taken_over_are_found_by_their_addresses(plugin: NeutronPlugin) -> None:
    """However the driver writes them; those of others stay."""
    on = subnet("12")
    first = (await plugin.allocate("before", PROJECT, on, 1)).allocations[0]
    await plugin.allocate("other", PROJECT, on, 1)
    address = first["ip_address"]
    assert address == address.lower() and ":" in address
    for written in (address, address.upper(), address.replace("::", ":0:0::")):
        found = await plugin.adopt("after", [written, "2001:db8:ffff::1"], on)
        assert [(one["id"], one["ip_address"]) for one in found.allocations] == [(first["id"], address)]
        assert found.allocations[0]["share_server_id"] == "after"
        assert found.subnet["cidr"] == "2001:db8::/64"


async def test_every_port_of_the_service_is_listed_and_no_other(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await plugin.allocate("srv", PROJECT, subnet(), 2)
    body = {"port": {"network_id": subnet()["neutron_net_id"], "device_owner": "compute:nova", "device_id": "vm"}}
    await plugin.client.request("POST", "ports", body=body)
    assert len(neutron.state.ports) == 3
    assert {(one.port_id, one.server_id) for one in await plugin.held()} == {
        (one["id"], "srv") for one in made.allocations
    }


async def test_a_port_is_discarded_while_it_is_what_it_was_taken_for(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await plugin.allocate("srv", PROJECT, subnet(), 2)
    first, second = (Held(str(one["id"]), "srv") for one in made.allocations)
    assert await plugin.discard(first) and set(neutron.state.ports) == {second.port_id}
    assert await plugin.discard(first)
    neutron.state.ports[second.port_id]["device_id"] = "another"
    assert not await plugin.discard(second) and set(neutron.state.ports) == {second.port_id}


@pytest.mark.parametrize("own_only", [False, True])
async def test_what_is_known_of_a_network_stays_without_its_subnet(neutron: Any, own_only: bool) -> None:
    """As the original keeps it; of a network that the project may not use nothing is told."""
    plugin = NeutronPlugin(Client(NeutronOptions(neutron.url, backoff=0.001), fixed("t")), own_only=own_only)
    for project in (PROJECT, "somebody's"):
        neutron.state.faults = [{"method": "GET", "path": "/subnets", "status": 404, "type": "SubnetNotFound"}]
        with pytest.raises((NetworkException, NetworkBadConfigurationException)) as raised:
            await plugin.allocate("srv", project, subnet(), 1)
        known = {"network_type": "geneve", "segmentation_id": 1001, "mtu": 1442}
        hidden = own_only and project != PROJECT
        assert raised.value.detail_data.get("subnet") == (None if hidden else known)
    await plugin.close()


async def test_no_connection_is_a_network_error() -> None:
    plugin = NeutronPlugin(Client(NeutronOptions("http://127.0.0.1:9", backoff=0.001), fixed("t")))
    with pytest.raises(NetworkException):
        await plugin.describe(subnet())
    await plugin.close()


FOUR = {"gateway_ip": None, "ip_version": 4}


class Sharing:
    """A client whose networks are of one project; it answers with the policies that were given."""

    def __init__(self, policies: list[dict[str, str]], **network: Any) -> None:
        self.network = {"id": "net", "project_id": "theirs", "provider:network_type": "geneve", **network}
        self.policies = policies
        self.options = NeutronOptions("http://unused")

    async def listing(self, collection: str, query: Row) -> list[dict[str, str]]:
        assert collection == "rbac-policies"
        assert query == {"object_type": "network", "object_id": "net", "action": "access_as_shared"}
        return self.policies

    async def request(self, method: str, path: str, **more: Any) -> dict[str, Any]:
        answers: dict[str, dict[str, Any]] = {
            "extensions": {"extensions": [{"name": "Provider Network"}]},
            "networks": {"network": self.network},
            "subnets": {"subnet": {"id": "sub", "network_id": "net", "cidr": "10.0.0.0/24", **FOUR}},
        }
        return answers[path.partition("/")[0]]


@pytest.mark.parametrize(
    ("policies", "network", "admitted"),
    [
        ([], {}, False),
        ([{"target_tenant": "somebody"}], {}, False),
        ([{"target_tenant": "ours"}], {}, True),
        ([{"target_project": "*"}], {}, True),
        ([], {"project_id": "ours"}, True),
        ([], {"project_id": None, "tenant_id": "ours"}, True),
        ([], {"shared": True}, True),
        ([], {"router:external": True}, True),
    ],
)
async def test_another_project_s_network(policies: list[dict[str, str]], network: Row, admitted: bool) -> None:
    client: Any = Sharing(policies, **network)
    strict = NeutronPlugin(client, own_only=True)
    await NeutronPlugin(client).allocate("srv", "ours", subnet(), 0)
    await NeutronPlugin(client, "admin", own_only=True).allocate("srv", "ours", subnet(), 0)
    if admitted:
        await strict.allocate("srv", "ours", subnet(), 0)
        return
    with pytest.raises(NetworkBadConfigurationException, match="neither belongs to project ours nor is shared"):
        await strict.allocate("srv", "ours", subnet(), 0)
