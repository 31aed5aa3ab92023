"""Folders of trees that belong to tenants, reached by descriptors alone, and the removal of such trees.

A folder is opened from its parent's descriptor without following a symbolic link, so no link that a tenant places,
before or meanwhile, leads out of the tree. Trees may be deeper than a process has descriptors.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

KEPT = 16
"""Folders of one trail that stay open; those above are opened again on the way back."""
TRIES = 3
"""How often something is done again that somebody else at work in the tree has disturbed."""
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
Identity = tuple[int, int]
"""Device and inode."""


class Replaced(OSError):
    """A name is another thing than a moment ago: somebody else works in the tree."""


class SourceFailed(OSError):
    """The tree that is copied cannot be read; other errors are the target's."""


@contextlib.contextmanager
def of_source() -> Iterator[None]:
    """Tell errors of the source from the target's."""
    try:
        yield
    except OSError as error:
        raise SourceFailed(error.errno, error.strerror) from error


def identity(found: os.stat_result) -> Identity:
    """What tells an inode from others while it exists."""
    return found.st_dev, found.st_ino


@contextlib.contextmanager
def descriptor(name: str, flags: int, folder: int | None = None, mode: int = 0o600) -> Iterator[int]:
    """An open file, closed at the end; an error that only closing shows is raised."""
    made = os.open(name, flags, mode, dir_fd=folder)
    try:
        yield made
    except BaseException:
        with contextlib.suppress(OSError):
            os.close(made)
        raise
    os.close(made)


@dataclass(slots=True)
class _Step:
    name: str
    known: Identity
    folder: int | None
    """Its descriptor, while it is kept open."""


class Trail:
    """The folders from a tree's root to the one at work.

    Args:
        root: descriptor of the root, which stays open and belongs to the caller.
    """

    def __init__(self, root: int) -> None:
        self._steps = [_Step("", identity(os.fstat(root)), root)]

    def __enter__(self) -> Trail:
        return self

    def __exit__(self, *_: object) -> None:
        for step in self._steps[1:]:
            _close(step)

    @property
    def here(self) -> int:
        """Descriptor of the folder at work."""
        folder = self._steps[-1].folder
        assert folder is not None, "up() said that the folder is out of reach"
        return folder

    def down(self, name: str) -> None:
        """Go to a folder below. Raises OSError: it is gone, or no folder (any more)."""
        folder = os.open(name, FOLDER, dir_fd=self.here)
        self._steps.append(_Step(name, identity(os.fstat(folder)), folder))
        if (far := len(self._steps) - 1 - KEPT) > 0:
            _close(self._steps[far])

    def up(self) -> bool:
        """Go back; whether the folder can be reached: somebody may have moved it. From the root's it always can."""
        left, step = self._steps.pop(), self._steps[-1]
        try:
            if step.folder is None:
                step.folder = self._parent(left, step.known)
            if step.folder is None:
                step.folder = self._from_above()
        finally:
            _close(left)
        return step.folder is not None

    def _parent(self, left: _Step, known: Identity) -> int | None:
        if left.folder is None:
            return None
        with contextlib.suppress(OSError):
            return _expected(os.open("..", FOLDER, dir_fd=left.folder), known)
        return None

    def _from_above(self) -> int | None:
        """Open the last folder by the names from the nearest one that is open."""
        nearest = max(index for index, step in enumerate(self._steps) if step.folder is not None)
        folder = self._steps[nearest].folder
        with contextlib.ExitStack() as stack:
            for step in self._steps[nearest + 1 :]:
                try:
                    below = _expected(os.open(step.name, FOLDER, dir_fd=folder), step.known)
                except OSError:
                    return None
                if below is None or step is self._steps[-1]:
                    return below
                stack.callback(os.close, below)
                folder = below
        return None


def _close(step: _Step) -> None:
    if step.folder is not None:
        os.close(step.folder)
        step.folder = None


def _expected(folder: int, known: Identity) -> int | None:
    if identity(os.fstat(folder)) == known:
        return folder
    os.close(folder)
    return None


def remove(folder: int, name: str) -> None:
    """Remove a file, or a folder with everything below it; what is gone already is right.

    Raises:
        OSError: it cannot be removed, or somebody goes on filling it.
    """
    if _unlinked(folder, name):
        return
    with Trail(folder) as trail:
        levels: list[tuple[str, list[str], int]] = []
        _deeper(trail, name, levels, TRIES)
        while levels:
            above, names, tries = levels[-1]
            if names:
                below = names.pop()
                if not _unlinked(trail.here, below):
                    _deeper(trail, below, levels, TRIES)
                continue
            levels.pop()
            if not trail.up():
                raise OSError(errno.ESTALE, "a folder was moved while it was removed")
            try:
                os.rmdir(above, dir_fd=trail.here)
            except FileNotFoundError:
                pass
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or tries == 1:
                    raise
                _deeper(trail, above, levels, tries - 1)


def _unlinked(folder: int, name: str) -> bool:
    """Whether the name is gone; False for a folder."""
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return True
    except OSError as error:
        # POSIX lets unlink of a folder end with EPERM
        if error.errno not in (errno.EISDIR, errno.EPERM):
            raise
        if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise
        return False
    return True


def _deeper(trail: Trail, name: str, levels: list[tuple[str, list[str], int]], tries: int) -> None:
    try:
        trail.down(name)
    except FileNotFoundError:
        return
    levels.append((name, os.listdir(trail.here), tries))
