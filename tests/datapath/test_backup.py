"""Backups of a real share: by the data service, with a command that needs no NFS client, and by the back end itself."""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Awaitable, Callable

import pytest

from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.lab import Client, Lab, restored
from worker.data.copying import Copy
from worker.data.mounts import Commands, Place

pytestmark = pytest.mark.datapath
BIND = """#!/bin/sh
exec mount --bind "{mounts}/${{1##*:/}}" "$2"
"""


async def test_a_share_is_backed_up_and_restored_while_it_is_used(
    lab: Lab, server: Row, five: Client, tmp_path: pathlib.Path
) -> None:
    program = tmp_path / "bind-share"
    program.write_text(BIND.format(mounts=lab.layout.mounts))
    program.chmod(0o755)
    share = await lab.share(server, 1, "rw 10.0.0.5")
    await five.mount(share["location"], uid=1000)
    await five("write", name="f", text="old")
    place = Place(share["location"], tmp_path / "mounts" / "x", f"{program} %(export)s %(path)s", "umount %(path)s")
    mounts, saved = Commands(), tmp_path / "saved"
    saved.mkdir()

    await mounts.mount(place)
    await mounts.mount(place)  # as after a death: what was there goes first
    await mounts.check(place)
    await asyncio.to_thread(Copy(str(place.path), str(saved), ("lost+found",), "all").run)
    await mounts.unmount(place)
    assert not place.path.exists()
    assert ((saved / "f").read_text(), (saved / "f").stat().st_uid) == ("old", 1000)

    await five("write", name="f", text="newer")
    await five("write", name="g", text="stays")
    await mounts.mount(place)
    await asyncio.to_thread(Copy(str(saved), str(place.path)).run)
    await mounts.unmount(place)
    await restored(five, "f", "old")
    assert await five("read", name="g") == "stays"
    await five("write", name="f", text="the tenant's still")
    await lab.driver.delete_share(share, server)


async def test_the_back_end_makes_and_restores_a_backup(tmp_path: pathlib.Path) -> None:
    lab = Lab(ganesha_backup_path=str(tmp_path / "kept"))
    try:
        await lab.driver.do_setup()
        server = await lab.server("b")
        five = await lab.client("b", "10.0.0.5")
        share = await lab.share(server, 1, "rw 10.0.0.5")
        await five.mount(share["location"])
        await five("write", name="f", text="old" * 1000)
        backup: Row = {"id": "b1"}
        for _ in range(2):
            await lab.driver.create_backup(share, backup, server)
        assert await _done(lab.driver.create_backup_continue, share, backup, server)
        assert not list((lab.layout.pool / "snapshots").iterdir())
        await five("write", name="f", text="new")

        other = await lab.share(server, 2, "rw 10.0.0.5")
        for target in (share, other):
            for _ in range(2):
                await lab.driver.restore_backup(backup, target, server)
            assert await _done(lab.driver.restore_backup_continue, backup, target, server)
            await five.mount(target["location"])
            assert await five("read", name="f") == "old" * 1000
            total, _ = await five("df")
            assert target["size"] * 2**30 <= total < target["size"] * 1.01 * 2**30
        # both are mounted side by side: each has kept its own identity
        await five("write", name="f", text="other")
        await five.mount(share["location"])
        assert await five("read", name="f") == "old" * 1000
        before = lab.driver._volumes
        assert (await before.rooms())[""].provisioned < 3.3

        (tmp_path / "kept" / "b1.img").unlink()
        with pytest.raises(ShareBackendException, match="backup b1 is gone"):
            await lab.driver.restore_backup(backup, share, server)
        for _ in range(2):
            await lab.driver.delete_backup(backup, share, server)
        assert not list((tmp_path / "kept").iterdir())
        assert not list((lab.layout.pool / "restores").iterdir())
    finally:
        await lab.down()


async def _done(ask: Callable[..., Awaitable[Row]], *arguments: Row) -> bool:
    """Ask until all is there."""
    async with asyncio.timeout(60):
        while (await ask(*arguments))["total_progress"] != "100":
            await asyncio.sleep(0.1)
    return True
