"""The identity of each share's file system, as Ganesha puts it into file handles.

Ganesha asks libblkid for the UUID of the device that is mounted. In a pod it can open no device, and would fall back
to the device's number: after a move to another node, or a revert, every file handle of every client would be stale. And
two volumes of one snapshot have one UUID. So libblkid is given its cache file, where each share has an identity that
follows from its name: it may stat a node of the device, may not open it, and then takes what the file says.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway import files

_NAMESPACE: Final = uuid.UUID("8d0f7f4e-36a4-5e0c-9a1e-6f0b3c9a7d52")


def identity(name: str) -> str:
    """UUID of the file system of a share or a snapshot's view."""
    return str(uuid.uuid5(_NAMESPACE, name))


def render(names: Iterable[str], devices: Path) -> str:
    """libblkid's cache file for these shares, whose device nodes are in ``devices``."""
    return "".join(
        f'<device DEVNO="0x0000" TIME="1.0" UUID="{identity(name)}" TYPE="xfs">{devices / name}</device>\n'
        for name in sorted(names)
    )


def write(file: Path, names: Iterable[str], devices: Path) -> None:
    """Write that file, if it is another one than before."""
    text = render(names, devices)
    if files.read(file) != text:
        files.write(file, text)
