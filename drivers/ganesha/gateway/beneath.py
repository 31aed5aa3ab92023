"""Files in folders that a stranger writes to, too: nothing is followed, nothing blocks, nothing is too large.

Who is root on a node and opens ``FOLDER/name`` goes wherever a link in FOLDER points. Here a folder is opened once, and
what is in it is reached by its descriptor and a single name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from pathlib import Path
from typing import Final, Self

from generated.errors import ShareBackendException

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,240}")
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_FOLDER: Final = (errno.ENOTDIR, errno.ELOOP)


class Refused(ShareBackendException):
    """What is there is not what may be there; the text says what."""


def checked(name: str) -> str:
    """``name``, which leads to nothing but an entry of one folder.

    Raises:
        Refused: it might lead elsewhere.
    """
    if not _NAME.fullmatch(name):
        raise Refused(msg=f"{name[:60]!r} is no name of a file")
    return name


class Folder:
    """An open folder; a context manager that closes it. No method follows a link.

    Raises:
        OSError: as the calls of the same names in ``os``; there is a link in place of a folder.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @classmethod
    def at(cls, path: Path) -> Self:
        """Open one whose parents are nobody's but ours."""
        return cls(os.open(path, _FOLDER))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def below(self, name: str, mode: int | None = None) -> Folder:
        """Open one in it; with ``mode`` it has that, and is made if it is missing or something else."""
        checked(name)
        try:
            found = os.open(name, _FOLDER, dir_fd=self.descriptor)
        except OSError as error:
            if mode is None or error.errno not in (*_NO_FOLDER, errno.ENOENT):
                raise
            if error.errno != errno.ENOENT:
                os.unlink(name, dir_fd=self.descriptor)
            os.mkdir(name, 0o700, dir_fd=self.descriptor)
            found = os.open(name, _FOLDER, dir_fd=self.descriptor)
        if mode is not None and stat.S_IMODE(os.fstat(found).st_mode) != mode:
            os.fchmod(found, mode)
        return Folder(found)

    def names(self) -> list[str]:
        """All that is in it and has a name that is taken."""
        return sorted(name for name in os.listdir(self.descriptor) if _NAME.fullmatch(name))

    def look(self, name: str) -> os.stat_result | None:
        """The entry itself; None when there is none."""
        try:
            return os.stat(checked(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, name: str, limit: int) -> bytes | None:
        """What is in a file of at most ``limit`` bytes; None when there is none.

        It is looked at before it is opened: opening a pipe may wait for ever, opening a device may do anything.

        Raises:
            Refused: it is no file, or too large.
        """
        try:
            seen = os.open(checked(name), os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.descriptor)
        except FileNotFoundError:
            return None
        try:
            found = os.fstat(seen)
            if not stat.S_ISREG(found.st_mode):
                raise Refused(msg=f"{name} is no file")
            if found.st_size > limit:
                raise Refused(msg=f"{name} has {found.st_size} bytes, more than {limit}")
            file = os.open(f"/proc/self/fd/{seen}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        finally:
            os.close(seen)
        try:
            text = os.read(file, limit + 1)
        finally:
            os.close(file)
        if len(text) > limit:
            raise Refused(msg=f"{name} has more than {limit} bytes")
        return text

    def write(self, name: str, text: str) -> None:
        """Replace a file as a whole; it is on the disk when this returns."""
        temporary = f"{checked(name)}.new"
        self.remove(temporary)
        file = os.open(temporary, _NEW, 0o600, dir_fd=self.descriptor)
        with open(file, "w") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(file)
        os.rename(temporary, name, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        """Remove a file, if there is one."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(checked(name), dir_fd=self.descriptor)
