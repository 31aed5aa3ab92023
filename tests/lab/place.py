"""Where a lab lives: its folder, its binaries, its network."""

from __future__ import annotations

import os
import pathlib
import socket
from dataclasses import dataclass

from tests.lab.processes import sh

BRIDGE, HOST, PODS = "kl0", "10.88.0.1", "10.88.0.0/16"
SERVICE = "10.0.0.1"
"""Address of the service ``kubernetes``; there is no kube-proxy, the bridge itself has it."""
OUTER = "OPENKEEL_LAB_OUTER"
"""Environment variable: the network namespace of who started the lab."""


@dataclass(frozen=True)
class Place:
    """``base``: the lab's folder; ``programs``: the folder that ``tests.lab.build`` made."""

    base: pathlib.Path
    programs: pathlib.Path

    def program(self, name: str) -> str:
        """Path of a binary."""
        return str(self.programs / name)

    def home(self, node: str) -> pathlib.Path:
        """The folder of a node."""
        return self.base / node

    @property
    def gateways(self) -> pathlib.Path:
        """The folder that each node has for its gateways, at the same path: ``kubernetes_gateways_path``."""
        return self.base / "gateways"

    @property
    def pool(self) -> pathlib.Path:
        """Where the volumes of all nodes are kept."""
        return self.base / "pool"

    @property
    def faults(self) -> pathlib.Path:
        """A file here, named after a CSI call, makes that call slow (``delay 5s``) or fail (``8 pool is full``)."""
        return self.base / "faults"


def network() -> str:
    """Identity of this process's network namespace."""
    return str(os.stat("/proc/self/ns/net").st_ino)


def own_network() -> bool:
    """Whether this process has a network namespace made for the lab: nodes run nowhere else."""
    return os.environ.get(OUTER, network()) != network()


def free_port(host: str = "127.0.0.1") -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as one:
        one.bind((host, 0))
        return int(one.getsockname()[1])


def make_bridge() -> None:
    """The network of the pods and of the nodes, unless it is there."""
    if f"{BRIDGE} " in sh("ip", "-br", "link"):
        return
    sh("ip", "link", "add", BRIDGE, "type", "bridge")
    sh("ip", "addr", "add", f"{HOST}/16", "dev", BRIDGE)
    sh("ip", "addr", "add", f"{SERVICE}/32", "dev", BRIDGE)
    sh("ip", "link", "set", BRIDGE, "up")
