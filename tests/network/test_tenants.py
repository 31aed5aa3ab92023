"""A tenant who knows every name that the service uses, and makes things of these names before, while and after.

It gains nothing and breaks nobody else, and the service neither takes nor removes what is the tenant's. The stand-in
lets a member of a project do what Neutron lets it do, and no more.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from generated.errors import NetworkException
from network.base import Row, Sought
from network.groups import Guard
from network.neutron import NeutronPlugin
from tests.lab.ovn.accounts import SERVICE
from tests.lab.ovn.groups import GroupNeutron
from tests.network.plugins import OTHER, PROJECT, SUBNET, Tenant, plugin_of

SERVER = "11111111-2222-4333-8444-555555555555"
NETWORK = SUBNET["neutron_net_id"]
OTHERS = {
    "neutron_net_id": "00000000-0000-4000-8000-00000000000b",
    "neutron_subnet_id": "00000000-0000-4000-9000-00000000000b",
}
FIVE = "10.0.0.5/32"
GUARDS: tuple[Guard, ...] = ("rules", "subnet", "none")
WHEN = ("before", "while", "after")


@pytest.fixture
def neutron() -> Iterator[Any]:
    server = GroupNeutron(default_groups=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(params=GUARDS)
async def plugin(neutron: Any, request: Any) -> AsyncIterator[NeutronPlugin]:
    one = plugin_of(neutron, request.param)
    yield one
    await one.close()


class World:
    """What Neutron holds, by whom."""

    def __init__(self, neutron: Any) -> None:
        self.state = neutron.state

    def kept(self, groups: list[str], ports: list[str]) -> Row:
        """The tenant's own things as they are."""
        rules = [one for one in self.state.rules.values() if one["security_group_id"] in groups]
        return copy.deepcopy(
            {
                "groups": {one: self.state.groups.get(one) for one in groups},
                "rules": sorted(rules, key=lambda one: str(one["id"])),
                "ports": {one: self.state.ports.get(one) for one in ports},
            }
        )

    def ours(self) -> list[str]:
        """Groups of the service."""
        return [one["id"] for one in self.state.groups.values() if one["project_id"] == SERVICE]

    def open_to(self, port: str) -> set[str]:
        """The networks that get in to NFS on a port, by all its groups, as Neutron's mechanism reads them."""
        groups = self.state.ports[port]["security_groups"]
        return {
            str(one["remote_ip_prefix"] or one["remote_group_id"] or "everybody")
            for one in self.state.rules.values()
            if one["security_group_id"] in groups and one["direction"] == "ingress"
        }


Attack = Callable[[Tenant, Row], tuple[list[str], list[str]]]
"""Makes things of a tenant's; ids of its groups and ports."""


def same_groups(tenant: Tenant, facts: Row) -> tuple[list[str], list[str]]:
    """Many, so that one is the first of any list."""
    return [tenant.group(f"manila-{SERVER}") for _ in range(8)], []


def same_ports(tenant: Tenant, facts: Row) -> tuple[list[str], list[str]]:
    """The device, owner and names of a share server's ports, and those of one that is not there."""
    about = {"device_owner": "manila:share", "device_id": SERVER}
    ports = [tenant.port(NETWORK, **about, name=f"{SERVER}_{number}") for number in (0, 0, 1, 2)]
    return [], ports


def ports_with_a_group(tenant: Tenant, facts: Row) -> tuple[list[str], list[str]]:
    """The same in a group with the name of the service's."""
    group = tenant.group(f"manila-{SERVER}")
    about = {"device_owner": "manila:share", "device_id": SERVER, "security_groups": [group]}
    return [group], [tenant.port(NETWORK, **about, name=f"{SERVER}_{number}") for number in (0, 1)]


