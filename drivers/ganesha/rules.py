"""Access rules as Ganesha and the packet filter take them. Pure functions.

Ganesha takes the first client entry that matches, so the most specific one has to come first; on a tie the wider
right. It refuses ``0.0.0.0/0`` and ``::/0``; two halves say the same and stay within their family, which ``*`` would
not.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

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
        """The spellings Ganesha takes."""
        network = ipaddress.ip_network(self.network)
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
        results[rule["id"]] = {"state": "active" if entry else "error"}
        if entry:
            entries.add(entry)
    ordered = sorted(entries, key=lambda entry: (-entry[0].prefixlen, entry[1] != "RW", entry[0].version, entry[0]))
    clients: dict[str, Client] = {}
    for network, access in ordered:
        clients.setdefault(str(network), Client(str(network), access))
    return Plan(tuple(clients.values()), results)


def admitted(clients: Iterable[Client]) -> tuple[list[str], list[str]]:
    """The IPv4 and IPv6 networks of ``clients`` without overlaps, for the packet filter."""
    networks = {ipaddress.ip_network(client.network) for client in clients}
    four = ipaddress.collapse_addresses(n for n in networks if isinstance(n, ipaddress.IPv4Network))
    six = ipaddress.collapse_addresses(n for n in networks if isinstance(n, ipaddress.IPv6Network))
    return [str(network) for network in four], [str(network) for network in six]


def _entry(rule: Row) -> tuple[Network, str] | None:
    access = LEVELS.get(rule["access_level"])
    if rule["access_type"] != "ip" or access is None:
        return None
    try:
        return ipaddress.ip_network(rule["access_to"], strict=False), access
    except ValueError:
        return None


def _spelled(network: Network) -> str:
    single = network.prefixlen == network.max_prefixlen
    return str(network.network_address) if single else str(network)
