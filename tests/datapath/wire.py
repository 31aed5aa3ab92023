"""NFS 4 as bytes: what a server answers, seen without a client library that makes sense of it.

``python wire.py`` runs inside a client's network namespace: one JSON request a line in, one JSON answer a line out, as
``nfs_agent.py``. Only the standard library is used. RFC 8881 for the operations, RFC 5531 for the calls.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
from typing import Any

PUTFH, PUTROOTFH, LOOKUP, GETFH, OPEN, LOCK, LOCKU = 22, 24, 15, 10, 18, 12, 14
EXCHANGE_ID, CREATE_SESSION, SEQUENCE, RECLAIM_COMPLETE = 42, 43, 53, 58
DENIED, OK = 10010, 0
READ, WRITE, READ_WAITS, WRITE_WAITS = 1, 2, 3, 4
RANGE = 10, 100
"""Where a lock begins, and its length."""
_CHANNEL = struct.pack(">7I", 0, 1 << 17, 1 << 17, 1 << 12, 16, 4, 0)


def opaque(data: bytes) -> bytes:
    """Bytes of any length."""
    return struct.pack(">I", len(data)) + data + b"\0" * (-len(data) % 4)


class Reader:
    """What is left of an answer."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def fixed(self, size: int) -> bytes:
        """So many bytes."""
        found, self.data = self.data[:size], self.data[size:]
        if len(found) < size:
            raise EOFError("the answer ends early")
        return found

    def u32(self) -> int:
        """A number of four bytes."""
        return int.from_bytes(self.fixed(4), "big")

    def u64(self) -> int:
        """A number of eight bytes."""
        return int.from_bytes(self.fixed(8), "big")

    def opaque(self) -> bytes:
        """Bytes that say their length."""
        size = self.u32()
        found = self.fixed(size)
        self.fixed(-size % 4)
        return found


class Status(Exception):
    """An operation that did not end well, 0 for a call as a whole; ``number`` as in the protocol."""

    def __init__(self, operation: int, number: int) -> None:
        super().__init__(f"operation {operation}: status {number}")
        self.operation, self.number = operation, number


