"""Tenant networks on one machine: a namespace with a bridge per network, a namespace per port's owner.

Nothing touches the machine's own network, so two tenants may use the same addresses. The same functions plug in
clients for tests and for the demonstration.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from drivers.ganesha.gateway.command import CommandFailed, run, succeeds
from drivers.ganesha.ports import Address

NAMESPACES: Final = Path("/run/netns")
_BRIDGE: Final = "br0"


class Fabric:
    """Switches and ports. ``prefix`` begins the name of every namespace."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def switch(self, network_id: str) -> str:
        """Name of the namespace that is the network ``network_id``."""
        return f"{self._prefix}net-{network_id}"

    def gateway(self, server_id: str) -> str:
        """Name of the namespace of a share server."""
        return f"{self._prefix}gw-{server_id}"

    def client(self, name: str) -> str:
        """Name of the namespace of a client."""
        return f"{self._prefix}client-{name}"

    async def add_switch(self, network_id: str) -> str:
        """Make a tenant's network; answers its namespace."""
        name = self.switch(network_id)
        await self._add_namespace(name)
        if not await succeeds("ip", "-n", name, "link", "show", _BRIDGE):
            await run("ip", "-n", name, "link", "add", _BRIDGE, "type", "bridge")
        await run("ip", "-n", name, "link", "set", _BRIDGE, "up")
        return name

    async def remove_switch(self, network_id: str) -> None:
        """Remove a tenant's network unless something is plugged in."""
        name = self.switch(network_id)
        if (NAMESPACES / name).exists() and not json.loads(
            await run("ip", "-n", name, "-j", "link", "show", "master", _BRIDGE) or "[]"
        ):
            await self.remove(name)

    async def plug(self, name: str, addresses: tuple[Address, ...]) -> None:
        """Make the namespace ``name`` with one interface per address; an existing interface is left alone."""
        await self._add_namespace(name)
        await run("ip", "-n", name, "link", "set", "lo", "up")
        for number, address in enumerate(addresses):
            await self._add_port(name, f"eth{number}", address)

    async def unplug(self, name: str, addresses: tuple[Address, ...]) -> None:
        """Take the namespace ``name`` off its networks and remove it.

        Its ports go first: those of a removed namespace linger for a moment, and the network would look used.
        """
        for number, address in enumerate(addresses):
            switch, port = self.switch(address.network_id), _port(name, f"eth{number}")
            if await succeeds("ip", "-n", switch, "link", "show", port):
                await run("ip", "-n", switch, "link", "del", port)
        await self.remove(name)

    async def remove(self, name: str) -> None:
        """Remove a namespace and with it its interfaces."""
        if (NAMESPACES / name).exists():
            await run("ip", "netns", "del", name)

    async def _add_namespace(self, name: str) -> None:
        try:
            await run("ip", "netns", "add", name)
        except CommandFailed:
            # after a restart of the machine the name may be left as a plain file
            if not await succeeds("ip", "-n", name, "link", "show", "lo"):
                (NAMESPACES / name).unlink(missing_ok=True)
                await run("ip", "netns", "add", name)

    async def _add_port(self, name: str, device: str, address: Address) -> None:
        switch = await self.add_switch(address.network_id)
        port = _port(name, device)
        if not await succeeds("ip", "-n", name, "link", "show", device):
            pair = ("link", "add", port, "type", "veth", "peer", "name", device, "netns", name)
            await run("ip", "-n", switch, *pair)
        await run("ip", "-n", switch, "link", "set", port, "master", _BRIDGE, "up")
        link = ["ip", "-n", name, "link", "set", device]
        if address.mac:
            await run(*link, "address", address.mac)
        if address.mtu:
            await run(*link, "mtu", str(address.mtu))
        # without nodad an IPv6 address could not be bound for a second
        extra = ("nodad",) if ":" in address.ip else ()
        await run("ip", "-n", name, "addr", "replace", f"{address.ip}/{address.prefix}", "dev", device, *extra)
        await run(*link, "up")
        if address.gateway and device == "eth0":
            family = "-6" if ":" in address.gateway else "-4"
            await run("ip", family, "-n", name, "route", "replace", "default", "via", address.gateway, "dev", device)


def _port(name: str, device: str) -> str:
    """Name of a device's other end in the switch, within the 15 characters of an interface's name."""
    return "p" + hashlib.sha256(f"{name}/{device}".encode()).hexdigest()[:12]


def inside(namespace: str, *command: str) -> list[str]:
    """``command`` run in a network namespace.

    ``ip netns exec`` would give it a mount namespace too: file systems mounted later on the machine would stay
    invisible, and Ganesha would export the empty folder below.
    """
    return ["nsenter", f"--net={NAMESPACES / namespace}", *command]
