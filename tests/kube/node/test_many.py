"""Fifty shares with a hundred rules each on one gateway: what they cost; none is forgotten when its pod is replaced."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import time

import pytest

from drivers.ganesha.kubernetes import names
from generated.runtime import Row
from tests.datapath.lab import Client
from tests.kube.node import figures
from tests.kube.node.site import Site, written

pytestmark = pytest.mark.kube_node
MANY = int(os.environ.get("OPENKEEL_LAB_SHARES", "50"))
AT_ONCE = 6
OTHERS = tuple(f"ro 10.9.0.{number}" for number in range(1, 100))
"""Rules that each share has besides its client's."""
MOST = 128 * 1024
"""KiB that a gateway with all of them may take."""


async def test_fifty_shares_on_one_gateway(site: Site, server: Row, five: Client) -> None:
    empty, before = site.pss(server), _shims()
    begin = time.monotonic()
    turn = asyncio.Semaphore(AT_ONCE)

    async def one() -> Row:
        async with turn:
            return await site.share(server, 1, "rw 10.7.0.5", *OTHERS)

    shares = await asyncio.gather(*(one() for _ in range(MANY)))
    took = time.monotonic() - begin
    print(f"\n{MANY} shares, {AT_ONCE} at a time: {took / MANY:.2f} s each, load {figures.load():.1f}")
    full = site.pss(server)
    print(f"gateway, KiB by program: empty {empty}, {sum(empty.values())}; now {full}, {sum(full.values())}")
    print(f"a holder: {(_shims() - before) / MANY / 1024:.1f} MiB, its shim and two processes")
    assert sum(full.values()) < MOST
    await _rules(site, shares[-1], five)
    uid = site.gateway(server)["metadata"]["uid"]
    begin = time.monotonic()
    site.lab.kubectl("-n", site.namespace, "delete", "pod", names.gateway_pod(server["id"]), "--wait=false")
    await site.ready_again(server, uid)
    print(f"another pod with all of them is ready after {time.monotonic() - begin:.1f} s")
    for share in shares[:: MANY // 5 or 1]:
        for _ in range(60):
            with contextlib.suppress(Exception):
                await five.mount(share["location"])
                break
            await asyncio.sleep(0.5)
        assert (await five("df"))[0] > 0
    assert set(site.bound(server)) >= {share["id"] for share in shares}
    begin = time.monotonic()

    async def removed(share: Row) -> None:
        async with turn:
            await site.driver.delete_share(share, server)

    await asyncio.gather(*(removed(share) for share in shares))
    print(f"removed: {(time.monotonic() - begin) / MANY:.2f} s each")
    assert not set(site.bound(server)) & {share["id"] for share in shares}


async def _rules(site: Site, share: Row, client: Client) -> None:
    """One of a hundred rules of one of the shares changes, and the client's open file feels it."""
    await written(client, share)
    await client("open", name="first", mode="r+b")
    took = []
    for _ in range(figures.TIMES):
        begin = time.monotonic()
        await site.allow(share, "ro 10.7.0.5", *OTHERS)
        took.append(time.monotonic() - begin)
        assert await client.outcome("write_at", name="first", offset=0, text="X") == "NFS4ERR_ROFS"
        await site.allow(share, "rw 10.7.0.5", *OTHERS)
        assert await client("write_at", name="first", offset=0, text="X") == 1
    figures.held(f"rule to enforced, {MANY} shares of {len(OTHERS) + 1} rules on the gateway", took, 1)


def _shims() -> int:
    """KiB of all pods' shims, first processes and sleeping holders."""
    whole = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "comm").read_text().strip() in ("containerd-shim", "pause", "sleep"):
                lines = (folder / "smaps_rollup").read_text().splitlines()
                whole += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return whole
