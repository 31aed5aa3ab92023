"""What a driver may ask of the network service about the ports of its share servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class TenantPorts(Protocol):
    """Ports of share servers in the tenants' networks. Every method may be repeated.

    Raises:
        NetworkException: the network service refuses, or can't be reached.
    """

    @property
    def guards(self) -> bool:
        """Whether ``admit`` decides who gets in."""
        ...

    async def bind(self, port_id: str, host: str) -> None:
        """Tell the network that the port is on ``host`` now, and on no other one.

        Where OVN carries the network this also fences the host that had it: its switch drops the port's packets as soon
        as it hears of the change. One that is cut off from OVN does not hear of it; see ``docs/adr/0013``.
        """
        ...

    async def fence(self, port_id: str) -> None:
        """Stop all packets of the port, wherever it is.

        Done when the network service has taken it; the switches follow within a moment, and nobody says when.
        """
        ...

    async def lift(self, port_id: str) -> None:
        """End what ``fence`` began."""
        ...

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        """Let exactly these networks (CIDR) reach NFS on the server's ports; needs ``guards``."""
        ...


class Borrowed:
    """``TenantPorts`` behind which the worker puts those of the back end's network; without them nothing happens."""

    def __init__(self) -> None:
        self._real: TenantPorts | None = None

    def be(self, real: TenantPorts) -> None:
        """Pass everything on to ``real``."""
        self._real = real

    @property
    def guards(self) -> bool:
        return self._real is not None and self._real.guards

    async def bind(self, port_id: str, host: str) -> None:
        if self._real is not None:
            await self._real.bind(port_id, host)

    async def fence(self, port_id: str) -> None:
        if self._real is not None:
            await self._real.fence(port_id)

    async def lift(self, port_id: str) -> None:
        if self._real is not None:
            await self._real.lift(port_id)

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        if self._real is not None:
            await self._real.admit(server_id, networks)
