"""Gateways as ports of a real OVN, a chassis for each node: NFSv4.1 over geneve, a move, the wall, what is left."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest

from generated.runtime import Row
from tests.datapath.lab import AGENT, Client
from tests.kube.node.ovn_site import OvnSite, installed
from tests.kube.node.site import _spawn, written
from tests.lab.cluster import Cluster
from tests.lab.ovn.traffic import connect

pytestmark = [pytest.mark.kube_node, pytest.mark.allow_hosts(["10.0.0.0/24", "127.0.0.1"])]
MIB = 64


@pytest.fixture(scope="module")
async def ovn_site(images: Cluster) -> AsyncIterator[OvnSite]:
    """An installation with OVN."""
    async with installed(images, "ovn", "ok-", "ovn-gateways") as made:
        yield made


def _reaches(space: str, ip: str) -> bool:
    """Whether a connection to NFS comes about; Ganesha says nothing until it is asked."""
    try:
        connect(space, ip).close()
    except OSError:
        return False
    return True


async def _client(site: OvnSite, network: str, ip: str) -> Client:
    made = Client(await _spawn(site.plug(network, ip), str(AGENT)))
    site.clients.append(made)
    return made


async def test_gateways_on_ovn(ovn_site: OvnSite) -> None:
    """Two tenants with one address and MAC, on one node and on two, with everything that a share does."""
    site, (one, two) = ovn_site, sorted(ovn_site.lab.nodes)
    for network in "ab":
        for node, ip in ((one, "10.0.0.5"), (two, "10.0.0.6")):
            site.machine(network, node, ip)
    site.cordon(two)
    servers: dict[str, Row] = {}
    for network in "ab":
        site.neutron.state.mac = 0x700
        begin = time.monotonic()
        servers[network] = await site.server(network)
        print(f"gateway of {network} up after {time.monotonic() - begin:.2f} s on {site.node_of(servers[network])}")
    site.uncordon(two)
    a, b = (site.allocations[network] for network in "ab")
    assert (a["ip_address"], a["mac_address"]) == (b["ip_address"], b["mac_address"])
    shares = {network: await site.share(servers[network], 1) for network in "ab"}
    clients = {network: await _client(site, network, "10.0.0.6") for network in "ab"}
    ip = str(a["ip_address"])
    near = site._machines["a", "10.0.0.6"]
    assert not await asyncio.to_thread(_reaches, near, ip), "nobody has a rule"
    begin = time.monotonic()
    for network in "ab":
        assert await site.allow(shares[network], "rw 10.0.0.6") == {"rw 10.0.0.6": "active"}
    print(f"two rules active after {time.monotonic() - begin:.2f} s")
    await _two_tenants(clients, shares, "one node")
    begin = time.monotonic()
    await clients["a"]("fill", name="big", size=MIB)
    load = os.getloadavg()[0]
    print(f"NFSv4.1 over geneve: {MIB / (time.monotonic() - begin):.0f} MiB/s written, load {load:.1f}")
    await _moves(site, servers, shares, (one, two))
    await _two_tenants(clients, shares, "two nodes")
    await _walls(site, shares["a"], ip)
    await _nothing_is_left(site, servers, shares)


async def _two_tenants(clients: dict[str, Client], shares: dict[str, Row], where: str) -> None:
    for network, other in ("ab", "ba"):
        await written(clients[network], shares[network], 60, 0.1)
        with pytest.raises(Exception, match=r"NOENT|NotFound"):
            await clients[network].mount(shares[other]["location"])
        await written(clients[network], shares[network], 60, 0.1)
        assert await clients[network]("read", name="first") == shares[network]["id"]
    print(f"two tenants with one address and MAC on {where}: each meets its own share only")


async def _moves(site: OvnSite, servers: dict[str, Row], shares: dict[str, Row], nodes: tuple[str, str]) -> None:
    """b's gateway goes to the other node while a client writes; a's client notices nothing."""
    async with site.pump(shares["b"], "10.0.0.6") as moved, site.pump(shares["a"], "10.0.0.6") as other:
        await asyncio.sleep(1)
        took = await site.placed(servers["b"], nodes[1])
        # as the reconciler does when a gateway comes up elsewhere
        row = {**shares["b"], "share_server": servers["b"], "access_rules": None}
        await site.driver.ensure_shares([row])
        await asyncio.sleep(20)
        there, here = await moved(), await other()
    grace = site.options.ganesha_grace_period
    print(f"gateway moved: ready after {took:.2f} s, client's gap {there['gap']:.1f} s (grace {grace} s), "
          f"the other tenant's {here['gap']:.2f} s, load {os.getloadavg()[0]:.1f}")  # fmt: skip
    port = site.allocations["b"]["id"]
    assert site.neutron.state.ports[port]["binding:host_id"] == nodes[1] == site.ovn.owner(port)
    assert not here["errors"]
    for node in nodes:
        rows = [one.port_id for one in site.ovn.chassis[node].switch.plugged()]
        assert rows == [site.allocations["a" if node == nodes[0] else "b"]["id"]]


async def _walls(site: OvnSite, share: Row, ip: str) -> None:
    """Whoever loses the last rule does not even reach the port."""
    machine = site._machines["a", "10.0.0.5"]
    for rules, reaches in ((["ro 10.0.0.5"], True), ([], False)):
        assert await asyncio.to_thread(_reaches, machine, ip) is not reaches
        await site.allow(share, "rw 10.0.0.6", *rules)
        assert await asyncio.to_thread(_reaches, machine, ip) is reaches


async def _nothing_is_left(site: OvnSite, servers: dict[str, Row], shares: dict[str, Row]) -> None:
    for network in "ab":
        await site.driver.delete_share(shares[network], servers[network])
        await site.remove(network, servers[network])
        for kind in ("pods", "pvc", "shareexports", "statefulsets"):
            assert site.of(kind, servers[network]["id"]) == []
    groups = [one for one in site.neutron.state.groups.values() if one["name"].startswith("manila-")]
    owners = [one["device_owner"] for one in site.neutron.state.ports.values()]
    rows = {node: chassis.switch.plugged() for node, chassis in site.ovn.chassis.items()}
    deadline = time.monotonic() + 5
    while any(rows.values()) and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
        rows = {node: chassis.switch.plugged() for node, chassis in site.ovn.chassis.items()}
    print(f"left: {len(groups)} security groups, {owners.count('manila:share')} ports, rows {rows}")
    assert not groups and "manila:share" not in owners and not any(rows.values())
