"""What the data service mounts, and how: by the configured commands, or as folders that stand for exports."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import re
import stat
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from generated.errors import ShareDataCopyFailed
from generated.settings import Settings
from worker.data.options import GUARDS, completed

LOG = structlog.get_logger("data")

COMMAND_SECONDS = 300.0
"""How long one mount or unmount may take."""


@dataclass(frozen=True, slots=True)
class Place:
    """An export and where it is to be mounted.

    ``mount`` and ``unmount`` are templates of commands, as the original's options have them: ``%(proto)s``,
    ``%(options)s``, ``%(export)s`` and ``%(path)s`` are filled in. A value is one argument whatever blanks it has;
    the options are split at blanks, after ``worker.data.options`` has added to them.
    """

    export: str
    path: pathlib.Path
    mount: str
    unmount: str
    proto: str = "nfs"
    options: str = field(default="", repr=False)

    def command(self, template: str) -> list[str]:
        """The words of a command. Raises ShareDataCopyFailed for a template that names something else."""
        values = {"proto": self.proto, "export": self.export, "path": str(self.path)}
        words: list[str] = []
        for word in template.split():
            if word == "%(options)s":
                words += completed(template, self.proto, self.options).split()
                continue
            try:
                words.append(word % values)
            except (KeyError, ValueError, TypeError) as error:
                raise ShareDataCopyFailed(reason=f"the command {template!r} cannot be filled in: {error}") from error
        return words


class Mounts(Protocol):
    """How an export becomes a folder. Both methods may be repeated."""

    async def mount(self, place: Place) -> None:
        """Make the export appear under ``place.path``; what was there from a run that died goes first.

        Raises:
            ShareDataCopyFailed: it cannot be mounted.
        """

    async def unmount(self, place: Place) -> None:
        """Take it away, with its mount point. Raises ShareDataCopyFailed: it cannot be unmounted."""

    async def check(self, place: Place) -> None:
        """Raise ShareDataCopyFailed unless the export is there: nothing may be copied to or from an empty folder."""


def mounts_of(settings: Settings) -> Mounts:
    """The way that the configuration asks for."""
    folders = settings.openkeel.data_folders
    return Folders(pathlib.Path(folders)) if folders else Commands()


def mounted(path: pathlib.Path) -> bool:
    """Whether something is mounted there, even a folder of the same file system."""
    return _flags(path) is not None


def _flags(path: pathlib.Path) -> set[str] | None:
    """The flags of what is mounted there, None for nothing.

    The kernel's list says it without a look at the path, which would wait for a server that is away.
    """
    wanted = os.path.join(os.path.realpath(path.parent), path.name)
    found = None
    for line in pathlib.Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines():
        words = line.split()
        if _OCTAL.sub(lambda one: chr(int(one[1], 8)), words[4]) == wanted:
            found = set(words[5].split(","))
    return found


_OCTAL = re.compile(r"\\([0-7]{3})")
"""How the kernel writes blanks and the like."""


async def release(path: pathlib.Path, command: list[str] | None = None) -> None:
    """Unmount, and remove the mount point. What does not end in time, or is refused, is detached.

    Raises:
        ShareDataCopyFailed: it is still mounted.
    """
    if mounted(path):
        for words in (command or ["umount", str(path)], ["umount", "-f", str(path)], ["umount", "-l", str(path)]):
            try:
                await _run(words)
            except ShareDataCopyFailed as error:
                LOG.warning("cannot unmount, trying harder", path=str(path), error=str(error))
            if not mounted(path):
                break
        else:
            raise ShareDataCopyFailed(reason=f"{path} cannot be unmounted")
    with contextlib.suppress(FileNotFoundError):
        await asyncio.to_thread(_remove_folder, path)


class Commands:
    """Runs the commands; who may mount what is a matter of the process's rights."""

    async def mount(self, place: Place) -> None:
        if mounted(place.path):
            await self.unmount(place)
        await asyncio.to_thread(_mount_point, place.path)
        try:
            await _run(place.command(place.mount))
            await self._guard(place.path)
        except ShareDataCopyFailed:
            if mounted(place.path):
                await self.unmount(place)
            with contextlib.suppress(OSError):
                place.path.rmdir()
            raise

    async def _guard(self, path: pathlib.Path) -> None:
        """Take setuid, devices and programs from what is mounted, whatever the command has done."""
        missing = set(GUARDS) - (_flags(path) or set(GUARDS))
        if not missing:
            return
        try:
            await _run(["mount", "-o", ",".join(("remount", "bind", *GUARDS)), str(path)])
        except ShareDataCopyFailed as error:
            raise ShareDataCopyFailed(
                reason=f"{path} lacks the mount options {', '.join(sorted(missing))}, add them to its command: {error}"
            ) from error

    async def unmount(self, place: Place) -> None:
        await release(place.path, place.command(place.unmount))

    async def check(self, place: Place) -> None:
        if not mounted(place.path):
            raise ShareDataCopyFailed(reason=f"nothing is mounted at {place.path}")


async def _run(words: list[str]) -> None:
    try:
        child = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
    except OSError as error:
        raise ShareDataCopyFailed(reason=f"{words[0]}: {error}") from error
    try:
        said, _ = await asyncio.wait_for(child.communicate(), COMMAND_SECONDS)
    except TimeoutError as error:
        raise ShareDataCopyFailed(reason=f"{words[0]} did not end in {COMMAND_SECONDS:.0f} s") from error
    finally:
        if child.returncode is None:
            child.kill()
    if child.returncode:
        text = said.decode(errors="replace").strip()
        raise ShareDataCopyFailed(reason=f"{words[0]} ended with status {child.returncode}: {text}")


def _mount_point(path: pathlib.Path) -> None:
    """Make the folder. Raises ShareDataCopyFailed: the name is another's, who would say where things are mounted."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise ShareDataCopyFailed(reason=f"the mount point {path} cannot be made: {error}") from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise ShareDataCopyFailed(reason=f"the mount point {path} belongs to somebody else; remove it")


def _remove_folder(path: pathlib.Path) -> None:
    """Remove an empty mount point. Raises ShareDataCopyFailed: something is in it, so it is none."""
    try:
        path.rmdir()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ShareDataCopyFailed(reason=f"the mount point {path} cannot be removed: {error}") from error


class Folders:
    """Every export is a folder below ``root``, made when it is first asked for; mounting it is a symbolic link."""

    def __init__(self, root: pathlib.Path) -> None:
        self._root = root

    def folder(self, export: str) -> pathlib.Path:
        """The folder that stands for an export."""
        return self._root / re.sub(r"[^A-Za-z0-9._-]+", "_", export).lstrip(".")

    async def mount(self, place: Place) -> None:
        folder = self.folder(place.export)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            place.path.parent.mkdir(parents=True, exist_ok=True)
            await self.unmount(place)
            place.path.symlink_to(folder)
        except OSError as error:
            raise ShareDataCopyFailed(reason=str(error)) from error

    async def unmount(self, place: Place) -> None:
        if place.path.is_symlink():
            place.path.unlink()

    async def check(self, place: Place) -> None:
        if not place.path.is_symlink():
            raise ShareDataCopyFailed(reason=f"nothing is mounted at {place.path}")