def same_networks(tenant: Tenant, facts: Row) -> tuple[list[str], list[str]]:
    """A network and a subnet with the names of the share server's, another id, and its ports' names in it."""
    state, ident = facts["state"], f"ffffffff-0000-4000-8000-{len(facts['state'].networks):012d}"
    own = {"project_id": tenant.project, "tenant_id": tenant.project}
    subnet = (
        state.subnets[SUBNET["neutron_subnet_id"]] | own | {"id": ident.replace("8000", "9000"), "network_id": ident}
    )
    state.networks[ident] = state.networks[NETWORK] | own | {"id": ident, "subnets": [subnet["id"]]}
    state.subnets[subnet["id"]] = subnet
    about = {"device_owner": "manila:share", "device_id": SERVER}
    return [], [tenant.port(ident, **about, name=f"{SERVER}_{number}") for number in (0, 1)]


ATTACKS: tuple[Attack, ...] = (same_groups, same_ports, ports_with_a_group, same_networks)


def attacker(neutron: Any, who: str) -> Tenant:
    """The owner of the share server's network, or somebody with whom the network is shared."""
    if who == "other":
        neutron.state.networks[NETWORK]["shared"] = True
    return Tenant(neutron, PROJECT if who == "owner" else OTHER)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("who", ["owner", "other"])
@pytest.mark.parametrize("when", WHEN)
async def test_a_share_server_s_life(plugin: NeutronPlugin, neutron: Any, attack: Attack, who: str, when: str) -> None:
    """Its ports are made in two attempts, rules come and go, it is removed; the audit looks all the time."""
    tenant, world = attacker(neutron, who), World(neutron)
    neighbour, there = str(uuid.uuid4()), {"id": "theirs", **OTHERS}
    theirs = (await plugin.allocate(neighbour, OTHER, there, 1)).allocations
    groups: list[str] = []
    ports: list[str] = []
    before: Row = {}

    def strike(now: str) -> None:
        nonlocal before
        if now == when:
            made = attack(tenant, {"state": neutron.state})
            groups.extend(made[0])
            ports.extend(made[1])
            before = world.kept(groups, ports)
        elif before:
            assert world.kept(groups, ports) == before, now

    # nobody knows a server's id before its first port is there; without a guard a member of the project who did know
    # it could make that port, which decides no more than the member does anyway
    if not (when == "before" and who == "owner" and plugin.guard == "none"):
        strike("before")
    first = await plugin.allocate(SERVER, PROJECT, SUBNET, 2)
    strike("while")
    again = await plugin.allocate(SERVER, PROJECT, SUBNET, 2, again=True)
    mine = [one["id"] for one in again.allocations]
    assert mine == [one["id"] for one in first.allocations] and not set(mine) & set(ports)
    assert {neutron.state.ports[one]["project_id"] for one in mine} == {PROJECT}
    if plugin.guard == "rules":
        await plugin.ports.admit(SERVER, [FIVE])
        await plugin.ports.admit(neighbour, [FIVE])
        assert {frozenset(world.open_to(one)) for one in mine} == {frozenset({FIVE})}
    strike("after")
    if plugin.guard == "rules":
        await plugin.ports.admit(SERVER, [])
        assert [world.open_to(one) for one in mine] == [set(), set()]
    if plugin.guard == "subnet":
        assert [world.open_to(one) for one in mine] == [{"10.0.0.0/24"}] * 2
    told = {one.port_id: one.ours for one in await plugin.held()}
    assert [told[one] for one in mine] == [None if plugin.guard == "none" else True] * 2
    assert not [one for one in ports if told[one]]
    await plugin.deallocate(SERVER, again.allocations, Sought(SUBNET, PROJECT, 2))
    assert not set(mine) & set(neutron.state.ports)
    strike("end")
    # the share server of another project has lived through all of it
    kept = world.open_to(theirs[0]["id"])
    assert kept == ({"10.0.0.0/24"} if plugin.guard == "subnet" else kept if plugin.guard == "none" else {FIVE})
    assert [one.port_id for one in await plugin.held() if one.server_id == neighbour] == [theirs[0]["id"]]
    await plugin.deallocate(neighbour, theirs, Sought(there, OTHER, 1))
    assert world.ours() == [] and theirs[0]["id"] not in neutron.state.ports


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("who", ["owner", "other"])
async def test_a_port_that_was_not_written_down_is_found_among_them(
    plugin: NeutronPlugin, neutron: Any, attack: Attack, who: str
) -> None:
    """The worker died after the ports were made: they go, and the tenant's stay where anything tells them apart."""
    tenant = attacker(neutron, who)
    made = await plugin.allocate(SERVER, PROJECT, SUBNET, 2)
    _, ports = attack(tenant, {"state": neutron.state})
    await plugin.deallocate(SERVER, made.allocations[:1], Sought(SUBNET, PROJECT, 2))
    left = set(neutron.state.ports)
    assert not left & {one["id"] for one in made.allocations}
    if plugin.guard != "none" or who == "other" or attack is same_networks:
        assert left == set(ports)
    else:
        # a member of the project says that its port is the second one of the server, which was never written down
        assert left == {one for one in ports if not neutron.state.ports.get(one, {"name": "_1"})["name"].endswith("_1")}


