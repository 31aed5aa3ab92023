"""Tenants' machines for the demonstration, and short forms of what commands print."""

from __future__ import annotations

import contextlib
import hashlib
import signal
import subprocess
from pathlib import Path
from typing import Any

import psutil

from drivers.ganesha.embedded.network import NAMESPACES, Fabric, inside
from drivers.ganesha.ports import Address

SHOWN = {
    *(
        "id",
        "ID",
        "name",
        "Name",
        "status",
        "Status",
        "size",
        "Size",
        "share_proto",
        "Path",
        "access_to",
        "access_level",
    ),
    *("state", "share_network_id", "neutron_net_id", "project_id", "description"),
}
"""Fields of an answer that the demonstration prints; the whole of it would fill the screen."""
VACATE_SECONDS = 5.0
SERVICE = "cli.all"
"""The module that is the service; one is left where the demonstration was killed."""
GATEWAY_PROGRAMS = ("ganesha.nfsd", "dbus-daemon", "nsenter")


def prefix(folder: Path) -> str:
    """How the network namespaces of an installation on ``folder`` begin; another one beside it has another prefix."""
    return f"manila-{hashlib.sha256(str(folder).encode()).hexdigest()[:6]}-"


def short(row: Any) -> str:
    """One line for a row or an answer."""
    if not isinstance(row, dict):
        return str(row)
    return ", ".join(f"{key}: {value}" for key, value in row.items() if key in SHOWN and value not in (None, ""))


def machine(folder: Path, cloud: str) -> str:
    """Name of the network namespace that is a tenant's machine, whether it is there or not."""
    return Fabric(prefix(folder)).client(cloud)


def vacate(folder: Path) -> None:
    """End what runs on tenants' machines, such as a shell, which would keep a share and a network in use."""
    processes = []
    for place in NAMESPACES.glob(machine(folder, "*")):
        told = subprocess.run(["ip", "netns", "pids", place.name], capture_output=True, text=True, check=False)
        for number in told.stdout.split():
            with contextlib.suppress(psutil.Error):
                processes.append(psutil.Process(int(number)))
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(signal.SIGHUP)  # an interactive shell does not end at SIGTERM
    for process in psutil.wait_procs(processes, timeout=VACATE_SECONDS)[1]:
        with contextlib.suppress(psutil.Error):
            process.kill()


class Plugs:
    """One machine a tenant, plugged into the tenant's network beside its share server."""

    def __init__(self, folder: Path) -> None:
        self._fabric = Fabric(prefix(folder))
        self._networks: dict[str, str] = {}

    async def add(self, cloud: str, network_id: str, address: str) -> None:
        """Plug a machine with ``address`` into a network."""
        await self._fabric.plug(self._fabric.client(cloud), (Address(address, 24, network_id),))
        self._networks[cloud] = network_id

    def inside(self, cloud: str, *command: str) -> list[str]:
        """``command`` as it is run on a tenant's machine."""
        return inside(self._fabric.client(cloud), *command)

    async def remove(self) -> None:
        """Unplug all machines."""
        for cloud, network_id in self._networks.items():
            await self._fabric.remove(self._fabric.client(cloud))
            await self._fabric.remove_switch(network_id)


def sweep(folder: Path) -> None:
    """End what an installation left on ``folder``: service, gateways, mounts, namespaces. Nothing left is success."""
    vacate(folder)
    inside_folder = f"{folder}/"
    for process in psutil.process_iter(["pid", "name", "cmdline"]):
        words = process.info["cmdline"] or []
        # the supervisor is met first, as the oldest, and ends the others itself; alone they would be started again
        ours = process.info["name"] in GATEWAY_PROGRAMS or any(
            word == SERVICE or word.endswith("supervise.py") for word in words
        )
        if ours and any(inside_folder in word for word in words):
            with contextlib.suppress(psutil.Error):
                process.terminate()
                process.wait(10)
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for place in sorted((one for one in mounts if one.startswith(inside_folder)), key=len, reverse=True):
        subprocess.run(["umount", place], check=False)
    for name in sorted(NAMESPACES.glob(f"{prefix(folder)}*")):
        subprocess.run(["ip", "netns", "del", name.name], check=False)
