"""Ganesha's records of the clients that may claim their locks after a restart, kept over a change of its release.

Ganesha 4 has a folder for each client below ``v4recov/node0``, 9 below ``v4recov``; a client whose record is not found
loses its locks. The records of the run before are in ``v4old``, in the same way.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_NODE: Final = "node0"
_FLAT: Final = (9, 0)
"""From here on there is no folder of a node."""


def carry_over(recovery: Path, version: tuple[int, int]) -> int:
    """Put the records of an older release where ``version`` looks for them; how many there were.

    Call it while no Ganesha runs on the folder. It may be called again after it was cut short.

    Raises:
        OSError: the disk refuses it.
    """
    moved = 0
    for folder in (recovery / "v4recov", recovery / "v4old") if version >= _FLAT else ():
        old = folder / _NODE
        if not old.is_dir():
            continue
        for record in sorted(old.iterdir()):
            if not (folder / record.name).exists():
                _complete(record)
                record.rename(folder / record.name)
                moved += 1
        if not any(old.iterdir()):
            old.rmdir()
    return moved


def _complete(record: Path) -> None:
    """Note that a client had claimed all it had; a long name is a row of folders, the last of which is the record."""
    below = [one for one in record.iterdir() if one.is_dir()]
    for one in below:
        _complete(one)
    if not below:
        (record / "reclaim_complete").touch()
