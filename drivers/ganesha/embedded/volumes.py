"""Volumes as XFS images on loop devices, kept in a pool that can share blocks between files (reflink).

Every image is a file system of its own with its full size promised, so a full share takes no room from others: the
pool never promises more than it has, and a create that does not fit is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from pathlib import Path
from typing import Final

from drivers.ganesha.embedded import loops
from drivers.ganesha.embedded.layout import Layout
from drivers.ganesha.embedded.pool import GIB, VIEW, Pool, image_size, share_size
from drivers.ganesha.gateway import files
from drivers.ganesha.gateway.command import CommandFailed, run
from drivers.ganesha.ports import NOBODY, Owner
from drivers.room import Capacity
from generated.errors import ShareBackendException, ShareResourceNotFound, SnapshotResourceNotFound

_RESERVED_BLOCKS: Final = 1024
"""Blocks XFS keeps back for itself. Its default, 8192, would cost a share of 1 GiB 3 % of what it promises."""

_UMOUNT_PATIENCE: Final = 10.0

_FREEZE: Final = 'fsfreeze -f "$1" || exit 1; cp --reflink=always "$2" "$3"; r=$?; fsfreeze -u "$1"; exit $r'


class EmbeddedVolumes:
    """The port ``Volumes`` on this machine."""

    def __init__(self, layout: Layout, pool: Pool, limit: float) -> None:
        self._layout = layout
        self._pool = pool
        self._limit = limit

    async def setup(self) -> None:
        """Mount the pool, made at the first time; let file systems go on that a dead worker left frozen."""
        await self._pool.setup()
        # under the lock no living worker is taking a snapshot
        async with files.locked(self._layout.lock):
            for mount in _children(self._layout.mounts):
                if files.mounted(mount):
                    with contextlib.suppress(CommandFailed):
                        await run("fsfreeze", "-u", str(mount))

    async def create(self, name: str, size: int, pool: str | None = None, owner: Owner = NOBODY) -> None:
        """A sparse image of the size that shows its client ``size`` GiB."""
        image = self._layout.volume(name)
        if image.exists():
            return
        async with self._pool.promise(image_size(size)):
            draft = _draft(image)
            _truncate(draft, image_size(size), fresh=True)
            # an image shares no blocks inside itself; without reflink and with a fixed log its overhead is known
            await run("mkfs.xfs", "-q", "-m", "reflink=0", "-l", "size=64m", str(draft), limit=self._limit)
            draft.replace(image)

    async def create_from_snapshot(
        self, name: str, snapshot: str, size: int, pool: str | None = None, owner: Owner = NOBODY
    ) -> None:
        """A copy that shares the snapshot's blocks, with its log replayed and an identity of its own.

        With the identity of its source it could neither be mounted nor exported beside it.
        """
        image, source = self._layout.volume(name), self._layout.snapshot(snapshot)
        if image.exists():
            return
        if not source.exists():
            raise SnapshotResourceNotFound(name=snapshot)
        size_of_image = max(image_size(size), source.stat().st_size)
        await self._copied(source, image, name, size_of_image, size_of_image)

    async def _copied(self, source: Path, image: Path, name: str, size: int, room: int) -> None:
        """Make ``image`` share the blocks of ``source``, with the log replayed and an identity of its own.

        Args:
            size: bytes of the image; ``room``: bytes of the pool that it may come to take.
        """
        draft = _draft(image)
        await self._umount(self._mount_point(f"{name}.draft"))
        async with self._pool.promise(room):
            await run("cp", "--reflink=always", str(source), str(draft))
            _truncate(draft, size)
        await self.settle(draft, name, "generate")
        draft.replace(image)

    async def settle(self, image: Path, name: str, identity: str) -> None:
        """Replay the log of an image that nobody uses, and give it an identity: a UUID, or ``generate``."""
        place = self._mount_point(f"{name}.draft")
        await self._umount(place)
        await run("mount", "-o", "loop,nouuid,nodev,nosuid,noexec", str(image), str(place), limit=self._limit)
        await self._umount(place)
        place.rmdir()
        await run("xfs_admin", "-U", identity, str(image), limit=self._limit)

    async def attach(self, name: str, server_id: str) -> str:
        """Mount the image on a loop device; any gateway of the machine sees it."""
        image = self._layout.volume(name)
        if not image.exists():
            raise ShareResourceNotFound(share_id=name)
        place = self._mount_point(name)
        if not files.mounted(place):
            await loops.mount(image, place, "nodev,nosuid,noexec", self._limit)
            await run("xfs_io", "-x", "-c", f"resblks {_RESERVED_BLOCKS}", str(place))
        else:
            await loops.make_direct(place)
        return str(place)

    async def bring(self, name: str, server_id: str) -> bool:
        """The machine is the only place."""
        return True

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        """Set owner and mode of the root folder."""
        place = self._mounted(name)
        os.chown(place, uid, gid)
        place.chmod(mode)

    async def detach(self, name: str) -> None:
        """Unmount and remove the mount point."""
        place = self._layout.mount(name)
        await self._umount(place)
        if place.exists():
            place.rmdir()

    async def delete(self, name: str) -> None:
        """Remove image and draft."""
        await self.detach(f"{name}.draft")
        image = self._layout.volume(name)
        image.unlink(missing_ok=True)
        _draft(image).unlink(missing_ok=True)
        for left in self._layout.restore(name).parent.glob(f"{name}.img*"):
            left.unlink(missing_ok=True)

    async def extend(self, name: str, size: int) -> None:
        """Grow image, loop device and file system in place; one that is large enough stays."""
        image, place = self._layout.volume(name), self._mounted(name)
        target = image_size(size)
        if image.stat().st_size < target:
            async with self._pool.promise(target - image.stat().st_size):
                _truncate(image, target)
        device = (await run("findmnt", "-no", "SOURCE", str(place))).strip()
        await run("losetup", "-c", device)
        await run("xfs_growfs", str(place), limit=self._limit)

    async def snapshot(self, name: str, snapshot: str) -> None:
        """Copy the image by sharing its blocks while the file system stands still (about 50 ms)."""
        target = self._layout.snapshot(snapshot)
        if target.exists():
            return
        image, place = self._layout.volume(name), self._mounted(name)
        draft = _draft(target)
        async with self._pool.promise(image.stat().st_blocks * 512):
            # a program of its own lets the file system go on even if this worker is killed meanwhile
            try:
                await run("setsid", "sh", "-c", _FREEZE, "sh", str(place), str(image), str(draft), limit=self._limit)
            except BaseException:
                # too late or cancelled: the program was ended, perhaps before it let the file system go on
                with contextlib.suppress(CommandFailed):
                    await run("fsfreeze", "-u", str(place))
                raise
            draft.replace(target)

    async def attach_snapshot(self, snapshot: str, server_id: str) -> str:
        """Copy the image as a view, once, and mount it for reading.

        The image itself could not be mounted beside its share: it has the same identity, and a log to replay.
        """
        source, view, place = self._layout.snapshot(snapshot), self._layout.view(snapshot), self._mount_point(snapshot)
        if not view.exists():
            if not source.exists():
                raise SnapshotResourceNotFound(name=snapshot)
            await self._copied(source, view, snapshot, source.stat().st_size, VIEW)
        if not files.mounted(place):
            await loops.mount(view, place, "ro,nodev,nosuid,noexec", self._limit)
        return str(place)

    async def detach_snapshot(self, snapshot: str) -> None:
        """Unmount the view, then remove its image and draft."""
        await self.detach(snapshot)
        await self.detach(f"{snapshot}.draft")
        view = self._layout.view(snapshot)
        view.unlink(missing_ok=True)
        _draft(view).unlink(missing_ok=True)

    async def used(self, name: str) -> float | None:
        """From the file system's own figures."""
        place = self._layout.mount(name)
        if not files.mounted(place):
            return None
        found = await asyncio.to_thread(os.statvfs, place)
        return (found.f_blocks - found.f_bfree) * found.f_frsize / GIB

    async def delete_snapshot(self, snapshot: str) -> None:
        """Remove its image."""
        await self.detach_snapshot(snapshot)
        image = self._layout.snapshot(snapshot)
        image.unlink(missing_ok=True)
        _draft(image).unlink(missing_ok=True)

    async def filled(self, name: str, server_id: str) -> bool:
        """A copy shares the blocks of its source and is there at once."""
        return True

    async def unproven(self) -> str:
        """Nothing stands against it."""
        return ""

    async def prepare_restore(self, name: str, snapshot: str) -> bool:
        """As ``filled``."""
        return True

    async def restoring(self, name: str) -> str | None:
        """Nothing goes on in the background."""
        return None

    async def tidy(self, name: str) -> None:
        """Nothing is left."""

    async def restore(self, name: str, snapshot: str) -> None:
        """Put a copy of the snapshot in the image's place, at the size the image has.

        The file system in it keeps the snapshot's size until ``extend``.
        """
        image, source = self._layout.volume(name), self._layout.snapshot(snapshot)
        if not source.exists():
            raise SnapshotResourceNotFound(name=snapshot)
        if not image.exists():
            raise ShareResourceNotFound(share_id=name)
        draft = _draft(image)
        await run("cp", "--reflink=always", str(source), str(draft))
        _truncate(draft, max(image.stat().st_size, source.stat().st_size))
        draft.replace(image)

    async def size(self, name: str) -> int | None:
        """See the port; the image says it."""
        image = self._layout.volume(name)
        return share_size(image.stat().st_size) if image.exists() else None

    async def rename(self, name: str, new: str, owner: Owner = NOBODY) -> None:
        """Rename the image."""
        if self._layout.volume(name).exists():
            self._layout.volume(name).replace(self._layout.volume(new))

    async def rename_snapshot(self, name: str, new: str) -> None:
        """Rename the image, after its view was taken down."""
        image, target = self._layout.snapshot(name), self._layout.snapshot(new)
        if image.exists():
            image.replace(target)
        elif not target.exists():
            raise SnapshotResourceNotFound(name=name)

    async def rooms(self) -> dict[str, Capacity]:
        """Room of the only pool."""
        return {"": self._pool.capacity()}

    async def pool(self, name: str) -> str | None:
        """There is one."""
        return None

    def _mount_point(self, name: str) -> Path:
        """A folder nobody may use while nothing is mounted."""
        place = self._layout.mount(name)
        if not place.exists():
            files.folder(place, 0o000)
        return place

    def _mounted(self, name: str) -> Path:
        place = self._layout.mount(name)
        if not files.mounted(place):
            raise ShareBackendException(msg=f"volume of share {name} is not mounted")
        return place

    async def _umount(self, place: Path) -> None:
        """Unmount; a gateway may need a moment to close the files of an export that was taken off."""
        end = time.monotonic() + _UMOUNT_PATIENCE
        while files.mounted(place):
            try:
                await run("umount", str(place), limit=self._limit)
            except CommandFailed:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.05)


def _draft(image: Path) -> Path:
    """Name of an image that is being made."""
    return image.with_name(image.name + ".new")


def _children(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def _truncate(image: Path, size: int, fresh: bool = False) -> None:
    if fresh:
        image.unlink(missing_ok=True)
        image.touch(0o600)
    os.truncate(image, size)
