"""Between the tests' NFS client and a server, in the client's network namespace: answers the server's first call.

Ganesha 9 asks a new client whether it can be called back. The client library drops that call, and waits for the server,
which waits 3 s for an answer, at every connection. All else goes through as it is, record by record.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading

PORT = 2049
_CALL, _REPLY, _ACCEPTED = 0, 1, 0
_LAST = 0x80000000


def way(server: str) -> tuple[str, int]:
    """Address and port by which the client reaches ``server``; without the relay when it is not reached."""
    try:
        socket.create_connection((server, PORT), timeout=3).close()
    except OSError:
        return server, PORT  # the library's own error is wanted
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_serve, args=(listener, server), daemon=True).start()
    return "127.0.0.1", listener.getsockname()[1]


def _serve(listener: socket.socket, server: str) -> None:
    while True:
        near, _ = listener.accept()
        threading.Thread(target=_join, args=(near, server), daemon=True).start()


def _join(near: socket.socket, server: str) -> None:
    """Carry records both ways until either side hangs up."""
    with near, contextlib.suppress(OSError), socket.create_connection((server, PORT), timeout=5) as far:
        far.settimeout(None)
        for one in (near, far):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lock = threading.Lock()
        threading.Thread(target=_up, args=(near, far, lock), daemon=True).start()
        _down(near, far, lock)


def _up(near: socket.socket, far: socket.socket, lock: threading.Lock) -> None:
    with contextlib.suppress(OSError):
        while record := _record(near):
            with lock:
                far.sendall(record)
    _hang_up(near, far)


def _down(near: socket.socket, far: socket.socket, lock: threading.Lock) -> None:
    with contextlib.suppress(OSError):
        while record := _record(far):
            xid, kind = struct.unpack_from(">2I", record, 4)
            # a call of procedure 0: version, program and its version stand between
            if kind == _CALL and len(record) >= 28 and struct.unpack_from(">I", record, 24)[0] == 0:
                answer = struct.pack(">6I", xid, _REPLY, _ACCEPTED, 0, 0, 0)
                with lock:
                    far.sendall(struct.pack(">I", _LAST | len(answer)) + answer)
            else:
                near.sendall(record)
    _hang_up(near, far)


def _hang_up(*lines: socket.socket) -> None:
    for one in lines:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _record(line: socket.socket) -> bytes:
    """The next record, or part of one, with its mark; empty at the end."""
    mark = line.recv(4, socket.MSG_WAITALL)
    if len(mark) < 4:
        return b""
    size = struct.unpack(">I", mark)[0] & ~_LAST
    body = line.recv(size, socket.MSG_WAITALL)
    return mark + body if len(body) == size else b""
