"""A listening socket and its server: accept within the limits, stop without losing an answer."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Iterator

import structlog
from starlette.types import ASGIApp

from api.server.connection import Connection
from api.server.limits import Limits
from api.server.room import SWEEP_SECONDS, Room, Throttle, shared_address

LOG = structlog.get_logger("api.server")
BACKLOG = 2048
"""Connections that the kernel keeps until they are accepted."""
KERNEL_BUFFER = 131072
"""Bytes of the kernel's buffer of a connection, in each direction."""
AT_ONCE = 32
"""Connections accepted before the event loop turns to others."""
REST_SECONDS = 0.2
"""Pause after an error of accept: the socket would be ready again at once."""


class Server:
    """Serves an ASGI application on one socket."""

    def __init__(
        self, app: ASGIApp, limits: Limits, listening: socket.socket, *, name: str, tls: ssl.SSLContext | None = None
    ) -> None:
        self._room = Room(app, limits, name)
        self._listening, self._tls = listening, tls
        self._loop = asyncio.get_running_loop()
        self._errors = Throttle()
        self._opening: set[asyncio.Task[None]] = set()
        self._open = False

    async def run(self, stop: asyncio.Event, drain: float = 5.0) -> None:
        """Serve until ``stop`` is set, then give the open requests ``drain`` seconds. Closes the socket."""
        self._listening.setblocking(False)
        if self._listening.family in (socket.AF_INET, socket.AF_INET6):
            for level, name, value in self._options():
                self._listening.setsockopt(level, name, value)
        self._listening.listen(BACKLOG)
        self._open = True
        self._listen()
        sweeping = asyncio.create_task(self._sweep())
        try:
            await stop.wait()
        finally:
            self._open = False
            self._loop.remove_reader(self._listening.fileno())
            self._listening.close()
            await self._drain(drain)
            sweeping.cancel()

    def _options(self) -> Iterator[tuple[int, int, int]]:
        """Options of the listening socket, which the accepted ones inherit.

        Left alone, the kernel takes 4 MiB of unread answers for each connection. What it has taken counts against
        ``write_timeout`` too: it ends a connection on which no acknowledged byte made progress for so long.
        """
        yield socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
        yield socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
        yield socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER
        yield socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BUFFER
        yield socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(self._room.limits.write_timeout * 1000)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._room.tick()

    # -- accepting

    def _listen(self) -> None:
        if self._open:
            self._loop.add_reader(self._listening.fileno(), self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                made, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:  # EMFILE, ENFILE, ENOBUFS, ENOMEM
                self._errors.say("no connection could be accepted; raise the limit it names", error=str(error))
                self._loop.remove_reader(self._listening.fileno())
                self._loop.call_later(REST_SECONDS, self._listen)
                return
            address = shared_address(peer[0]) if isinstance(peer, tuple) else "local"
            if not self._room.admit(address):
                made.close()
                continue
            connection = Connection(self._room, address, made)
            self._room.enter(connection)
            task = self._loop.create_task(self._welcome(connection, made))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _welcome(self, connection: Connection, made: socket.socket) -> None:
        try:
            made.setblocking(False)
            timeout = self._room.limits.first_byte_timeout if self._tls else None
            await self._loop.connect_accepted_socket(
                lambda: connection, made, ssl=self._tls, ssl_handshake_timeout=timeout
            )
        except (OSError, TimeoutError):  # a client that left, or failed at TLS: ssl.SSLError is an OSError
            made.close()
            self._room.leave(connection)
            self._room.refused("handshake")

    # -- the end

    async def _drain(self, seconds: float) -> None:
        room = self._room
        for one in list(room.connections):
            one.shut()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while room.connections or room.tasks:
                    await asyncio.sleep(0.05)
        if room.tasks:
            LOG.error("requests were given up at the end", number=len(room.tasks), seconds=seconds)
        for task in list(room.tasks):
            task.cancel()
        for one in list(room.connections):
            one.abort()
        await asyncio.gather(*room.tasks, return_exceptions=True)
        await asyncio.sleep(0)


def tls_context(certificate: str | None, key: str | None) -> ssl.SSLContext | None:
    """The TLS of a server, None without a certificate. Raises OSError for files that are not readable or no PEM."""
    if not certificate:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.load_cert_chain(certificate, key)
    return context
