"""Snapshots as a client mounts them, the used size of a share, a gateway that hangs, and its log."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from drivers.ganesha.gateway.command import until
from generated.runtime import Row
from tests.datapath.lab import Client, Lab, NfsError, mounts

pytestmark = pytest.mark.datapath
RULE = {"id": "r", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "ro"}


async def test_a_snapshot_is_mounted_beside_its_share(lab: Lab, server: Row, five: Client, six: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5", "rw 10.0.0.6")
    await five.mount(share["location"])
    await five("write", name="f", text="old")
    snapshot = lab.snapshot(share)
    update = await lab.driver.create_snapshot(snapshot, server)
    assert update is not None
    location = update["export_locations"][0]["path"]
    await five("write", name="f", text="new")
    with pytest.raises(Exception, match=r"NOENT|NotFound"):
        await six.mount(location)
    for _ in range(2):
        found = await lab.driver.snapshot_update_access(snapshot, [RULE], [RULE], [], server)
        assert found == {"r": {"state": "active"}}

    await five.mount(location)
    assert await five("read", name="f") == "old"
    assert await five.outcome("write", name="g", text="x") == "NFS4ERR_ROFS"
    with pytest.raises(Exception, match=r"NOENT|NotFound|ACC"):
        await six.mount(location)
    await six.mount(share["location"])
    assert await six("read", name="f") == "new"

    await lab.driver.snapshot_update_access(snapshot, [], [], [RULE], server)
    assert await five.outcome("read", name="f") in ("NFS4ERR_STALE", "NFS4ERR_ACCESS")
    assert str(lab.layout.mount(snapshot["id"])) not in mounts(lab.root)
    await lab.driver.snapshot_update_access(snapshot, [RULE], [RULE], [], server)
    await five.mount(location)
    for _ in range(2):
        await lab.driver.delete_snapshot(snapshot, server)
    assert not lab.layout.view(snapshot["id"]).exists()
    assert str(lab.layout.mount(snapshot["id"])) not in mounts(lab.root)
    await lab.driver.delete_share(share, server)


async def test_a_view_comes_back_after_the_gateway(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"])
    await five("write", name="f", text="old")
    snapshot = lab.snapshot(share)
    update = await lab.driver.create_snapshot(snapshot, server)
    assert update is not None
    await lab.driver.snapshot_update_access(snapshot, [RULE], [RULE], [], server)
    before = lab.ganesha(server)
    await lab.kill(before)
    assert await until(lambda: lab.ganesha(server) not in (0, before), 10)
    await lab.worker().do_setup()
    async with asyncio.timeout(20):
        while await _refused(five, update["export_locations"][0]["path"]):
            await asyncio.sleep(0.2)
    assert await five("read", name="f") == "old"
    await lab.driver.delete_snapshot(snapshot, server)
    await lab.driver.delete_share(share, server)


async def test_the_used_size_is_that_of_the_files(lab: Lab, server: Row, five: Client) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    (empty,) = await lab.driver.update_share_usage_size([share])
    await five.mount(share["location"])
    await five("write", name="f", text="x" * (64 << 20))
    (filled,) = await lab.driver.update_share_usage_size([share])
    assert 0.06 <= filled["used_size"] - empty["used_size"] <= 0.07
    assert empty["used_size"] < 0.05
    await lab.driver.delete_share(share, server)


async def test_a_gateway_that_hangs_is_started_again_and_its_log_is_set_aside() -> None:
    alone = Lab(ganesha_hang_timeout=4, ganesha_log_size_mb=1)
    try:
        await alone.driver.do_setup()
        server = await alone.server("h")
        client = await alone.client("h", "10.0.0.5")
        share = await alone.share(server, 1, "rw 10.0.0.5")
        folder = alone.layout.server(server["id"])
        with (folder / "ganesha.log").open("a") as log:
            log.write("x" * (2 << 20))
        before = alone.ganesha(server)
        os.kill(before, signal.SIGSTOP)
        assert await until(lambda: alone.ganesha(server) not in (0, before), 20)
        assert "Ganesha: no answer for 4 s: killed" in (folder / "supervise.log").read_text()
        async with asyncio.timeout(20):
            while await _refused(client, share["location"]):
                await asyncio.sleep(0.2)
        await client("write", name="f", text="goes on")
        # Ganesha writes on into a new file, and who answers is left alone
        assert (folder / "ganesha.log.1").stat().st_size >= 2 << 20
        assert 0 < (folder / "ganesha.log").stat().st_size < 1 << 20
        after = alone.ganesha(server)
        await asyncio.sleep(7)
        assert alone.ganesha(server) == after
    finally:
        await alone.down()


async def _refused(client: Client, location: str) -> bool:
    try:
        await client.mount(location)
    except NfsError:
        return True
    return False