async def test_full_of_groups_of_others(neutron: Any) -> None:
    """A group of ours is made and removed however many of that name there are, and its quota is its own."""
    plugin, tenant = plugin_of(neutron), Tenant(neutron, OTHER)
    for _ in range(3):
        tenant.group(f"manila-{SERVER}")
        made = await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
        await plugin.deallocate(SERVER, made.allocations, Sought(SUBNET, PROJECT, 1))
        assert World(neutron).ours() == []
    await plugin.close()


async def test_two_groups_of_ours_follow_the_rules_both(neutron: Any) -> None:
    """After a lost answer there may be two; whichever the port has, what is removed is closed, and none stays."""
    plugin, state = plugin_of(neutron), neutron.state
    about = {"security_group": {"name": f"manila-{SERVER}"}}
    made = await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
    second = state.create_group(about)["id"]
    port = made.allocations[0]["id"]
    state.ports[port]["security_groups"] = [second]
    await plugin.ports.admit(SERVER, [FIVE])
    assert World(neutron).open_to(port) == {FIVE}
    await plugin.ports.admit(SERVER, [])
    assert World(neutron).open_to(port) == set()
    await plugin.deallocate(SERVER, made.allocations, Sought(SUBNET, PROJECT, 1))
    assert World(neutron).ours() == []
    await plugin.close()


TEMPLATE: list[Row] = [
    {"direction": "egress", "ethertype": "IPv4"},
    {"direction": "ingress", "ethertype": "IPv4", "protocol": "icmp"},
    {"direction": "ingress", "ethertype": "IPv4", "protocol": "tcp", "port_range_min": 22, "port_range_max": 22},
    {"direction": "ingress", "ethertype": "IPv6", "protocol": "tcp", "port_range_min": 2049, "port_range_max": 2049},
    {"direction": "ingress", "ethertype": "IPv4", "protocol": "tcp", "port_range_min": 1, "port_range_max": 65535},
]


@pytest.mark.parametrize("guard", ["rules", "subnet"])
async def test_the_operator_s_template_opens_nothing(neutron: Any, guard: Guard) -> None:
    """Neutron copies it into each new group: ping, SSH, NFS from everywhere."""
    neutron.state.template = TEMPLATE
    plugin = plugin_of(neutron, guard)
    made = await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
    port = made.allocations[0]["id"]
    assert World(neutron).open_to(port) == ({"10.0.0.0/24"} if guard == "subnet" else set())
    (group,) = World(neutron).ours()
    assert not [one for one in neutron.state.rules.values() if one["security_group_id"] == group and
                (one["direction"] == "egress" or one["port_range_min"] != 2049)]  # fmt: skip
    await plugin.close()


@pytest.mark.parametrize("everybody", [["0.0.0.0/0"], ["::/0"], ["0.0.0.0/0", "::/0"]])
async def test_everybody_is_let_in_though_other_rules_do_so_for_other_ports(neutron: Any, everybody: list[str]) -> None:
    """Only a rule for NFS lets somebody in to NFS; what an operator added since goes."""
    plugin = plugin_of(neutron)
    made = await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
    (group,) = World(neutron).ours()
    for one in TEMPLATE:
        neutron.state._add_rule({"security_group_id": group, **one})
    await plugin.ports.admit(SERVER, everybody)
    assert World(neutron).open_to(made.allocations[0]["id"]) - {"everybody"} <= set(everybody)
    rules = [one for one in neutron.state.rules.values() if one["security_group_id"] == group]
    assert {(one["direction"], one["protocol"], one["port_range_min"], one["port_range_max"]) for one in rules} == {
        ("ingress", "tcp", 2049, 2049)
    }
    assert {one["ethertype"] for one in rules} == {"IPv6" if ":" in one else "IPv4" for one in everybody}
    await plugin.close()


