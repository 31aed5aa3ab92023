"""What clients need around the service: the fake Neutron, a stand-in for Keystone and the service itself."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from tests.conformance import launch
from tests.peers import processes

VENDORED = launch.VENDORED / "clients"


@dataclass(frozen=True, slots=True)
class Stage:
    """A running service and the Keystone whose catalogue holds it. URLs have no trailing slash; ``identity`` ends in
    ``/v3``."""

    at: launch.Endpoint
    identity: str


@contextlib.contextmanager
def stage(backends: str = "alpha,beta,gamma,delta", *, database: str = "") -> Iterator[Stage]:
    """A fresh service for the time of the block, with the accounts of the vendored ``tokens.json``.

    Args:
        database: URL of an empty database for it to work on, if it may not have one of its own.
    """
    (port,) = launch.free_ports(1)
    options = ["--database", database] if database else []
    with contextlib.ExitStack() as stack:
        at = stack.enter_context(launch.service(backends, *options))
        child = stack.enter_context(launch.process(standin(port, at.url, at.neutron)))
        processes.answers(f"http://127.0.0.1:{port}/v3", child)
        yield Stage(at, f"http://127.0.0.1:{port}/v3")


def standin(port: int, share: str, neutron: str) -> list[str]:
    """The command that starts the stand-in for Keystone; ``share`` and ``neutron`` go into its catalogue."""
    command = [sys.executable, str(VENDORED / "keystone_standin.py"), "--port", str(port)]
    return [*command, "--share", share, "--network", neutron]
