"""The namespace of the gateways is removed under a client that writes: every file stays and comes back.

The storage class is the usual one, whose volumes go with their claims.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from generated.runtime import Row
from tests.kube.node.copying import copied, reverted
from tests.kube.node.hands import volumes
from tests.kube.node.site import Site, written
from tests.kube.node.worker import Worker
from tests.lab.cluster import Cluster
from tests.lab.storage import CLASS

pytestmark = pytest.mark.kube_node
TEXT = "kept" * 5000


@pytest.fixture
async def site(images: Cluster) -> AsyncIterator[Site]:
    # the share manager's account is in another namespace, that of the release; here it would go with the gateways'
    async with Site(images, "doomed", kubernetes_kubeconfig=str(images.kubeconfig)).working() as made:
        yield made


async def _reverted(site: Site, share: Row) -> None:
    """A snapshot, and the share's second claim."""
    snapshot = site.snapshot(share)
    await site.driver.create_snapshot(snapshot, share["server"])
    rules = [{"id": "r", "access_type": "ip", "access_to": "10.7.0.0/24", "access_level": "rw"}]
    await reverted(site.driver, snapshot, rules, share["server"])
    share["snapshot"] = snapshot


async def test_every_file_outlives_the_namespace(site: Site) -> None:
    assert site.lab.api.get(f"/apis/storage.k8s.io/v1/storageclasses/{CLASS}")["reclaimPolicy"] == "Delete"
    worker = Worker(site)
    server = await site.server("doom")
    worker.servers.append(server)
    client = await site.client("doom", "10.7.0.9")
    shares = [await worker.share(server, "rw 10.7.0.0/24") for _ in range(2)]
    for share in shares:
        await written(client, share)
        await client("write", name="kept", text=TEXT)
    await _reverted(site, shares[1])
    async with asyncio.timeout(60):
        while len(volumes(site)) > 3:  # of two shares and the gateway; that before the revert goes
            await asyncio.sleep(0.3)
    before = {one["metadata"]["name"] for one in volumes(site)}
    async with worker.running(), site.pump(shares[0]) as end:
        begin = time.monotonic()
        await asyncio.to_thread(site.lab.kubectl, "delete", "namespace", site.namespace, "--timeout=120s")
        gone = time.monotonic() - begin
        assert {one["metadata"]["name"] for one in volumes(site)} == before
        await asyncio.sleep(3)  # the worker looks, finds no namespace, and takes nothing for lost
        await asyncio.to_thread(site.space)
        await asyncio.to_thread(site.install)
        again = time.monotonic() - begin - gone
        for share in shares:
            await written(client, share, 120, 0.2)
            assert await client("read", name="kept") == TEXT
        back = time.monotonic() - begin
        seen = await end()
    print(f"\nnamespace gone after {gone:.1f} s, made again in {again:.1f} s, whole after {back:.1f} s; client: {seen}")
    assert seen["lost"] == 0
    assert before == {one["metadata"]["name"] for one in volumes(site)}
    await _snapshot_comes_back(site, shares[1])
    await _nothing_is_left(site, shares, server)


async def _snapshot_comes_back(site: Site, share: Row) -> None:
    """Its object went with the namespace, the storage's snapshot did not."""
    begin = time.monotonic()
    await site.driver.ensure_snapshot(share["snapshot"], [], share["server"])
    copy: Row = {"id": f"c0{share['id'][2:]}", "size": 1, "share_proto": "NFS", "extra_specs": {}}
    copy |= {
        "location": await copied(site.driver, copy, share["snapshot"], share["server"]),
        "server": share["server"],
    }
    await site.allow(copy, "rw 10.7.0.0/24")
    await written(site.clients[0], copy)
    assert await site.clients[0]("read", name="kept") == TEXT
    print(f"its snapshot came back and was copied within {time.monotonic() - begin:.1f} s")
    await site.driver.delete_share(copy, share["server"])
    await site.driver.delete_snapshot(share["snapshot"], share["server"])


async def _nothing_is_left(site: Site, shares: list[Row], server: Row) -> None:
    """What was kept goes when its row does."""
    for share in shares:
        await site.driver.delete_share(share, server)
    await site.driver.teardown_server(server["backend_details"])

    def left() -> list[str]:
        contents = site.lab.api.get("/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents")["items"]
        named = [one for one in contents if one["spec"]["volumeSnapshotRef"]["namespace"] == site.namespace]
        return [str(one["metadata"]["name"]) for one in (*volumes(site), *named)]

    async with asyncio.timeout(60):
        while left():
            await asyncio.sleep(0.3)
