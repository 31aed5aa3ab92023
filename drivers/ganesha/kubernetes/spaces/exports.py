"""The port ``Exports`` over the namespaces of many projects: an export is where its server is."""

from __future__ import annotations

from drivers.ganesha.kubernetes.spaces.finding import Finder
from drivers.ganesha.kubernetes.spaces.parts import Parts
from drivers.ganesha.ports import Export
from drivers.ganesha.wall import WalledExports


class SpreadExports:
    """See ``KubernetesExports``."""

    def __init__(self, parts: Parts, finder: Finder) -> None:
        self._parts, self._finder = parts, finder

    async def _of(self, server_id: str) -> WalledExports:
        return self._parts.at(await self._finder.of_server(server_id)).exports

    async def names(self, server_id: str) -> list[str]:
        """Names of the exports that were published once and not withdrawn."""
        return await (await self._of(server_id)).names(server_id)

    async def find(self, server_id: str, name: str) -> Export | None:
        """The export as it was last published."""
        return await (await self._of(server_id)).find(server_id, name)

    async def publish(self, server_id: str, export: Export) -> None:
        """Say what is wanted; returns when it is enforced."""
        await (await self._of(server_id)).publish(server_id, export)

    async def suspend(self, server_id: str, name: str) -> None:
        """Take the export off the gateway; its clients are kept for the next ``publish``."""
        await (await self._of(server_id)).suspend(server_id, name)

    async def withdraw(self, server_id: str, name: str) -> None:
        """Cut all access, take it off, and forget what it was."""
        await (await self._of(server_id)).withdraw(server_id, name)
