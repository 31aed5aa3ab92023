"""Virtual machines with a Linux kernel's own NFS client, in a tenant's network."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deploy.debs import Unavailable
from tests.datapath.kernel import image
from tests.datapath.kernel.guest import Guest
from tests.lab.processes import sh


@contextlib.asynccontextmanager
async def guests(switch: str, *addresses: str) -> AsyncIterator[list[Guest]]:
    """A machine of each address (with prefix length), until the block ends.

    Args:
        switch: name of the network namespace of a machine in that network, which becomes the switch of all of them.
    """
    if lacking := image.missing():
        pytest.skip("a kernel client needs: " + " ".join(lacking))
    try:
        built = await asyncio.to_thread(image.kept)
    except (Unavailable, subprocess.CalledProcessError) as error:
        pytest.skip(f"the kernel client is not built, and the lab has no way to Debian's archive: {error}")
    sh("ip", "-n", switch, "addr", "flush", "dev", "eth0")
    sh("ip", "-n", switch, "link", "add", "br0", "type", "bridge")
    for words in (("eth0", "master", "br0"), ("br0", "up")):
        sh("ip", "-n", switch, "link", "set", *words)
    folder = Path(tempfile.mkdtemp(prefix="okk-vm-"))
    made: list[Guest] = []
    try:
        for address in addresses:
            number = address.partition("/")[0].rpartition(".")[2]
            (folder / number).mkdir()
            made.append(Guest(built, folder / number, f"k{number}", switch, address))
        await asyncio.gather(*(guest.start() for guest in made))
        yield made
    finally:
        for guest in made:
            await guest.stop()
        shutil.rmtree(folder)


async def mount(guest: Guest, location: str, at: str = "/mnt") -> None:
    """Mount a share as everybody does: hard, NFS 4.1."""
    answer = await guest.expression(f"sh('mkdir -p {at} && mount -t nfs4 -o vers=4.1 {location} {at}')")
    assert answer == [0, ""], answer


async def unmount(guest: Guest, at: str = "/mnt") -> None:
    """Take it away, whether the server answers or not."""
    await guest.expression(f"sh('umount -f -l {at}')")
