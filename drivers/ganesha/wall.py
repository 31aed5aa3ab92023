"""The second line of defence in the tenant's network: who has no rule on a gateway does not reach its port either.

The first line is the export's client list, beside it the packet filter in the gateway's own namespace. The wall opens
before the list does and closes after it, so it never refuses whom the list admits.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol

from drivers.ganesha.ports import Export, Exports
from drivers.ganesha.rules import Client, admitted

_LOOKS: Final = 10


class Wall(Protocol):
    """Something in the network that lets clients in."""

    @property
    def guards(self) -> bool:
        """Whether it does."""
        ...

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        """Let exactly these networks (CIDR) reach NFS on a server."""
        ...


Clients = Callable[[str], Awaitable[Iterable[Client]]]
"""The clients of all exports of a server, as they were last published."""


def published(exports: Exports) -> Clients:
    """The clients, export by export."""

    async def clients(server_id: str) -> list[Client]:
        found = [await exports.find(server_id, name) for name in await exports.names(server_id)]
        return [client for one in found if one is not None for client in one.clients]

    return clients


class Walls:
    """Several walls, one behind the other."""

    def __init__(self, *walls: Wall) -> None:
        self._walls = walls

    @property
    def guards(self) -> bool:
        return any(one.guards for one in self._walls)

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        for one in self._walls:
            if one.guards:
                await one.admit(server_id, networks)


class WalledExports:
    """The port ``Exports``, each change with that of the wall around it."""

    def __init__(self, exports: Exports, clients: Clients, wall: Wall) -> None:
        self._exports, self._clients, self._wall = exports, clients, wall

    async def names(self, server_id: str) -> list[str]:
        return await self._exports.names(server_id)

    async def find(self, server_id: str, name: str) -> Export | None:
        return await self._exports.find(server_id, name)

    async def publish(self, server_id: str, export: Export) -> None:
        """Open, publish, and close to whom no export admits any more."""
        if not self._wall.guards:
            await self._exports.publish(server_id, export)
            return
        opened = await self._networks(server_id, export.clients)
        await self._wall.admit(server_id, opened)
        await self._exports.publish(server_id, export)
        await self._settle(server_id, opened)

    async def suspend(self, server_id: str, name: str) -> None:
        """The wall stays: the export comes back for the same clients."""
        await self._exports.suspend(server_id, name)

    async def withdraw(self, server_id: str, name: str) -> None:
        await self._exports.withdraw(server_id, name)
        if self._wall.guards:
            await self._settle(server_id, None)

    async def _settle(self, server_id: str, admitted_now: list[str] | None) -> None:
        """Admit whom the exports say, until that is still what they say after.

        Another worker may change another share of the gateway meanwhile: it has written the share before it comes here,
        so the last one to look sees all.
        """
        for _ in range(_LOOKS):
            wanted = await self._networks(server_id)
            if wanted == admitted_now:
                return
            await self._wall.admit(server_id, wanted)
            admitted_now = wanted

    async def _networks(self, server_id: str, more: Sequence[Client] = ()) -> list[str]:
        """The networks that any export of a gateway admits, without overlaps."""
        return networks([*await self._clients(server_id), *more])


def networks(clients: Iterable[Client]) -> list[str]:
    """What a wall has to admit for these clients: networks (CIDR) without overlaps."""
    four, six = admitted(clients)
    return [*four, *six]
