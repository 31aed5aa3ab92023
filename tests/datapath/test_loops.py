"""A share's data is in memory once, and what the loop devices can't do does no harm."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

from drivers.ganesha.embedded import loops
from generated.runtime import Row
from tests.datapath.lab import Lab

pytestmark = pytest.mark.datapath
SIZE = 32 << 20


def cached(file: pathlib.Path) -> int:
    """Bytes of a file that are in the page cache."""
    words = ["fincore", "--bytes", "--noheadings", "--output", "RES", str(file)]
    return int(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def fill(file: pathlib.Path) -> None:
    with file.open("wb") as opened:
        opened.write(os.urandom(SIZE))
        os.fsync(opened.fileno())


async def test_what_is_written_is_cached_once(lab: Lab, server: Row) -> None:
    share = await lab.share(server)
    mount, image = lab.layout.mount(share["id"]), lab.layout.volume(share["id"])
    before = cached(lab.layout.pool_image)
    fill(mount / "f")
    assert loops.is_direct(mount) and loops.is_direct(lab.layout.pool)
    assert cached(image) < SIZE // 4
    assert cached(lab.layout.pool_image) - before < SIZE // 4
    await lab.driver.delete_share(share, server)


async def test_what_an_older_release_has_mounted_is_changed_in_use(lab: Lab, server: Row) -> None:
    share = await lab.share(server, 1, "rw 10.0.0.5")
    mount = lab.layout.mount(share["id"])
    fill(mount / "f")
    before = (mount / "f").read_bytes()
    device = subprocess.run(["findmnt", "-no", "SOURCE", mount], capture_output=True, text=True, check=True).stdout
    subprocess.run(["losetup", "--direct-io=off", device.strip()], check=True)
    assert not loops.is_direct(mount)
    await lab.driver.ensure_shares([{**share, "share_server": server, "access_rules": None}])
    assert loops.is_direct(mount)
    with (mount / "f").open("rb") as opened:
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        assert opened.read() == before


async def test_a_machine_that_can_not_serves_all_the_same(
    lab: Lab, server: Row, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(*_: str, **__: float) -> bool:
        return False

    monkeypatch.setattr(loops, "succeeds", refuse)
    caplog.set_level("INFO", loops.log.name)
    share = await lab.share(server)
    mount = lab.layout.mount(share["id"])
    assert not loops.is_direct(mount)
    fill(mount / "f")
    assert "no direct I/O" in caplog.text
    await lab.driver.delete_share(share, server)
