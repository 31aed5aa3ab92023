"""The product as its users meet it on a cluster: the chart, the ordinary client, a mount, and nothing left."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator

import pytest

from deploy.helm import build as helm_build
from tests.datapath.kernel.guest import Guest, result
from tests.datapath.lab import Client
from tests.kube.node.cloud import TENANTS, Bridges, Cloud, cloud
from tests.kube.node.guests import guests, mount, unmount
from tests.kube.node.release import Databases, Helm
from tests.kube.node.site import pumping
from tests.lab.cluster import Cluster

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.skipif(helm_build.built() is None, reason=helm_build.MISSING),
]
GIB = 2**30
BUSY, LINUX = "10.0.0.8", "10.0.0.7"
"""Other machines of the first tenant."""
OPENED = """
held = os.open('/mnt/kernel', os.O_RDWR | os.O_CREAT, 0o644)
r = written(held, b'of the kernel')
"""


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


@pytest.fixture(scope="module")
async def linux(whole: Cloud) -> AsyncIterator[Guest]:
    """A machine with a Linux kernel's own client in the first tenant's network."""
    begin = time.monotonic()
    async with guests(whole.machine("tenant-a", "10.0.0.99"), f"{LINUX}/24") as (guest,):
        print(f"a Linux machine runs after {time.monotonic() - begin:.1f} s")
        yield guest


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
    """And whoever writes to the first share meanwhile notices none of them: neither coming nor served nor going."""
    tenant, machine, took = "tenant-a", machines["tenant-a"], []
    await whole.allow(tenant, "docs", BUSY)
    first = (await whole.openstack(tenant, "share export location list docs"))[0]["Path"]
    async with pumping(whole.machine(tenant, BUSY), first) as end:
        for number in range(3):
            begin = time.monotonic()
            name = f"next{number}"
            words = f"share create NFS 1 --share-type default --name {name} --share-network net --wait"
            share = await whole.openstack(tenant, words)
            took.append(time.monotonic() - begin)
            assert share["status"] == "available"
        await whole.allow(tenant, name)
        await machine.mount((await whole.openstack(tenant, f"share export location list {name}"))[0]["Path"])
        await machine("write", name="f", text=name)
        served = time.monotonic() - begin
        for number in range(3):
            await whole.openstack(tenant, f"share delete next{number} --wait")
        seen = await end()
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"next share with the client's own time: {[round(one, 1) for one in took]}, {load}")
    print(
        f"the last one is written to {served:.1f} s after it was asked for, four commands; meanwhile a writer: {seen}"
    )
    assert statistics.median(took) < 60
    assert seen["errors"] == {} and seen["lost"] == 0 and seen["gap"] < 3
    await machine.mount(first)
    assert await machine("read", name="hello") == tenant
    await whole.forbid(tenant, "docs", BUSY)


async def test_a_rule_that_goes_takes_open_files_with_it(
    whole: Cloud, machines: dict[str, Client], linux: Guest
) -> None:
    """Of the client in user space, and of a Linux kernel, whose hard mount waits until it is let in again."""
    tenant, machine = "tenant-a", machines["tenant-a"]
    place = (await whole.openstack(tenant, "share export location list docs"))[0]["Path"]
    await whole.allow(tenant, "docs", LINUX)
    begin = time.monotonic()
    await mount(linux, place)
    assert await linux.expression("open('/mnt/hello').read()") == tenant
    assert await linux(OPENED) == "ok"
    await machine.mount(place)
    assert await machine("read", name="kernel") == "of the kernel"
    print(f"a Linux kernel has mounted, read and written after {time.monotonic() - begin:.1f} s")
    await machine("open", name="hello", mode="r+b")
    assert await machine("write_at", name="hello", offset=0, text=tenant[0]) == 1
    await whole.forbid(tenant, "docs")
    assert await machine.outcome("write_at", name="hello", offset=0, text="X") != "ok"
    assert await linux.expression("written(held, b'of the kernel')") == "ok", "its own rule stands"
    await whole.forbid(tenant, "docs", LINUX)
    waiting = linux.post("r = written(held, b'it was waited')")
    done, _ = await asyncio.wait([waiting], timeout=5)
    assert not done, result(waiting.result())
    await whole.allow(tenant, "docs")
    await machine.mount(place)
    assert await machine("read", name="hello") == tenant
    assert not waiting.done()
    begin = time.monotonic()
    await whole.allow(tenant, "docs", LINUX)
    assert result(await asyncio.wait_for(waiting, 120)) == "ok"
    print(f"a hard mount goes on {time.monotonic() - begin:.1f} s after its rule was asked for again")
    await machine.mount(place)
    assert await machine("read", name="kernel") == "it was waited"


async def test_grown_copied_and_taken_away(whole: Cloud, machines: dict[str, Client], linux: Guest) -> None:
    tenant, machine = "tenant-a", machines["tenant-a"]
    await whole.openstack(tenant, "share resize docs 2 --wait")
    assert (await machine("df"))[0] > 1.9 * GIB
    assert await linux.expression("(lambda s: s.f_blocks * s.f_frsize)(os.statvfs('/mnt'))") > 1.9 * GIB
    assert await linux.expression("written(held, b'after growth.')") == "ok"
    await linux("os.close(held); r = 0")
    await unmount(linux)
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
    await whole.forbid(tenant, "copy")
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
