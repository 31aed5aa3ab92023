"""Clients and servers in network namespaces: who answers, how long nobody does, and frames that no honest client sends.

Threads of this process whose sockets are in the namespaces.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import struct
import threading
import time
from collections.abc import Callable

from drivers.ganesha.kubernetes.ovn.space import inside
from tests.lab.processes import wait

NFS = 2049


class Echo:
    """A server that says its name to who connects, and then every byte that it is sent."""

    def __init__(self, space: str, name: str, port: int = NFS) -> None:
        self.name = name
        with inside(space):
            self._listener = socket.create_server(("0.0.0.0", port), reuse_port=True)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        with contextlib.suppress(OSError), line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.sendall(self.name.encode() + b"\n")
            while data := line.recv(65536):
                line.sendall(data)

    def close(self) -> None:
        """Stop listening: closing alone would leave a thread in ``accept`` that goes on."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def connect(space: str, ip: str, port: int = NFS, seconds: float = 1.0) -> socket.socket:
    """A connection of a namespace. Raises OSError."""
    with inside(space):
        line = socket.socket()
    line.settimeout(seconds)
    try:
        line.connect((ip, port))
    except OSError:
        line.close()
        raise
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def who(space: str, ip: str, port: int = NFS, seconds: float = 1.0) -> str:
    """The name of the server that answers, or the kind of error."""
    try:
        with connect(space, ip, port, seconds) as line:
            return line.recv(100).decode().strip()
    except OSError as error:
        return type(error).__name__


def reached(space: str, ip: str, name: str, seconds: float = 10.0) -> None:
    """Wait until a server of that name answers: the first packets over a new tunnel are lost."""
    wait(f"{name} answers", lambda: who(space, ip, seconds=0.3) == name, seconds, 0.01)


class Beat:
    """A client that asks all the time, by one connection or a new one each time, and notes when it was answered.

    ``patience``: seconds until a connection that is not there is tried again.
    """

    def __init__(self, space: str, ip: str, *, again: bool = True, patience: float = 0.05) -> None:
        self._space, self._ip, self._again, self._patience = space, ip, again, patience
        self.times: list[float] = []
        self.names: list[str] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        line: socket.socket | None = None
        while not self._stop.is_set():
            try:
                if line is None:
                    line = connect(self._space, self._ip, seconds=self._patience if self._again else 1.0)
                    self.names.append(line.recv(100).decode().strip())
                    line.settimeout(60)
                if not self._again:
                    line.sendall(b"x")
                    if not line.recv(1):
                        raise ConnectionError("closed")
                self.times.append(time.monotonic())
                if self._again:
                    line.close()
                    line = None
                time.sleep(0.002)
            except OSError:
                if line is not None:
                    line.close()
                line = None
        if line is not None:
            line.close()

    def after(self, moment: float, seconds: float = 20.0) -> float:
        """The first answer after a moment."""
        wait("an answer", lambda: bool(self.times) and self.times[-1] > moment, seconds, 0.002)
        return next(one for one in self.times if one > moment)

    def silent(self, quiet: float = 0.4, seconds: float = 20.0) -> float:
        """The last answer, once there was none for ``quiet`` seconds."""
        wait("silence", lambda: bool(self.times) and time.monotonic() - self.times[-1] > quiet, seconds, 0.005)
        return self.times[-1]

    def gap(self, since: float) -> float:
        """The longest pause, from a second before a moment on."""
        times = [one for one in self.times if one > since - 1]
        return max(later - earlier for earlier, later in itertools.pairwise(times))

    def stop(self) -> None:
        """End it. A connection that hangs is left to its thread."""
        self._stop.set()
        self._thread.join(0.5)


def timed(act: Callable[[], object]) -> float:
    """Seconds that something takes."""
    begin = time.monotonic()
    act()
    return time.monotonic() - begin


# ---- frames


def _mac(text: str) -> bytes:
    return bytes.fromhex(text.replace(":", ""))


def _sum(data: bytes) -> int:
    total: int = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return int(~total & 0xFFFF)


def datagram(source_mac: str, target_mac: str, source: str, target: str, port: int, payload: bytes) -> bytes:
    """An Ethernet frame with a UDP datagram."""
    udp = struct.pack("!HHHH", port, port, 8 + len(payload), 0) + payload
    addresses = socket.inet_aton(source) + socket.inet_aton(target)
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0) + addresses
    head = head[:10] + struct.pack("!H", _sum(head)) + head[12:]
    return _mac(target_mac) + _mac(source_mac) + b"\x08\x00" + head + udp


def announcement(mac: str, ip: str) -> bytes:
    """An Ethernet frame that says to everybody: ``ip`` is at ``mac``."""
    address = _mac(mac) + socket.inet_aton(ip)
    return b"\xff" * 6 + _mac(mac) + b"\x08\x06" + struct.pack("!HHBBH", 1, 0x0800, 6, 4, 2) + address + b"\xff" * 6 + (
        socket.inet_aton(ip)
    )  # fmt: skip


class Tap:
    """All frames at a device of a namespace."""

    def __init__(self, space: str, device: str) -> None:
        with inside(space):
            self._line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self._line.bind((device, 0))
        self._line.settimeout(0.05)

    def send(self, frame: bytes) -> None:
        self._line.send(frame)

    def passes(self, other: Tap, frame: bytes) -> bool:
        """Whether a frame sent here arrives there."""
        self.send(frame)
        return other.saw(frame)

    def saw(self, frame: bytes, seconds: float = 0.5) -> bool:
        """Whether a frame arrives in time; what came before is looked at too."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                if self._line.recv(4096) == frame:
                    return True
        return False

    def close(self) -> None:
        self._line.close()
