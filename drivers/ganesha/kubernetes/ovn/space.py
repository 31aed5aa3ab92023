"""Network namespaces: those of pods, and what is set inside of one."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CLONE_NEWNET: Final = 0x40000000
SIOCETHTOOL: Final = 0x8946
ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO = 0x17, 0x1F, 0x24
WINDOW: Final = "4096 65536 65536"
"""Bytes of a TCP connection on its way. The userspace datapath reads a device through a socket that holds 200 KB; a
larger window only overflows it (seen: every fifth packet was sent again)."""
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The network namespace of a pod: a file that stands for it, and the kernel's number of it."""

    path: str
    identity: str


def identity(path: str | Path) -> str:
    """The kernel's number of a namespace. Raises OSError: it is gone."""
    return str(os.stat(path).st_ino)


def sandbox(uid: str, strangers: Collection[str], proc: Path = Path("/proc")) -> Sandbox | None:
    """The network namespace of the pod ``uid``, by its processes' control groups; None while it has none.

    Args:
        strangers: identities of namespaces that are no pod's: a container's process is in its node's for a moment.
        proc: where processes are seen, those of the whole node.
    """
    marks = (f"pod{uid}", f"pod{uid.replace('-', '_')}")
    for folder in proc.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            groups = (folder / "cgroup").read_text()
            if not any(mark in groups for mark in marks):
                continue
            found = identity(folder / "ns" / "net")
        except OSError:
            continue
        if found not in strangers:
            return Sandbox(str(folder / "ns" / "net"), found)
    return None


@contextlib.contextmanager
def inside(path: str) -> Iterator[None]:
    """This thread works inside a network namespace; sockets that it opens stay there."""
    here = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        there = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _enter(there)
        finally:
            os.close(there)
        try:
            yield
        finally:
            _enter(here)
    finally:
        os.close(here)


def _enter(descriptor: int) -> None:
    if _libc.setns(descriptor, CLONE_NEWNET):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "setns")


def devices(path: str) -> list[str]:
    """Names of the devices in a network namespace."""
    with inside(path):
        return [name for _, name in socket.if_nameindex()]


def for_userspace_datapath(path: str, device: str) -> None:
    """Let a device in a namespace make its checksums itself, and keep the windows of TCP small enough."""
    with inside(path):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
            for command in (ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO):
                value = ctypes.create_string_buffer(struct.pack("II", command, 0))
                request = struct.pack("16sP16x", device.encode(), ctypes.addressof(value))
                fcntl.ioctl(handle, SIOCETHTOOL, request)
        Path("/proc/sys/net/ipv4/tcp_wmem").write_text(WINDOW)
