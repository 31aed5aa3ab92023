"""A release of the chart whose gateways are ports of a real OVN, used by two tenants through the API."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest

from deploy.helm import build as helm_build
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import ready
from tests.datapath.lab import Client
from tests.kube.node.cloud import MACHINE, TENANTS, Cloud, cloud, until
from tests.kube.node.ovn_tenants import Ovn, OvnTenants, running
from tests.kube.node.release import Databases, Helm
from tests.kube.node.site import pumping, written
from tests.lab.cluster import Cluster

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.skipif(helm_build.built() is None, reason=helm_build.MISSING),
]
OTHER = "10.0.0.6"
BOTH = "10.0.0.4/30"
"""A rule for both machines of a tenant."""


@pytest.fixture(scope="module")
async def site(
    lab: Cluster, helm: Helm, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Cloud, Ovn]]:
    one, two = sorted(lab.nodes)
    with running(lab) as ovn:
        tenants = OvnTenants(lab, ovn, {MACHINE: one, OTHER: two})
        folder = tmp_path_factory.mktemp("cloud")
        async with cloud(lab, folder, helm, "ports", tenants, databases["ports"]) as made:
            yield made, ovn


def gateway(made: Cloud, place: str) -> tuple[str, str, str]:
    """Name, node and identity of the pod of a share's gateway, when it is ready; else empty."""
    share = names.share(place.rpartition("/")[2])
    (export,) = [one for one in made.objects("shareexports") if one["metadata"]["name"] == share]
    name = names.gateway_pod(export["spec"]["server"])
    found = [one for one in made.objects("pods") if one["metadata"]["name"] == name and ready(one)]
    return (name, found[0]["spec"]["nodeName"], found[0]["metadata"]["uid"]) if found else (name, "", "")


async def test_two_tenants_with_one_address(site: tuple[Cloud, Ovn]) -> None:
    (made, ovn), places = site, dict[str, str]()
    one, two = sorted(made.lab.nodes)
    made.lab.kubectl("cordon", two)
    for tenant in TENANTS:
        begin = time.monotonic()
        places[tenant] = await made.share(tenant, "docs", rule=BOTH)
        print(f"{tenant}: first share after {time.monotonic() - begin:.1f} s, load {os.getloadavg()[0]:.1f}")
    made.lab.kubectl("uncordon", two)
    assert len({place.partition(":")[0] for place in places.values()}) == 1, "both gateways have one address"
    assert {gateway(made, place)[1] for place in places.values()} == {one}
    assert {port["binding:host_id"] for port in ovn.share_ports()} == {one}
    clients = {(tenant, ip): await made.client(tenant, ip) for tenant in TENANTS for ip in (MACHINE, OTHER)}
    await _each_meets_its_own(clients, places, "one node")
    await _moved(made, places, one, two)
    assert {port["binding:host_id"] for port in ovn.share_ports()} == {one, two}
    await _each_meets_its_own(clients, places, "two nodes")
    for client in clients.values():
        await client.close()
    await _nothing_is_left(made, ovn)


async def _each_meets_its_own(clients: dict[tuple[str, str], Client], places: dict[str, str], where: str) -> None:
    """From the gateway's node and from the other; the other tenant's share is not there."""
    for (tenant, _), client in clients.items():
        await written(client, {"location": places[tenant], "id": tenant}, 60, 0.1)
        (other,) = set(TENANTS) - {tenant}
        with pytest.raises(Exception, match=r"NOENT|NotFound"):
            await client.mount(places[other])
        await written(client, {"location": places[tenant], "id": tenant}, 60, 0.1)
        assert await client("read", name="first") == tenant
    print(f"two tenants with one address on {where}: each meets its own share only")


async def _moved(made: Cloud, places: dict[str, str], one: str, two: str) -> None:
    """The second tenant's gateway goes to the other node; a client of each writes meanwhile."""
    name, _, uid = gateway(made, places["tenant-b"])
    spaces = {tenant: made.machine(tenant, OTHER) for tenant in TENANTS}
    async with pumping(spaces["tenant-a"], places["tenant-a"]) as still:
        async with pumping(spaces["tenant-b"], places["tenant-b"]) as moved:
            await asyncio.sleep(1)
            made.lab.kubectl("cordon", one)
            made.lab.kubectl("-n", made.gateways, "delete", "pod", name, "--wait=false")
            took = await until("it is ready on the other node", lambda: gateway(made, places["tenant-b"])[1] == two)
            made.lab.kubectl("uncordon", one)
            await asyncio.sleep(20)
            there = await moved()
        here = await still()
    assert gateway(made, places["tenant-b"])[2] != uid
    print(f"gateway moved: ready after {took:.1f} s, its client's gap {there['gap']:.1f} s (grace 10 s), "
          f"the other tenant's {here['gap']:.2f} s, load {os.getloadavg()[0]:.1f}")  # fmt: skip
    assert (there["lost"], here["lost"], here["errors"]) == (0, 0, {})


async def _nothing_is_left(made: Cloud, ovn: Ovn) -> None:
    print(f"rows of gateways before their removal: {len(ovn.left())}")
    assert ovn.left()
    for tenant in TENANTS:
        await made.openstack(tenant, "share delete docs --wait")
        await made.openstack(tenant, "share network delete net")
    took = await until("nothing is left", lambda: made.left() == [])
    print(f"nothing is left {took:.1f} s after the networks were deleted; rows of gateways: {ovn.left()}")
    assert await made.openstack("admin", "share list --all-projects") == []
