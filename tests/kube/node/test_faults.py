"""What clients see when parts die: each case under a client that writes without rest, with its gap."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import time
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.kubernetes import names
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node.site import Site
from tests.lab.processes import sh, wait

pytestmark = pytest.mark.kube_node
GAP = 60.0
"""Seconds that a client may stand still; what it really was is printed."""


@pytest.fixture
async def share(site: Site, server: Row, five: Client) -> AsyncIterator[Row]:
    """A share with files whose sums are compared in the end."""
    made = await site.share(server, 1, "rw 10.7.0.0/24")
    await five.mount(made["location"])
    for name in ("one", "two"):
        await five("write", name=name, text=name * 5000)
    yield made
    await _mounted(five, made)
    for name in ("one", "two"):
        assert _sum(await five("read", name=name)) == _sum(name * 5000)
    await site.driver.delete_share(made, server)


async def _mounted(client: Client, share: Row) -> None:
    for _ in range(60):
        with contextlib.suppress(Exception):
            await client.mount(share["location"])
            return
        await asyncio.sleep(0.5)
    raise AssertionError("the share can't be mounted any more")


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def _after(seconds: float) -> None:
    """Let the client go on for a moment."""
    await asyncio.sleep(seconds)


def told(what: str, seen: Row, more: str = "") -> None:
    """Print a case; nothing that was acknowledged may be lost."""
    print(f"{what}: gap {seen['gap']:.1f} s, {seen['writes']} writes, errors {seen['errors']} {more}")
    assert seen["lost"] == 0 and seen["gap"] < GAP


@pytest.mark.parametrize("part", ["kubelet", "containerd"])
async def test_node_parts_restart(site: Site, server: Row, share: Row, part: str) -> None:
    before = site.gateway(server)["metadata"]["uid"]
    async with site.pump(share) as end:
        await _after(1)
        await asyncio.to_thread(site.lab.restart, f"{part}@{site.node_of(server)}")
        await _after(4)
        seen = await end()
    told(f"{part} restarted", seen)
    assert site.gateway(server)["metadata"]["uid"] == before and seen["errors"] == {} and seen["gap"] < 3


async def test_ganesha_is_killed(site: Site, server: Row, share: Row) -> None:
    async with site.pump(share) as end:
        await _after(1)
        (old,) = site.ganesha(server)
        os.kill(old, signal.SIGKILL)
        begin = time.monotonic()
        await asyncio.to_thread(wait, "another one", lambda: site.ganesha(server) not in ([], [old]), 20)
        again = time.monotonic() - begin
        await _after(14)
        seen = await end()
    told("ganesha killed", seen, f"(another one after {again:.1f} s, grace {site.options.ganesha_grace_period} s)")


@pytest.mark.parametrize("grace", [5, 0])
async def test_the_pod_is_deleted(site: Site, server: Row, share: Row, grace: int) -> None:
    uid, mac = site.gateway(server)["metadata"]["uid"], _mac(site, server)
    async with site.pump(share) as end:
        await _after(1)
        path = f"/api/v1/namespaces/{site.namespace}/pods/{names.gateway_pod(server['id'])}"
        site.lab.api("DELETE", f"{path}?gracePeriodSeconds={grace}")
        took = await site.ready_again(server, uid)
        await _after(14)
        seen = await end()
    told(f"gateway pod deleted with grace {grace}", seen, f"(ready after {took:.1f} s)")
    assert _mac(site, server) == mac


def _mac(site: Site, server: Row) -> str:
    return sh("ip", "-n", site.plug("a", "10.7.0.9"), "neigh", "show") and str(
        site.gateway(server)["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"]
    )


async def test_the_stateful_set_is_deleted_and_made_again(site: Site, server: Row, share: Row) -> None:
    uid = site.gateway(server)["metadata"]["uid"]
    async with site.pump(share) as end:
        await _after(1)
        site.lab.kubectl("-n", site.namespace, "delete", "statefulset", names.gateway(server["id"]))
        begin = time.monotonic()
        row = {**share, "share_server": server, "access_rules": None}
        updates = await site.driver.ensure_shares([row])
        took = time.monotonic() - begin
        await _after(14)
        seen = await end()
    told("stateful set deleted and made again", seen, f"(served after {took:.1f} s)")
    assert "status" not in updates[share["id"]] and site.gateway(server)["metadata"]["uid"] != uid


async def test_the_holder_s_process_is_killed(site: Site, server: Row, share: Row) -> None:
    holder = f"/api/v1/namespaces/{site.namespace}/pods/{names.holder(share['id'])}"
    async with site.pump(share) as end:
        await _after(1)
        container = site.lab.api.get(holder)["status"]["containerStatuses"][0]["containerID"].split("//")[1]
        site.lab.nodes[site.node_of(server)].ctr("tasks", "kill", "-s", "SIGKILL", container)
        await _after(4)
        seen = await end()
    told("holder's process killed", seen)
    assert seen["errors"] == {}


async def test_the_holder_is_deleted(site: Site, server: Row, share: Row) -> None:
    async with site.pump(share) as end:
        await _after(1)
        site.lab.kubectl("-n", site.namespace, "delete", "pod", names.holder(share["id"]), "--wait=false")
        await _after(3)
        assert share["id"] in site.bound(server)
        device = site.bound(server)[share["id"]]
        await site.driver.ensure_shares([{**share, "share_server": server, "access_rules": None}])
        await _after(2)
        seen = await end()
    told("holder deleted, made again", seen)
    assert seen["errors"] == {} and site.bound(server)[share["id"]] == device


async def test_the_node_s_agent_is_killed(site: Site, server: Row, share: Row) -> None:
    async with site.pump(share) as end:
        await _after(1)
        site.lab.kubectl(
            "-n", site.namespace, "delete", "pod", "-l", f"app=agent-{site.node_of(server)}", "--wait=false"
        )
        begin = time.monotonic()
        await site.allow(share, "rw 10.7.0.0/24", "ro 10.7.1.0/24")
        took = time.monotonic() - begin
        seen = await end()
    told("node's agent deleted", seen, f"(a rule meanwhile was enforced after {took:.1f} s)")
    assert seen["errors"] == {}


async def test_the_api_server_is_away(site: Site, server: Row, share: Row) -> None:
    async with site.pump(share) as end:
        await _after(1)
        with site.lab.without("apiserver"):
            await _after(60)
        begin = time.monotonic()
        await site.allow(share, "rw 10.7.0.0/24", "ro 10.7.2.0/24")
        took = time.monotonic() - begin
        seen = await end()
    told("API server away for a minute", seen, f"(then a rule was enforced after {took:.1f} s)")
    assert seen["errors"] == {} and seen["gap"] < 3


async def test_a_gateway_restarts_without_any_control_plane(site: Site, server: Row, share: Row) -> None:
    async with site.pump(share) as end:
        await _after(1)
        everything = site.everything(server)
        with site.lab.without():
            for pid in everything:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await _after(25)
            seen = await end()
        await _after(3)
    told("all of a gateway killed without a control plane", seen)
    assert seen["writes"] > 20


async def test_what_never_binds_is_an_error_and_leaves_nothing(site: Site, server: Row) -> None:
    quick = Site(site.lab, site.namespace, kubernetes_bind_timeout=12.0)
    refused = pytest.raises(ShareBackendException, match="pool is full")
    with site.lab.fault("CreateVolume", "8 pool is full"), refused:
        await quick.share(server, 1)
    await asyncio.to_thread(wait, "no claim is left", lambda: site.pending() == [], 30)
    await quick.close()


async def test_a_growth_that_fails_is_told_and_can_be_repeated(
    site: Site, server: Row, share: Row, five: Client
) -> None:
    quick = Site(site.lab, site.namespace, kubernetes_expand_timeout=4.0)
    refused = pytest.raises(ShareBackendException, match="has grown")
    with site.lab.fault("ControllerExpandVolume", "13 no way"), refused:
        await quick.driver.extend_share(share, 2, server)
    await site.driver.extend_share(share, 2, server)
    await _mounted(five, share)
    total, _ = await five("df")
    assert total > 1.9 * 2**30
    await quick.close()
