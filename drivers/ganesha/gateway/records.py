"""Records of a gateway's exports, on its state volume.

A record holds what was last published and the export's number, which is part of every file handle and therefore never
changes while the share lives. What was read once is known as long as this process lives, also if the volume answers
with errors later: who is to be shut out then must be found.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway import files
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from generated.errors import ShareBackendException

_LAST_ID: Final = 65535
_REMEMBERED: Final = 1000

_read: Final[dict[Path, dict[str, tuple[tuple[int, int], tuple[int, Export]]]]] = {}
"""Records of a gateway's folder that were read, with what tells whether the file is still the same."""


def names(folder: Path) -> list[str]:
    """Names of the records.

    Raises:
        OSError: they can't be read and never could.
    """
    try:
        return sorted(one.removesuffix(".json") for one in files.listed(folder / "records") if one.endswith(".json"))
    except OSError:
        if folder not in _read:
            raise
        return sorted(_read[folder])


def entries(folder: Path) -> dict[str, tuple[int, Export]]:
    """Number and export of each record; one that can't be read is as it was read last.

    Raises:
        OSError: one can't be read and never could.
    """
    known = _read.get(folder, {})
    found = {}
    for name in names(folder):
        file, entry = folder / "records" / f"{name}.json", known.get(name)
        try:
            looked = file.stat()
            stamp = looked.st_ino, looked.st_mtime_ns
            if entry is None or entry[0] != stamp:
                entry = stamp, _parsed(files.text(file))
        except FileNotFoundError:  # it went meanwhile
            continue
        except OSError:
            if entry is None:
                raise
        found[name] = entry
    _read[folder] = found
    return {name: entry for name, (_, entry) in found.items()}


def write(folder: Path, export: Export) -> int:
    """Write the record of ``export``; answers its number: the one that it ever had, or a new one."""
    present = entries(folder)
    used = {entry[0] for entry in present.values()}
    remembered = folder / "numbers" / export.name
    if export.name in present:
        number = present[export.name][0]
    else:
        before = int(files.read(remembered) or 0)
        number = before if before and before not in used else _new_number(folder, used)
        remembered.parent.mkdir(exist_ok=True)
        files.write(remembered, str(number))
        _forget_oldest(remembered.parent, set(present) | {export.name})
    files.write(folder / "records" / f"{export.name}.json", json.dumps(asdict(export) | {"number": number}))
    return number


def remove(folder: Path, name: str) -> None:
    """Remove a record, if there is one."""
    files.remove(folder / "records" / f"{name}.json")


def forget(folder: Path, name: str) -> None:
    """The next Ganesha does not have this export.

    Raises:
        OSError: it has, in one of the places at least.
    """
    complaint = None
    for place in ("exports.d", "exports.held"):
        try:
            files.remove(folder / place / f"{name}.conf")
        except OSError as error:
            complaint = complaint or error
    if complaint:
        raise complaint


def _parsed(text: str) -> tuple[int, Export]:
    document = json.loads(text)
    number = document.pop("number")
    document["clients"] = tuple(Client(**client) for client in document["clients"])
    return number, Export(**document)


def _forget_oldest(numbers: Path, living: set[str]) -> None:
    """Of the numbers of exports that went, keep the last: one that comes back has its file handles again."""
    gone = [file for file in numbers.iterdir() if file.name not in living]
    for file in sorted(gone, key=lambda one: one.stat().st_mtime)[: -_REMEMBERED or None]:
        file.unlink(missing_ok=True)


def _new_number(folder: Path, used: set[int]) -> int:
    """The next number; one is used again only after all others, so that old file handles stay stale."""
    last = int(files.read(folder / "last-number") or 0)
    for step in range(1, _LAST_ID + 1):
        number = (last + step - 1) % _LAST_ID + 1
        if number not in used:
            files.write(folder / "last-number", str(number))
            return number
    raise ShareBackendException(msg="gateway has no export number left")
