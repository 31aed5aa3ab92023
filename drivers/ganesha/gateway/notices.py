"""Waiting for changes in folders, by the kernel's inotify; asyncio and the standard library have no way to it."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
from pathlib import Path
from typing import Final

_MOVED_FROM, _MOVED_TO, _DELETE = 0x40, 0x80, 0x200
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000
_CHANGES: Final = _MOVED_TO | _MOVED_FROM | _DELETE | _ONLY_FOLDERS | _NO_LINKS
_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC
_EVENTS: Final = 1 << 16


class Notices:
    """Tells when a file in one of some folders was put in place, renamed or removed.

    ``changed`` is set then, until somebody clears it. ``close`` when done.

    Raises:
        OSError: the kernel gives no more watches, or a folder is missing.
    """

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = self._libc.inotify_init1(_FLAGS)
        if self._descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        asyncio.get_running_loop().add_reader(self._descriptor, self._read)

    def watch(self, folder: Path) -> None:
        """Watch one more folder; one that is watched already stays so."""
        if self._libc.inotify_add_watch(self._descriptor, os.fsencode(folder), _CHANGES) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))

    def _read(self) -> None:
        # once, and again when the loop has done its other work: there may be more for ever
        with contextlib.suppress(BlockingIOError):
            os.read(self._descriptor, _EVENTS)
        self._changed.set()

    def close(self) -> None:
        """Give the descriptor back."""
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)


async def first_of(seconds: float, *events: asyncio.Event) -> None:
    """Wait until one of some events is set, at most so long."""
    waits = [asyncio.create_task(one.wait()) for one in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waits:
            one.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
