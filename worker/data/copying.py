"""Copies a tree of files, with owners, modes, times, extended attributes, links and holes.

The files belong to tenants, and the process that copies is privileged. So nothing is reached by a path: every folder is
opened from its parent's descriptor without following links, and no link that a tenant has placed, before or meanwhile,
leads out of the tree.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import structlog

from generated.errors import ShareDataCopyCancelled, ShareDataCopyFailed

LOG = structlog.get_logger("data")
CHUNK = 1 << 20
DEEPEST = 256
"""Nested folders at most: each holds two descriptors open."""
TRIES = 3
"""How often a file is copied until its hash is right."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_WRITE = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW


@dataclass(slots=True)
class Progress:
    """How far a copy is. Sizes are bytes; ``path`` is the file at work, below the tree's root."""

    total: int = 0
    copied: int = 0
    path: str | None = None
    file_size: int = 0
    file_copied: int = 0
    completed: bool = False

    @property
    def percent(self) -> int:
        """0 to 100; 100 only when all is done, and for a tree without contents then too."""
        if self.completed:
            return 100
        return min(99, self.copied * 100 // self.total) if self.total else 0

    @property
    def file_percent(self) -> float:
        """How much of the file at work is copied."""
        return self.file_copied * 100 / self.file_size if self.file_size else 0.0


@dataclass(slots=True)
class Copy:
    """One copy of the tree at ``source`` over the one at ``target``: what is there and not in the source stays.

    Args:
        ignore: names of files and folders that are left out wherever they are.
        check_hash: read every file again at the target and compare.
    """

    source: str
    target: str
    ignore: Collection[str] = ()
    check_hash: bool = False
    progress: Progress = field(default_factory=Progress)
    _cancelled: bool = False
    _links: dict[tuple[int, int], str] = field(default_factory=dict)
    """Files with several names, by device and inode: the path below the target where the first one is."""

    def cancel(self) -> None:
        """Let ``run`` end soon; from any thread."""
        self._cancelled = True

    def run(self) -> None:
        """Copy; blocks, so it is for a thread.

        Raises:
            ShareDataCopyCancelled: ``cancel`` was called. ShareDataCopyFailed: what cannot be copied, and why.
        """
        try:
            with _opened(self.source) as source, _opened(self.target) as target:
                self.progress.total = self._size(source, set())
                self._folder(source, target, "", 0)
        except OSError as error:
            raise ShareDataCopyFailed(reason=f"{self.progress.path or 'root'}: {error.strerror or error}") from error
        self.progress.completed = True

    def _entries(self, folder: int) -> list[tuple[str, os.stat_result]]:
        """Names and what they are, without the ignored ones and those that went meanwhile."""
        if self._cancelled:
            raise ShareDataCopyCancelled
        found = []
        for name in sorted(os.listdir(folder)):
            if name in self.ignore:
                continue
            with contextlib.suppress(FileNotFoundError):
                found.append((name, os.stat(name, dir_fd=folder, follow_symlinks=False)))
        return found

    def _size(self, folder: int, seen: set[tuple[int, int]], depth: int = 0) -> int:
        """Bytes of all regular files below a folder; one with several names counts once."""
        if depth > DEEPEST:
            raise ShareDataCopyFailed(reason=f"folders are nested deeper than {DEEPEST}")
        size = 0
        for name, found in self._entries(folder):
            if stat.S_ISDIR(found.st_mode):
                with contextlib.suppress(FileNotFoundError, NotADirectoryError), _opened(name, folder) as below:
                    size += self._size(below, seen, depth + 1)
            elif stat.S_ISREG(found.st_mode) and (found.st_dev, found.st_ino) not in seen:
                seen.add((found.st_dev, found.st_ino))
                size += found.st_size
        return size

    def _folder(self, source: int, target: int, path: str, depth: int) -> None:
        if depth > DEEPEST:
            raise ShareDataCopyFailed(reason=f"folders are nested deeper than {DEEPEST}")
        for name, found in self._entries(source):
            self.progress.path = _readable(os.path.join(path, name))
            if stat.S_ISDIR(found.st_mode):
                self._sub_folder(source, target, name, path, depth)
            elif stat.S_ISREG(found.st_mode):
                self._file(source, target, name, os.path.join(path, name), found)
            else:
                _special(source, target, name, found)

    def _sub_folder(self, source: int, target: int, name: str, path: str, depth: int) -> None:
        _make_way(target, name, stat.S_IFDIR)
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=target)
        with _opened(name, source) as here, _opened(name, target) as there:
            self._folder(here, there, os.path.join(path, name), depth + 1)
            _attributes(here, there, os.fstat(here))

    def _file(self, source: int, target: int, name: str, path: str, found: os.stat_result) -> None:
        key = (found.st_dev, found.st_ino)
        if found.st_nlink > 1 and key in self._links and self._linked(target, name, self._links[key]):
            return
        for attempt in range(TRIES):
            _make_way(target, name, stat.S_IFREG)
            start = self.progress.copied
            if self._contents(source, target, name):
                break
            if attempt == TRIES - 1:
                raise ShareDataCopyFailed(reason=f"{self.progress.path} is another file at the target")
            self.progress.copied = start
        if found.st_nlink > 1:
            self._links.setdefault(key, path)

    def _linked(self, target: int, name: str, first: str) -> bool:
        """Make a further name of a file that is copied already; False when the target has no such links."""
        _make_way(target, name, stat.S_IFLNK)
        *folders, other = first.split("/")
        try:
            with contextlib.ExitStack() as stack:
                folder = stack.enter_context(_opened(self.target))
                for one in folders:
                    folder = stack.enter_context(_opened(one, folder))
                os.link(other, name, src_dir_fd=folder, dst_dir_fd=target, follow_symlinks=False)
        except OSError as error:
            if error.errno in (errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV, errno.ENOENT):
                return False
            raise
        return True

    def _contents(self, source: int, target: int, name: str) -> bool:
        """Copy one file; whether it arrived, as far as that is checked."""
        with _descriptor(name, _READ, source) as reading, _descriptor(name, _WRITE, target) as writing:
            found = os.fstat(reading)
            if not stat.S_ISREG(found.st_mode):
                return True
            self.progress.file_size, self.progress.file_copied = found.st_size, 0
            wanted = self._pour(reading, writing, found.st_size)
            # a file that became shorter while it was read is as short at the target
            os.ftruncate(writing, min(found.st_size, os.fstat(reading).st_size))
            _attributes(reading, writing, found)
            os.fsync(writing)
            return wanted is None or wanted == _digest(writing)

    def _pour(self, reading: int, writing: int, size: int) -> str | None:
        """Copy the parts that are no holes; the hash of the whole source if hashes are checked."""
        for start, end in _parts(reading, size):
            os.lseek(reading, start, os.SEEK_SET)
            os.lseek(writing, start, os.SEEK_SET)
            while start < end:
                if self._cancelled:
                    raise ShareDataCopyCancelled
                piece = os.read(reading, min(CHUNK, end - start))
                if not piece:
                    break
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(writing, rest) :]
                start += len(piece)
                self._count(start)
        self._count(size)
        return _digest(reading) if self.check_hash else None

    def _count(self, position: int) -> None:
        self.progress.copied += position - self.progress.file_copied
        self.progress.file_copied = position


