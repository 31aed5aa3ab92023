"""Security groups of share servers, bindings and fences, against the stand-in of Neutron with security groups."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from generated.errors import NetworkException
from network.base import Row, Sought
from network.groups import Guard
from network.neutron import NeutronPlugin
from tests.lab.ovn.groups import GroupNeutron
from tests.network.plugins import PROJECT, SUBNET, plugin_of


@pytest.fixture
def neutron() -> Iterator[Any]:
    server = GroupNeutron(default_groups=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
async def plugin(neutron: Any) -> AsyncIterator[NeutronPlugin]:
    one = plugin_of(neutron)
    yield one
    await one.close()


def guarded(plugin: NeutronPlugin, guard: Guard) -> NeutronPlugin:
    return replace(plugin, guard=guard)


def rules(neutron: Any) -> list[tuple[Any, ...]]:
    """Direction, network, port of all rules of groups that are nobody's default one."""
    groups = {one["id"] for one in neutron.state.groups.values() if one["name"] != "default"}
    found = [one for one in neutron.state.rules.values() if one["security_group_id"] in groups]
    return sorted((one["direction"], one["remote_ip_prefix"], one["port_range_min"]) for one in found)


async def allocated(plugin: NeutronPlugin) -> Row:
    return (await plugin.allocate("srv", PROJECT, SUBNET, 1)).allocations[0]


async def test_without_a_guard_the_project_decides(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(guarded(plugin, "none"))
    (group,) = neutron.state.ports[made["id"]]["security_groups"]
    assert neutron.state.groups[group]["name"] == "default"


async def test_by_rules_nobody_gets_in_at_first(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(plugin)
    (group,) = neutron.state.ports[made["id"]]["security_groups"]
    assert neutron.state.groups[group]["name"] == "manila-srv"
    assert neutron.state.groups[group]["project_id"] != PROJECT
    assert rules(neutron) == []


async def test_by_subnet_its_addresses_get_in(plugin: NeutronPlugin, neutron: Any) -> None:
    subnet = guarded(plugin, "subnet")
    await allocated(subnet)
    assert rules(neutron) == [("ingress", "10.0.0.0/24", 2049)]
    assert not subnet.ports.guards


async def test_rules_follow_and_go_with_the_server(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(plugin)
    await plugin.ports.admit("srv", ["10.0.0.5/32", "0.0.0.0/0", "2001:db8::/64"])
    await plugin.ports.admit("srv", ["10.0.0.5/32", "10.9.0.0/16"])
    assert rules(neutron) == [("ingress", "10.0.0.5/32", 2049), ("ingress", "10.9.0.0/16", 2049)]
    neutron.state.calls.clear()
    await plugin.ports.admit("srv", ["10.9.0.0/16", "10.0.0.5/32"])
    assert {one["method"] for one in neutron.state.calls} == {"GET"}
    await plugin.deallocate("srv", [made], Sought(SUBNET, PROJECT, 1))
    assert [one["name"] for one in neutron.state.groups.values()] == []
    await plugin.deallocate("srv", [made], Sought(SUBNET, PROJECT, 1))


async def test_a_group_in_use_stays(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(plugin)
    await plugin.groups.remove("srv")
    assert len(neutron.state.groups) == 1
    assert neutron.state.ports[made["id"]]["security_groups"]


async def test_it_fails_closed(plugin: NeutronPlugin, neutron: Any) -> None:
    """A rule that Neutron refuses is an error, and what shall not get in any more is cut off all the same."""
    await allocated(plugin)
    await plugin.ports.admit("srv", ["10.0.0.5/32"])
    neutron.state.rule_quota = 1
    with pytest.raises(NetworkException):
        await plugin.ports.admit("srv", ["10.0.0.6/32"])
    assert rules(neutron) == []
    with pytest.raises(NetworkException):
        await plugin.ports.admit("unknown", ["10.0.0.6/32"])


async def test_rules_that_another_worker_made_meanwhile(plugin: NeutronPlugin, neutron: Any) -> None:
    await allocated(plugin)
    await plugin.ports.admit("srv", ["10.0.0.5/32"])
    group = next(iter(neutron.state.groups))
    await plugin.groups._add(group, ["10.0.0.5/32", "10.0.0.6/32"])
    assert [network for _, network, _ in rules(neutron)] == ["10.0.0.5/32", "10.0.0.6/32"]


async def test_an_attempt_after_a_lost_one_makes_no_second_group(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.faults.append({"method": "POST", "path": "/ports", "status": 500, "count": 1})
    with pytest.raises(NetworkException):
        await allocated(plugin)
    await plugin.allocate("srv", PROJECT, SUBNET, 1, again=True)
    assert [one["name"] for one in neutron.state.groups.values()] == ["manila-srv"]


@pytest.mark.parametrize("guard", ["rules", "subnet"])
@pytest.mark.parametrize(("roles", "refusal"), [({"service"}, "403"), ({"service", "member", "reader"}, "404")])
async def test_an_account_that_is_no_admin_is_told_what_it_lacks(
    plugin: NeutronPlugin, neutron: Any, guard: Guard, roles: set[str], refusal: str
) -> None:
    """Without a role of its project it may make no group; a member's group is not found for a port of a tenant."""
    neutron.state.roles = frozenset(roles)
    with pytest.raises(NetworkException, match="needs the role admin in Neutron") as raised:
        await allocated(guarded(plugin, guard))
    assert str(raised.value.values["code"]) == refusal
    assert neutron.state.ports == {}
    neutron.state.roles = frozenset({"service", "admin"})
    await guarded(plugin, guard).allocate("srv", PROJECT, SUBNET, 1, again=True)
    assert [one["name"] for one in neutron.state.groups.values()] == ["manila-srv"]


async def test_without_a_guard_the_role_service_is_enough(plugin: NeutronPlugin, neutron: Any) -> None:
    neutron.state.roles = frozenset({"service"})
    bare = guarded(plugin, "none")
    made = await allocated(bare)
    await bare.ports.bind(made["id"], "node1")
    await bare.deallocate("srv", [made], Sought(SUBNET, PROJECT, 1))
    assert neutron.state.ports == {}


async def test_a_port_is_bound_once_and_moves(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(plugin)
    for host, requests in (("node1", ["GET", "PUT"]), ("node1", ["GET"]), ("node2", ["GET", "PUT"])):
        neutron.state.calls.clear()
        await plugin.ports.bind(made["id"], host)
        assert [one["method"] for one in neutron.state.calls] == requests
    assert neutron.state.ports[made["id"]]["binding:host_id"] == "node2"


async def test_a_host_without_an_agent_is_an_error(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(plugin)
    neutron.state.hosts = frozenset({"node1"})
    await plugin.ports.bind(made["id"], "node1")
    with pytest.raises(NetworkException, match="no agent of it is alive"):
        await plugin.ports.bind(made["id"], "node9")


async def test_a_fence_turns_the_port_off(plugin: NeutronPlugin, neutron: Any) -> None:
    made = await allocated(plugin)
    for act, state in ((plugin.ports.fence, False), (plugin.ports.fence, False), (plugin.ports.lift, True)):
        await act(made["id"])
        assert neutron.state.ports[made["id"]]["admin_state_up"] is state
