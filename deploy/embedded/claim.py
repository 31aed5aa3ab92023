"""Who may use the folder of an embedded installation: one process at a time, and never over somebody's own files."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import shutil
from collections.abc import Iterator

PROCESS = "process"
"""File in the folder: the number of the process that the installation runs in."""
CONFIGURATION = "manila.conf"


class Taken(Exception):
    """The folder is in use, or holds what no installation has put there. The text says what to do."""


@contextlib.contextmanager
def claimed(folder: pathlib.Path) -> Iterator[None]:
    """A folder for this process alone, for the time of the block: a second installation would empty it.

    Raises:
        Taken: by another process, or by files of somebody's own.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = {one.name for one in folder.iterdir()}
    if names and not names & {PROCESS, CONFIGURATION}:
        raise Taken(f"{folder} holds files of your own, and would be emptied: name an empty folder, or a new one")
    with _locked(folder, fcntl.LOCK_EX) as alone:
        if not alone:
            raise Taken(_in_use(folder))
        yield


def in_use(folder: pathlib.Path) -> bool:
    """Whether an installation runs on a folder."""
    if not folder.is_dir():
        return False
    with _locked(folder, fcntl.LOCK_SH) as free:
        return not free


def emptied(folder: pathlib.Path) -> None:
    """Remove what an earlier installation left in its folder, and write down whose it is now.

    The folder itself stays, since its lock belongs to it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for one in folder.iterdir():
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one, ignore_errors=True)
        else:
            one.unlink()
    (folder / PROCESS).write_text(f"{os.getpid()}\n")


@contextlib.contextmanager
def _locked(folder: pathlib.Path, kind: int) -> Iterator[bool]:
    """Hold a lock of the folder for the time of the block; False: another process has it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
            ours = True
        except BlockingIOError:
            ours = False
        yield ours
    finally:
        os.close(handle)


def _in_use(folder: pathlib.Path) -> str:
    try:
        process = (folder / PROCESS).read_text().strip()
    except OSError:  # it begins just now
        process = ""
    return (
        f"a demonstration runs on {folder} already{process and f', process {process}'}\n"
        f"use it:             export OS_CLIENT_CONFIG_FILE={folder}/clouds.yaml\n"
        f"end it:             Ctrl-C in its terminal{process and f', or kill {process}'}\n"
        "another beside it:  python3 noxfile.py demo -- --keep --folder FOLDER"
    )
