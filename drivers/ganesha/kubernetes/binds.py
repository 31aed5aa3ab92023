"""The folders of one gateway on its node: volumes bound into them, and nodes of their devices.

The kernel is told of folders by descriptors, so that what is mounted is mounted where it was looked at. Nothing is
ever removed but mount points that are empty, and what this made.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import shutil
import stat
from pathlib import Path
from typing import Final

import structlog

from drivers.ganesha.gateway.beneath import Folder, Refused, checked
from drivers.ganesha.kubernetes import node_figures

LOG = structlog.get_logger("node")
SHARES, DEVICES, CONTROL = "shares", "devices", "control"
"""Folders of a gateway, which its pod can only read."""
MARK: Final = "namespace"
"""File beside them that says whose gateway it is: the agents of several namespaces may look below one path."""
_MS_BIND: Final = 0x1000
_UMOUNT_NOFOLLOW: Final = 0x8
_libc = ctypes.CDLL(None, use_errno=True)


class Binds:
    """What is bound into a gateway; ``place``: its folder, in a folder that nobody else can enter.

    Raises:
        OSError, Refused: what is there is not what may be there, or the kernel refuses.
    """

    def __init__(self, place: Path) -> None:
        checked(place.name)
        self.place = place

    def make(self, namespace: str) -> None:
        """Make the folders of a gateway of this namespace."""
        with Folder.at(self.place.parent) as root, root.below(self.place.name, 0o755) as own:
            for name in (SHARES, DEVICES):
                with own.below(name, 0o755):
                    pass
        if owner_of(self.place) != namespace:
            (self.place / MARK).write_text(namespace)

    def names(self) -> list[str]:
        """All that has a mount point."""
        try:
            with self._open(SHARES) as shares:
                return shares.names()
        except FileNotFoundError:
            return []

    def bound(self, name: str) -> int | None:
        """Number of the device that is mounted for a share; None: nothing is."""
        try:
            with self._open(SHARES) as shares:
                found = shares.look(name)
                here = os.fstat(shares.descriptor).st_dev
        except FileNotFoundError:
            return None
        return None if found is None or found.st_dev == here else found.st_dev

    async def bind(self, source: Path, name: str) -> None:
        """Mount ``source``, which is the kubelet's, for a share."""
        await asyncio.to_thread(self._bind, source, name)
        node_figures.BINDS.inc()
        LOG.info("volume bound", share=name, gateway=self.place.name)

    def _bind(self, source: Path, name: str) -> None:
        with contextlib.ExitStack() as stack:
            shares = stack.enter_context(self._open(SHARES))
            # nobody may write into the folder below, should it ever be seen
            at = stack.enter_context(shares.below(name, 0o000))
            volume = stack.enter_context(Folder.at(source))
            _mount(volume.descriptor, at.descriptor)
            wanted, found = os.fstat(volume.descriptor).st_dev, shares.look(name)
            if found is None or found.st_dev != wanted:
                raise Refused(msg=f"the volume of {name} is not where it was mounted")

    async def unbind(self, name: str) -> None:
        """Unmount a share, and remove its mount point and its device."""
        while self.bound(name) is not None:
            await asyncio.to_thread(self._unmount, name)
            LOG.info("volume unbound", share=name, gateway=self.place.name)
        with contextlib.suppress(FileNotFoundError), self._open(SHARES) as shares:
            try:
                os.rmdir(checked(name), dir_fd=shares.descriptor)
            except NotADirectoryError:
                shares.remove(name)
        with contextlib.suppress(FileNotFoundError), self._open(DEVICES) as devices:
            devices.remove(name)

    def _unmount(self, name: str) -> None:
        with self._open(SHARES) as shares:
            path = f"/proc/self/fd/{shares.descriptor}/{checked(name)}"
            if _libc.umount2(os.fsencode(path), _UMOUNT_NOFOLLOW):
                raise _error(f"unmounting {name}")

    def show_device(self, name: str, device: int) -> None:
        """A node of a share's device, by which Ganesha finds its identity; nobody can open it there."""
        with self._open(DEVICES) as devices:
            found = devices.look(name)
            if found is not None and stat.S_ISBLK(found.st_mode) and found.st_rdev == device:
                return
            devices.remove(name)
            if os.major(device):  # else it is no device, as with file systems over a network
                os.mknod(name, stat.S_IFBLK | 0o600, device, dir_fd=devices.descriptor)

    def clear(self) -> None:
        """Remove the gateway's folder, if nothing is bound into it."""
        if self.names():
            return
        control = self.place / CONTROL
        if control.is_symlink():
            control.unlink()
        shutil.rmtree(control, ignore_errors=True)  # which follows no links
        (self.place / MARK).unlink(missing_ok=True)
        for empty in (self.place / DEVICES, self.place / SHARES, self.place):
            with contextlib.suppress(OSError):
                empty.rmdir()

    def _open(self, name: str) -> Folder:
        with Folder.at(self.place) as own:
            return own.below(name)


def owner_of(place: Path) -> str:
    """The namespace whose gateway a folder is of; empty when no agent has said so."""
    try:
        return (place / MARK).read_text()
    except (OSError, ValueError):
        return ""


def _mount(source: int, target: int) -> None:
    """Show the folder ``source`` at the folder ``target``, both by their descriptors."""
    paths = [os.fsencode(f"/proc/self/fd/{one}") for one in (source, target)]
    if _libc.mount(*paths, None, ctypes.c_ulong(_MS_BIND), None):
        raise _error("mounting")


def _error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
