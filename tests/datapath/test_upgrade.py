"""Gateways of a running installation get a newer Ganesha: one restart each, and no client loses a lock."""

from __future__ import annotations

import asyncio
import dataclasses
import pathlib
from collections.abc import AsyncIterator

import pytest

from deploy import bootstrap
from drivers.ganesha.embedded import driver
from drivers.ganesha.gateway import files
from generated.errors import ShareBackendException
from tests.datapath import older, wire
from tests.datapath.lab import Client, Lab, NfsError

pytestmark = pytest.mark.datapath
GRACE, MISMATCH = "10013", 10021


@pytest.fixture
async def before() -> AsyncIterator[Lab]:
    """A back end with Debian 12's Ganesha."""
    made = Lab(
        ganesha_root=str(await asyncio.to_thread(older.folder)),
        ganesha_allow_old=True,
        ganesha_grace_period=6,
        ganesha_lease_lifetime=6,
    )
    try:
        await made.driver.do_setup()
        yield made
    finally:
        await made.down()


def running(lab: Lab, pid: int) -> str:
    """Which Ganesha a process is: its folder."""
    return str(pathlib.Path(f"/proc/{pid}/exe").resolve())


async def open_after_grace(client: Client, instance: str) -> None:
    """Open the file as a client that had none before."""
    async with asyncio.timeout(40):
        while True:
            try:
                await client("open", share=instance, name="f", owner="two")
                return
            except NfsError as error:
                if error.name != GRACE:
                    raise
            await asyncio.sleep(0.2)


async def test_a_lock_outlives_the_move_to_a_newer_ganesha(before: Lab) -> None:
    servers = [await before.server(name) for name in ("a", "b")]
    share = await before.share(servers[0], 1, "rw 10.0.0.0/24")
    host, _, instance = share["location"].rpartition(":/")
    holder, other = [await before.raw("a", f"10.0.0.{n}") for n in (5, 6)]
    await holder("attach", server=host, name="holder")
    await holder("open", share=instance, name="f", owner="one")
    assert await holder("lock", owner="one") == {"status": wire.OK}
    pids = [before.ganesha(server) for server in servers]
    assert all("ganesha-old" in running(before, pid) for pid in pids)
    for server in servers:  # what a release without this file has started
        (before.layout.server(server["id"]) / "program").unlink()

    root = bootstrap.ganesha()
    new = dataclasses.replace(before.options, ganesha_root=str(root) if root else None, ganesha_allow_old=False)
    await driver(new).do_setup()
    moved = [before.ganesha(server) for server in servers]
    assert not set(moved) & set(pids)
    assert not any("ganesha-old" in running(before, pid) for pid in moved)

    await other("attach", server=host, name="other")
    with pytest.raises(NfsError, match=GRACE):
        await other("open", share=instance, name="f", owner="two")
    await holder("attach", server=host, name="holder", complete=False)
    await holder("reopen", owner="one")
    assert await holder("lock", owner="one", again=True) == {"status": wire.OK}
    await holder("complete")
    await open_after_grace(other, instance)
    answer = await other("lock", owner="two")
    assert (answer["status"], answer["owner"]) == (wire.DENIED, "lock one")

    await driver(new).do_setup()
    assert [before.ganesha(server) for server in servers] == moved, "started again without a reason"
    log = files.read(before.layout.server(servers[0]["id"]) / "supervise.log") or ""
    assert "ended:" not in log, "a Ganesha ended by itself"


async def test_an_old_ganesha_offers_no_4_2_and_is_refused_unless_allowed(before: Lab) -> None:
    share = await before.share(await before.server("a"), 1, "rw 10.0.0.0/24")
    raw = await before.raw("a", "10.0.0.8")
    await raw("connect", server=share["location"].partition(":")[0])
    assert [await raw("status", minor=minor) for minor in (0, 1, 2)] == [MISMATCH, 0, MISMATCH]
    refusing = dataclasses.replace(before.options, ganesha_allow_old=False)
    with pytest.raises(ShareBackendException, match=r"4\.3 .* is older than 9\.11"):
        await driver(refusing).do_setup()
    # gateways that run are left alone meanwhile
    assert await raw("status", minor=1) == 0
