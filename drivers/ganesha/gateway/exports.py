"""Exports of gateways with a folder: one record and one configuration file each, told over the private bus.

The configuration file gets into ``exports.d`` (read at the next start of Ganesha) only after the running Ganesha took
it: one bad file there would keep it from starting at all.

What clients lose is taken from them even if nothing of it can be written. Until it can, Ganesha and the packet filter
let in who is both recorded and wanted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway import config, files, records
from drivers.ganesha.gateway.control import Control
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from generated.errors import ShareBackendException

FOLDERS: Final = ("exports.d", "exports.held", "records", "numbers", "staging", "recovery", "ccache")
"""What a gateway's folder has in it."""


Admit = Callable[[str, Iterable[Client]], Awaitable[None]]
"""Lets exactly these clients through the packet filter of a server's gateway."""


class FolderExports:
    """The port ``Exports`` where the folders of the gateways are at hand.

    Args:
        folder: of a server's gateway: ``bus`` and ``FOLDERS``.
        timeout: seconds one call to a gateway may take.
        bus: the bus, where it is not in that folder but in one in memory. The lock is beside it, and what Ganesha is
            told: nothing that goes wrong with the folder gets in the way.
    """

    def __init__(self, folder: Callable[[str], Path], admit: Admit, timeout: float, bus: Path | None = None) -> None:
        self._folder, self._admit, self._timeout, self._bus = folder, admit, timeout, bus
        self._left: dict[tuple[Path, str], tuple[Export, tuple[Client, ...]]] = {}
        """Of a record that could not be changed: it, and who of its clients is wanted still."""

    async def names(self, server_id: str) -> list[str]:
        """Names of the records."""
        return records.names(self._folder(server_id))

    async def find(self, server_id: str, name: str) -> Export | None:
        """The record's export."""
        entry = records.entries(self._folder(server_id)).get(name)
        return entry[1] if entry else None

    async def publish(self, server_id: str, export: Export) -> None:
        """Record, tell Ganesha, keep for its next start, open the packet filter.

        Raises:
            OSError: not all of it could be written. Who is not wanted any more is out all the same; nobody is let in.
        """
        folder = self._folder(server_id)
        async with self._locked(folder):
            if not files.mounted(Path(export.path)):
                raise ShareBackendException(msg=f"volume of share {export.name} is not mounted")
            before = None
            try:
                before = records.entries(folder).get(export.name)
                if not await self._is_published(folder, export):
                    await self._publish(folder, export)
                self._left.pop((folder, export.name), None)
            except OSError:
                if before is not None:
                    await self._revoke(folder, *before, export)
                raise
            finally:
                # who is cut off stays out, even if Ganesha could not be told
                await self._filter(server_id, folder)

    async def _publish(self, folder: Path, export: Export) -> None:
        """Only what is news is written: taking back a change that could not be written needs no disk."""
        number, recorded = records.entries(folder).get(export.name, (0, None))
        if recorded != export:
            number = records.write(folder, export)
        await self._tell(folder, export, number)
        kept, text = folder / "exports.d" / f"{export.name}.conf", config.export(export, number)
        if files.read(kept) != text:
            files.write(kept, text)
        files.remove(folder / "exports.held" / f"{export.name}.conf")
        files.remove(self._staged(folder, export.name))

    async def _revoke(self, folder: Path, number: int, recorded: Export, export: Export) -> None:
        """What is wanted can't be written, as on a full disk: who is not wanted any more is out all the same.

        The next Ganesha does not export it before it can be written, unless that can't be written either. Then it is
        told again as soon as it answers: an order that is not followed is tried again and again.
        """
        clients = tuple(one for one in recorded.clients if one in export.clients)
        if clients == recorded.clients:
            return
        self._left[folder, export.name] = recorded, clients
        with contextlib.suppress(OSError):  # there is a complaint already
            records.forget(folder, export.name)
        if number in await self._control(folder).shown():
            await self._tell(folder, replace(recorded, clients=clients), number)

    async def refilter(self, server_id: str) -> None:
        """Let the recorded clients through the packet filter, and nobody else."""
        await self._filter(server_id, self._folder(server_id))

    def numbers(self, server_id: str) -> dict[str, int]:
        """Number of each recorded export."""
        return {name: number for name, (number, _) in records.entries(self._folder(server_id)).items()}

    async def _is_published(self, folder: Path, export: Export) -> bool:
        """Whether Ganesha is known to have exactly this.

        An update makes it drop a request now and then, which the client has to send again. The record is written before
        Ganesha is told and the configuration after it, so only when both say the same no update was cut short. What
        Ganesha was told last is removed after that: as long as it is there, it may be something else.
        """
        number, recorded = records.entries(folder).get(export.name, (0, None))
        if recorded != export or self._staged(folder, export.name).exists():
            return False
        kept = files.read(folder / "exports.d" / f"{export.name}.conf")
        return kept == config.export(export, number) and number in await self._control(folder).shown()

    async def suspend(self, server_id: str, name: str) -> None:
        """Cut access, then remove the export; the record stays.

        Raises:
            OSError: access is cut, and the next Ganesha has the export again.
        """
        folder = self._folder(server_id)
        if not files.there(folder):
            return
        async with self._locked(folder):
            await self._take_off(folder, name)

    async def withdraw(self, server_id: str, name: str) -> None:
        """Cut access, remove the export, then the record.

        Raises:
            OSError: access is cut, and the record or what the next Ganesha reads is still there.
        """
        folder = self._folder(server_id)
        if not files.there(folder):
            return
        async with self._locked(folder):
            before = records.entries(folder).get(name)
            try:
                await self._take_off(folder, name)
                records.remove(folder, name)
                self._left.pop((folder, name), None)
            except OSError:
                if before is not None:
                    self._left[folder, name] = before[1], ()
                raise
            finally:
                await self._filter(server_id, folder)

    async def _take_off(self, folder: Path, name: str) -> None:
        complaint = None
        try:
            records.forget(folder, name)
        except OSError as error:
            complaint = error
        entry = records.entries(folder).get(name)
        if entry is not None:
            number, export = entry
            control = self._control(folder)
            if number in await control.shown():
                await self._tell(folder, Export(export.name, export.path, export.squash), number)
                await control.remove(number)
            files.remove(self._staged(folder, name))
        if complaint:
            raise complaint

    async def _tell(self, folder: Path, export: Export, number: int) -> None:
        staged = self._staged(folder, export.name)
        staged.write_text(config.export(export, number))
        await self._control(folder).update(staged, number)

    def _staged(self, folder: Path, name: str) -> Path:
        """File of what Ganesha is told about an export."""
        return (self._bus.parent if self._bus else folder / "staging") / f"{name}.conf"

    async def _filter(self, server_id: str, folder: Path) -> None:
        clients: list[Client] = []
        for name, (_, export) in records.entries(folder).items():
            recorded, left = self._left.get((folder, name), (None, ()))
            clients += left if recorded == export else export.clients
        await self._admit(server_id, clients)

    def _locked(self, folder: Path) -> AbstractAsyncContextManager[None]:
        return files.locked((self._bus.parent if self._bus else folder) / "lock")

    def _control(self, folder: Path) -> Control:
        return Control(self._bus or folder / "bus", self._timeout)
