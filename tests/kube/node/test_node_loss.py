"""A node dies, or is cut off and lives: gateway and volumes move together, only when it is certain that it is out.

A client of a gateway that moves meets nobody for a while, and no server that answers with an error.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import ready
from tests.kube.node import losing
from tests.kube.node.losing import TARGET, by_annotation, by_taint, pods_of, refused, served, until
from tests.kube.node.site import Site
from tests.kube.node.worker import Worker
from tests.lab.cluster import Cluster

pytestmark = pytest.mark.kube_node


@pytest.fixture(scope="module")
async def site(images: Cluster) -> AsyncIterator[Site]:
    """An installation of its own: its nodes come and go."""
    async with Site(images, "lossy").working() as made:
        yield made


@pytest.fixture(scope="module")
async def worker(site: Site) -> AsyncIterator[Worker]:
    """Its worker, with a share server and two shares."""
    found = Worker(site)
    server = await site.server("loss")
    found.servers.append(server)
    for _ in range(2):
        await found.share(server, "rw 10.7.0.0/24")
    async with found.running():
        yield found
    losing.restore(site.lab)


async def _all_served(site: Site, worker: Worker, ip: str) -> None:
    client = await site.client("loss", ip)
    for one in worker.shares:
        await served(one, client)


async def test_a_node_that_is_cut_off_keeps_its_gateway(site: Site, worker: Worker) -> None:
    """Kubernetes does not hear of it, its gateway serves: nobody moves it, and nothing else serves for it."""
    (server,), share = worker.servers, worker.shares[0]
    node, before = site.node_of(server), pods_of(site, server)
    with contextlib.ExitStack() as cut:
        async with site.pump(share) as end:
            cut.enter_context(site.lab.cut_off(node))
            silent = await losing.noticed(site, worker, server, node)
            for _ in range(10):
                assert pods_of(site, server) == before
                await asyncio.sleep(1)
            seen = await end()
        print(f"\ncut off: not ready after {silent:.1f} s; its client meanwhile: {seen}")
        assert [one.node for one in worker.findings.waiting] == [node]
        assert (seen["errors"], seen["lost"]) == ({}, 0) and seen["gap"] < 5
        async with site.pump(share) as end:
            cut.close()
            await losing.elsewhere(site, server, before)
            await site.ready_again(server, before[0][0])
            await _all_served(site, worker, "10.7.0.7")
            back = await end()
    print(f"its return: the marked pod ends, the next one serves; its client: {back}")
    assert back["lost"] == 0 and refused(back) == []


@pytest.mark.parametrize("declare", [by_taint, by_annotation])
async def test_a_node_without_power_is_left_after_the_operator_s_word(
    site: Site, worker: Worker, declare: Callable[..., None]
) -> None:
    (server,), share = worker.servers, worker.shares[0]
    await _all_served(site, worker, "10.7.0.8")
    node, before = site.node_of(server), pods_of(site, server)
    async with site.pump(share) as end:
        begin = time.monotonic()
        site.lab.kill_node(node)
        await losing.noticed(site, worker, server, node)
        await asyncio.sleep(5)
        assert pods_of(site, server) == before, "nobody has said that it is out"
        fenced = time.monotonic()
        declare(site.lab, node, out=True)
        moved = await losing.elsewhere(site, server, before)
        up = moved + await site.ready_again(server, before[0][0], 150)
        await served(share, site.clients[-1])
        after = time.monotonic() - fenced
        seen = await end()
    gap = seen["gap"] - (fenced - begin)
    print(f"\n{declare.__name__}: new pod {moved:.1f} s, ready {up:.1f} s, written again by another {after:.1f} s")
    print(f"the client that was there: gap {gap:.1f} s after the fence (target {TARGET:.0f} s); {seen}")
    assert site.node_of(server) != node
    assert seen["lost"] == 0, "what was acknowledged is there"
    assert refused(seen) == [], "it met no server that has nothing"
    assert after < 2 * TARGET + (60 if declare is by_annotation else 0)
    await _all_served(site, worker, "10.7.0.9")
    await _returns(site, worker, node, declare)


async def test_a_node_dies_while_no_worker_runs(site: Site, worker: Worker) -> None:
    """The worker was on that node, say. The next one starts after the operator's word, and finds it at its first look.

    The word is the annotation: after the taint Kubernetes removes the pods itself.
    """
    (server,), share = worker.servers, worker.shares[0]
    await _all_served(site, worker, "10.7.0.12")
    node, before = site.node_of(server), pods_of(site, server)
    async with site.pump(share) as end:
        begin = time.monotonic()
        async with worker.away():
            site.lab.kill_node(node)
            await until("the node is not ready", lambda: not site.lab.ready(node))
            await until("the pod is marked", lambda: "deletionTimestamp" in site.gateway(server)["metadata"])
            by_annotation(site.lab, node, out=True)
            await asyncio.sleep(5)
            assert pods_of(site, server) == before, "nobody runs who would move it"
            started = time.monotonic()
            await site.again()
        moved = await losing.elsewhere(site, server, before)
        up = moved + await site.ready_again(server, before[0][0], 150)
        await served(share, site.clients[-1])
        after = time.monotonic() - started
        seen = await end()
    print(f"\nno worker ran: new pod {moved:.1f} s after its first look, ready {up:.1f} s, written again by another "
          f"{after:.1f} s after its start; the client that was there, gap from the start "
          f"{seen['gap'] - (started - begin):.1f} s: {seen}")  # fmt: skip
    assert site.node_of(server) != node
    assert seen["lost"] == 0 and refused(seen) == []
    assert after < 2 * TARGET + 60
    await _all_served(site, worker, "10.7.0.13")
    await _returns(site, worker, node, by_annotation)


async def _returns(site: Site, worker: Worker, node: str, declare: Callable[..., None]) -> None:
    """The node comes back: what it had is let go of, and nobody is disturbed."""
    (server,) = worker.servers
    before = pods_of(site, server)
    async with site.pump(worker.shares[1]) as end:
        site.lab.start_node(node)
        declare(site.lab, node, out=False)
        await until("nothing is bound there", lambda: not site.bound(server, node))
        await asyncio.sleep(5)
        seen = await end()
    print(f"the node is back: {seen}")
    assert pods_of(site, server) == before
    assert seen["errors"] == {} and seen["lost"] == 0
    await losing.agents_run(site)


async def test_a_node_is_drained(site: Site, worker: Worker) -> None:
    """A gateway that an operator moves waits on its new node for its volumes."""
    (server,), share = worker.servers, worker.shares[0]
    node, before = site.node_of(server), pods_of(site, server)
    async with site.pump(share) as end:
        begin = time.monotonic()
        words = ("--ignore-daemonsets", "--delete-emptydir-data", f"--pod-selector={names.ROLE}=gateway")
        await asyncio.to_thread(site.lab.kubectl, "drain", node, *words)
        up = await site.ready_again(server, before[0][0])
        await _all_served(site, worker, "10.7.0.10")
        took = time.monotonic() - begin
        seen = await end()
    site.lab.kubectl("uncordon", node)
    print(f"\ndrained: ready {up:.1f} s after the pod was evicted, all served {took:.1f} s after the word; {seen}")
    assert site.node_of(server) != node
    assert seen["lost"] == 0 and refused(seen) == []
    assert seen["gap"] < 2 * TARGET


async def test_a_node_that_lives_is_declared_out(site: Site, worker: Worker) -> None:
    """The operator is wrong, and the storage mounts no volume twice: the old gateway serves, and no other can."""
    (server,), share = worker.servers, worker.shares[0]
    node, before = site.node_of(server), pods_of(site, server)
    with contextlib.ExitStack() as cut:
        async with site.pump(share) as end:
            cut.enter_context(site.lab.cut_off(node))
            await losing.noticed(site, worker, server, node)
            by_taint(site.lab, node, out=True)
            await losing.elsewhere(site, server, before)
            for _ in range(15):
                assert not ready(site.gateway(server))
                await asyncio.sleep(1)
            wrong = await end()
        print(f"\ndeclared out, and alive: its client: {wrong}")
        assert (wrong["errors"], wrong["lost"]) == ({}, 0)
        async with site.pump(share) as end:
            cut.close()
            await until("the node is back", lambda: site.lab.ready(node))
            by_taint(site.lab, node, out=False)
            await site.ready_again(server, before[0][0], 150)
            await _all_served(site, worker, "10.7.0.11")
            back = await end()
    print(
        f"the word is taken back, the node answers: {back}; the gateway is on another: {site.node_of(server) != node}"
    )
    assert back["lost"] == 0 and refused(back) == []
    await losing.agents_run(site)


async def test_all_of_it_is_removed(site: Site, worker: Worker) -> None:
    (server,) = worker.servers
    while worker.shares:
        await site.driver.delete_share(worker.shares.pop(), server)
    worker.servers.clear()
    await site.driver.teardown_server(server["backend_details"])
    for kind in ("pods", "pvc", "shareexports", "statefulsets"):
        assert site.of(kind, server["id"]) == []
