"""What somebody removes by hand under a client that writes all the time comes back, and no file is lost."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import CLAIM, NETWORK_POLICY, POD, SHARE_EXPORT
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.hands import HANDS, UNSEEN, bind_of, policy_of, stand_still, unbind, volumes
from tests.kube.node.site import Object, Site, written
from tests.kube.node.worker import Worker
from tests.lab.cluster import Cluster
from tests.lab.processes import sh

pytestmark = pytest.mark.kube_node
TEXT = "kept" * 5000
GAP = 60.0
"""Seconds that a client may stand still; what it really was is printed."""


@pytest.fixture(scope="module")
async def site(images: Cluster) -> AsyncIterator[Site]:
    async with Site(images, "mended").working() as made:
        yield made


@pytest.fixture(scope="module")
async def worker(site: Site) -> AsyncIterator[Worker]:
    """Its worker, with a share server and a share that has a file."""
    found = Worker(site)
    server = await site.server("mend")
    found.servers.append(server)
    share = await found.share(server, "rw 10.7.0.0/24")
    client = await site.client("mend", "10.7.0.9")
    await written(client, share)
    await client("write", name="kept", text=TEXT)
    async with found.running():
        yield found


async def whole(site: Site, worker: Worker, since: float) -> float:
    """Until a look finds nothing to put right, seconds since then."""
    while True:
        found = await site.driver.inspect(worker.read)
        policies = {one["metadata"]["name"] for one in site.objects(NETWORK_POLICY.plural)}
        try:
            bound = site.bound(worker.servers[0])
        except Exception:
            bound = {}
        if not found.broken and policy_of(site) in policies and bound:
            return time.monotonic() - since
        assert time.monotonic() - since < 120, found.broken
        await asyncio.sleep(0.3)


async def reads(client: Client, share: Row) -> None:
    """A client that comes anew finds the file."""
    await written(client, share, 90, 0.2)
    assert await client("read", name="kept") == TEXT


@pytest.mark.parametrize("what", HANDS)
async def test_what_is_removed_by_hand_comes_back(site: Site, worker: Worker, what: str) -> None:
    (share,) = worker.shares
    client = site.clients[0]
    async with site.pump(share) as end:
        begin = time.monotonic()
        await HANDS[what](site, share)
        await asyncio.sleep(1)
        took = await whole(site, worker, begin)
        await reads(client, share)
        after = time.monotonic() - begin
        await asyncio.sleep(1)
        seen = await end()
    print(f"\n{what} removed: whole after {took:.1f} s, a new client wrote after {after:.1f} s; who was there: {seen}")
    assert seen["lost"] == 0 and seen["gap"] < GAP
    if what in UNSEEN:
        assert seen["errors"] == {} and seen["gap"] < 3


async def test_a_claim_that_was_removed_comes_back_on_its_volume(site: Site, worker: Worker) -> None:
    (share,) = worker.shares

    def claim() -> Object:
        (found,) = [one for one in site.objects(CLAIM.plural) if share["id"] in one["metadata"]["name"]]
        return found

    before = claim()
    async with site.pump(share) as end:
        begin = time.monotonic()
        await HANDS["claim"](site, share)
        await asyncio.sleep(1)
        took = await whole(site, worker, begin)
        await reads(site.clients[0], share)
        await asyncio.sleep(2)
        seen = await end()
    after = claim()
    print(f"\nclaim removed: on its volume again after {took:.1f} s; who was there: {seen}")
    assert after["metadata"]["uid"] != before["metadata"]["uid"]
    assert after["spec"]["volumeName"] == before["spec"]["volumeName"]
    assert (seen["errors"], seen["lost"]) == ({}, 0)
    await site.driver.extend_share(share, 2, share["server"])
    total, _ = await site.clients[0]("df")
    assert total > 1.9 * 2**30, "the volume grows as before"


async def test_labels_that_somebody_took_come_back(site: Site, worker: Worker) -> None:
    """From everything by which a share is found and served, and the gateway's StatefulSet is edited besides."""
    (share,) = worker.shares
    gateway, claim = names.gateway(share["server"]["id"]), site.of("pvc", share["id"])[0]
    kinds = [f"sts/{gateway}", f"pvc/{claim}", f"pod/{gateway}-0", f"pod/{names.holder(share['id'])}"]

    def labels() -> dict[str, dict[str, str]]:
        found = {one: json.loads(site.lab.kubectl("-n", site.namespace, "get", one, "-o", "json")) for one in kinds}
        return {one: ours(found[one]["metadata"].get("labels") or {}) for one in kinds}

    async def kubectl(*words: str) -> str:
        return await asyncio.to_thread(site.lab.kubectl, "-n", site.namespace, *words)

    before = labels()
    async with site.pump(share) as end:
        begin = time.monotonic()
        for one in kinds:
            await kubectl("label", one, *(f"{name}-" for name in before[one]))
        await kubectl("set", "env", f"sts/{gateway}", "GATEWAY_ADDRESSES=10.7.0.99")
        await asyncio.sleep(1)
        while labels() != before:
            assert time.monotonic() - begin < 120, labels()
            await asyncio.sleep(0.3)
        took = await whole(site, worker, begin)
        seen = await end()
    print(f"\nlabels taken: all of them back after {took:.1f} s; who was there: {seen}")
    assert "10.7.0.99" not in await kubectl("get", f"sts/{gateway}", "-o", "yaml")
    assert (seen["errors"], seen["lost"]) == ({}, 0)


