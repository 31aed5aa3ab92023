"""Start the fake Neutron and the service beside each other on free ports, and end them again."""

from __future__ import annotations

import contextlib
import pathlib
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
VENDORED = HERE / "vendored"
START_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a started service listens; all are URLs without a trailing slash."""

    url: str
    control: str
    neutron: str
    pid: int = 0

    @property
    def arguments(self) -> list[str]:
        """The options of the vendored ``scenario`` and ``fuzz`` that name it."""
        return ["--url", self.url, "--control", self.control, "--neutron", self.neutron]


def free_ports(count: int) -> list[int]:
    """Ports of the loopback address that nobody listens on now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextlib.contextmanager
def process(
    arguments: list[str], ready: str = "READY", seconds: float = START_SECONDS
) -> Iterator[subprocess.Popen[str]]:
    """A child that has printed a line starting with ``ready``; it gets SIGTERM at the end of the block.

    Raises:
        RuntimeError: it ended, or did not become ready in time.
    """
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        _wait(child, ready, seconds)
        yield child
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stdout is not None:
            child.stdout.close()


def _wait(child: subprocess.Popen[str], ready: str, seconds: float) -> None:
    assert child.stdout is not None
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([child.stdout], [], [], 0.5)[0]:
            line = child.stdout.readline()
            if line.startswith(ready):
                return
            if not line:
                raise RuntimeError(f"{child.args!r} ended with status {child.wait()}")
    raise RuntimeError(f"{child.args!r} was not ready in {seconds:.0f} s")


@contextlib.contextmanager
def service(backends: str = "alpha,beta,gamma", *options: str) -> Iterator[Endpoint]:
    """The service under test with its own fake Neutron, both fresh; ``options`` go to ``target``."""
    port, control, neutron = free_ports(3)
    with (
        process([sys.executable, str(VENDORED / "fake_neutron.py"), "--port", str(neutron)]),
        process(
            [
                str(HERE / "target"),
                *("--port", str(port), "--control-port", str(control), "--neutron-port", str(neutron)),
                *("--backends", backends, *options),
            ]
        ) as child,
    ):
        local = "http://127.0.0.1"
        yield Endpoint(f"{local}:{port}", f"{local}:{control}/_oracle", f"{local}:{neutron}", child.pid)
