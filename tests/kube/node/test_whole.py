"""The product as its users meet it on a cluster: the chart, the ordinary client, a mount, and nothing left."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator

import pytest

from deploy.helm import build as helm_build
from tests.datapath.lab import Client
from tests.kube.node.cloud import TENANTS, Bridges, Cloud, cloud
from tests.kube.node.release import Databases, Helm
from tests.lab.cluster import Cluster

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.skipif(helm_build.built() is None, reason="helm is not built: `python3 noxfile.py chart` builds it"),
]
GIB = 2**30


@pytest.fixture(scope="module")
async def whole(
    lab: Cluster, helm: Helm, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Cloud]:
    folder = tmp_path_factory.mktemp("cloud")
    async with cloud(lab, folder, helm, "whole", Bridges(), databases["whole"]) as made:
        yield made


@pytest.fixture(scope="module")
async def machines(whole: Cloud) -> AsyncIterator[dict[str, Client]]:
    """A machine of one address in each tenant's network."""
    made = {tenant: await whole.client(tenant) for tenant in TENANTS}
    yield made
    for client in made.values():
        await client.close()


async def test_two_tenants_with_one_cidr(whole: Cloud, machines: dict[str, Client]) -> None:
    places = {}
    for tenant in TENANTS:
        begin = time.monotonic()
        places[tenant] = await whole.share(tenant, "docs")
        print(f"{tenant}: first share after {time.monotonic() - begin:.1f} s, load {os.getloadavg()[0]:.1f}")
        await machines[tenant].mount(places[tenant])
        await machines[tenant]("write", name="hello", text=tenant)
    assert len({place.partition(":")[0] for place in places.values()}) == 1, "both gateways have one address"
    for tenant in TENANTS:
        assert await machines[tenant]("read", name="hello") == tenant
    assert await whole.openstack("tenant-b", "share list --name nothing") == []
    listed = await whole.openstack("tenant-b", "share list")
    assert len(listed) == 1
    with pytest.raises(Exception, match="NOENT"):
        await machines["tenant-b"].mount(places["tenant-a"])
    await machines["tenant-b"].mount(places["tenant-b"])


async def test_the_next_shares_are_quick(whole: Cloud, machines: dict[str, Client]) -> None:
    took = []
    for number in range(3):
        begin = time.monotonic()
        share = await whole.openstack(
            "tenant-a", f"share create NFS 1 --share-type default --name next{number} --share-network net --wait"
        )
        took.append(time.monotonic() - begin)
        assert share["status"] == "available"
    print(f"next share with the client's own time: {[round(one, 1) for one in took]}, load {os.getloadavg()[0]:.1f}")
    assert statistics.median(took) < 60
    assert await machines["tenant-a"]("read", name="hello") == "tenant-a"
    for number in range(3):
        await whole.openstack("tenant-a", f"share delete next{number} --wait")


async def test_grown_copied_and_taken_away(whole: Cloud, machines: dict[str, Client]) -> None:
    tenant, machine = "tenant-a", machines["tenant-a"]
    await whole.openstack(tenant, "share resize docs 2 --wait")
    assert (await machine("df"))[0] > 1.9 * GIB
    await whole.openstack(tenant, "share snapshot create docs --name before --wait")
    await machine("write", name="hello", text="changed")
    source = await whole.openstack(tenant, "share snapshot show before")
    place = await whole.share(tenant, "copy", f"--snapshot-id {source['id']}")
    other = await whole.client(tenant, "10.0.0.6")
    try:
        with pytest.raises(Exception, match="refused"):  # its packets are: it has no rule for any share
            await other.mount(place)
    finally:
        await other.close()
    await machine.mount(place)
    assert await machine("read", name="hello") == tenant
    rules = await whole.openstack(tenant, "share access list copy")
    await whole.openstack(tenant, f"share access delete copy {rules[0]['ID']} --wait")
    assert await machine.outcome("read", name="hello") != "ok"


async def test_nothing_is_left(whole: Cloud) -> None:
    await whole.openstack("tenant-a", "share delete copy --wait")
    await whole.openstack("tenant-a", "share snapshot delete before --wait")
    for tenant in TENANTS:
        await whole.openstack(tenant, "share delete docs --wait")
        await whole.openstack(tenant, "share network delete net")
    deadline = time.monotonic() + 90
    while left := await asyncio.to_thread(whole.left):
        assert time.monotonic() < deadline, left
        await asyncio.sleep(0.5)
    assert await whole.openstack("admin", "share list --all-projects") == []
