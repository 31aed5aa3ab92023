"""The connections of one server: how many there are, of whom, and which goes when there are too many."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import time
from collections.abc import Iterator
from email.utils import formatdate
from typing import TYPE_CHECKING

import prometheus_client
import structlog
from starlette.types import ASGIApp

from api.server.limits import Limits

if TYPE_CHECKING:
    from api.server.connection import Connection
    from api.server.exchange import Exchange

LOG = structlog.get_logger("api.server")
CONNECTIONS = prometheus_client.Gauge(
    "manila_http_connections", "Open connections of clients", ["port"], multiprocess_mode="livesum"
)
ENDED = prometheus_client.Counter(
    "manila_http_ended", "Connections that the server ended because of a limit, by the limit's name", ["kind"]
)
SWEEP_SECONDS = 0.5
"""How often deadlines are looked at."""
BATCH = 16
"""One of so many connections is ended when a new one finds no place: looking for them costs more than ending them."""


class Throttle:
    """Says something once a second at most, with how often it happened meanwhile."""

    def __init__(self, seconds: float = 1.0) -> None:
        self._seconds, self._next, self._missed = seconds, 0.0, 0

    def say(self, text: str, **values: object) -> None:
        """A warning, or a count for the next one."""
        now = time.monotonic()
        self._missed += 1
        if now >= self._next:
            LOG.warning(text, times=self._missed, **values)
            self._next, self._missed = now + self._seconds, 0


class Room:
    """What the connections of one server share."""

    def __init__(self, app: ASGIApp, limits: Limits, name: str) -> None:
        self.limits, self._app = limits, app
        self._open = CONNECTIONS.labels(name)
        self.connections: set[Connection] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self._places: dict[str, int] = {}
        self._unread: dict[Connection, int] = {}
        self._unread_size = 0
        self._full, self._slow = Throttle(), Throttle()
        self.now = asyncio.get_running_loop().time
        self.date = b""
        self.tick()

    def tick(self) -> None:
        """Set the time of the header Date and end the connections whose deadline has passed."""
        self.date = formatdate(time.time(), usegmt=True).encode()
        now = self.now()
        for one in list(self.connections):
            one.check(now)

    # -- places: taken when a connection is accepted, before a TLS handshake

    def admit(self, address: str) -> bool:
        """Whether a new connection has a place, if need be that of one without a request at work, which then ends."""
        limits = self.limits
        if self._places.get(address, 0) >= limits.connections_per_address and not self._evict(address):
            ENDED.labels("connections of an address").inc()
            self._full.say(
                "a client's address has too many connections; raise http_connections_per_address if it is a proxy",
                address=address, connections=limits.connections_per_address,
            )  # fmt: skip
            return False
        if len(self.connections) >= limits.connections and not self._evict(self._greediest()):
            ENDED.labels("connections").inc()
            self._full.say("too many connections with requests at work", connections=limits.connections)
            return False
        return True

    def _greediest(self) -> str:
        """The address with the most connections."""
        return max(self._places, key=self._places.__getitem__)

    def _evict(self, address: str) -> bool:
        """End some connections of an address: first of those that no token was found good on, the longest idle."""
        idle = [one for one in self.connections if one.address == address and one.idle]
        idle.sort(key=lambda one: (one.identified, one.since))
        for one in idle[: 1 + len(idle) // BATCH]:
            ENDED.labels("replaced").inc()
            one.abort()
        if idle:
            self._full.say("idle connections were ended for new ones", address=address)
        return bool(idle)

    def enter(self, connection: Connection) -> None:
        """Give an accepted connection its place."""
        self.connections.add(connection)
        self._places[connection.address] = self._places.get(connection.address, 0) + 1
        self._open.inc()

    def leave(self, connection: Connection) -> None:
        """Take the place back; nothing happens at the second time."""
        if connection not in self.connections:
            return
        self.connections.discard(connection)
        self._open.dec()
        left = self._places[connection.address] - 1
        if left:
            self._places[connection.address] = left
        else:
            del self._places[connection.address]

    # -- work

    def start(self, exchange: Exchange) -> None:
        """Let the application answer a request."""
        task = asyncio.get_running_loop().create_task(exchange.run(self._app))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def refused(self, kind: str) -> None:
        """Count a connection that ends because of a limit."""
        ENDED.labels(kind).inc()

    @contextlib.contextmanager
    def unread(self, connection: Connection, size: int) -> Iterator[None]:
        """Bytes of an answer wait for its client; when all that wait are too many, the longest waiting are cut."""
        self._unread[connection] = size
        self._unread_size += size
        try:
            while self._unread_size > self.limits.unread_size:
                first = min(self._unread, key=lambda one: one.paused_since or 0.0)
                self._slow.say(
                    "clients do not read their answers; the longest waiting was cut", unread=self._unread_size
                )
                self.refused("unread")
                self._forget(first)
                first.abort()
            yield
        finally:
            self._forget(connection)

    def _forget(self, connection: Connection) -> None:
        self._unread_size -= self._unread.pop(connection, 0)


def shared_address(host: str) -> str:
    """Whose connections are counted together: an IPv4 address, or the /64 of an IPv6 host, which has all of it."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return host
