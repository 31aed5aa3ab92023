"""Files and locks of the back end's state folder."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

_inside: Final[dict[Path, asyncio.Lock]] = {}


def write(path: Path, text: str) -> None:
    """Replace a file as a whole; it is on the disk when this returns."""
    temporary = path.with_name(path.name + ".new")
    with temporary.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def read(path: Path) -> str | None:
    """The text of a file, None when there is none."""
    try:
        return path.read_text()
    except FileNotFoundError:
        return None


def folder(path: Path, mode: int = 0o755) -> Path:
    """Make a folder with its parents."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    return path


def mounted(path: Path) -> bool:
    """Whether a file system of its own is mounted at ``path``; False when there is no such folder."""
    try:
        return path.stat().st_dev != path.parent.stat().st_dev
    except FileNotFoundError:
        return False


@contextlib.asynccontextmanager
async def locked(path: Path) -> AsyncIterator[None]:
    """One holder at a time, over all processes of the machine; within a process first come, first served."""
    async with _inside.setdefault(path, asyncio.Lock()):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while True:
                if _try_lock(descriptor):
                    break
                await asyncio.sleep(0.005)
            yield
        finally:
            os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
