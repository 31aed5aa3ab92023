"""Access rules as Ganesha and the packet filter take them. Pure functions.

Ganesha takes the first client entry that matches, so the most specific one has to come first; on a tie the wider
right. It refuses ``0.0.0.0/0`` and ``::/0``; two halves say the same and stay within their family, which ``*`` would
not.

What tenants write reaches configuration files and a packet filter only as a network that was taken apart and written
again here.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the agent in a gateway needs nothing of the contract
    from drivers.base import RuleUpdate
    from generated.runtime import Row

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LEVELS: Final = {"rw": "RW", "ro": "RO"}


@dataclass(frozen=True, slots=True)
class Client:
    """One client entry: ``network`` in CIDR form, ``access`` is RW or RO."""

    network: str
    access: str

    def matches(self) -> tuple[str, ...]:
        """The spellings Ganesha takes; none for what is no exact network."""
        network = exact(self.network)
        if network is None:
            return ()
        halves = network.subnets() if network.prefixlen == 0 else (network,)
        return tuple(_spelled(part) for part in halves)


@dataclass(frozen=True, slots=True)
class Plan:
    """Client entries in the order of evaluation, and what becomes of each rule."""

    clients: tuple[Client, ...]
    results: dict[str, RuleUpdate]


def plan(rules: Sequence[Row]) -> Plan:
    """Sort ``rules`` into client entries; a rule this back end cannot enforce is ``error`` and admits nobody."""
    results: dict[str, RuleUpdate] = {}
    entries: set[tuple[Network, str]] = set()
    for rule in rules:
        entry = _entry(rule)
        results[rule["id"]] = {"state": "active"} if entry else {"state": "error", "refused": "unsupported"}
        if entry:
            entries.add(entry)
    ordered = sorted(entries, key=lambda entry: (-entry[0].prefixlen, entry[1] != "RW", entry[0].version, entry[0]))
    clients: dict[str, Client] = {}
    for network, access in ordered:
        clients.setdefault(str(network), Client(str(network), access))
    return Plan(tuple(clients.values()), results)


def admitted(clients: Iterable[Client]) -> tuple[list[str], list[str]]:
    """The IPv4 and IPv6 networks of ``clients`` without overlaps, for the packet filter."""
    networks = {network for client in clients if (network := exact(client.network))}
    four = ipaddress.collapse_addresses(n for n in networks if isinstance(n, ipaddress.IPv4Network))
    six = ipaddress.collapse_addresses(n for n in networks if isinstance(n, ipaddress.IPv6Network))
    return [str(network) for network in four], [str(network) for network in six]


def _entry(rule: Row) -> tuple[Network, str] | None:
    access = LEVELS.get(rule["access_level"])
    if rule["access_type"] != "ip" or access is None:
        return None
    network = exact(rule["access_to"])
    return (network, access) if network else None


def exact(text: str) -> Network | None:
    """The network that a text names, if addresses of clients can be compared with it; None for anything else.

    The API takes two forms that can't be enforced, as the original's: a scope (``fe80::1%eth0``) names an interface of
    whoever reads it, and may hold any text; IPv4 addresses written as IPv6 (``::ffff:10.0.0.1``) are on no packet.
    """
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
    if isinstance(network, ipaddress.IPv6Network) and ("%" in text or network.network_address.ipv4_mapped is not None):
        return None
    return network


def _spelled(network: Network) -> str:
    single = network.prefixlen == network.max_prefixlen
    return str(network.network_address) if single else str(network)
