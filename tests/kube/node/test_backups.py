"""A backup is the share as it was, also when the share is gone; a restore is served under a mount that stays."""

from __future__ import annotations

import asyncio
import time
import uuid

import pytest

from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.copying import read
from tests.kube.node.site import Site, written

pytestmark = pytest.mark.kube_node
LONGEST = 90.0


async def _done(site: Site, share: Row, backup: Row, server: Row, *, restore: bool) -> float:
    """Ask until all is copied; seconds it took."""
    begin = time.monotonic()
    while time.monotonic() - begin < LONGEST:
        if restore:
            told = await site.driver.restore_backup_continue(backup, share, server)
        else:
            told = await site.driver.create_backup_continue(share, backup, server)
        if told["total_progress"] == "100":
            return time.monotonic() - begin
        await asyncio.sleep(0.2)
    raise AssertionError(f"not within {LONGEST:.0f} s")


async def test_a_backup_outlives_its_share(site: Site, server: Row, five: Client) -> None:
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(five, share)
    await five("write", name="f", text="kept")
    backup: Row = {"id": str(uuid.uuid4())}
    await site.driver.create_backup(share, backup, server)
    took = await _done(site, share, backup, server, restore=False)
    await five("write", name="f", text="later")
    await site.driver.delete_share(share, server)
    assert site.of("pvc", share["id"]) == []
    other = await site.share(server, 2, "rw 10.7.0.5")
    await written(five, other)
    await five.mount(other["location"], direct=True)
    await five("write", name="f", text="of another")
    await site.driver.restore_backup(backup, other, server)
    assert await five("read", name="f") == "of another"
    back = await _done(site, other, backup, server, restore=True)
    assert await read(five, "f") == "kept"
    total, _ = await five("df")
    print(f"backup taken after {took:.1f} s, served again after {back:.1f} s")
    assert total > 1.9 * 2**30
    await five("write", name="f", text="goes on")
    assert await five("read", name="f") == "goes on"
    await site.driver.delete_backup(backup, other, server)
    await site.driver.delete_share(other, server)
    for kind in ("pods", "pvc", "shareexports", "volumesnapshots"):
        assert [site.of(kind, one["id"]) for one in (share, other, backup)] == [[], [], []]


async def test_what_a_tenant_has_says_whose_it_is(site: Site, server: Row) -> None:
    """The pods that run, not what was asked for."""
    share = await site.share(server, 1)
    (gateway,) = [one for one in site.objects("pods") if one["metadata"]["name"] == f"gateway-{server['id']}-0"]
    assert gateway["metadata"]["labels"]["manila.openkeel.io/share-server"] == server["id"]
    containers = {one["name"]: one["resources"] for one in gateway["spec"]["containers"]}
    assert containers["ganesha"]["requests"] == {"cpu": "1m", "memory": "8Mi"}
    assert gateway["spec"]["automountServiceAccountToken"] is False
    (claim,) = [one for one in site.objects("pvc") if one["metadata"]["name"] == f"share-{share['id']}"]
    assert claim["metadata"]["labels"]["manila.openkeel.io/share-server"] == server["id"]
    assert server["backend_details"]["identifier"] == f"{site.namespace}/gateway-{server['id']}"
    await site.driver.delete_share(share, server)