class Wire:
    """One connection and what was agreed on it."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._server = ""
        self._xid = 1
        self._minor = 1
        self.client = 0
        self._session, self._sequence = b"", 0
        self._handles: dict[str, bytes] = {}
        self._states: dict[str, bytes] = {}
        self._opened = b""

    def connect(self, server: str) -> None:
        """Connect anew."""
        self.close()
        self._server = server
        self._socket = socket.create_connection((server, 2049), timeout=40)

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()

    def _call(self, body: bytes) -> Reader:
        assert self._socket is not None
        self._xid += 1
        who = opaque(struct.pack(">I", 0) + opaque(b"wire") + struct.pack(">3I", 0, 0, 0))
        head = struct.pack(">6I", self._xid, 0, 2, 100003, 4, 1) + struct.pack(">I", 1) + who + struct.pack(">2I", 0, 0)
        message = head + body
        self._socket.sendall(struct.pack(">I", 0x80000000 | len(message)) + message)
        while True:
            answer, last = b"", False
            while not last:
                mark = int.from_bytes(self._exactly(4), "big")
                last = bool(mark & 0x80000000)
                answer += self._exactly(mark & 0x7FFFFFFF)
            reader = Reader(answer)
            if (reader.u32(), reader.u32()) == (self._xid, 1):
                break
        reader.u32()  # accepted
        reader.fixed(4)
        reader.opaque()
        if accepted := reader.u32():
            raise Status(0, accepted)
        return reader

    def _exactly(self, size: int) -> bytes:
        assert self._socket is not None
        found = b""
        while len(found) < size:
            more = self._socket.recv(size - len(found))
            if not more:
                raise EOFError("the server hung up")
            found += more
        return found

    def compound(self, minor: int, *operations: tuple[int, bytes]) -> Reader:
        """Status and all that follows it of a compound."""
        body = opaque(b"") + struct.pack(">2I", minor, len(operations))
        return self._call(body + b"".join(struct.pack(">I", number) + data for number, data in operations))

    def status(self, minor: int) -> int:
        """What a server answers to a compound of nothing in a minor version."""
        return self.compound(minor).u32()

    def _ops(self, *operations: tuple[int, bytes], session: bool = True) -> Reader:
        """The last operation's result; raises Status for what failed."""
        whole = list(operations)
        if session:
            self._sequence += 1
            asked = self._session + struct.pack(">4I", self._sequence, 0, 0, 0)
            whole = [(SEQUENCE, asked), *whole]
        reader = self.compound(self._minor, *whole)
        reader.u32()
        reader.opaque()
        reader.u32()
        for number, _ in whole:
            done, status = reader.u32(), reader.u32()
            if number == whole[-1][0] and status in (OK, DENIED):
                reader.data = struct.pack(">I", status) + reader.data
                return reader
            if status:
                raise Status(done, status)
            self._skip(done, reader)
        raise EOFError("no result")

    def _skip(self, operation: int, reader: Reader) -> None:
        """Go past the result of an operation that ended well."""
        if operation == SEQUENCE:
            reader.fixed(16 + 5 * 4)
        elif operation == OPEN:
            self._opened = reader.fixed(16)
            reader.fixed(20 + 4)
            reader.fixed(4 * reader.u32())
            if reader.u32() == 3:
                reader.u32()
        elif operation not in (PUTFH, PUTROOTFH, LOOKUP):
            raise AssertionError(f"operation {operation} is not expected here")

    def attach(self, server: str, name: str, verifier: int = 1, complete: bool = True, minor: int = 1) -> int:
        """A client of that name with a session; its id. ``complete``: it has nothing to reclaim."""
        self.connect(server)
        self._minor = minor
        self._sequence = 0
        asked = struct.pack(">Q", verifier) + opaque(name.encode()) + struct.pack(">3I", 0, 0, 0)
        found = self._ops((EXCHANGE_ID, asked), session=False)
        found.u32()
        self.client, sequence = found.u64(), found.u32()
        asked = (
            struct.pack(">QII", self.client, sequence, 0) + _CHANNEL + _CHANNEL + struct.pack(">3I", 0x40000000, 1, 0)
        )
        found = self._ops((CREATE_SESSION, asked), session=False)
        found.u32()
        self._session = found.fixed(16)
        if complete:
            self.complete()
        return self.client

    def complete(self) -> None:
        """Say that nothing more is to be reclaimed."""
        self._ops((RECLAIM_COMPLETE, struct.pack(">I", 0)))

    def open(self, share: str, name: str, owner: str) -> None:
        """Open a file of a share for reading and writing, made if need be."""
        how = struct.pack(">2I", 1, 0) + struct.pack(">2I", 0, 0)
        self._open(
            owner,
            [(PUTROOTFH, b""), (LOOKUP, opaque(share.encode()))],
            how,
            struct.pack(">I", 0) + opaque(name.encode()),
        )

    def reopen(self, owner: str) -> None:
        """Claim an open file again after the server's restart."""
        self._open(owner, [(PUTFH, opaque(self._handles[owner]))], struct.pack(">I", 0), struct.pack(">2I", 1, 0))

    def _open(self, owner: str, where: list[tuple[int, bytes]], how: bytes, claim: bytes) -> None:
        asked = (
            struct.pack(">3I", 0, 3 | 0x400, 0) + struct.pack(">Q", self.client) + opaque(owner.encode()) + how + claim
        )
        found = self._ops(*where, (OPEN, asked), (GETFH, b""))
        found.u32()
        self._handles[owner] = found.opaque()
        self._states[owner] = self._opened

    def ask(self, owner: str, operation: int, state: bool, words: str) -> dict[str, Any]:
        """Any operation on an open file, with its state if that is asked for: the status, and what follows it.

        Args:
            words: the other arguments as they go over the line, hexadecimal.
        """
        asked = (self._states[owner] if state else b"") + bytes.fromhex(words)
        try:
            found = self._ops((PUTFH, opaque(self._handles[owner])), (operation, asked))
        except Status as error:
            if not error.operation:
                self._sequence -= 1  # the call was refused as a whole
            return {"status": error.number, "answer": ""}
        return {"status": found.u32(), "answer": found.data.hex()}

    def lock(self, owner: str, kind: int = WRITE, again: bool = False) -> dict[str, Any]:
        """Lock ``RANGE`` as ``owner``: its status, and who holds it if it is denied."""
        locker = struct.pack(">2I", 1, 0) + self._states[owner] + struct.pack(">IQ", 0, self.client)
        asked = struct.pack(">2I2Q", kind, int(again), *RANGE) + locker + opaque(f"lock {owner}".encode())
        found = self._ops((PUTFH, opaque(self._handles[owner])), (LOCK, asked))
        status = found.u32()
        if status == OK:
            return {"status": OK}
        try:
            held = {"offset": found.u64(), "length": found.u64(), "kind": found.u32(), "client": found.u64()}
            return {"status": status, **held, "owner": found.opaque().decode("latin-1"), "left": len(found.data)}
        except EOFError as error:
            return {"status": status, "broken": str(error)}


def main() -> None:
    """Answer until the input ends."""
    wire = Wire()
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        try:
            answer = {"ok": getattr(wire, request.pop("do"))(**request)}
        except Status as error:
            answer = {"error": str(error.number), "text": str(error)}
        except (OSError, EOFError) as error:
            answer = {"error": type(error).__name__, "text": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
