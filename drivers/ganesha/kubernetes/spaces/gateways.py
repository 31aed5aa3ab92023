"""The port ``Gateways`` over the namespaces of many projects."""

from __future__ import annotations

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.gateways import labels, standing
from drivers.ganesha.kubernetes.spaces.finding import Finder
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.ganesha.kubernetes.spaces.life import Life
from drivers.ganesha.kubernetes.spaces.parts import Parts
from drivers.ganesha.ports import Server
from drivers.kubernetes.api import STATEFUL_SET
from generated.errors import ShareBackendException


class SpreadGateways:
    """Each gateway where it is; a new one in the namespace of its project."""

    def __init__(self, spaces: Spaces, parts: Parts, finder: Finder, life: Life) -> None:
        self._spaces, self._parts, self._finder, self._life = spaces, parts, finder, life

    async def check(self) -> None:
        """As with one namespace; and namespaces can be listed. Raises ShareBackendException."""
        await self._parts.home.gateways.check()
        await self._spaces.names()

    async def identifier(self, server: Server) -> str:
        """``namespace/name`` of its StatefulSet."""
        return f"{await self._where(server)}/{names.gateway(server.id)}"

    async def _where(self, server: Server) -> str:
        """Where it is, else where its details say that it was, else where it belongs."""
        found = await self._finder.of_server(server.id)
        if found is None and server.place and not self._spaces.may_be_ours(server.place):
            raise ShareBackendException(msg=f"share server {server.id} is in the namespace {server.place} of another")
        return found or server.place or self._spaces.of_project(server.project)

    def named(self, identifier: str) -> str:
        """The server of a StatefulSet in a namespace of ours; what is none is taken for the id of a server."""
        namespace, _, name = identifier.rpartition("/")
        return names.server_of(name) if self._spaces.may_be_ours(namespace) else identifier

    async def known(self) -> list[Server]:
        """Those of all namespaces, in one list."""
        own = labels(self._spaces.options(self._spaces.home))
        return standing(await self._spaces.every(STATEFUL_SET, own))

    async def find(self, server_id: str) -> Server | None:
        """The server as its StatefulSet says."""
        return await self._parts.at(await self._finder.of_server(server_id)).gateways.find(server_id)

    async def start(self, server: Server) -> None:
        """Make its namespace first. Raises ShareBackendException."""
        namespace = await self._where(server)
        await self._life.enter(namespace, server.project, server.id)
        self._finder.remember_server(server.id, namespace)
        await self._parts.at(namespace).gateways.start(server)

    async def renew(self, server: Server) -> bool:
        """Nothing to do, as with one namespace."""
        return False

    async def rests(self, server_id: str) -> bool:
        """Whether it has no pod with a node."""
        return await self._parts.at(await self._finder.of_server(server_id)).gateways.rests(server_id)

    async def heal(self) -> None:
        """Nothing to do, as with one namespace."""

    async def remove(self, server_id: str) -> None:
        """The namespace goes after it, if it was the last thing there."""
        namespace = await self._finder.of_server(server_id)
        await self._parts.at(namespace).gateways.remove(server_id)
        if namespace is not None:
            await self._life.leave(namespace, server_id)
            await self._life.tidy(namespace)
        self._finder.forget_server(server_id)
