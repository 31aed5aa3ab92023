"""One request and its answer, as the application has them: ``receive`` and ``send`` of ASGI."""

from __future__ import annotations

import asyncio
import http
import re
from typing import TYPE_CHECKING, Any

import structlog
from starlette.types import ASGIApp, Message, Scope

from api.faults import Answer, fault

if TYPE_CHECKING:
    from api.server.connection import Connection

LOG = structlog.get_logger("api.server")
PIECE = 65536
"""Bytes of an answer that are given to the connection at a time."""
EXTENSION = "openkeel.connection"
"""The key of a scope's ``extensions`` under which its connection is found."""
UNSAFE = re.compile(b"[\x00-\x08\x0a-\x1f\x7f]")


def _status_line(status: int) -> bytes:
    try:
        phrase = http.HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    return f"HTTP/1.1 {status} {phrase}\r\n".encode()


STATUS_LINES = {status: _status_line(status) for status in range(100, 600)}


def whole(answer: Answer, date: bytes) -> bytes:
    """A finished answer that the server itself gives, after which the connection ends."""
    lines = [STATUS_LINES[answer.status], b"date: ", date, b"\r\n"]
    lines += [f"{name.lower()}: {value}\r\n".encode("latin-1") for name, value in answer.headers.items()]
    lines.append(f"content-type: {answer.content_type}\r\ncontent-length: {len(answer.body)}\r\n".encode())
    return b"".join([*lines, b"connection: close\r\n\r\n", answer.body])


class Exchange:
    """One request and its answer.

    ``complete``: the whole request was read. ``answered``: the whole answer was given to the connection.
    ``gone``: nobody reads the answer any more.
    """

    __slots__ = (
        "_chunked", "_connection", "_endless", "_expects", "_head", "_left", "_read", "_receiving", "answered", "body",
        "complete", "gone", "keep", "received", "scope", "started",
    )  # fmt: skip

    def __init__(self, connection: Connection, scope: Scope, *, keep: bool, expects: bool) -> None:
        self._connection, self.scope, self.keep, self._expects = connection, scope, keep, expects
        self.body = bytearray()
        self.received = 0
        self.complete = self.started = self.answered = self.gone = False
        self._receiving: asyncio.Future[None] | None = None
        self._read = False
        self._head: list[bytes] = []
        self._left, self._chunked, self._endless = 0, False, False

    def wake(self) -> None:
        """Let ``receive`` look again: more of the body came, or nothing will."""
        if self._receiving is not None and not self._receiving.done():
            self._receiving.set_result(None)

    async def run(self, app: ASGIApp) -> None:
        """Let the application answer; an error of it becomes a 500, or the end of a connection that has read a part."""
        try:
            await app(self.scope, self.receive, self.send)
        except asyncio.CancelledError:
            self._connection.abort()
            raise
        except Exception as error:
            LOG.error("unexpected error of a request", error=repr(error), exc_info=error)
        if self.answered or self.gone:
            return
        if self.started:
            self._connection.abort()
        else:
            self._connection.refuse(fault(500), "error")

    async def receive(self) -> Message:
        """The next part of the body; ``http.disconnect`` when no more comes."""
        if self._expects:
            self._expects = False
            if not self.complete and not self.body:
                self._connection.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        while self._read or not (self.body or self.complete):
            if self.gone or self.answered:
                return {"type": "http.disconnect"}
            self._connection.resume()
            self._receiving = asyncio.get_running_loop().create_future()
            await self._receiving
            self._receiving = None
        part, self.body = bytes(self.body), bytearray()
        self._read = self.complete
        self._connection.resume()
        return {"type": "http.request", "body": part, "more_body": not self.complete}

    async def send(self, message: Message) -> None:
        """Give the next part of the answer to the connection; returns when the client has taken most of it.

        Raises:
            RuntimeError: the application does not keep to ASGI, or a header can't be sent.
        """
        if self.gone:
            return
        if not self.started:
            self._begin(message)
            return
        if self.answered or message["type"] != "http.response.body":
            raise RuntimeError(f"unexpected {message['type']}")
        body, more = message.get("body", b""), message.get("more_body", False)
        if self.scope["method"] == "HEAD":
            body, self._left = b"", 0
        if not self._endless:
            self._left -= len(body)
            if self._left < 0 or (self._left and not more):
                raise RuntimeError("the answer's length is not as announced")
        await self._write(body, more)
        if not more and not self.gone:
            self.answered = True
            self.wake()
            self._connection.finished(self)

    async def _write(self, body: bytes, more: bool) -> None:
        head = b"".join(self._head)
        self._head = []
        if self._chunked and body:
            body = b"%x\r\n%b\r\n" % (len(body), body)
        if self._chunked and not more:
            body += b"0\r\n\r\n"
        if len(body) <= PIECE:
            if head or body:
                self._connection.write(head + body)
            if self._connection.paused:
                await self._connection.drained(self, len(body))
            return
        self._connection.write(head)
        view = memoryview(body)
        for at in range(0, len(view), PIECE):
            if self.gone:
                return
            self._connection.write(view[at : at + PIECE])
            if self._connection.paused:
                await self._connection.drained(self, len(view))

    def _begin(self, message: Message) -> None:
        if message["type"] != "http.response.start":
            raise RuntimeError(f"unexpected {message['type']}")
        status: int = message["status"]
        lines, length, closes = [STATUS_LINES[status], b"date: ", self._connection.date, b"\r\n"], None, False
        for name, value in message.get("headers", ()):
            name = name.lower()
            if UNSAFE.search(value) or UNSAFE.search(name):
                raise RuntimeError("a header of the answer holds a control character")
            if name == b"content-length":
                length = int(value)
            elif name == b"connection" and b"close" in value.lower():
                closes = True
            lines += (name, b": ", value, b"\r\n")
        if closes or not self.keep:
            self.keep = False
            if not closes:
                lines.append(b"connection: close\r\n")
        if length is None and self.scope["method"] != "HEAD" and status not in (204, 304):
            self._endless = True
            self._chunked = self.scope["http_version"] != "1.0"  # there the end of the connection ends the answer
            if self._chunked:
                lines.append(b"transfer-encoding: chunked\r\n")
        self._left = length or 0
        lines.append(b"\r\n")
        self._head = lines
        self.started = True


def gone(scope: Scope) -> bool:
    """Whether nobody waits for the answer to a request any more."""
    connection: Any = scope.get("extensions", {}).get(EXTENSION)
    return connection is not None and connection.lost


def identified(scope: Scope) -> None:
    """Say that the request's token is good: its connection may then be kept as long as ``client_socket_timeout``."""
    connection: Any = scope.get("extensions", {}).get(EXTENSION)
    if connection is not None:
        connection.identified = True
