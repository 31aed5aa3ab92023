"""Addresses from a range in the configuration: for networks without a service that hands them out."""

from __future__ import annotations

import ipaddress
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from generated.errors import NetworkBadConfigurationException
from network.base import Allocated, Allocation, Row, Sought, canonical

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class StandaloneOptions:
    """The ``standalone_network_plugin_*`` options of a section, and its IP version.

    ``mask`` is a prefix length or a dotted mask. ``ranges`` holds addresses and ``first-last`` ranges; empty: every
    address of the network. ``mtu`` is in bytes.
    """

    gateway: str
    mask: str
    network_type: str | None = None
    segmentation_id: int | None = None
    ranges: tuple[str, ...] = ()
    mtu: int = 1500
    ip_version: int = 4


def _address(text: str, version: int) -> Address:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError as error:
        raise NetworkBadConfigurationException(
            reason=f"standalone_network_plugin_allowed_ip_ranges: {text!r} is no address"
        ) from error
    if address.version != version:
        raise NetworkBadConfigurationException(reason=f"{text} is not of IP version {version}")
    return address


@dataclass(slots=True)
class StandalonePlugin:
    """Takes free addresses in the order of the configured ranges.

    Raises:
        NetworkBadConfigurationException: at once, when the options don't fit together.
    """

    options: StandaloneOptions
    label: str = "user"
    local: bool = field(default=True, init=False)
    network: Network = field(init=False)
    ranges: list[tuple[Address, Address]] = field(init=False)

    def __post_init__(self) -> None:
        text = f"{self.options.gateway}/{self.options.mask}"
        try:
            self.network = ipaddress.ip_network(text, strict=False)
        except ValueError as error:
            raise NetworkBadConfigurationException(
                reason=f"standalone_network_plugin_gateway and _mask: {error}"
            ) from error
        if self.network.version != self.options.ip_version:
            raise NetworkBadConfigurationException(
                reason=f"network {self.network} is not of IP version {self.options.ip_version}"
            )
        self.ranges = [self._range(one) for one in self.options.ranges] or [
            (self.network.network_address, self.network.broadcast_address)
        ]

    def _range(self, text: str) -> tuple[Address, Address]:
        first, _, last = text.partition("-")
        pair = _address(first, self.options.ip_version), _address(last or first, self.options.ip_version)
        if int(pair[0]) > int(pair[1]) or pair[0] not in self.network or pair[1] not in self.network:
            raise NetworkBadConfigurationException(reason=f"the range {text} does not fit the network {self.network}")
        return pair

    async def describe(self, subnet: Row | None, project_id: str | None = None) -> Row:
        """See ``NetworkPlugin.describe``; always the configured network."""
        return {
            "network_type": self.options.network_type,
            "segmentation_id": self.options.segmentation_id,
            "mtu": self.options.mtu,
            "cidr": str(self.network),
            "gateway": self.options.gateway,
            "ip_version": self.options.ip_version,
        }

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
        """See ``NetworkPlugin.allocate``. The caller holds a lock until the allocations are written."""
        described = await self.describe(subnet)
        made: list[Allocation] = []
        for address in self._free({canonical(one) for one in used}):
            if len(made) == count:
                break
            one = {
                "id": str(uuid.uuid4()),
                "share_server_id": server_id,
                "ip_address": address,
                "label": self.label,
                **described,
            }
            if self.label != "admin" and subnet is not None:
                one["share_network_subnet_id"] = subnet["id"]
            made.append(one)
        if len(made) < count:
            raise NetworkBadConfigurationException(
                reason=f"network {self.network} has {len(made)} free addresses, {count} are needed"
            )
        return Allocated(made, described)

    def _free(self, used: set[str]) -> Iterator[str]:
        edges = {str(self.network.network_address), str(self.network.broadcast_address)}
        reserved = edges | {canonical(self.options.gateway)}
        for first, last in self.ranges:
            number = int(first)
            while number <= int(last):
                text = str(type(first)(number))
                if text not in reserved and text not in used:
                    yield text
                number += 1

    async def deallocate(self, server_id: str, allocations: Sequence[Allocation], sought: Sought | None = None) -> None:
        """Nothing to release: an address is free when its row is gone."""

    async def adopt(
        self, server_id: str, addresses: Sequence[str], subnet: Row | None, project_id: str | None = None
    ) -> Allocated:
        """See ``NetworkPlugin.adopt``: the addresses within the configured ranges."""
        described = await self.describe(subnet)
        found: list[Allocation] = []
        for text in addresses:
            address = ipaddress.ip_address(text)
            inside = address.version == self.options.ip_version and any(
                int(first) <= int(address) <= int(last) for first, last in self.ranges
            )
            if not inside:
                continue
            kept = {"ip_address": str(address), "label": self.label}
            one = {"id": str(uuid.uuid4()), "share_server_id": server_id, **kept}
            one |= described
            if self.label != "admin" and subnet is not None:
                one["share_network_subnet_id"] = subnet["id"]
            found.append(one)
        return Allocated(found, described)

    async def close(self) -> None:
        """Nothing to give back."""
