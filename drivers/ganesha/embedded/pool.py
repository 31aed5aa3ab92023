"""The file system the shares' images lie in, and the arithmetic of its room."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from drivers.ganesha.embedded import loops
from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.command import CommandFailed, run
from drivers.room import Capacity
from generated.errors import ShareBackendException

MIB: Final = 2**20
GIB: Final = 2**30

_LOG: Final = 64 * MIB
VIEW: Final = _LOG
"""Bytes that the view of a snapshot may take beside the blocks it shares."""
_MARGIN: Final = 1.007
"""What a client sees is image less log; this much above the asked size, a file of 99 % fits beside XFS's own data."""

_USABLE: Final = 0.97
"""Share of the pool that may be promised; the rest is for its own data."""


def image_size(size: int) -> int:
    """Bytes of an image whose file system shows ``size`` GiB: at least that, less than 1 % more."""
    return math.ceil(size * GIB * _MARGIN / MIB) * MIB + _LOG


def share_size(image: int) -> int:
    """GiB that the file system of an image of so many bytes shows: the inverse of ``image_size``."""
    return int((image - _LOG) / (GIB * _MARGIN))


class Pool:
    """An XFS file system in one file. ``size`` in GiB; ``preallocate`` takes its blocks from the disk at once."""

    def __init__(self, layout: Layout, size: int, preallocate: bool, limit: float) -> None:
        self._layout = layout
        self._size = size
        self._preallocate = preallocate
        self._limit = limit

    async def setup(self) -> None:
        """Make the pool at the first time, grow it when it is configured larger, mount it.

        Raises:
            ShareBackendException: the disk has no room for it.
        """
        files.folder(self._layout.root)
        async with files.locked(self._layout.lock):
            image, place = self._layout.pool_image, files.folder(self._layout.pool)
            if not image.exists():
                await self._make(image)
            elif image.stat().st_size < self._size * GIB:
                self._reserve(image)
            if not files.mounted(place):
                await loops.mount(image, place, "nodev,nosuid,noexec", self._limit)
            else:
                await loops.make_direct(place)
                await run("losetup", "-c", (await run("findmnt", "-no", "SOURCE", str(place))).strip())
            await run("xfs_growfs", str(place), limit=self._limit)
            layout = self._layout
            images = (layout.volume(""), layout.snapshot(""), layout.view(""), layout.restore(""))
            for folder in (*(image.parent for image in images), self._layout.mounts):
                files.folder(folder, 0o700)

    @contextlib.asynccontextmanager
    async def promise(self, size: int) -> AsyncIterator[None]:
        """Room for ``size`` more bytes; whoever holds this makes the file that takes it.

        Raises:
            ShareBackendException: the pool has not that much left.
        """
        async with files.locked(self._layout.lock):
            free = self._usable() - self._promised()
            if size > free:
                raise ShareBackendException(msg=f"pool has {free // MIB} MiB left, {size // MIB} MiB are needed")
            yield

    def capacity(self) -> Capacity:
        """Room in GiB of shares, less than the bytes say by what each image costs beside its size."""
        promised, usable = self._promised(), self._usable()
        free = max(0.0, (usable - promised - _LOG) / GIB / _MARGIN)
        held = promised / GIB
        return Capacity(total=round(free + held, 2), free=round(free, 2), provisioned=round(held, 2))

    def _usable(self) -> int:
        stat = os.statvfs(self._layout.pool)
        return int(stat.f_blocks * stat.f_frsize * _USABLE)

    def _promised(self) -> int:
        """The most that can ever be used: every share rewritten as a whole, every snapshot keeping its blocks.

        A view shares its snapshot's blocks; its own are those of the log that was replayed. What is restored keeps
        room for itself beside the share that it will replace.
        """
        volumes = sum(file.stat().st_size for file in self._layout.volume("").parent.iterdir())
        views = sum(VIEW for _ in self._layout.view("").parent.iterdir())
        restores = sum(file.stat().st_size for file in self._layout.restore("").parent.glob("*.room"))
        snapshots = sum(file.stat().st_blocks * 512 for file in self._layout.snapshot("").parent.iterdir())
        return volumes + views + restores + snapshots

    async def _make(self, image: Path) -> None:
        draft = image.with_name(image.name + ".new")
        draft.unlink(missing_ok=True)
        draft.touch(0o600)
        self._reserve(draft)
        try:
            await run("mkfs.xfs", "-q", "-K", "-m", "reflink=1", str(draft), limit=self._limit)
        except CommandFailed:
            draft.unlink()
            raise
        draft.replace(image)

    def _reserve(self, image: Path) -> None:
        size = self._size * GIB
        if not self._preallocate:
            os.truncate(image, size)
            return
        with image.open("r+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, size)
            except OSError as error:
                raise ShareBackendException(msg=f"no room for a pool of {self._size} GiB: {error.strerror}") from error
