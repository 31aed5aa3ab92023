"""Method calls over a D-Bus socket: as much of the protocol as talking to Ganesha takes.

After the D-Bus specification, chapters "Message Protocol" and "Authentication Protocol". A library would do the same;
this one is in every gateway, and costs a tenth of the memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Self

from drivers.ganesha.gateway.supervise import GREETING

_CALL, _RETURN, _ERROR = 1, 2, 3
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _REPLY_SERIAL, _DESTINATION, _SIGNATURE = 1, 2, 3, 4, 5, 6, 8
_FIXED: Final = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "h": "I"}
_ALIGNED: Final = {"g": 1, "v": 1, "s": 4, "o": 4, "a": 4, "(": 8, "{": 8}
_LARGEST: Final = 64 << 20
"""Bytes of a message that are read; the specification allows twice as much."""


class Refusal(Exception):
    """The other end answered with an error; ``name`` is that of the protocol."""

    def __init__(self, name: str, body: Sequence[object]) -> None:
        super().__init__(f"{name}: {list(body)}")
        self.name = name


class Garbled(EOFError):
    """What came is no message; nothing more can be read from this connection."""


class Bus:
    """A connection, for one call after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer, self._serial = reader, writer, 1

    @classmethod
    @contextlib.asynccontextmanager
    async def at(cls, socket: Path) -> AsyncIterator[Self]:
        """Connect to a bus's socket, and close the connection in the end.

        Raises:
            OSError: the bus can't be reached, or lets us not in.
            EOFError: it closed the connection, or sent what is no message.
        """
        reader, writer = await asyncio.open_unix_connection(str(socket))
        try:
            writer.write(GREETING)
            answer = await reader.readline()
            if not answer.startswith(b"OK "):
                raise ConnectionRefusedError(f"the bus lets us not in: {answer[:80]!r}")
            hello = message(1, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
            writer.write(b"BEGIN\r\n" + hello)
            await _answer(reader, 1)
            yield cls(reader, writer)
        finally:
            writer.close()

    async def call(
        self,
        destination: str,
        path: str,
        interface: str,
        member: str,
        signature: str = "",
        body: Sequence[Any] = (),
    ) -> list[Any]:
        """Call one method; the values of the answer, structures as lists.

        Args:
            signature: of ``body``, of the types s, o, g, q, u and t.

        Raises:
            OSError, EOFError: the connection is lost.
            Refusal: the answer is an error.
        """
        self._serial += 1
        self._writer.write(message(self._serial, destination, path, interface, member, signature, body))
        return await _answer(self._reader, self._serial)


def message(
    serial: int,
    destination: str,
    path: str,
    interface: str,
    member: str,
    signature: str = "",
    body: Sequence[Any] = (),
) -> bytes:
    """A method call as it is sent."""
    packed = _packed(signature, body)
    said = ((_PATH, "o", path), (_INTERFACE, "s", interface), (_MEMBER, "s", member), (_DESTINATION, "s", destination))
    fields = b""
    for code, kind, value in (*said, *(((_SIGNATURE, "g", signature),) if signature else ())):
        fields += bytes(-len(fields) % 8) + bytes([code, 1]) + kind.encode() + b"\0" + _one(kind, value, 4)
    head = struct.pack("<4BIII", ord("l"), _CALL, 0, 1, len(packed), serial, len(fields)) + fields
    return head + bytes(-len(head) % 8) + packed


def _packed(signature: str, body: Sequence[Any]) -> bytes:
    out = b""
    for kind, value in zip(signature, body, strict=True):
        out += _one(kind, value, len(out))
    return out


def _one(kind: str, value: Any, at: int) -> bytes:
    """A value as it stands at the offset ``at``."""
    if kind in _FIXED:
        size = struct.calcsize(_FIXED[kind])
        return bytes(-at % size) + struct.pack("<" + _FIXED[kind], value)
    text = str(value).encode()
    if kind == "g":
        return bytes([len(text)]) + text + b"\0"
    return bytes(-at % 4) + struct.pack("<I", len(text)) + text + b"\0"


async def _answer(reader: asyncio.StreamReader, serial: int) -> list[Any]:
    """Of what comes, the answer to a call; signals, which nobody asked for, are passed over."""
    while True:
        head = await reader.readexactly(16)
        order = {ord("l"): "<", ord("B"): ">"}.get(head[0])
        if order is None:
            raise Garbled(f"no byte order: {head[:4]!r}")
        length, _, fields = struct.unpack_from(order + "III", head, 4)
        if length + fields > _LARGEST:
            raise Garbled(f"a message of {length + fields} bytes")
        start = 16 + fields + -fields % 8
        whole = head + await reader.readexactly(start - 16 + length)
        try:
            said = dict(Reader(whole, order, 12).value("a(yv)"))
            if said.get(_REPLY_SERIAL) != serial:
                continue
            values = list(Reader(whole, order, start).values(str(said.get(_SIGNATURE, ""))))
        except (struct.error, ValueError, LookupError, TypeError) as error:
            raise Garbled(f"no message: {error}") from error
        if head[1] == _ERROR:
            raise Refusal(str(said.get(_ERROR_NAME, "")), values)
        if head[1] == _RETURN:
            return values


class Reader:
    """Takes values out of a message from the offset ``at`` on; ``order`` as in ``struct``.

    Raises:
        struct.error, ValueError, LookupError: it is none.
    """

    def __init__(self, data: bytes, order: str, at: int = 0) -> None:
        self._data, self._order, self._at = data, order, at

    def values(self, signature: str) -> Iterator[Any]:
        """The values of some types in sequence."""
        for kind in types(signature):
            yield self.value(kind)

    def value(self, kind: str) -> Any:
        """The value of one complete type."""
        if kind in _FIXED:
            return self._fixed(kind)
        first = kind[0]
        self._align(_ALIGNED[first])
        if first in "sog":
            length = self._fixed("y" if first == "g" else "u")
            self._at += length + 1
            return self._data[self._at - length - 1 : self._at - 1].decode()
        if first == "v":
            return self.value(self.value("g"))
        if first == "a":
            return self._array(kind[1:])
        return list(self.values(kind[1:-1]))

    def _array(self, kind: str) -> Any:
        length = self._fixed("u")
        self._align(_alignment(kind))
        end, found = self._at + length, []
        if end > len(self._data):
            raise ValueError("an array longer than its message")
        while self._at < end:
            found.append(self.value(kind))
        return dict(found) if kind[0] == "{" else found

    def _fixed(self, kind: str) -> Any:
        form = _FIXED[kind]
        self._align(struct.calcsize(form))
        (value,) = struct.unpack_from(self._order + form, self._data, self._at)
        self._at += struct.calcsize(form)
        return bool(value) if kind == "b" else value

    def _align(self, size: int) -> None:
        self._at += -self._at % size


def _alignment(kind: str) -> int:
    return struct.calcsize(_FIXED[kind]) if kind in _FIXED else _ALIGNED[kind[0]]


def types(signature: str) -> Iterator[str]:
    """The complete types that a signature is made of.

    Raises:
        ValueError: it is none.
    """
    at = 0
    while at < len(signature):
        start = at
        while at < len(signature) and signature[at] == "a":
            at += 1
        depth = 0
        while at < len(signature):
            letter = signature[at]
            depth += (letter in "({") - (letter in ")}")
            if letter not in _FIXED and letter not in _ALIGNED and letter not in ")}":
                raise ValueError(f"no type: {letter!r} in {signature[:80]!r}")
            at += 1
            if depth == 0:
                break
        # a structure of nothing takes no room: an array of them would never end
        if depth or start == at or signature[at - 1] == "a" or "()" in signature:
            raise ValueError(f"no signature: {signature[:80]!r}")
        yield signature[start:at]
