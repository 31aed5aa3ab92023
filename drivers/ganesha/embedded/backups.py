"""Backups of volumes as image files in a folder outside of the pool: another disk, or a mounted network file system.

A copy is made by a program of its own, which goes on when the worker ends and is started again when the machine was.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
from pathlib import Path
from typing import Final

from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.embedded.pool import Pool
from drivers.ganesha.embedded.volumes import EmbeddedVolumes
from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.command import run, start_detached
from generated.errors import ShareBackendException, ShareResourceNotFound

_COPY: Final = """
exec 9>"$2.lock"
flock -n 9 || exit 0
if cp --sparse=always "$1" "$2.part" 2>"$2.error" && sync "$2.part" && mv "$2.part" "$2"
then rm -f "$2.error"
else mv "$2.error" "$2.failed"
fi
"""
_BESIDE: Final = (".part", ".error", ".failed", ".lock", ".room")


class EmbeddedBackups:
    """The port ``Backups`` on this machine. ``folder`` is where the backups are kept."""

    def __init__(self, folder: Path, layout: Layout, pool: Pool, volumes: EmbeddedVolumes, limit: float) -> None:
        self._folder = folder
        self._layout = layout
        self._pool = pool
        self._volumes = volumes
        self._limit = limit

    def _image(self, backup: str) -> Path:
        return self._folder / f"{backup}.img"

    async def begin(self, backup: str, volume: str) -> None:
        """Share the blocks of the volume as it is now, then copy from there."""
        image = self._image(backup)
        if not image.exists():
            files.folder(self._folder, 0o700)
            await self._volumes.snapshot(volume, _frozen(backup))
            await self._copy(self._layout.snapshot(_frozen(backup)), image)

    async def progress(self, backup: str) -> int:
        """By the blocks that have arrived; a copy that died is begun again."""
        image, source = self._image(backup), self._layout.snapshot(_frozen(backup))
        if image.exists():
            await asyncio.to_thread(files.settle, self._folder)
            await self._volumes.delete_snapshot(_frozen(backup))
            _remove(image, keep=True)
            return 100
        if not source.exists():
            raise ShareBackendException(msg=f"nothing is left of backup {backup}")
        return await self._so_far(source, image)

    async def delete(self, backup: str) -> None:
        """Remove the image and what a copy has left."""
        _remove(self._image(backup))
        await self._volumes.delete_snapshot(_frozen(backup))

    async def begin_restore(self, backup: str, volume: str) -> None:
        """Copy the backup beside the volume, with room for both."""
        source, target = self._source(backup), self._layout.restore(volume)
        room = target.with_name(target.name + ".room")
        if not room.exists():
            async with self._pool.promise(source.stat().st_size):
                room.touch(0o600)
                os.truncate(room, source.stat().st_size)
        if not target.exists():
            await self._copy(source, target)

    async def restore_progress(self, backup: str, volume: str) -> int:
        """By the blocks that have arrived; one that is gone is begun again."""
        if self._layout.restore(volume).exists():
            return 100
        await self.begin_restore(backup, volume)
        return await self._so_far(self._source(backup), self._layout.restore(volume))

    async def swap(self, volume: str) -> None:
        """Put what was copied in the place of the volume, under its identity and at its size at least."""
        image, made = self._layout.volume(volume), self._layout.restore(volume)
        if not image.exists():
            raise ShareResourceNotFound(share_id=volume)
        if made.exists():
            found = re.search(r"[0-9a-f-]{36}", await run("xfs_admin", "-u", str(image), limit=self._limit))
            if found is None:
                raise ShareBackendException(msg=f"volume of share {volume} has no identity")
            await self._volumes.settle(made, volume, found[0])
            os.truncate(made, max(made.stat().st_size, image.stat().st_size))
            made.replace(image)
            await asyncio.to_thread(files.settle, image.parent)
        _remove(made)

    def _source(self, backup: str) -> Path:
        image = self._image(backup)
        if not image.exists():
            raise ShareBackendException(msg=f"backup {backup} is gone")
        return image

    async def _so_far(self, source: Path, target: Path) -> int:
        failed = target.with_name(target.name + ".failed")
        if (said := files.read(failed)) is not None:
            failed.unlink()
            raise ShareBackendException(msg=f"the copy failed: {said.strip()}")
        if not _running(target):
            await self._copy(source, target)
            return 0
        return _arrived(source, target.with_name(target.name + ".part"))

    async def _copy(self, source: Path, target: Path) -> None:
        log = self._layout.root / "backups.log"
        await start_detached("sh", "-c", _COPY, "sh", str(source), str(target), log=log)


def _frozen(backup: str) -> str:
    """Name of the snapshot that is copied."""
    return f"backup-{backup}"


def _arrived(source: Path, part: Path) -> int:
    """Percent of the blocks of ``source`` that are there; 99 at most."""
    done = part.stat().st_blocks if part.exists() else 0
    return min(99, done * 100 // max(1, source.stat().st_blocks))


def _remove(image: Path, keep: bool = False) -> None:
    """Remove what stands beside an image, and the image itself unless it is kept."""
    for end in (*_BESIDE, *(() if keep else ("",))):
        image.with_name(image.name + end).unlink(missing_ok=True)


def _running(target: Path) -> bool:
    """Whether a program copies to ``target`` now."""
    try:
        descriptor = os.open(target.with_name(target.name + ".lock"), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