async def test_a_tenant_s_changes_of_the_service_s_port(neutron: Any) -> None:
    """The port is its project's, so it may change owner, device and groups. It is removed all the same, by its id."""
    plugin, tenant = plugin_of(neutron), Tenant(neutron, PROJECT)
    made = await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
    port = made.allocations[0]["id"]
    assert tenant.ask("DELETE", f"ports/{port}")[0] == 403
    change = {"device_owner": "", "device_id": "mine", "name": "mine", "security_groups": [tenant.group("mine")]}
    assert tenant.ask("PUT", f"ports/{port}", {"port": change})[0] == 200
    await plugin.deallocate(SERVER, made.allocations, Sought(SUBNET, PROJECT, 1))
    assert port not in neutron.state.ports and World(neutron).ours() == []
    await plugin.close()


async def test_a_tenant_can_t_have_the_service_s_group(neutron: Any) -> None:
    """The ground on which a port with such a group is the service's: Neutron refuses it to everybody else."""
    plugin, tenant = plugin_of(neutron), Tenant(neutron, PROJECT)
    await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
    (group,) = World(neutron).ours()
    body = {"port": {"network_id": NETWORK, "security_groups": [group]}}
    assert tenant.ask("POST", "ports", body)[0] == 404
    wanted = {"security_group": {"name": f"manila-{SERVER}", "project_id": SERVICE}}
    assert tenant.ask("POST", "security-groups", wanted)[0] == 403
    assert tenant.ask("DELETE", f"security-groups/{group}")[0] == 404
    await plugin.close()


FOREIGN: Row = {**SUBNET, "neutron_subnet_id": "00000000-0000-4000-9000-00000000000b"}


@pytest.mark.parametrize("own_only", [False, True])
async def test_a_foreign_subnet_is_not_read_into_a_share_network(neutron: Any, own_only: bool) -> None:
    """One's own network with somebody else's subnet: nothing of it is told, by any way to it."""
    plugin = plugin_of(neutron, "none", own_only=own_only)
    for doing in (
        plugin.allocate(SERVER, PROJECT, FOREIGN, 1),
        plugin.describe(FOREIGN, PROJECT),
        plugin.adopt(SERVER, ["10.0.0.50"], FOREIGN, PROJECT),
    ):
        with pytest.raises(NetworkException, match="is not one of network") as raised:
            await doing
        assert not raised.value.detail_data.get("subnet")
    assert neutron.state.ports == {}
    await plugin.close()


HIDDEN: Row = {"id": "subnet-row", **OTHERS}


async def test_a_network_that_is_not_the_project_s_is_not_described(neutron: Any) -> None:
    """With ``neutron_own_networks_only`` neither for a new server, nor for a check or a server that is taken over."""
    plugin = plugin_of(neutron, "none", own_only=True)
    for doing in (
        plugin.allocate(SERVER, PROJECT, HIDDEN, 1),
        plugin.describe(HIDDEN, PROJECT),
        plugin.adopt(SERVER, ["10.0.0.50"], HIDDEN, PROJECT),
    ):
        with pytest.raises(Exception, match="neither belongs to project") as raised:
            await doing
        assert not getattr(raised.value, "detail_data", {}).get("subnet")
    await plugin.close()


@pytest.mark.parametrize("guard", ["rules", "subnet"])
async def test_a_network_without_port_security(neutron: Any, guard: Guard) -> None:
    """Its ports have none by default, and then no group: the service's port asks for it."""
    neutron.state.networks[NETWORK]["port_security_enabled"] = False
    plugin = plugin_of(neutron, guard)
    made = await plugin.allocate(SERVER, PROJECT, SUBNET, 1)
    port = neutron.state.ports[made.allocations[0]["id"]]
    assert port["port_security_enabled"] is True and port["security_groups"] == World(neutron).ours()
    await plugin.close()
