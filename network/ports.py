"""Ports of share servers after they were made: where they are, who may reach them, and the switch to turn them off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generated.errors import NetworkException
from network.base import Row
from network.client import Client, at
from network.groups import SecurityGroups


@dataclass(slots=True)
class NeutronPorts:
    """See ``drivers.tenant_ports.TenantPorts``. The service's user must be allowed to set ``binding:host_id``."""

    client: Client
    groups: SecurityGroups | None = None

    @property
    def guards(self) -> bool:
        return self.groups is not None

    async def bind(self, port_id: str, host: str) -> None:
        """``binding:host_id``, which ML2/OVN makes the port's requested chassis."""
        port = await self._get(port_id)
        if port.get("binding:host_id") == host and port.get("binding:vif_type") != "binding_failed":
            return
        port = await self._put(port_id, {"binding:host_id": host})
        if port.get("binding:vif_type") == "binding_failed":
            raise NetworkException(
                f"Neutron can't bind port {port_id} to host {host}: no agent of it is alive", code=409
            )

    async def fence(self, port_id: str) -> None:
        """``admin_state_up``. The port's status says nothing of it: OVN goes on calling it up."""
        await self._put(port_id, {"admin_state_up": False})

    async def lift(self, port_id: str) -> None:
        await self._put(port_id, {"admin_state_up": True})

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        """Rules of the server's security group."""
        if self.groups is not None:
            await self.groups.admit(server_id, networks)

    async def _get(self, port_id: str) -> Row:
        return dict((await self.client.request("GET", at("ports", port_id)))["port"])

    async def _put(self, port_id: str, changes: Row) -> Row:
        return dict((await self.client.request("PUT", at("ports", port_id), body={"port": changes}))["port"])