def ours(labels: dict[str, str]) -> dict[str, str]:
    """Without those that a StatefulSet's controller sets."""
    return {name: value for name, value in labels.items() if name.startswith((names.PREFIX, names.MANAGED))}


async def test_what_is_not_mounted_is_not_exported(site: Site, worker: Worker) -> None:
    """Its volume goes from under a gateway, and nobody binds it again for a while."""
    (share,), client = worker.shares, site.clients[0]
    node = site.node_of(share["server"])
    await reads(client, share)
    stand_still(site, node)
    try:
        await unbind(site, share)
        begin = time.monotonic()
        while await client.outcome("write", name="astray", text="x") == "ok":
            assert time.monotonic() - begin < 20, "it is exported all the time"
            await asyncio.sleep(0.1)
        gone = time.monotonic() - begin
        with pytest.raises(Exception, match=r"NOENT|NotFound|STALE"):
            await client.mount(share["location"])
        below = sh(*site.lab.nodes[node].inside(), "ls", "-A", str(bind_of(site, share)))
    finally:
        stand_still(site, node, signal.SIGCONT)
    print(f"\nnot exported {gone:.1f} s after its volume went")
    assert below == "", "nothing is ever written into the folder below"
    await reads(client, share)


async def test_orphans_are_found_and_a_missing_volume_is_an_error(site: Site, worker: Worker) -> None:
    (share,) = worker.shares
    worker.shares.clear()
    found = await site.driver.inspect(worker.read)
    assert {(one.kind, one.about) for one in found.orphans} == {
        (kind, share["id"]) for kind in (SHARE_EXPORT.name, POD.name, CLAIM.name)
    }
    assert not any(one.proven for one in found.orphans), "it was seen a moment ago"
    for orphan in found.orphans:
        await site.driver.remove_orphan(orphan)
    async with asyncio.timeout(60):
        while site.of("pvc", share["id"]) or len(volumes(site)) > 1:
            await asyncio.sleep(0.3)
    answer = await site.driver.ensure_shares([{**share, "share_server": share["server"], "access_rules": []}])
    assert answer == {share["id"]: {"status": "error"}}
    assert site.of("pvc", share["id"]) == []


async def test_all_of_it_is_removed(site: Site, worker: Worker) -> None:
    (server,) = worker.servers
    worker.servers.clear()
    await site.driver.teardown_server(server["backend_details"])
    for kind in ("pods", "pvc", "shareexports", "statefulsets"):
        assert site.of(kind, server["id"]) == []
    async with asyncio.timeout(60):
        while volumes(site):
            await asyncio.sleep(0.3)
