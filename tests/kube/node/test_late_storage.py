"""On storage that copies late, from the volume in which its snapshots live: a revert serves on, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import pathlib

import pytest

from drivers.ganesha.kubernetes import names, volumes
from drivers.kubernetes.sizes import GIB
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.copying import copied, reverted, shown
from tests.kube.node.site import ADDRESS, Site, written
from tests.lab.processes import wait
from tests.lab.storage import LATE

pytestmark = [
    pytest.mark.kube_node,
    pytest.mark.skipif(not os.environ.get(LATE), reason=f"{LATE} is not set: the storage copies at once"),
]
RULES = [{"id": "r", "access_type": "ip", "access_to": "10.7.0.5", "access_level": "rw"}]


def _roles(site: Site, share: str) -> dict[str, str]:
    """Role of each claim that a share has or had."""
    found = [one for one in site.objects("pvc") if one["metadata"]["labels"].get(names.SHARE) == share]
    return {one["metadata"]["name"]: one["metadata"]["labels"][names.ROLE] for one in found}


def _inside(site: Site) -> list[pathlib.Path]:
    """Images of the snapshots that live in volumes."""
    return sorted(site.lab.place.pool.glob("*.snapshots/*.img"))


async def test_a_share_is_served_while_the_storage_copies(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    await five("write", name="f", text="old")
    snapshot = site.snapshot(share)
    await site.driver.create_snapshot(snapshot, server)
    await five("write", name="f", text="new")
    before, running = _inside(site), site.everything(server)
    assert len(before) == 1

    reverting = asyncio.create_task(reverted(site.driver, snapshot, RULES, server))
    claim = f"{names.claim(share['id'])}-1"
    await asyncio.to_thread(
        wait, "the copy is bound", lambda: claim in site.of("pvc", claim) and not site.pending(), 60
    )
    assert list(site.lab.place.pool.glob("*.copying")), "bound, and nothing of it is there"
    assert await five("read", name="f") == "new"
    assert await reverting == 1
    print(f"the mount from before the revert: {await five.outcome('read', name='f')}")
    await five.mount(share["location"])
    assert await five("read", name="f") == "old"
    assert set(running) <= set(site.everything(server)), "the gateway runs on"
    assert _roles(site, share["id"]) == {names.claim(share["id"]): "former", claim: "share"}
    assert _inside(site) == before, "the snapshot lives in what the share had before"

    await five("write", name="f", text="newer")
    copy: Row = {"id": f"c1{share['id'][2:]}", "size": 2, "share_proto": "NFS", "extra_specs": {}, "server": server}
    copy["location"] = await copied(site.driver, copy, snapshot, server)
    assert not list(site.lab.place.pool.glob("*.copying")), "it is shown when it is whole"
    await site.allow(copy, "rw 10.7.0.5")
    await written(five, copy)
    assert await five("read", name="f") == "old"
    await reverted(site.driver, snapshot, RULES, server)
    await five.mount(share["location"])
    assert await five("read", name="f") == "old"
    assert _roles(site, share["id"]) == {names.claim(share["id"]): "former", f"{claim[:-1]}2": "share"}

    await site.driver.delete_snapshot(snapshot, server)
    assert _roles(site, share["id"]) == {f"{claim[:-1]}2": "share"}
    await asyncio.to_thread(wait, "the volume before is gone", lambda: _inside(site) == [], 60)
    assert await five("read", name="f") == "old"
    for one in (copy, share):
        await site.driver.delete_share(one, server)
    for kind in ("pods", "pvc", "shareexports", "volumesnapshots"):
        assert [site.of(kind, one["id"]) for one in (share, copy, snapshot)] == [[], [], []]


async def test_growth_without_room_is_refused_with_the_reason(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    with pytest.raises(ShareBackendException, match="the storage has no room to grow claim .* to 100 GiB: .*Available"):
        await site.driver.extend_share(share, 100, server)
    await site.driver.extend_share(share, 2, server)
    total, _ = await five("df")
    assert 1.9 * GIB < total < 2.1 * GIB
    await site.driver.delete_share(share, server)


async def test_a_snapshot_is_shown_when_it_is_copied(
    site: Site, server: Row, five: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(volumes, "PROMPT", 1.0)
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    await five("write", name="f", text="old")
    snapshot = site.snapshot(share)
    await site.driver.create_snapshot(snapshot, server)
    await five("write", name="f", text="new")
    assert await shown(site.driver, snapshot, RULES, server) > 0
    assert await five("read", name="f") == "new"
    await five.mount(f"{ADDRESS}:/{snapshot['id']}")
    assert await five("read", name="f") == "old"
    await site.driver.snapshot_update_access(snapshot, [], [], RULES, server)
    await site.driver.delete_snapshot(snapshot, server)
    await site.driver.delete_share(share, server)
