"""One connection: bytes to requests, within the limits, and answers in the order of the requests."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import socket
from collections import deque
from typing import cast
from urllib.parse import unquote

import httptools
import structlog
from starlette.types import Scope

from api.faults import Answer, fault
from api.server.exchange import EXTENSION, Exchange, whole
from api.server.head import Headers, Refused, check, target
from api.server.room import Room

LOG = structlog.get_logger("api.server")
HEAD_PIECE, BODY_PIECE = 2048, 16384
"""Bytes given to the parser at a time: what it makes of them is counted in between."""
QUEUED = 8
"""Requests that may be sent ahead of the answers on one connection; the rest is dropped, and the connection ends."""
BODY_AHEAD = 65536
"""Bytes of a body that are read before the application asks for them."""
ENDING_SECONDS = 3.0
"""How long an ended connection may take to read the last answer."""
STALLED_SECONDS = 2.0
"""After so long without reading its answer a client may lose its connection to a new one, when all are taken."""
BACK = 262144
"""Bytes that a client may send after its request was refused, before the connection is cut."""
UNREAD_BODY = 8 << 20
"""Bytes of a body that are read and dropped after its request was answered without it."""


class Phase(enum.IntEnum):
    """What a connection waits for; all but WORK have a deadline."""

    NEW, HEAD, BODY, WORK, KEPT, ENDING = range(6)


class Connection(asyncio.Protocol):
    """The protocol of one client's connection. One parser, one exchange at work, a few that wait for their turn."""

    def __init__(self, room: Room, address: str, made: socket.socket) -> None:
        self._room, self.address = room, address
        self._limits, self._made = room.limits, made
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self.lost = False
        self._parser: httptools.HttpRequestParser = httptools.HttpRequestParser(self)
        self._parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self.phase, self.since = Phase.NEW, room.now()
        self.identified = False
        self._requests = 0
        self._client: tuple[str, int] | None = None
        self._server: tuple[str, int] | None = None
        self._scheme = "http"
        # what is being read
        self._url, self._headers = b"", cast(Headers, [])
        self._size = self._raw = self._surplus = 0
        self._began = self._in_body = self._deaf = False
        self._why: Refused | None = None
        # what is being answered
        self._reading: Exchange | None = None
        self._current: Exchange | None = None
        self._queue: deque[Exchange] = deque()
        self._read_paused = False
        self.paused_since: float | None = None
        self._writable: asyncio.Future[None] | None = None

    # -- the transport's callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._client, self._server = _address(transport, "peername"), _address(transport, "sockname")
        self._scheme = "https" if transport.get_extra_info("sslcontext") else "http"
        self.since = self._room.now()

    def connection_lost(self, error: Exception | None) -> None:
        self._room.leave(self)
        self._deaf, self.lost, self.phase, self.paused_since = True, True, Phase.ENDING, None
        del self._parser  # it refers to its connection
        self._leave_exchanges()
        self._let_write()

    def eof_received(self) -> bool:
        """A client that sends no more has left, as far as can be known: its answers are not worked for."""
        return False

    def pause_writing(self) -> None:
        self.paused_since = self._room.now()

    def resume_writing(self) -> None:
        self.paused_since = None
        self._let_write()

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            self._surplus += len(data)
            if self._surplus > BACK:
                self.abort()
            return
        if self.phase in (Phase.NEW, Phase.KEPT):
            self.phase, self.since = Phase.HEAD, self._room.now()
        if len(data) <= HEAD_PIECE:
            self._feed(data)
            return
        view, at = memoryview(data), 0
        while at < len(view) and not self._deaf:
            piece = view[at : at + (BODY_PIECE if self._in_body else HEAD_PIECE)]
            self._feed(piece)
            at += len(piece)

    def _feed(self, data: bytes | memoryview) -> None:
        body = self._reading.received if self._in_body and self._reading is not None else 0
        try:
            self._parser.feed_data(data)
            self._count(len(data), body)
        except httptools.HttpParserUpgrade:
            self._stop_reading()  # no other protocol is offered, so what follows the head can't be read
        except (httptools.HttpParserError, Refused) as error:
            if isinstance(error, httptools.HttpParserCallbackError) and self._why is None:
                LOG.error("unexpected error of a request's head", error=repr(error.__context__), exc_info=error)
            self._refused(self._why or Refused(400, "syntax", "The request is no valid HTTP."))

    def _count(self, size: int, body: int) -> None:
        """Bound what the parser took and told nobody of: a line without an end, extensions of chunks."""
        if self._deaf:
            return
        if not self._in_body:
            self._raw = size if self._began else self._raw + size
            if self._raw > self._limits.head_size + HEAD_PIECE:
                raise self._no(431, "head", "The head of the request is too large.")
        elif self._reading is not None and not self._began:
            self._raw += size - (self._reading.received - body)
            if self._raw > self._limits.head_size + 8 * self._reading.received:
                raise self._no(400, "chunks", "The chunks of the request's body are too long for what they hold.")
        self._began = False

    def _no(self, status: int, kind: str, text: str) -> Refused:
        """An error to raise from a callback; the parser hides those of some callbacks, so it is kept here too."""
        self._why = Refused(status, kind, text)
        return self._why

    # -- the parser's callbacks

    def on_message_begin(self) -> None:
        self._url, self._headers = b"", []
        self._size = 0
        self._began, self._in_body = True, False

    def on_url(self, part: bytes) -> None:
        self._url += part
        if len(self._url) > self._limits.url_size:
            raise self._no(414, "url", "The request's target is too long.")

    def on_header(self, name: bytes, value: bytes) -> None:
        limits, size = self._limits, len(name) + len(value) + 4
        self._size += size
        if size > limits.line_size:
            raise self._no(431, "head", "A header line of the request is too long.")
        if self._size > limits.head_size or len(self._headers) >= limits.head_lines:
            raise self._no(431, "head", "The head of the request is too large.")
        self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        if self._deaf:
            return
        try:
            self._begin()
        except Refused as error:
            self._why = error
            raise

    def _begin(self) -> None:
        version = self._parser.get_http_version()
        headers, method = self._headers, self._parser.get_method().decode("ascii")
        fields = check(headers, version)
        where = target(method, self._url)
        if where.authority is not None:
            headers = [(name, value) for name, value in headers if name != b"host"] + [(b"host", where.authority)]
        self._requests += 1
        long = b"transfer-encoding" in fields or fields.get(b"content-length", b"0").strip(b" 0") != b""
        keep = version == "1.1" and self._parser.should_keep_alive()
        keep = keep and self._requests < self._limits.requests_per_connection
        if self._parser.should_upgrade():
            if long or method == "CONNECT":
                raise Refused(400, "upgrade", "No other protocol is offered here.")
            keep = False
        exchange = Exchange(
            self,
            self._scope(method, version, where.raw_path, where.query, headers),
            keep=keep,
            expects=fields.get(b"expect", b"").lower() == b"100-continue",
        )
        self._headers, self._size, self._raw = [], 0, 0  # from here on they are a trailer's, which nobody reads
        self._in_body, self._reading = True, exchange
        self._take(exchange, long)

    def _scope(self, method: str, version: str, raw_path: bytes, query: bytes, headers: Headers) -> Scope:
        path = raw_path.decode("ascii")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": version,
            "method": method,
            "scheme": self._scheme,
            "path": unquote(path) if "%" in path else path,
            "raw_path": raw_path,
            "query_string": query,
            "root_path": "",
            "headers": headers,
            "client": self._client,
            "server": self._server,
            "extensions": {EXTENSION: self},
        }

    def _take(self, exchange: Exchange, long: bool) -> None:
        """Start the work on a request, or let it wait for the answers before it."""
        if self._current is None:
            self._current = exchange
            self.phase, self.since = Phase.BODY if long else Phase.WORK, self._room.now()
            self._room.start(exchange)
        elif len(self._queue) >= QUEUED or long:
            # RFC 9112 9.3.2: a client asks again for what was sent ahead and not answered
            self._stop_reading()
        else:
            self._queue.append(exchange)
            self._pause()

    def on_body(self, part: bytes) -> None:
        exchange = self._reading
        if exchange is None or exchange.answered:
            self._surplus += len(part)
            if self._surplus > UNREAD_BODY and not self._deaf:
                self._room.refused("body")
                self.end(linger=True)
            return
        exchange.received += len(part)
        if exchange.received - len(part) <= self._limits.body_size:  # of more nobody reads anything
            exchange.body += part
        if len(exchange.body) > BODY_AHEAD:
            self._pause()
        exchange.wake()

    def on_message_complete(self) -> None:
        exchange, self._reading = self._reading, None
        self._in_body, self._url = False, b""
        self._raw = self._surplus = 0
        if exchange is None:
            return
        exchange.complete = True
        exchange.wake()
        if not exchange.keep:
            self._stop_reading()
        if exchange is self._current:
            self.phase = Phase.WORK
        elif exchange.answered:
            self._rest()

    # -- what the exchanges do

    @property
    def date(self) -> bytes:
        """The time for the header Date."""
        return self._room.date

    @property
    def paused(self) -> bool:
        """Whether the client has to read before more is written."""
        return self.paused_since is not None

    def write(self, data: bytes | memoryview) -> None:
        self._transport.write(data)

    async def drained(self, exchange: Exchange, left: int) -> None:
        """Wait until the client has read; ``left``: bytes of the answer that were not given to the transport yet."""
        with self._room.unread(self, left):
            while self.paused and not exchange.gone:
                self._writable = asyncio.get_running_loop().create_future()
                await self._writable

    def resume(self) -> None:
        """Read on, unless a request waits already."""
        if self._read_paused and not self._queue and self._transport is not None and not self._transport.is_closing():
            self._read_paused = False
            self._transport.resume_reading()

    def finished(self, exchange: Exchange) -> None:
        """The answer of the exchange at work is written: go on with the next, or wait for it."""
        self._current = None
        if not exchange.keep:
            self.end(linger=not exchange.complete)
            return
        if not exchange.complete:
            self.phase = Phase.BODY
            self.resume()
        elif self._queue:
            self._current = self._queue.popleft()
            self.phase = Phase.WORK
            self._room.start(self._current)
        elif self._deaf:
            self.end()
        else:
            self._rest()

    def _rest(self) -> None:
        self.phase, self.since = Phase.HEAD if self._url else Phase.KEPT, self._room.now()
        self.resume()

    # -- the end

    def refuse(self, answer: Answer, kind: str) -> None:
        """Answer and end the connection, whatever the client still sends."""
        self._room.refused(kind)
        self._leave_exchanges()
        if not self._transport.is_closing():
            self.write(whole(answer, self.date))
        self.end(linger=True)

    def _refused(self, why: Refused) -> None:
        """A request that can't be read: those before it are answered first, if any is at work."""
        self._stop_reading()
        started = self._current is not None and self._current is not self._reading
        if started or (self._current is not None and self._current.started):
            self._room.refused(why.kind)
            return
        self.refuse(fault(why.status, why.text), why.kind)

    def _stop_reading(self) -> None:
        """What comes from now on is not looked at, and the last answer says so."""
        self._deaf = True
        if self._current is not None:
            self._last().keep = False

    def _last(self) -> Exchange:
        return self._queue[-1] if self._queue else cast(Exchange, self._current)

    def end(self, *, linger: bool = False) -> None:
        """Close after what is written; with ``linger`` let the client read it although it still sends."""
        self._deaf, self.phase, self.since = True, Phase.ENDING, self._room.now()
        self._surplus = 0
        if self._transport.is_closing():
            return
        if linger and self._transport.can_write_eof():
            self._transport.write_eof()
            if self._read_paused:
                self._read_paused = False
                self._transport.resume_reading()
        else:
            self._transport.close()

    def abort(self) -> None:
        """Cut the connection: what was not read is lost."""
        self._leave_exchanges()
        self._room.leave(self)
        self.phase, self._deaf, self.lost = Phase.ENDING, True, True
        if self._transport is not None:
            self._transport.abort()
        else:  # in a TLS handshake, which this makes fail
            with contextlib.suppress(OSError):
                self._made.shutdown(socket.SHUT_RDWR)

    def _leave_exchanges(self) -> None:
        for one in (self._current, *self._queue):
            if one is not None:
                one.gone = True
                one.wake()
        self._current = None
        self._queue.clear()

    def _let_write(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)

    def _pause(self) -> None:
        if not self._read_paused and not self._transport.is_closing():
            self._read_paused = True
            self._transport.pause_reading()

    @property
    def idle(self) -> bool:
        """Whether no request is at work here, or the client has not read its answer for a while."""
        stalled = self.paused_since is not None and self._room.now() - self.paused_since > STALLED_SECONDS
        return self.phase != Phase.WORK or stalled

    def shut(self) -> None:
        """The server stops: end after the answer at work, at once without one."""
        if self._transport is None:
            self.abort()
        elif self._current is None:
            self.end()
        else:
            self._queue.clear()
            self._current.keep = False

    def check(self, now: float) -> None:
        """End the connection when what it waits for took too long."""
        limits, waited = self._limits, now - self.since
        if self._transport is None:
            if waited > limits.first_byte_timeout:
                self.abort()
        elif self.paused_since is not None and now - self.paused_since > limits.write_timeout:
            self._room.refused("write timeout")
            self.abort()
        elif self.phase == Phase.NEW and waited > limits.first_byte_timeout:
            self._room.refused("first byte timeout")
            self.end()
        elif self.phase == Phase.HEAD and waited > limits.head_timeout:
            self.refuse(fault(408, "The request's head took too long."), "head timeout")
        elif self.phase == Phase.BODY:
            self._check_body(now, waited)
        elif self.phase == Phase.KEPT and waited > self._patience():
            self.end()
        elif self.phase == Phase.ENDING and waited > ENDING_SECONDS:
            self.abort()

    def _patience(self) -> float:
        limits = self._limits
        return limits.keep_alive if self.identified else min(limits.keep_alive, limits.first_byte_timeout)

    def _check_body(self, now: float, waited: float) -> None:
        if self._read_paused:
            self.since = now  # it is we who do not read
        elif waited > self._limits.body_timeout:
            if self._current is None or self._current.started:  # answered already, or in part
                self._room.refused("body timeout")
                self.abort()
            else:
                self.refuse(fault(408, "The request's body took too long."), "body timeout")


def _address(transport: asyncio.BaseTransport, name: str) -> tuple[str, int] | None:
    found = transport.get_extra_info(name)
    return (str(found[0]), int(found[1])) if isinstance(found, tuple) and len(found) >= 2 else None
