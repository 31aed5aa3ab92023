"""What a gateway's clients do: operations, errors, bytes and time of each export and client, as Ganesha counts them.

They come over the bus, which Ganesha 4.3 and 9 answer alike. The exporter of 9 would take 17 MB more, tells no time for
each export, and listens on a port. All are counted since Ganesha's start.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from drivers.client_counts import Count, Counts, Statistics, operations
from drivers.ganesha.gateway.beneath import Refused, checked
from drivers.ganesha.gateway.dbus import Bus, Refusal

CLIENTS: Final = 100
"""Clients of a gateway that are asked about, those that were there last."""
LIMIT: Final = 1 << 20
"""Bytes of a file of statistics: it is written by who talks to strangers."""
_LARGEST: Final = 2.0**63
_EXPORTS: Final = ("org.ganesha.nfsd", "/org/ganesha/nfsd/ExportMgr")
_CLIENTS: Final = ("org.ganesha.nfsd", "/org/ganesha/nfsd/ClientMgr")


async def collect(bus: Path, exports: Mapping[int, str], limit: float) -> Statistics:
    """Ask a Ganesha.

    Args:
        exports: number -> name.
        limit: seconds it may take.

    Raises:
        OSError, EOFError, Refusal: it does not answer. TimeoutError: not in time.
    """
    async with asyncio.timeout(limit), Bus.at(bus) as line:
        shares = {}
        for number, name in exports.items():
            method = ("org.ganesha.nfsd.exportstats", "GetExportDetails", "q")
            found = await _asked(line, _EXPORTS, method, number)
            if found is not None and operations(found):
                shares[name] = found
        clients = {}
        _, known = await line.call(*_CLIENTS, "org.ganesha.nfsd.clientmgr", "ShowClients")
        for entry in sorted(known, key=lambda one: one[-1], reverse=True)[:CLIENTS]:
            method = ("org.ganesha.nfsd.clientstats", "GetClientIOops", "s")
            found, address = await _asked(line, _CLIENTS, method, entry[0]), _plain(entry[0])
            if found is not None and address is not None and operations(found):
                clients[address] = found
    return Statistics(shares, clients)


async def _asked(line: Bus, where: tuple[str, str], method: tuple[str, str, str], whose: object) -> Counts | None:
    """Counts of one export or client; None: Ganesha has none of it, or does not know it any more."""
    interface, member, signature = method
    try:
        return counts(await line.call(*where, interface, member, signature, [whose]))
    except Refusal:
        return None


def counts(answer: Sequence[Any]) -> Counts | None:
    """What an answer says: success, text, time; then for each of NFS 3, 4.0, 4.1 and 4.2 whether there was any of it.

    Where there was, structures follow: reads, writes and the rest, and what concerns layouts. Of reads and writes they
    hold the number, the errors, the mean time in ms (not of clients) and the bytes.
    """
    if not answer or not answer[0]:
        return None
    found = [Count(), Count(), Count()]
    part = 0
    for value in answer[3:]:
        if isinstance(value, bool):
            part = 0
        elif part < len(found):
            found[part] += _count(value)
            part += 1
    return (found[0], found[1], found[2])


def _count(values: Sequence[Any]) -> Count:
    total, errors, *rest = values
    mean = next((one for one in rest if isinstance(one, float)), 0.0)
    size = next((one for one in rest if isinstance(one, int)), 0)
    return Count(total, errors, mean * total / 1000, size)


def _plain(address: str) -> str | None:
    """A client's address, of IPv4 as such; None: it is the gateway itself, or no address."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return None if found.ipv4_mapped.is_loopback else str(found.ipv4_mapped)
    if isinstance(found, ipaddress.IPv6Address):
        found = ipaddress.IPv6Address(int(found))  # without a scope, which may be any text
    return None if found.is_loopback else str(found)


def _proper(address: str) -> str:
    if _plain(address) != address:
        raise ValueError(f"{address[:60]!r} is no client's address")
    return address


def told(statistics: Statistics) -> str:
    """As a file."""
    return json.dumps(
        {
            part: {
                name: [[one.operations, one.errors, one.seconds, one.bytes] for one in each]
                for name, each in of.items()
            }
            for part, of in (("shares", statistics.shares), ("clients", statistics.clients))
        }
    )


def parsed(text: bytes) -> Statistics:
    """What a file says, every part of which is what it may be.

    Raises:
        Refused: it is no such file.
    """
    try:
        found = json.loads(text)
        shares = {checked(name): _believed(each) for name, each in found["shares"].items()}
        clients = {_proper(name): _believed(each) for name, each in found["clients"].items()}
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
        raise Refused(msg=f"no statistics: {str(error)[:200]!r}") from error
    return Statistics(shares, dict(list(clients.items())[:CLIENTS]))


def _believed(each: Any) -> Counts:
    read, write, other = (_number(one) for one in each)
    return read, write, other


def _number(values: Any) -> Count:
    total, errors, seconds, size = values
    for value in (total, errors, size):
        if type(value) is not int or not 0 <= value < _LARGEST:
            raise ValueError(f"{value!r} is no number")
    if type(seconds) not in (int, float) or not math.isfinite(seconds) or not 0 <= seconds < _LARGEST:
        raise ValueError(f"{seconds!r} are no seconds")
    return Count(total, errors, float(seconds), size)
