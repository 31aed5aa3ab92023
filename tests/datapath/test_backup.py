"""The data service's mounts and copies on a real share: no NFS client, but the command that an operator configures."""

from __future__ import annotations

import asyncio
import os
import pathlib

import pytest

from generated.runtime import Row
from tests.datapath.lab import Client, Lab
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
    assert os.path.ismount(place.path)
    await asyncio.to_thread(Copy(str(place.path), str(saved), ("lost+found",), True).run)
    await mounts.unmount(place)
    assert not place.path.exists()
    assert ((saved / "f").read_text(), (saved / "f").stat().st_uid) == ("old", 1000)

    await five("write", name="f", text="newer")
    await five("write", name="g", text="stays")
    await mounts.mount(place)
    await asyncio.to_thread(Copy(str(saved), str(place.path)).run)
    await mounts.unmount(place)
    assert await five("read", name="f") == "old"
    assert await five("read", name="g") == "stays"
    await five("write", name="f", text="the tenant's still")
    await lab.driver.delete_share(share, server)
