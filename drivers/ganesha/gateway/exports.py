"""Exports of gateways with a folder: one record and one configuration file each, told over the private bus.

A record holds what was last published and the export's number, which is part of every file handle and therefore never
changes while the share lives. The configuration file gets into ``exports.d`` (read at the next start of Ganesha) only
after the running Ganesha took it: one bad file there would keep it from starting at all.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway import config, files
from drivers.ganesha.gateway.control import Control
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from generated.errors import ShareBackendException

_LAST_ID: Final = 65535
_REMEMBERED: Final = 1000
FOLDERS: Final = ("exports.d", "exports.held", "records", "numbers", "staging", "recovery", "ccache")
"""What a gateway's folder has in it."""


Admit = Callable[[str, Iterable[Client]], Awaitable[None]]
"""Lets exactly these clients through the packet filter of a server's gateway."""


class FolderExports:
    """The port ``Exports`` where the folders of the gateways are at hand.

    Args:
        folder: of a server's gateway: ``bus`` and ``FOLDERS``.
        timeout: seconds one call to a gateway may take.
        bus: the bus, where it is not in that folder.
    """

    def __init__(self, folder: Callable[[str], Path], admit: Admit, timeout: float, bus: Path | None = None) -> None:
        self._folder, self._admit, self._timeout, self._bus = folder, admit, timeout, bus

    async def names(self, server_id: str) -> list[str]:
        """Names of the records."""
        return sorted(file.stem for file in (self._folder(server_id) / "records").glob("*.json"))

    async def find(self, server_id: str, name: str) -> Export | None:
        """The record's export."""
        entry = _records(self._folder(server_id)).get(name)
        return entry[1] if entry else None

    async def publish(self, server_id: str, export: Export) -> None:
        """Record, tell Ganesha, keep for its next start, open the packet filter."""
        folder = self._folder(server_id)
        async with files.locked(folder / "lock"):
            if not files.mounted(Path(export.path)):
                raise ShareBackendException(msg=f"volume of share {export.name} is not mounted")
            try:
                if not await self._is_published(folder, export):
                    number = _record(folder, export)
                    await self._tell(folder, export, number)
                    files.write(folder / "exports.d" / f"{export.name}.conf", config.export(export, number))
                    (folder / "exports.held" / f"{export.name}.conf").unlink(missing_ok=True)
            except OSError:
                await self._revoke(folder, export)
                raise
            finally:
                # who is cut off stays out, even if Ganesha could not be told
                await self._filter(server_id, folder)

    async def _revoke(self, folder: Path, export: Export) -> None:
        """What is wanted can't be written, as on a full disk: who is not wanted any more is out all the same.

        The next Ganesha does not export it before it can be written.
        """
        number, before = _records(folder).get(export.name, (0, export))
        kept = tuple(one for one in before.clients if one in export.clients)
        if kept == before.clients:
            return
        _forget(folder, export.name)
        if number in await self._control(folder).shown():
            await self._tell(folder, replace(before, clients=kept), number)

    async def refilter(self, server_id: str) -> None:
        """Let the recorded clients through the packet filter, and nobody else."""
        await self._filter(server_id, self._folder(server_id))

    def numbers(self, server_id: str) -> dict[str, int]:
        """Number of each recorded export."""
        return {name: number for name, (number, _) in _records(self._folder(server_id)).items()}

    async def _is_published(self, folder: Path, export: Export) -> bool:
        """Whether Ganesha is known to have exactly this.

        An update makes it drop a request now and then, which the client has to send again. The record is written before
        Ganesha is told and the configuration after it, so only when both say the same no update was cut short.
        """
        number, recorded = _records(folder).get(export.name, (0, None))
        if recorded != export:
            return False
        kept = files.read(folder / "exports.d" / f"{export.name}.conf")
        return kept == config.export(export, number) and number in await self._control(folder).shown()

    async def suspend(self, server_id: str, name: str) -> None:
        """Cut access, then remove the export; the record stays."""
        folder = self._folder(server_id)
        if not folder.exists():
            return
        async with files.locked(folder / "lock"):
            await self._take_off(folder, name)

    async def withdraw(self, server_id: str, name: str) -> None:
        """Cut access, remove the export, then the record."""
        folder = self._folder(server_id)
        if not folder.exists():
            return
        async with files.locked(folder / "lock"):
            await self._take_off(folder, name)
            (folder / "records" / f"{name}.json").unlink(missing_ok=True)
            await self._filter(server_id, folder)

    async def _take_off(self, folder: Path, name: str) -> None:
        _forget(folder, name)
        entry = _records(folder).get(name)
        if entry is None:
            return
        number, export = entry
        control = self._control(folder)
        if number in await control.shown():
            await self._tell(folder, Export(export.name, export.path, export.squash), number)
            await control.remove(number)

    async def _tell(self, folder: Path, export: Export, number: int) -> None:
        # in a pod the bus is in memory, where there is room when the disk is full
        staged = (self._bus.parent if self._bus else folder / "staging") / f"{export.name}.conf"
        staged.write_text(config.export(export, number))
        await self._control(folder).update(staged, number)
        staged.unlink(missing_ok=True)

    async def _filter(self, server_id: str, folder: Path) -> None:
        clients = [client for _, export in _records(folder).values() for client in export.clients]
        await self._admit(server_id, clients)

    def _control(self, folder: Path) -> Control:
        return Control(self._bus or folder / "bus", self._timeout)


_read: Final[dict[Path, tuple[tuple[int, int], tuple[int, Export]]]] = {}
"""Records that were read, with what tells whether the file is still the same."""


def _records(folder: Path) -> dict[str, tuple[int, Export]]:
    """Number and export of each record."""
    found = {}
    for file in (folder / "records").glob("*.json"):
        looked = file.stat()
        stamp = looked.st_ino, looked.st_mtime_ns
        known = _read.get(file)
        if known is None or known[0] != stamp:
            known = _read[file] = stamp, _parsed(file)
        found[file.stem] = known[1]
    for gone in [one for one in _read if one.parent.parent == folder and one.stem not in found]:
        _read.pop(gone, None)
    return found


def _forget(folder: Path, name: str) -> None:
    """The next Ganesha does not have this export."""
    for place in ("exports.d", "exports.held"):
        (folder / place / f"{name}.conf").unlink(missing_ok=True)


def _parsed(file: Path) -> tuple[int, Export]:
    document = json.loads(file.read_text())
    number = document.pop("number")
    document["clients"] = tuple(Client(**client) for client in document["clients"])
    return number, Export(**document)


def _record(folder: Path, export: Export) -> int:
    """Write the record of ``export``; answers its number: the one that it ever had, or a new one."""
    records = _records(folder)
    used = {entry[0] for entry in records.values()}
    remembered = folder / "numbers" / export.name
    if export.name in records:
        number = records[export.name][0]
    else:
        before = int(files.read(remembered) or 0)
        number = before if before and before not in used else _new_number(folder, used)
        remembered.parent.mkdir(exist_ok=True)
        files.write(remembered, str(number))
        _forget_oldest(remembered.parent, set(records) | {export.name})
    files.write(folder / "records" / f"{export.name}.json", json.dumps(asdict(export) | {"number": number}))
    return number


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
