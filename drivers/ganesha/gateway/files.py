"""Files and locks of the back end's state folder."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import stat
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


def settle(folder: Path) -> None:
    """Have the names in a folder on the disk: one that was renamed may otherwise be the old one after a power cut."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def text(path: Path) -> str:
    """The text of a file."""
    return path.read_text()


def read(path: Path) -> str | None:
    """The text of a file, None when there is none."""
    try:
        return text(path)
    except FileNotFoundError:
        return None


def listed(path: Path) -> list[str]:
    """Names of what is in a folder, none when there is none. Raises OSError: it can't be read."""
    try:
        return os.listdir(path)
    except FileNotFoundError:
        return []


def remove(path: Path) -> None:
    """Remove a file, if there is one. Without one this is no error on a disk that can't be written either."""
    try:
        path.lstat()
    except FileNotFoundError:
        return
    path.unlink(missing_ok=True)


def there(path: Path) -> bool:
    """Whether something is there; also when it can't be looked at."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def folder(path: Path, mode: int = 0o755) -> Path:
    """Make a folder with its parents. One that is as it should be needs no disk that can be written."""
    path.mkdir(parents=True, exist_ok=True)
    if stat.S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)
    return path


def mounted(path: Path) -> bool:
    """Whether a file system of its own is mounted at ``path``; False when there is no such folder.

    One that answers nothing but input/output errors is mounted, too: XFS does so after a failure of its device.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        path.parent.stat()  # raises if it is the folder above that fails
        return True
    return found.st_dev != path.parent.stat().st_dev


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
