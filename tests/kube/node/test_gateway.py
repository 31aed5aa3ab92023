"""What tenants do, on nodes of a cluster: from nothing to a write, rules, growth, snapshots, removal."""

from __future__ import annotations

import time

import pytest

from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node import figures
from tests.kube.node.copying import copied, read, reverted, shown
from tests.kube.node.site import ADDRESS, Site, written

pytestmark = pytest.mark.kube_node
GIB = 2**30


async def test_from_nothing_to_a_write(site: Site) -> None:
    """The first share of a network: gateway, volume, rule, mount, write."""
    took = []
    for number in range(figures.TIMES):
        begin = time.monotonic()
        server = await site.server(f"first{number}")
        up = time.monotonic() - begin
        share = await site.share(server, 1, "rw 10.7.0.5")
        client = await site.client(f"first{number}", "10.7.0.5")
        await written(client, share)
        took.append(time.monotonic() - begin)
        print(f"gateway {up:.2f} s, then share to first write {took[-1] - up:.2f} s")
        await site.driver.delete_share(share, server)
        await site.driver.teardown_server(server["backend_details"])
        for kind in ("pods", "pvc", "shareexports", "statefulsets"):
            assert site.of(kind, server["id"]) == [] == site.of(kind, share["id"])
    figures.held("first share of a network", took, 12)


async def test_two_tenants_have_one_address(site: Site, server: Row, five: Client) -> None:
    other = await site.server("b")
    theirs = await site.client("b", "10.7.0.5")
    ours, there = await site.share(server, 1, "rw 10.7.0.5"), await site.share(other, 1, "rw 10.7.0.5")
    assert ours["location"].startswith(f"{ADDRESS}:") and there["location"].startswith(f"{ADDRESS}:")
    await written(five, ours)
    await written(theirs, there)
    for client, foreign in ((five, there), (theirs, ours)):
        with pytest.raises(Exception, match=r"NOENT|NotFound"):
            await client.mount(foreign["location"])
    await site.driver.delete_share(ours, server)
    await site.driver.delete_share(there, other)
    await site.driver.teardown_server(other["backend_details"])


async def test_the_next_share_stops_nobody(site: Site, server: Row, five: Client) -> None:
    first = await site.share(server, 1, "rw 10.7.0.0/24")
    took = []
    async with site.pump(first, "10.7.0.6") as end:
        for _ in range(figures.TIMES):
            begin = time.monotonic()
            share = await site.share(server, 1, "rw 10.7.0.5")
            await written(five, share)
            took.append(time.monotonic() - begin)
            await site.driver.delete_share(share, server)
            for kind in ("pods", "pvc", "shareexports"):
                assert site.of(kind, share["id"]) == []
            assert share["id"] not in site.bound(server)
        seen = await end()
    figures.held("next share on the running gateway", took, 3)
    print("meanwhile a client of the first:", seen)
    assert seen["errors"] == {} and seen["lost"] == 0 and seen["gap"] < 3
    await site.driver.delete_share(first, server)


async def test_a_rule_is_active_when_it_is_enforced(site: Site, server: Row, five: Client) -> None:
    share, other = await site.share(server, 1, "rw 10.7.0.5"), await site.share(server, 1, "ro 10.7.0.0/24")
    await written(five, share)
    await five("open", name="first", mode="r+b")
    took = []
    for _ in range(figures.TIMES):
        begin = time.monotonic()
        await site.allow(share, "ro 10.7.0.5")
        took.append(time.monotonic() - begin)
        assert await five.outcome("write_at", name="first", offset=0, text="X") == "NFS4ERR_ROFS"
        await site.allow(share, "rw 10.7.0.5")
        assert await five("write_at", name="first", offset=0, text="X") == 1
    figures.held("rule to enforced", took, 1)
    await site.allow(share)
    assert await five.outcome("write_at", name="first", offset=0, text="X") == "NFS4ERR_ACCESS"
    # without any rule on the gateway the line itself is cut
    await site.driver.delete_share(other, server)
    assert await five.outcome("write_at", name="first", offset=0, text="X") != "ok"
    with pytest.raises(Exception, match=r"Connection|refused|reset"):
        await five.mount(share["location"])
    await site.driver.delete_share(share, server)


async def test_growth_is_seen_by_the_client(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    took = []
    async with site.pump(share) as end:
        for size in range(2, 2 + figures.TIMES):
            begin = time.monotonic()
            await site.driver.extend_share(share, size, server)
            total, _ = await five("df")
            took.append(time.monotonic() - begin)
            assert total > 0.9 * size * GIB
        seen = await end()
    figures.held("growth seen by the client", took, 3)
    assert seen["errors"] == {} and seen["lost"] == 0
    with pytest.raises(NotImplementedError):
        await site.driver.shrink_share(share, 1, server)
    await site.driver.delete_share(share, server)


async def test_snapshots_copies_and_the_way_back(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    await five("write", name="f", text="old")
    snapshot = site.snapshot(share)
    await site.driver.create_snapshot(snapshot, server)
    await five("write", name="f", text="new")
    copy: Row = {"id": f"c0{share['id'][2:]}", "size": 2, "share_proto": "NFS", "extra_specs": {}, "server": server}
    copy["location"] = await copied(site.driver, copy, snapshot, server)
    await site.allow(copy, "rw 10.7.0.5")
    await written(five, copy)
    assert await five("read", name="f") == "old"
    total, _ = await five("df")
    assert total > 1.9 * GIB
    # a view of the snapshot, beside both
    view = [{"id": "v", "access_type": "ip", "access_to": "10.7.0.5", "access_level": "ro"}]
    await shown(site.driver, snapshot, view, server)
    await five.mount(f"{ADDRESS}:/{snapshot['id']}")
    assert await five("read", name="f") == "old"
    assert await five.outcome("write", name="f", text="x") == "NFS4ERR_ROFS"
    await site.driver.snapshot_update_access(snapshot, [], [], view, server)
    # and the way back, under a mount that stays
    await five.mount(share["location"], direct=True)
    assert await five("read", name="f") == "new"
    rules = [{"id": "r", "access_type": "ip", "access_to": "10.7.0.5", "access_level": "rw"}]
    assert await reverted(site.driver, snapshot, rules, server) == 1
    assert await read(five, "f") == "old"
    await site.driver.delete_snapshot(snapshot, server)
    for one in (copy, share):
        await site.driver.delete_share(one, server)
    for kind in ("pods", "pvc", "shareexports", "volumesnapshots"):
        assert [site.of(kind, one["id"]) for one in (share, copy, snapshot)] == [[], [], []]
