"""Exports as ShareExport objects; a change is done when the gateway's agent has acknowledged it."""

from __future__ import annotations

import contextlib
from dataclasses import asdict

from drivers.ganesha.kubernetes.shares import Shares, export_of
from drivers.ganesha.ports import Export
from drivers.kubernetes.api import Object
from generated.errors import ShareResourceNotFound


class KubernetesExports:
    """The port ``Exports`` on a cluster."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares

    async def names(self, server_id: str) -> list[str]:
        """Names of the exports that were published once and not withdrawn."""
        return sorted(export_of(one).name for one in await self._shares.of(server_id) if one["spec"].get("squash"))

    async def find(self, server_id: str, name: str) -> Export | None:
        """The export as it was last published."""
        found = await self._shares.get(name)
        if found is None or found["spec"]["server"] != server_id or not found["spec"].get("squash"):
            return None
        return export_of(found)

    async def publish(self, server_id: str, export: Export) -> None:
        """Say what is wanted; returns when it is enforced."""
        clients = [asdict(one) for one in export.clients]
        wanted = {"exported": True, "squash": export.squash, "clients": clients, "readOnly": export.read_only}
        await self._shares.change(export.name, wanted, lambda status: bool(status.get("exported")))

    async def suspend(self, server_id: str, name: str) -> None:
        """Take the export off the gateway; its clients are kept for the next ``publish``."""
        await self._take_off(name, {})

    async def withdraw(self, server_id: str, name: str) -> None:
        """Cut all access, take it off, and forget what it was."""
        # nor is a root folder to be prepared that could not be so far
        await self._take_off(name, {"clients": [], "squash": None, "root": None})

    async def _take_off(self, name: str, more: Object) -> None:
        """What the gateway was never told of, or not any more, is off."""
        with contextlib.suppress(ShareResourceNotFound):
            await self._shares.change(name, {"exported": False, **more}, lambda status: not status.get("exported"))