@contextlib.contextmanager
def _descriptor(name: str, flags: int, folder: int | None = None) -> Iterator[int]:
    made = os.open(name, flags, 0o600, dir_fd=folder)
    try:
        yield made
    finally:
        os.close(made)


def _opened(name: str, folder: int | None = None) -> contextlib.AbstractContextManager[int]:
    """A folder; the root of a tree may be reached through a link, what is below may not."""
    return _descriptor(name, _FOLDER if folder is not None else os.O_RDONLY | os.O_DIRECTORY, folder)


def _make_way(folder: int, name: str, kind: int) -> None:
    """Remove what has the name and is of another kind than the thing to come."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_IFMT(found.st_mode) == kind and kind in (stat.S_IFDIR, stat.S_IFREG):
        return
    if stat.S_ISDIR(found.st_mode):
        shutil.rmtree(name, dir_fd=folder)
    else:
        os.unlink(name, dir_fd=folder)


def _special(source: int, target: int, name: str, found: os.stat_result) -> None:
    """A symbolic link, a pipe or a device; sockets mean nothing without the process behind them."""
    kind = stat.S_IFMT(found.st_mode)
    if kind == stat.S_IFSOCK:
        return
    _make_way(target, name, kind)
    if kind == stat.S_IFLNK:
        os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=target)
    else:
        os.mknod(name, found.st_mode, found.st_rdev, dir_fd=target)
    with _own_rights():
        os.chown(name, found.st_uid, found.st_gid, dir_fd=target, follow_symlinks=False)
    os.utime(name, ns=(found.st_atime_ns, found.st_mtime_ns), dir_fd=target, follow_symlinks=False)


def _attributes(source: int, target: int, found: os.stat_result) -> None:
    """Owner, mode, extended attributes and times; the times last, since the others change them."""
    with _own_rights():
        os.fchown(target, found.st_uid, found.st_gid)
    os.fchmod(target, stat.S_IMODE(found.st_mode))
    with _unsupported():
        for name in os.listxattr(source):
            with _unsupported():
                os.setxattr(target, name, os.getxattr(source, name))
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))


@contextlib.contextmanager
def _own_rights() -> Iterator[None]:
    """Without privileges everything belongs to us, as with ``cp``."""
    try:
        yield
    except PermissionError:
        if os.geteuid() == 0:
            raise


@contextlib.contextmanager
def _unsupported() -> Iterator[None]:
    """Extended attributes that a file system does not have, or keeps to itself, are left out."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.ENODATA, errno.EPERM, errno.EACCES, errno.EINVAL):
            raise


def _parts(descriptor: int, size: int) -> Iterator[tuple[int, int]]:
    """Start and end of the parts of a file that are no holes."""
    position = 0
    while position < size:
        try:
            start = os.lseek(descriptor, position, os.SEEK_DATA)
            end = os.lseek(descriptor, start, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            start, end = position, size
        yield start, min(end, size)
        position = end


def _digest(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _readable(path: str) -> str:
    """A path as text that a database takes."""
    return os.fsencode(path).decode(errors="replace")
