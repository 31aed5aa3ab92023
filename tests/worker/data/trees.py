"""Trees of files for tests of copies: made from a plan, and described with everything that a copy must keep.

Needs the standard library alone: a guest runs it too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from dataclasses import dataclass, field
from typing import Any

ROOT = os.geteuid() == 0


@dataclass(frozen=True, slots=True)
class Thing:
    """A file of any kind.

    ``parts`` are positions in a regular file, what is there, and how often; ``size`` is its size at least.
    """

    kind: str
    mode: int
    owner: tuple[int, int]
    mtime: int
    parts: tuple[tuple[int, bytes, int], ...] = ()
    size: int = 0
    leads_to: bytes = b""
    attributes: tuple[tuple[str, bytes], ...] = ()
    below: tuple[tuple[bytes, Thing], ...] = ()
    more_names: tuple[bytes, ...] = field(default=())
    """Further names of it, in the root folder."""


def make(root: bytes, thing: Thing, place: bytes) -> None:
    """Make a thing at ``place``, whose further names go to ``root``."""
    {"folder": _folder, "file": _file, "link": _link, "pipe": _pipe, "socket": _socket, "device": _device}[thing.kind](
        thing, place
    )
    for name, below in thing.below:
        with contextlib.suppress(FileExistsError):
            make(root, below, os.path.join(place, name))
    for name in thing.more_names:
        with contextlib.suppress(FileExistsError):
            os.link(place, os.path.join(root, name), follow_symlinks=False)
    if ROOT:
        os.chown(place, *thing.owner, follow_symlinks=False)
    if thing.kind != "link":
        # a test must not follow a link either
        assert not os.path.islink(place)
        os.chmod(place, thing.mode if ROOT else thing.mode | 0o700)
    # whatever is made in a folder later changes its time again, so a caller asks for the description afterwards
    os.utime(place, ns=(thing.mtime, thing.mtime), follow_symlinks=False)


def _folder(thing: Thing, place: bytes) -> None:
    os.mkdir(place)
    _extend(thing, place)


def _file(thing: Thing, place: bytes) -> None:
    made = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    for position, data, times in thing.parts:
        os.pwrite(made, data * times, position)
    os.ftruncate(made, max(thing.size, os.fstat(made).st_size))
    os.close(made)
    _extend(thing, place)


def _extend(thing: Thing, place: bytes) -> None:
    for name, value in thing.attributes:
        with contextlib.suppress(OSError):
            os.setxattr(place, name, value)


def _link(thing: Thing, place: bytes) -> None:
    os.symlink(thing.leads_to, place)


def _pipe(thing: Thing, place: bytes) -> None:
    os.mkfifo(place)


def _socket(thing: Thing, place: bytes) -> None:
    os.mknod(place, stat.S_IFSOCK | 0o600)


def _device(thing: Thing, place: bytes) -> None:
    os.mknod(place, (stat.S_IFCHR if ROOT else stat.S_IFIFO) | 0o600, os.makedev(1, 3) if ROOT else 0)


def described(root: bytes | str | os.PathLike[str], *, root_itself: bool = True) -> dict[bytes, Any]:
    """All that a copy keeps of each name below a folder, and which names are the same file."""
    base, first, found = os.fsencode(root), dict[int, bytes](), dict[bytes, Any]()
    waiting = [b""]
    while waiting:
        path = waiting.pop()
        place = os.path.join(base, path) if path else base
        now = os.lstat(place)
        if stat.S_ISDIR(now.st_mode):
            waiting += sorted(os.path.join(path, name) for name in os.listdir(place))
        if path or root_itself:
            found[path] = (
                now.st_mode, now.st_uid, now.st_gid, round(now.st_mtime_ns, -3), now.st_rdev, _contents(place, now),
                _attributes(place, now), now.st_nlink if not stat.S_ISDIR(now.st_mode) else 0,
            )  # fmt: skip
    for path in sorted(found):
        now = os.lstat(os.path.join(base, path) if path else base)
        found[path] += (first.setdefault(now.st_ino, path),)
    return found


def _contents(place: bytes, now: os.stat_result) -> Any:
    if stat.S_ISLNK(now.st_mode):
        return os.readlink(place)
    if not stat.S_ISREG(now.st_mode):
        return None
    with open(place, "rb") as file:
        return now.st_size, hashlib.file_digest(file, "sha256").hexdigest()


def _attributes(place: bytes, now: os.stat_result) -> Any:
    if not (stat.S_ISREG(now.st_mode) or stat.S_ISDIR(now.st_mode)):
        return None
    return sorted((name, os.getxattr(place, name)) for name in os.listxattr(place))
