"""Telling a running Ganesha what to export, over its private bus."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from drivers.ganesha.gateway import dbus
from generated.errors import ShareBackendException

_GONE: Final = (OSError, EOFError, TimeoutError)
_ATTEMPT: Final = 5.0
"""Seconds one attempt may take: a bus that dies under a call leaves it unanswered."""
_NOT_YET: Final = {"org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NoReply"}


class Unreachable(ShareBackendException):
    """The gateway did not answer in time; it may be starting."""


class Control:
    """Calls to one Ganesha. Each opens its own connection (0.7 ms), so that a restarted bus is not noticed.

    ``socket`` is the bus's socket, ``timeout`` the seconds one call may take with all its attempts.
    """

    def __init__(self, socket: Path, timeout: float) -> None:
        self._socket = socket
        self._timeout = timeout

    async def update(self, file: Path, export_id: int) -> None:
        """Add or change the export that ``file`` describes; the new client list holds for the next operation."""
        answer = await self._call("UpdateExport", "ss", [str(file), f"EXPORT(Export_Id={export_id})"])
        text = str(answer[0]) if answer else ""
        # Ganesha calls it a success when it has dropped what it did not understand
        if "Errors found" in text:
            raise ShareBackendException(msg=f"gateway took export {export_id} only in part: {text}")

    async def remove(self, export_id: int) -> None:
        """Remove an export; clients get NFS4ERR_STALE at once. An unknown one is success."""
        if export_id in await self.shown():
            await self._call("RemoveExport", "q", [export_id])

    async def shown(self) -> set[int]:
        """Ids of the exports, the pseudo root (0) among them."""
        answer = await self._call("ShowExports")
        return {int(entry[0]) for entry in answer[1]}

    async def _call(self, member: str, signature: str = "", body: Sequence[Any] = ()) -> list[Any]:
        """Repeat until the gateway answers: all calls used here may be repeated."""
        reason: object = "no attempt"
        try:
            async with asyncio.timeout(self._timeout):
                while True:
                    try:
                        async with asyncio.timeout(_ATTEMPT):
                            return await self._once(member, signature, body)
                    except _GONE as error:
                        reason = error
                    except dbus.Refusal as error:
                        reason = error
                        if error.name not in _NOT_YET:
                            raise ShareBackendException(msg=f"gateway refused {member}: {error}") from error
                    await asyncio.sleep(0.02)
        except TimeoutError as error:
            raise Unreachable(msg=f"gateway did not answer {member} in {self._timeout} s: {reason}") from error

    async def _once(self, member: str, signature: str, body: Sequence[Any]) -> list[Any]:
        place, interface = "/org/ganesha/nfsd/ExportMgr", "org.ganesha.nfsd.exportmgr"
        async with dbus.Bus.at(self._socket) as bus:
            return await bus.call("org.ganesha.nfsd", place, interface, member, signature, body)
