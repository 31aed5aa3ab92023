"""Ganesha as it is started: the machine's own, or one in a folder that ``fetch`` made.

A folder holds Debian packages unpacked, and a list of them with a hash of each file. Its program runs under its own
loader with its own libraries, so the machine's may be older. The loader has the program's name by a link, so the
process has it, too.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drivers.ganesha.program import pins

NAME: Final = "ganesha.nfsd"
LIST: Final = "packages.json"
LOADER: Final = f"bin/{NAME}"


class Unusable(Exception):
    """A Ganesha can't be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Program:
    """A Ganesha.

    Attributes:
        words: the command to which arguments are added.
        plugins: folder of its modules; empty: where it looks without being told.
        version: major and minor.
        identity: differs where a gateway must be started again to run this one.
    """

    words: tuple[str, ...]
    plugins: str
    version: tuple[int, int]
    identity: str

    @property
    def release(self) -> str:
        """The version as Ganesha writes it."""
        return ".".join(map(str, self.version))

    @property
    def old(self) -> bool:
        """Whether it is older than what tenants' data is safe with."""
        return self.version < pins.OLDEST


def of_machine() -> Program | None:
    """The one that is installed; None without one. Raises Unusable: it does not say its version."""
    path = shutil.which(NAME, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]))
    if path is None:
        return None
    version = _version((path,))
    return Program((path,), "", version, ".".join(map(str, version)))


def in_folder(root: Path, *, checked: bool = True) -> Program:
    """The one in a folder.

    Args:
        checked: compare every file with its hash (23 MB, less than 0.1 s).

    Raises:
        Unusable: the folder is missing, incomplete or changed.
    """
    listed = contents(root)
    if listed is None:
        raise Unusable(f"{root} holds no NFS-Ganesha; `manila-manage ganesha fetch --into {root}` fetches one")
    if checked and (wrong := difference(root, listed["files"])):
        text = f"{root} is damaged ({wrong}); `manila-manage ganesha fetch --into {root}` mends it"
        raise Unusable(text)
    words = command(root)
    version = _version(words)
    mark = hashlib.sha256(json.dumps(listed["packages"], sort_keys=True).encode()).hexdigest()[:12]
    return Program(words, str(libraries(root) / "ganesha"), version, f"{'.'.join(map(str, version))} {mark}")


def chosen(root: Path | None, *, checked: bool = True) -> Program:
    """The one in ``root``; without a folder, the machine's. Raises Unusable: there is none."""
    if root is not None:
        return in_folder(root, checked=checked)
    found = of_machine()
    if found is None:
        raise Unusable(f"there is no {NAME} on this machine; " + WAY_OUT)
    return found


WAY_OUT: Final = (
    "`manila-manage ganesha fetch --into FOLDER` fetches a Ganesha of its own from Debian, "
    "which the option ganesha_root = FOLDER then names"
)


def contents(root: Path) -> dict[str, dict[str, str]] | None:
    """What a folder says it holds: ``packages`` with versions, ``files`` with hashes; None if it is not whole."""
    try:
        listed: dict[str, dict[str, str]] = json.loads((root / LIST).read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return listed if {"packages", "files"} <= listed.keys() else None


def hashes(root: Path) -> dict[str, str]:
    """Path -> hash of each file, target of each link, below ``root``; its list is left out."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file() and name != LIST:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def difference(root: Path, files: Mapping[str, str]) -> str:
    """What is not as the list says, in words; empty if all is."""
    there = hashes(root)
    for name in sorted(files.keys() | there.keys()):
        if name not in there:
            return f"{name} is missing"
        if there[name] != files.get(name):
            return f"{name} is not what was fetched"
    return ""


def libraries(root: Path) -> Path:
    """The folder of the libraries. Raises Unusable: there is none."""
    found = sorted(root.glob("usr/lib/*-linux-gnu*/libc.so.6"))
    if not found:
        raise Unusable(f"{root} has no C library")
    return found[0].parent


def command(root: Path) -> tuple[str, ...]:
    """The command that starts the program of a folder."""
    folders = f"{root}/usr/lib/ganesha:{libraries(root)}"
    return (str(root / LOADER), "--library-path", folders, str(root / "usr/bin" / NAME))


def _version(words: tuple[str, ...]) -> tuple[int, int]:
    try:
        done = subprocess.run([*words, "-v"], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable(f"{words[0]} does not start: {error}") from error
    if found := re.search(r"V(\d+)\.(\d+)", done.stdout):
        return int(found[1]), int(found[2])
    raise Unusable(f"{words[0]} does not say its version: {(done.stdout + done.stderr).strip()[-200:]}")
