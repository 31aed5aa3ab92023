"""Guests that know the operations, and their local file systems."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from tests.datapath.kernel import image
from tests.datapath.kernel.guest import Guest
from tests.datapath.kernel.kernels import Kernel

OPERATIONS = Path(__file__).parent / "operations"
MEMORY = 192
LOCAL_MIB = 400
"""Size of a guest's own file system; a file with holes on this machine."""


@contextlib.asynccontextmanager
async def booted(
    switch: str,
    kernels: Sequence[Kernel],
    *,
    first: int = 5,
    subnet: str = "10.0.0",
    memory: int = MEMORY,
    disks: Sequence[Path] = (),
    prefix: str = "c",
) -> AsyncIterator[list[Guest]]:
    """A guest of each kernel at ``subnet.first`` and on, in the switch namespace, until the block ends.

    Each has an XFS of its own at /local; ``disks`` are those that it has besides, at /dev/vdb and on.

    Raises:
        deploy.debs.Unavailable: a kernel can't be had.
    """
    built = [await asyncio.to_thread(image.kept, kernel) for kernel in kernels]
    folder = Path(tempfile.mkdtemp(prefix="okm-vm-"))
    made: list[Guest] = []
    try:
        for number, one in enumerate(built, first):
            own = folder / str(number)
            own.mkdir()
            local = xfs(own / "local", LOCAL_MIB)
            guest = Guest(
                one,
                own,
                f"{prefix}{number}",
                switch,
                f"{subnet}.{number}/24",
                memory=memory,
                disks=(local, *disks),
            )
            made.append(guest)
        await asyncio.gather(*(guest.start() for guest in made))
        for guest in made:
            await prepare(guest)
        yield made
    finally:
        for guest in made:
            await guest.stop()
        shutil.rmtree(folder)


def xfs(file: Path, size: int) -> Path:
    """A file with an XFS of ``size`` MiB that every kernel from 5.10 on knows."""
    with file.open("wb") as handle:
        handle.truncate(size << 20)
    subprocess.run(["mkfs.xfs", "-q", "-i", "nrext64=0", str(file)], check=True)
    return file


async def prepare(guest: Guest) -> None:
    """Mount the local file system and bring the operations."""
    assert await guest.expression("sh('mount -t xfs /dev/vda /local')") == [0, ""]
    for file in sorted(OPERATIONS.glob("*.py")):
        place = f"/lib/py/tests/datapath/clients/operations/{file.name}"
        await guest(
            f"os.makedirs({str(Path(place).parent)!r}, exist_ok=True); open({place!r}, 'w').write({file.read_text()!r})"
        )
    await guest("from tests.datapath.clients.operations import runner")


async def mount(guest: Guest, location: str, options: str = "", at: str = "/mnt", seconds: float = 120) -> str:
    """Mount a share; the options that the kernel shows for it.

    Raises:
        AssertionError: it can't be mounted; the text is what mount said.
    """
    words = f"-o {options}" if options else ""
    status, text = await guest.expression(
        f"sh('mkdir -p {at} && mount -t nfs4 {words} {location} {at} && grep \" {at} \" /proc/mounts')", seconds
    )
    assert status == 0, text
    return str(text).split()[3]


async def unmount(guest: Guest, at: str = "/mnt") -> None:
    """Take it away, whether the server answers or not."""
    await guest.expression(f"sh('umount {at} || umount -f -l {at}')")


async def run(guest: Guest, name: str, root: str, seconds: float = 100) -> dict[str, Any]:
    """The answer of an operation in ``root`` of the guest, or ``failed``."""
    found: dict[str, Any] = await guest.expression(f"runner.run({name!r}, {root!r}, {seconds})", seconds + 300)
    return found
