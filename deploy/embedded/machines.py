"""Tenants' machines for the demonstration, and short forms of what commands print."""

from __future__ import annotations

from typing import Any

from drivers.ganesha.embedded.network import Fabric, inside
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
    *("state", "export_locations", "share_network_id", "neutron_net_id", "project_id", "description"),
}
"""Fields of an answer that the demonstration prints; the whole of it would fill the screen."""
PREFIX = "manila-"


def short(row: Any) -> str:
    """One line for a row or an answer."""
    if not isinstance(row, dict):
        return str(row)
    return ", ".join(f"{key}: {value}" for key, value in row.items() if key in SHOWN and value not in (None, ""))


class Plugs:
    """One machine a tenant, plugged into the tenant's network beside its share server."""

    def __init__(self) -> None:
        self._fabric = Fabric(PREFIX)
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
