"""Nodes that are lost or cut off while gateways are ports of an OVN: the port is the fence for who writes."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import time
from collections.abc import AsyncIterator, Callable

import pytest

from drivers.ganesha.kubernetes.gateways import ready
from generated.runtime import Row
from tests.kube.node import losing
from tests.kube.node.losing import TARGET, by_annotation, by_taint, refused, until
from tests.kube.node.ovn_site import OvnSite, installed
from tests.kube.node.worker import Worker
from tests.lab.cluster import Cluster

pytestmark = [pytest.mark.kube_node, pytest.mark.allow_hosts(["10.0.0.0/24", "127.0.0.1"])]


@pytest.fixture(scope="module")
async def ovn_site(images: Cluster) -> AsyncIterator[OvnSite]:
    """An installation with OVN, of its own: its nodes come and go. A client behind each node's chassis."""
    async with installed(images, "ovl", "ol-", "ovn-lossy") as made:
        for number, node in enumerate(sorted(images.nodes), 5):
            made.machine("a", node, f"10.0.0.{number}")
        yield made


@pytest.fixture(scope="module")
async def worker(ovn_site: OvnSite) -> AsyncIterator[Worker]:
    """Its worker, with a share server and a share."""
    found = Worker(ovn_site)
    server = await ovn_site.server("a")
    found.servers.append(server)
    share = await found.share(server, "rw 10.0.0.0/24")
    async with found.running():
        yield found
    losing.restore(ovn_site.lab)
    await ovn_site.driver.delete_share(share, server)
    await ovn_site.remove("a", server)


def _client_of(site: OvnSite, node: str) -> str:
    """Address of a client behind the chassis of a node that is not this one."""
    nodes = sorted(site.lab.nodes)
    return f"10.0.0.{5 + next(number for number, name in enumerate(nodes) if name != node)}"


def _is_on(site: OvnSite) -> bool:
    return bool(site.neutron.state.ports[site.allocations["a"]["id"]].get("admin_state_up", True))


@pytest.mark.parametrize("declare", [by_taint, by_annotation])
async def test_a_node_that_lives_is_declared_out(
    ovn_site: OvnSite, worker: Worker, declare: Callable[..., None]
) -> None:
    """Its gateway's port is off from then on: it takes no write that would be lost if the volume went elsewhere."""
    site, (server,), (share,) = ovn_site, worker.servers, worker.shares
    node, before = site.node_of(server), losing.pods_of(site, server)
    ip, old = _client_of(site, node), site.ganesha(server)
    with contextlib.ExitStack() as cut:
        async with site.pump(share, ip) as end:
            cut.enter_context(site.lab.cut_off(node))
            await losing.noticed(site, worker, server, node)
            assert _is_on(site), "nobody has said that it is out"
            alive = await end()
        print(f"\n{declare.__name__}: cut off, nobody has spoken: its client {alive}")
        # its first connection may come before its switch knows the way
        assert not alive["errors"].keys() - {"NfsTimeoutError"} and alive["lost"] == 0 and alive["gap"] < 5
        async with site.pump(share, ip) as end:
            begin = time.monotonic()
            declare(site.lab, node, out=True)
            off = await until("the port is off", lambda: not _is_on(site))
            await losing.elsewhere(site, server, before)
            assert all(pathlib.Path(f"/proc/{pid}").exists() for pid in old), "it lives"
            for _ in range(10):
                assert not ready(site.gateway(server)) and not _is_on(site)
                await asyncio.sleep(1)
            cut.close()
            await until("the node is back", lambda: site.lab.ready(node))
            declare(site.lab, node, out=False)
            up = await site.ready_again(server, before[0][0], 180)
            on = await until("the port is on", lambda: _is_on(site))
            await asyncio.sleep(15)
            seen = await end()
    print(f"the port was off {off:.1f} s after the word, on again {on:.1f} s after its gateway was ready, "
          f"{up:.1f} s after the node was back; client {seen}, {time.monotonic() - begin:.0f} s in all")  # fmt: skip
    assert seen["lost"] == 0 and refused(seen) == []
    assert seen["gap"] > 10, "the old gateway took nothing"
    await losing.agents_run(site)


async def test_a_node_loses_its_power(ovn_site: OvnSite, worker: Worker) -> None:
    """With its chassis: the port is bound to another host, whose clients and all others go on."""
    site, (server,), (share,) = ovn_site, worker.servers, worker.shares
    node, before = site.node_of(server), losing.pods_of(site, server)
    async with site.pump(share, _client_of(site, node)) as end:
        begin = time.monotonic()
        site.ovn.chassis[node].kill()
        site.lab.kill_node(node)
        await losing.noticed(site, worker, server, node)
        fenced = time.monotonic()
        by_taint(site.lab, node, out=True)
        moved = await losing.elsewhere(site, server, before)
        up = moved + await site.ready_again(server, before[0][0], 150)
        on = up + await until("the port is on", lambda: _is_on(site))
        await asyncio.sleep(15)
        seen = await end()
    gap = seen["gap"] - (fenced - begin)
    print(f"\nnew pod {moved:.1f} s after the fence, ready {up:.1f} s, its port on {on:.1f} s; "
          f"its client: gap {gap:.1f} s after the fence (target {TARGET:.0f} s); {seen}")  # fmt: skip
    port: Row = site.neutron.state.ports[site.allocations["a"]["id"]]
    assert port["binding:host_id"] == site.node_of(server) != node
    assert seen["lost"] == 0 and refused(seen) == [] and gap < 2 * TARGET
