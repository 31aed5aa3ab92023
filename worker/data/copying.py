"""Copies a tree of files, with owners, modes, times, extended attributes, links and holes.

The files belong to tenants, who may be at work in both trees, and the process that copies is privileged. So nothing is
reached by a path (``trails``), and no file of the target is written to: what is copied is made under a name of its own
beside, and takes the place of the old one when it is whole. A file that has other names there keeps its contents under
those. This module and what it imports of the project need the standard library alone.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, field

from generated.errors import ShareDataCopyCancelled, ShareDataCopyFailed
from worker.data import attributes, contents
from worker.data.progress import Progress, explained, readable
from worker.data.trails import TRIES, Identity, Replaced, SourceFailed, Trail, descriptor, identity, of_source, remove

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_GONE = (errno.ENOENT, errno.ESTALE, errno.ELOOP, errno.ENOTDIR, errno.ENXIO)
"""How a name ends that is gone, or another thing than it was a moment ago."""
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV, *_GONE)
_AGAIN = "somebody goes on replacing it at the target"
BESIDE = ".openkeel-copy-"
"""How the names of what is not whole yet begin."""


def _removed(folder: int, root: int, error: OSError) -> bool:
    """Whether an error is that of a folder that was removed by another client of a share that is still there.

    A name that nobody has asked for makes a client ask the server instead of its memory.
    """
    if error.errno != errno.ESTALE:
        return False
    try:
        os.fstat(folder)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            os.stat(f"{BESIDE}{os.urandom(8).hex()}", dir_fd=root)
        return True
    return False


@contextlib.contextmanager
def _reading(name: str, folder: int) -> Iterator[int]:
    """A file to read, which keeps its time of access where that can be had."""
    with of_source():
        try:
            made = os.open(name, _READ | os.O_NOATIME, dir_fd=folder)
        except PermissionError:
            made = os.open(name, _READ, dir_fd=folder)
    try:
        yield made
    finally:
        os.close(made)


@dataclass(slots=True)
class _Linked:
    """A file with several names that is copied already."""

    path: str
    """Its first name at the target, below the root."""
    known: Identity
    """What it is there."""
    left: int
    """Names that are still to come, if all are in the tree."""


@dataclass(slots=True)
class _Level:
    """A folder that is being copied: what it was before (None if it is gone), and the names that are left.

    ``before``: when the target's was changed last, in nanoseconds, before the copy came to it.
    """

    path: str
    found: os.stat_result | None
    names: list[str]
    before: int = -1


@dataclass(slots=True)
class Copy:
    """One copy of the tree at ``source`` over the one at ``target``: what is there and not in the source stays.

    Args:
        ignore: names of files and folders that are left out wherever they are.
        verify: what is read back from the target and compared.
        mark: tells this copy from others at the same target; a run that died has left names with it, which go.
        with_root: give the root folder what the source's has.
    """

    source: str
    target: str
    ignore: Collection[str] = ()
    verify: contents.Verify = "none"
    mark: str = "0"
    with_root: bool = True
    progress: Progress = field(default_factory=Progress)
    _cancelled: bool = False
    _root: int = -1
    """Descriptor of the target's root."""
    _unplaced: str | None = None
    """The name that a thing has until it is whole."""
    _links: dict[Identity, _Linked] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _run: str = field(default_factory=lambda: os.urandom(4).hex())
    """Tells this process's names from those of one that has lost its task and has not noticed."""

    def cancel(self) -> None:
        """Let ``run`` end soon; from any thread."""
        self._cancelled = True

    def run(self) -> None:
        """Copy; blocks, so it is for a thread.

        Raises:
            ShareDataCopyCancelled: ``cancel`` was called. ShareDataCopyFailed: what cannot be copied, and why.
        """
        try:
            # the roots may be reached through a link, what is below may not
            flags = os.O_RDONLY | os.O_DIRECTORY
            with descriptor(self.source, flags) as source, descriptor(self.target, flags) as self._root:
                self._measure(source)
                self._tree(source)
        except OSError as error:
            raise ShareDataCopyFailed(reason=f"{self.progress.path or 'root'}: {explained(error)}") from error
        self.progress.completed = True

    def _go_on(self) -> None:
        if self._cancelled:
            raise ShareDataCopyCancelled

    # ---- the walk

    def _names(self, folder: int) -> list[str]:
        """In the order in which ``pop`` takes them."""
        return sorted((name for name in os.listdir(folder) if name not in self.ignore), reverse=True)

    def _measure(self, source: int) -> None:
        """Count names and bytes of all below a folder; a file with several names counts once."""
        seen: set[Identity] = set()
        with Trail(source) as trail:
            levels = [self._names(source)]
            while levels:
                self._go_on()
                if not levels[-1]:
                    levels.pop()
                    while levels and not trail.up():
                        levels.pop()
                    continue
                name = levels[-1].pop()
                try:
                    found = os.stat(name, dir_fd=trail.here, follow_symlinks=False)
                    self.progress.names += 1
                    if stat.S_ISDIR(found.st_mode):
                        trail.down(name)
                        levels.append(self._names(trail.here))
                except OSError as error:
                    if error.errno not in _GONE:
                        self.progress.path = readable(name)
                        raise
                    continue
                if stat.S_ISREG(found.st_mode) and identity(found) not in seen:
                    self.progress.total += found.st_size
                    if found.st_nlink > 1:
                        seen.add(identity(found))

    def _tree(self, source: int) -> None:
        with Trail(source) as here, Trail(self._root) as there:
            levels = [self._enter(here.here, there.here, "", self.with_root)]
            while levels:
                self._go_on()
                level = levels[-1]
                try:
                    if level.names:
                        self._next(here, there, levels)
                        continue
                    self._leave(here.here, there.here, level)
                except OSError as error:
                    if not _removed(here.here, source, error):
                        raise
                    self.progress.notice(level.path, "was removed while it was copied; its rest is left out")
                levels.pop()
                self.progress.done += 1
                # both are left, whether or not the first is reached
                while levels and not (here.up() & there.up()):
                    self.progress.notice(levels.pop().path, "was moved while it was copied; its rest is left out")

    def _next(self, here: Trail, there: Trail, levels: list[_Level]) -> None:
        """Copy what has the next name of the last folder, which is a further level if it is a folder."""
        name = levels[-1].names.pop()
        path = os.path.join(levels[-1].path, name)
        self.progress.path = readable(path)
        if not self._entry(here, there, name, path):
            self.progress.done += 1
            return
        try:
            levels.append(self._enter(here.here, there.here, path))
        except SourceFailed as error:
            if error.errno not in _GONE:
                raise
            self.progress.notice(path, "was removed while it was copied")
            levels.append(_Level(path, None, []))

    def _enter(self, source: int, target: int, path: str, ours: bool = True) -> _Level:
        with of_source():
            found, names = os.fstat(source), self._names(source)
        before = os.fstat(target).st_mtime_ns
        if ours:
            attributes.narrow(target, found)
        for name in os.listdir(target):
            if name.startswith(self._beside):
                with contextlib.suppress(IsADirectoryError, FileNotFoundError):
                    os.unlink(name, dir_fd=target)
        return _Level(path, found, names, before)

    def _leave(self, source: int, target: int, level: _Level) -> None:
        if level.found is not None and (level.path or self.with_root):
            self.progress.path = readable(level.path) or None
            self.progress.lose(attributes.put(source, target, level.found))
            if level.found.st_mtime_ns == level.before:
                attributes.stir(target, level.found)
        with contextlib.suppress(OSError):
            # the files are synced, and some file systems sync no folders
            os.fsync(target)

    def _entry(self, here: Trail, there: Trail, name: str, path: str) -> bool:
        """Copy what has a name; for a folder be in it on both sides and return True."""
        for attempt in range(TRIES):
            try:
                found = os.stat(name, dir_fd=here.here, follow_symlinks=False)
            except FileNotFoundError:
                break
            try:
                if stat.S_ISDIR(found.st_mode):
                    self._folder(here, there, name)
                    return True
                if not self._linked(there.here, name, found):
                    if stat.S_ISREG(found.st_mode):
                        self._file(here.here, there.here, name, path)
                    else:
                        self._special(here.here, there.here, name, path, found)
                return False
            except SourceFailed as error:
                if error.errno not in _GONE:
                    raise
            except Replaced:
                if attempt == TRIES - 1:
                    raise
        self.progress.notice(path, "went or became another thing while it was copied, and is left out")
        return False

    # ---- one thing

    @property
    def _beside(self) -> str:
        return f"{BESIDE}{self.mark}-"

    @contextlib.contextmanager
    def _new(self, target: int) -> Iterator[str]:
        """A name for what is not whole yet; nothing has it afterwards."""
        name = self._unplaced = f"{self._beside}{self._run}-{next(self._numbers)}"
        try:
            yield name
        except FileExistsError as error:
            raise Replaced(errno.ESTALE, "somebody takes the names that copies need at the target") from error
        except FileNotFoundError as error:
            raise Replaced(errno.ESTALE, "somebody removed the folder at the target") from error
        finally:
            if self._unplaced is not None:
                with contextlib.suppress(FileNotFoundError, IsADirectoryError):
                    os.unlink(name, dir_fd=target)

    def _place(self, target: int, new: str, name: str, known: Identity | None = None) -> Identity:
        """Put what is whole in the place of what has the name, and say what it is.

        Raises:
            Replaced: somebody was faster, with another thing than ``known``.
        """
        try:
            with contextlib.suppress(FileNotFoundError):
                if stat.S_ISDIR(os.stat(name, dir_fd=target, follow_symlinks=False).st_mode):
                    remove(target, name)
            os.rename(new, name, src_dir_fd=target, dst_dir_fd=target)
            placed = identity(os.stat(name, dir_fd=target, follow_symlinks=False))
        except OSError as error:
            if error.errno in (errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST, *_GONE):
                raise Replaced(errno.ESTALE, _AGAIN) from error
            raise
        if known not in (None, placed):
            raise Replaced(errno.ESTALE, _AGAIN)
        self._unplaced = None
        return placed

    def _folder(self, here: Trail, there: Trail, name: str) -> None:
        """Go down on both sides; what is in the way at the target is removed."""
        with of_source():
            here.down(name)
        try:
            with contextlib.suppress(FileNotFoundError):
                if not stat.S_ISDIR(os.stat(name, dir_fd=there.here, follow_symlinks=False).st_mode):
                    os.unlink(name, dir_fd=there.here)
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=there.here)
            there.down(name)
        except OSError as error:
            here.up()
            if error.errno in (errno.EISDIR, *_GONE):
                raise Replaced(errno.ESTALE, _AGAIN) from error
            raise

    def _linked(self, target: int, name: str, found: os.stat_result) -> bool:
        """Make a further name of a file that is copied already; False when there is none, or no such links."""
        first = self._links.get(identity(found)) if found.st_nlink > 1 else None
        if first is None:
            return False
        *folders, other = first.path.split("/")
        try:
            with Trail(self._root) as trail, self._new(target) as new:
                for one in folders:
                    trail.down(one)
                os.link(other, new, src_dir_fd=trail.here, dst_dir_fd=target, follow_symlinks=False)
                if identity(os.stat(new, dir_fd=target, follow_symlinks=False)) != first.known:
                    return False
                self._place(target, new, name, first.known)
                # a rename to another name of the same file leaves both
                self._unplaced = new
        except OSError as error:
            if error.errno in _NO_LINKS and not isinstance(error, Replaced):
                return False
            raise
        first.left -= 1
        if first.left == 0:
            del self._links[identity(found)]
        return True

    def _remember(self, found: os.stat_result, path: str, placed: Identity) -> None:
        if found.st_nlink > 1:
            self._links[identity(found)] = _Linked(path, placed, found.st_nlink - 1)

    def _special(self, source: int, target: int, name: str, path: str, found: os.stat_result) -> None:
        """A symbolic link, a pipe, a socket or a device."""
        with self._new(target) as new:
            if stat.S_ISLNK(found.st_mode):
                with of_source():
                    leads_to = os.readlink(name, dir_fd=source)
                os.symlink(leads_to, new, dir_fd=target)
            else:
                try:
                    os.mknod(new, stat.S_IFMT(found.st_mode) | 0o600, found.st_rdev, dir_fd=target)
                except OSError as error:
                    if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.EINVAL):
                        raise
                    self.progress.notice(path, f"cannot be made at the target, and is left out: {error.strerror}")
                    return
            attributes.put_named(target, new, found)
            self._remember(found, path, self._place(target, new, name))

    def _file(self, source: int, target: int, name: str, path: str) -> None:
        with _reading(name, source) as reading:
            found = os.fstat(reading)
            if not stat.S_ISREG(found.st_mode):
                raise SourceFailed(errno.ENOENT, "it is no file any more")
            self.progress.file_size, self.progress.file_copied = found.st_size, 0
            start, wanted = self.progress.copied, contents.chosen(found.st_size, self.verify)
            for attempt in range(TRIES):
                self.progress.copied, self.progress.file_copied = start, 0
                with self._new(target) as new:
                    placed = self._whole(reading, target, new, name, found, wanted)
                if placed is not None:
                    break
                if attempt == TRIES - 1:
                    raise OSError(errno.EIO, "what is read back from the target is not what was written there")
                wanted = contents.EVERY
            self.progress.copied = start + found.st_size
            assert placed is not None
            self._remember(found, path, placed)
            if self._changed(source, name, reading, found):
                self.progress.change(path)

    def _whole(
        self, reading: int, target: int, new: str, name: str, found: os.stat_result, wanted: Container[int] | None
    ) -> Identity | None:
        """Write a file and put it in its place; None when it reads otherwise than it was written.

        Args:
            wanted: the chunks that are read back.
        """
        with descriptor(new, _NEW, target) as writing:
            poured = contents.pour(reading, writing, found.st_size, wanted, self._count)
            # before the attributes: what is written later changes the times, and takes setuid away
            os.fsync(writing)
            self.progress.lose(attributes.put(reading, writing, found))
            if wanted is not None:
                if contents.digest(writing, poured.size, wanted, self._go_on) != poured.digest:
                    return None
                self.progress.checked += 1
            return self._place(target, new, name, identity(os.fstat(writing)))

    def _changed(self, source: int, name: str, reading: int, found: os.stat_result) -> bool:
        """Whether a file was changed or replaced while it was read.

        An NFS client answers a look at an open file from memory for some seconds, so a large one is opened again.
        """
        now = os.fstat(reading)
        if found.st_size > contents.CHUNK:
            with contextlib.suppress(OSError), descriptor(name, _READ, source) as again:
                now = os.fstat(again)
        return (identity(now), now.st_size, now.st_mtime_ns) != (identity(found), found.st_size, found.st_mtime_ns)

    def _count(self, position: int) -> None:
        self._go_on()
        self.progress.copied += position - self.progress.file_copied
        self.progress.file_copied = position
