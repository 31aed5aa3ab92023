"""Images on loop devices, past the page cache of what they lie in.

A loop device that reads and writes its file as any program does keeps all of it in memory once more: what a share
caches would be there three times, in its own file system, in the pool's and in the machine's. And whatever is written
would be written in whole pages, half as much again for a file that is created. So the file is opened for direct I/O.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.command import run, succeeds

log = logging.getLogger(__name__)


async def mount(image: Path, place: Path, options: str, limit: float) -> None:
    """Mount an image on a loop device that goes when it is unmounted; see ``make_direct``."""
    await run("mount", "-o", f"loop,{options}", str(image), str(place), limit=limit)
    await make_direct(place)


async def make_direct(place: Path) -> bool:
    """Let the loop device that is mounted at ``place`` do direct I/O, also one that is in use; whether it does.

    It stays as it was where the file system below has no direct I/O, or has larger sectors than the image.
    """
    if is_direct(place):
        return True
    device = _device(place)
    done = await succeeds("losetup", "--direct-io=on", f"/dev/{device.name}") and is_direct(place)
    if not done:
        log.info("no direct I/O for %s (%s): what is read and written there is cached twice", place, device.name)
    return done


def is_direct(place: Path) -> bool:
    """Whether the loop device that is mounted at ``place`` does direct I/O."""
    return (files.read(_device(place) / "loop" / "dio") or "").strip() == "1"


def _device(place: Path) -> Path:
    """The folder of the kernel about the device that is mounted at ``place``; it has the device's name."""
    number = place.stat().st_dev
    return Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve()
