"""The port to the tenant's network: what the worker asks of a network plugin.

A plugin allocates addresses for a share server and gives them back. It knows neither rows nor transactions: it gets
plain dictionaries, returns plain dictionaries, and the caller writes them.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from generated.errors import NetworkBadConfigurationException, NetworkException, PortLimitExceeded

Row = dict[str, Any]

Allocation = Row
"""An allocation as ``network_allocations`` keeps it: ``id``, ``ip_address``, ``ip_version``, ``cidr``, ``gateway``,
``mac_address``, ``mtu``, ``network_type``, ``segmentation_id``, ``label`` (``user`` or ``admin``),
``share_server_id``, ``share_network_subnet_id`` (users only)."""


class Unavailable(NetworkException, ConnectionError):
    """The network service can't be reached or says so itself (503), or its Keystone can't: it may be asked again.

    A ``ConnectionError``, so that an operation that meets it is run again later, and nothing ends in error.
    """


class AddressesExhausted(PortLimitExceeded):
    """The subnet has no free address. Clients are told the same as for an exceeded port quota, as by the original."""


class NoFittingSubnet(AddressesExhausted):
    """Every subnet with a free address is for other device owners (Neutron's ``service_types``). Told as the others."""


@dataclass(frozen=True, slots=True)
class Allocated:
    """What ``allocate`` returns: the allocations, and what was learned of the subnet for its row."""

    allocations: list[Allocation]
    subnet: Row


@dataclass(frozen=True, slots=True)
class Held:
    """A port of a network service that says to be of a share server: its id, and that of the server.

    ``project_id`` and ``network_id`` are the port's. ``ours``: whether it carries a mark that no tenant can make; None:
    such ports have none, and what it says can be said by any member of its project.
    """

    port_id: str
    server_id: str
    project_id: str = ""
    network_id: str = ""
    ours: bool | None = None


@dataclass(frozen=True, slots=True)
class Sought:
    """Where ports of a share server may be that nobody wrote down, as after a crash.

    ``subnet``: the row of the share network's subnet, ``project_id``: that of the share network, ``count``: how many
    ports a server has there.
    """

    subnet: Row
    project_id: str | None
    count: int


class NetworkPlugin(Protocol):
    """Allocates and releases the addresses of share servers. Every method may be repeated.

    ``label`` is ``user`` for a tenant's network and ``admin`` for the back end's own one.
    """

    label: str
    local: bool
    """Addresses come from the configuration, not from a service: the caller names the used ones under a lock."""

    async def describe(self, subnet: Row | None, project_id: str | None = None) -> Row:
        """``network_type``, ``segmentation_id``, ``mtu``, ``cidr``, ``gateway`` and ``ip_version`` of a subnet.

        Args:
            project_id: owner of the share network.

        Raises:
            NetworkException: the network service refuses, does not know the subnet, or can't be reached.
            NetworkBadConfigurationException: no segment of the network fits the configuration, the subnet is one of
                another network, or the project may not use the network.
        """
        ...

    async def allocate(
        self,
        server_id: str,
        project_id: str | None,
        subnet: Row | None,
        count: int,
        *,
        used: Sequence[str] = (),
        again: bool = False,
    ) -> Allocated:
        """Allocate ``count`` addresses for a share server.

        Args:
            server_id: id of the share server; names the ports.
            project_id: owner of the share network.
            subnet: row of the share network's subnet; admin networks have none.
            used: addresses of this network that are taken (plugins without a service of their own).
            again: an earlier attempt may have made some already; they are found and kept.

        Raises:
            PortLimitExceeded: the project's port quota is used up.
            AddressesExhausted: the subnet is full.
            NetworkException: any other refusal.
            NetworkBadConfigurationException: as for ``describe``, or no address is left.
            What was made and learned before the error is in its ``detail_data``: ``allocations`` and ``subnet``.
        """
        ...

    async def deallocate(self, server_id: str, allocations: Sequence[Allocation], sought: Sought | None = None) -> None:
        """Release allocations; one that is already gone is no error.

        Args:
            sought: ports of this server that nobody wrote down are found there and removed too.

        Raises:
            NetworkException: the network service refuses; what was not released stays.
        """
        ...

    async def adopt(
        self, server_id: str, addresses: Sequence[str], subnet: Row | None, project_id: str | None = None
    ) -> Allocated:
        """Find the allocations behind addresses that a share server has already.

        An address that this network does not know is left out. Arguments and errors as for ``allocate``.
        """
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


@runtime_checkable
class BindingPlugin(NetworkPlugin, Protocol):
    """A plugin whose addresses are bound to the back end's host, and may be carried to another one's."""

    async def bound(self, allocations: Sequence[Allocation]) -> None:
        """Wait until addresses are carried that only come with the server itself.

        Raises:
            NetworkException, NetworkBindException: a binding failed, or is not there after a while.
        """
        ...

    async def extend(self, allocations: Sequence[Allocation], subnet: Row) -> int | None:
        """Bind another back end's addresses to this one's host too; they stay active where they are.

        Returns:
            The segmentation id of the subnet's network here.

        Raises:
            NetworkException: the network service refuses, or the network does not reach this back end.
        """
        ...

    async def retract(self, allocations: Sequence[Allocation]) -> None:
        """Take back what ``extend`` did. What the network service refuses is logged and stays."""
        ...

    async def cut_over(self, allocations: Sequence[Allocation], source_host: str, server_id: str) -> None:
        """From now the addresses are this back end's server's; they are no more bound to ``source_host``.

        Raises:
            NetworkException: the network service refuses.
        """
        ...


def canonical(address: str) -> str:
    """The one way to write an address, whatever way it came: ``FD00:0::5`` is ``fd00::5``. Raises ValueError."""
    return str(ipaddress.ip_address(address.strip()))


def address_of(fixed_ips: Sequence[Row], ip_version: int) -> str:
    """The first address of that IP version among a port's ``fixed_ips``.

    Raises:
        NetworkBadConfigurationException: the port has none.
    """
    for entry in fixed_ips:
        address = str(entry["ip_address"])
        if ipaddress.ip_address(address).version == ip_version:
            return address
    raise NetworkBadConfigurationException(
        reason=f"Can not find any IP address with configured IP version {ip_version} in share-network."
    )


@runtime_checkable
class AuditedPlugin(Protocol):
    """A network whose ports can be listed, so that those that nobody knows any more are found."""

    async def held(self) -> list[Held]:
        """Every port that says to be of a share server, of all servers. Raises NetworkException."""
        ...

    async def discard(self, port: Held) -> bool:
        """Remove a port if it is still what ``held`` said; whether it is gone. Raises NetworkException."""
        ...
