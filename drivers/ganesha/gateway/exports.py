"""Exports of gateways with a folder: one record and one configuration file each, told over the private bus.

A record holds what was last published and the export's number, which is part of every file handle and therefore never
changes while the share lives. The configuration file gets into ``exports.d`` (read at the next start of Ganesha) only
after the running Ganesha took it: one bad file there would keep it from starting at all.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway import config, files
from drivers.ganesha.gateway.control import Control
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from generated.errors import ShareBackendException

_LAST_ID: Final = 65535


Admit = Callable[[str, Iterable[Client]], Awaitable[None]]
"""Lets exactly these clients through the packet filter of a server's gateway."""


class FolderExports:
    """The port ``Exports`` where the folders of the gateways are at hand.

    Args:
        folder: of a server's gateway: ``bus``, ``exports.d``, ``exports.held``, ``records``, ``staging``.
        timeout: seconds one call to a gateway may take.
    """

    def __init__(self, folder: Callable[[str], Path], admit: Admit, timeout: float) -> None:
        self._folder, self._admit, self._timeout = folder, admit, timeout

    async def names(self, server_id: str) -> list[str]:
        """Names of the records."""
        return sorted(_records(self._folder(server_id)))

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
            if not await self._is_published(folder, export):
                number = _record(folder, export)
                await self._tell(folder, export, number)
                files.write(folder / "exports.d" / f"{export.name}.conf", config.export(export, number))
                (folder / "exports.held" / f"{export.name}.conf").unlink(missing_ok=True)
            await self._filter(server_id, folder)

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
        for place in ("exports.d", "exports.held"):
            (folder / place / f"{name}.conf").unlink(missing_ok=True)
        entry = _records(folder).get(name)
        if entry is None:
            return
        number, export = entry
        control = self._control(folder)
        if number in await control.shown():
            await self._tell(folder, Export(export.name, export.path, export.squash), number)
            await control.remove(number)

    async def _tell(self, folder: Path, export: Export, number: int) -> None:
        staged = folder / "staging" / f"{export.name}.conf"
        staged.write_text(config.export(export, number))
        await self._control(folder).update(staged, number)
        staged.unlink(missing_ok=True)

    async def _filter(self, server_id: str, folder: Path) -> None:
        clients = [client for _, export in _records(folder).values() for client in export.clients]
        await self._admit(server_id, clients)

    def _control(self, folder: Path) -> Control:
        return Control(folder / "bus", self._timeout)


def _records(folder: Path) -> dict[str, tuple[int, Export]]:
    """Number and export of each record."""
    found = {}
    for file in (folder / "records").glob("*.json"):
        document = json.loads(file.read_text())
        number = document.pop("number")
        document["clients"] = tuple(Client(**client) for client in document["clients"])
        found[file.stem] = number, Export(**document)
    return found


def _record(folder: Path, export: Export) -> int:
    """Write the record of ``export``; answers its number, a new one for a new export."""
    records = _records(folder)
    if export.name in records:
        number = records[export.name][0]
    else:
        number = _new_number(folder, {entry[0] for entry in records.values()})
    files.write(folder / "records" / f"{export.name}.json", json.dumps(asdict(export) | {"number": number}))
    return number


def _new_number(folder: Path, used: set[int]) -> int:
    """The next number; one is used again only after all others, so that old file handles stay stale."""
    last = int(files.read(folder / "last-number") or 0)
    for step in range(1, _LAST_ID + 1):
        number = (last + step - 1) % _LAST_ID + 1
        if number not in used:
            files.write(folder / "last-number", str(number))
            return number
    raise ShareBackendException(msg="gateway has no export number left")
