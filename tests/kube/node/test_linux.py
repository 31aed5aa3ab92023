"""A Linux kernel's NFS client in a cluster's tenant network: its locks outlive crashes, hangs, moves and nodes."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.kubernetes import names
from generated.runtime import Row
from tests.datapath.kernel.guest import Guest
from tests.datapath.kernel.test_linux import ASK, LOAD, LOCK, UNLINKED
from tests.kube.node import figures, losing
from tests.kube.node.guests import guests as guests_in
from tests.kube.node.guests import mount, unmount
from tests.kube.node.losing import TARGET, by_taint, until
from tests.kube.node.site import ADDRESS, Site
from tests.kube.node.worker import Worker

pytestmark = [pytest.mark.kube_node, pytest.mark.slow]
NETWORK = "k"
HANG = 10
"""Seconds without an answer after which Ganesha is killed."""


@pytest.fixture(scope="module")
def careful(site: Site) -> Site:
    """The installation with timers as in production: below 10 s of grace a restart may lose locks."""
    timers = {"ganesha_grace_period": 10, "ganesha_lease_lifetime": 10, "ganesha_hang_timeout": HANG}
    return Site(site.lab, site.namespace, **timers)


@pytest.fixture(scope="module")
async def gateway(careful: Site) -> AsyncIterator[Row]:
    made = await careful.server(NETWORK)
    yield made
    await careful.driver.teardown_server(made["backend_details"])
    await careful.close()


@pytest.fixture(scope="module")
async def guests(careful: Site, gateway: Row) -> AsyncIterator[list[Guest]]:
    """Two machines in the tenant's network, behind a bridge of their own."""
    network = ADDRESS.rpartition(".")[0]
    async with guests_in(careful.plug(NETWORK, f"{network}.99"), f"{network}.5/24", f"{network}.6/24") as made:
        yield made


async def _goes_on(guest: Guest, since: float) -> float:
    """Seconds until the load has written again."""
    before = await guest.expression("count[0]")
    while await guest.expression("count[0]") < before + 3:
        assert time.monotonic() - since < 90
        await asyncio.sleep(0.1)
    return time.monotonic() - since


@pytest.fixture(scope="module")
async def worker(careful: Site, gateway: Row) -> AsyncIterator[Worker]:
    """Its worker, with a share."""
    made = Worker(careful)
    made.servers.append(gateway)
    share = await made.share(gateway, "rw 10.7.0.0/24")
    yield made
    await careful.driver.delete_share(share, gateway)


@pytest.fixture
async def busy(worker: Worker, guests: list[Guest]) -> AsyncIterator[tuple[Guest, Guest]]:
    """Both have the share mounted; the first holds a lock and an open file without a name, and writes."""
    one, other = guests
    for guest in guests:
        await mount(guest, str(worker.shares[0]["location"]))
    assert await one(LOCK) == "ok"
    assert await other(ASK) == "EAGAIN"
    await one(UNLINKED)
    await one(LOAD)
    yield one, other
    await one("stop.set(); loader.join(); os.close(fd); os.close(gone)")
    for guest in guests:
        await unmount(guest)


async def test_locks_and_open_files_outlive_the_gateway(
    careful: Site, gateway: Row, worker: Worker, busy: tuple[Guest, Guest]
) -> None:
    one, other = busy
    total = "(lambda s: s.f_blocks * s.f_frsize)(os.statvfs('/mnt'))"
    small = await one.expression(total)
    begin = time.monotonic()
    await careful.driver.extend_share(worker.shares[0], 2, gateway)
    assert await one.expression(total) > 1.9 * small
    print(f"\ngrowth seen by the kernel after {time.monotonic() - begin:.2f} s")
    gaps = []
    for _ in range(figures.TIMES):
        await asyncio.to_thread(os.kill, careful.ganesha(gateway)[0], signal.SIGKILL)
        gaps.append(await _goes_on(one, time.monotonic()))
        await _kept(one, other)
        await asyncio.sleep(3)
    figures.held("Ganesha killed, Linux: until the load goes on", gaps, 6)
    uid, begin = careful.gateway(gateway)["metadata"]["uid"], time.monotonic()
    pod = names.gateway_pod(gateway["id"])
    careful.lab.kubectl("-n", careful.namespace, "delete", "pod", pod, "--wait=false")
    ready = await careful.ready_again(gateway, uid)
    print(f"pod deleted: ready after {ready:.1f} s, the load goes on after {await _goes_on(one, begin):.1f} s")
    await _kept(one, other)


async def test_a_ganesha_that_hangs_is_started_again(careful: Site, gateway: Row, busy: tuple[Guest, Guest]) -> None:
    """And only then: one that is in its grace period or busy answers."""
    one, other = busy
    (hung,), pod = careful.ganesha(gateway), careful.gateway(gateway)["metadata"]["uid"]
    os.kill(hung, signal.SIGSTOP)
    begin = time.monotonic()
    found = await until("another Ganesha", lambda: careful.ganesha(gateway) not in ([], [hung]), 60)
    print(f"\nGanesha hangs: another after {found:.1f} s ({HANG} s are allowed), ", end="")
    print(f"the load goes on after {await _goes_on(one, begin):.1f} s")
    await _kept(one, other)
    assert HANG - 2 < found < HANG + 20
    (again,) = careful.ganesha(gateway)
    await asyncio.sleep(2 * HANG)
    assert careful.ganesha(gateway) == [again] and careful.gateway(gateway)["metadata"]["uid"] == pod


async def test_a_node_is_lost(careful: Site, gateway: Row, worker: Worker, busy: tuple[Guest, Guest]) -> None:
    """A hard mount waits, meets no error, and has its locks on the other node, and on the first when that is lost."""
    async with worker.running():
        gaps = [await _lost(careful, gateway, worker, busy) for _ in range(figures.TIMES)]
    figures.held("node lost, Linux: from the fence until the load goes on", gaps, TARGET)


async def _lost(careful: Site, gateway: Row, worker: Worker, busy: tuple[Guest, Guest]) -> float:
    """The gateway's node loses its power, is declared out, and comes back; seconds from the fence to the next write."""
    one, other = busy
    node, before = careful.node_of(gateway), losing.pods_of(careful, gateway)
    careful.lab.kill_node(node)
    power = time.monotonic()
    await losing.noticed(careful, worker, gateway, node)
    by_taint(careful.lab, node, out=True)
    fence = time.monotonic()
    await losing.elsewhere(careful, gateway, before)
    up = await careful.ready_again(gateway, before[0][0], 150)
    again = await _goes_on(one, fence)
    print(f"\nnode lost: declared out after {fence - power:.1f} s, then ready after {up:.1f} s; ", end="")
    print(f"the load goes on {again:.1f} s after the fence")
    await _kept(one, other)
    assert careful.node_of(gateway) != node
    count = await one.expression("count[0]")
    await asyncio.to_thread(careful.lab.start_node, node)
    by_taint(careful.lab, node, out=False)
    await until("the node is back", lambda: careful.lab.ready(node))
    await losing.agents_run(careful)
    await until("nothing is bound there", lambda: not careful.bound(gateway, node))
    assert await one.expression("count[0]") > count
    await _kept(one, other)
    return again


async def _kept(one: Guest, other: Guest) -> None:
    """Nothing went wrong, the lock is held, and the file without a name is there."""
    assert await one.expression("wrong") == []
    assert await other(ASK) == "EAGAIN"
    assert await one.expression("written(fd, b'locked')") == "ok"
    assert await one.expression("os.pread(gone, 20, 0).decode()") == "still here"
    assert "lost" not in (await one.expression("sh('dmesg')"))[1]
