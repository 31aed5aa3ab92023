"""Ports from Neutron: the six requests a share server needs.

``GET extensions``, ``GET networks/{id}``, ``GET subnets/{id}``, ``GET ports``, ``POST ports``, ``DELETE ports/{id}``.
With a guard the ports get a security group of the service's own: see ``network.groups``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from generated.errors import NetworkBadConfigurationException, NetworkException
from generated.runtime import ManilaError
from network.base import Allocated, Allocation, Held, Row, Sought, Unavailable, address_of, canonical
from network.client import Client, NeutronOptions, at
from network.groups import FOREIGN, Guard, SecurityGroups, lacking
from network.made import DEVICE_OWNER, made_for, refused
from network.ports import NeutronPorts

__all__ = ["DEVICE_OWNER", "Client", "NeutronOptions", "NeutronPlugin", "Unavailable"]

LOG = structlog.get_logger("neutron")
PROVIDER_EXTENSION = "Provider Network"
GONE = "PortNotFound"


@dataclass(slots=True)
class NeutronPlugin:
    """Allocations as ports of the tenant's Neutron network, created for the tenant's project."""

    client: Client
    label: str = "user"
    guard: Guard = "none"
    """Who may reach NFS on the ports; ``none``: what the project's default group says, as with the original."""
    own_only: bool = False
    """Whether the network must belong to the share network's project or be shared with it."""
    local: bool = field(default=False, init=False)

    @property
    def groups(self) -> SecurityGroups:
        """The security groups of the ports, where there is a guard."""
        return SecurityGroups(self.client)

    @property
    def ports(self) -> NeutronPorts:
        """What else can be asked about the ports."""
        return NeutronPorts(self.client, self.groups if self.guard == "rules" else None)

    async def describe(self, subnet: Row | None, project_id: str | None = None) -> Row:
        """See ``NetworkPlugin.describe``; two requests."""
        described, _ = await self._look_up(_required(subnet), project_id)
        return described

    async def allocate(
        self,
        server_id: str,
        project_id: str | None,
        subnet: Row | None,
        count: int,
        *,
        used: Sequence[str] = (),
        again: bool = False,
    ) -> Allocated:
        """See ``NetworkPlugin.allocate``; on failure ``detail_data["allocations"]`` holds what was made."""
        extensions = await self.client.request("GET", "extensions")
        self._needs([one["name"] for one in extensions["extensions"]])
        subnet = _required(subnet)
        described, network = await self._look_up(subnet, project_id)
        external = bool(network.get("router:external", False))
        made: list[Allocation] = []
        try:
            guarded = await self._guarded(server_id, described, network)
            known = await self._known(server_id, subnet, project_id) if again else {}
            for number in range(count):
                name = f"{server_id}_{number}"
                port = known.get(name) or await self._create(
                    self._port(server_id, project_id, subnet, name, not external) | guarded, server_id, subnet
                )
                made.append(self._allocation(server_id, subnet, described, port))
        except ManilaError as error:
            error.detail_data |= {"allocations": made, "subnet": described}
            raise
        return Allocated(made, described)

    async def deallocate(self, server_id: str, allocations: Sequence[Allocation], sought: Sought | None = None) -> None:
        """See ``NetworkPlugin.deallocate``."""
        for allocation in allocations:
            await self._delete(str(allocation["id"]))
        if sought is not None and sought.subnet.get("neutron_net_id"):
            for port in await self._left(server_id, allocations, sought):
                LOG.info("removing a port that was not written down", port=port["id"], server=server_id)
                await self._delete(str(port["id"]))
        if self.guard != "none":
            await self.groups.remove(server_id)

    async def adopt(
        self, server_id: str, addresses: Sequence[str], subnet: Row | None, project_id: str | None = None
    ) -> Allocated:
        """See ``NetworkPlugin.adopt``: the service's ports on the subnet with one of the addresses."""
        subnet = _required(subnet)
        described, _ = await self._look_up(subnet, project_id)
        query = {
            "network_id": subnet["neutron_net_id"],
            "device_owner": DEVICE_OWNER,
            "fixed_ips": f"subnet_id={subnet['neutron_subnet_id']}",
        }
        found: list[Allocation] = []
        wanted = {canonical(one) for one in addresses}
        for port in await self.client.listing("ports", query):
            own = [canonical(str(one["ip_address"])) for one in port["fixed_ips"]]
            if here := [one for one in own if one in wanted]:
                found.append({**self._allocation(server_id, subnet, described, port), "ip_address": here[0]})
        return Allocated(found, described)

    async def held(self) -> list[Held]:
        """See ``AuditedPlugin.held``: the ports with this service as device owner."""
        rows = await self.client.listing("ports", {"device_owner": DEVICE_OWNER})
        groups = await self.groups.ids() if rows and self.guard != "none" else None
        return [_held(one, groups) for one in rows if one["device_owner"] == DEVICE_OWNER]

    async def discard(self, port: Held) -> bool:
        """See ``AuditedPlugin.discard``. The group of a server goes with its last port."""
        for now in await self.client.listing("ports", {"id": port.port_id}):
            if now["id"] != port.port_id:
                continue
            if (now["device_owner"], now["device_id"]) != (DEVICE_OWNER, port.server_id):
                return False
            await self._delete(port.port_id)
        if self.guard != "none" and port.ours:
            await self.groups.remove(port.server_id)
        return True

    async def close(self) -> None:
        await self.client.close()

    async def _check_owner(self, project_id: str | None, network: Row) -> None:
        """Refuse a network that the project may not use. Raises NetworkBadConfigurationException."""
        owner = network.get("project_id") or network.get("tenant_id")
        if not self.own_only or self.label == "admin" or project_id == owner:
            return
        if network.get("shared") or network.get("router:external"):
            return
        query = {"object_type": "network", "object_id": network["id"], "action": "access_as_shared"}
        policies = await self.client.listing("rbac-policies", query)
        if not {one.get("target_tenant") or one.get("target_project") for one in policies} & {project_id, "*"}:
            raise NetworkBadConfigurationException(
                reason=f"network {network['id']} neither belongs to project {project_id} nor is shared with it"
            )

    async def _look_up(self, subnet: Row, project_id: str | None) -> tuple[Row, Row]:
        """The subnet's network data, and its network; nothing of a network or subnet that is not the project's.

        An error that comes when the network is known has what is known of it in its ``detail_data["subnet"]``.
        """
        network = (await self.client.request("GET", at("networks", subnet["neutron_net_id"])))["network"]
        kind, segment = self._segment(network)
        await self._check_owner(project_id, network)
        described = {"network_type": kind, "segmentation_id": segment, "mtu": network.get("mtu")}
        try:
            found = (await self.client.request("GET", at("subnets", subnet["neutron_subnet_id"])))["subnet"]
        except NetworkException as error:
            error.detail_data |= {"subnet": described}
            raise
        if found["network_id"] != network["id"]:
            raise NetworkException(f"subnet {found['id']} is not one of network {network['id']}", code=400)
        addresses = {"cidr": found["cidr"], "gateway": found["gateway_ip"], "ip_version": found["ip_version"]}
        return described | addresses, network

    def _segment(self, network: Row) -> tuple[str | None, int | None]:
        """Type and id of the network; of several segments the one on the configured physical network."""
        if "segments" not in network:
            return network.get("provider:network_type"), network.get("provider:segmentation_id")
        wanted = self.client.options.physical_network
        if not wanted:
            raise NetworkBadConfigurationException(
                reason="the network has several segments and neutron_physical_net_name is not set"
            )
        for segment in network["segments"]:
            if segment["provider:physical_network"] == wanted:
                return segment["provider:network_type"], segment["provider:segmentation_id"]
        found = [segment["provider:physical_network"] for segment in network["segments"]]
        raise NetworkBadConfigurationException(
            reason=f"no segment is on neutron_physical_net_name {wanted} (found: {', '.join(map(str, found))})"
        )

    def _needs(self, extensions: Sequence[str]) -> None:
        """Raise NetworkBadConfigurationException if the service lacks one of the extensions that ports need."""
        if PROVIDER_EXTENSION not in extensions:
            raise NetworkBadConfigurationException(reason=f"{PROVIDER_EXTENSION} extension required")

    def _port(self, server_id: str, project_id: str | None, subnet: Row, name: str, enabled: bool) -> Row:
        """A new port as it is asked for."""
        return {
            "network_id": subnet["neutron_net_id"],
            # on an external network a port only reserves its address
            "admin_state_up": enabled,
            "project_id": project_id,
            "fixed_ips": [{"subnet_id": subnet["neutron_subnet_id"]}],
            "device_owner": DEVICE_OWNER,
            "device_id": server_id,
            "name": name,
        }

    async def _guarded(self, server_id: str, described: Row, network: Row) -> Row:
        """What a port is asked for besides: its security group, which lets nobody in before there is a rule."""
        if self.guard == "none":
            return {}
        networks = [described["cidr"]] if self.guard == "subnet" else []
        guarded: Row = {"security_groups": [await self.groups.ensure(server_id, networks)]}
        if network.get("port_security_enabled") is False:
            guarded["port_security_enabled"] = True  # the network's default; a port without it can have no group
        return guarded

    async def _create(self, port: Row, server_id: str, subnet: Row) -> Row:
        """Make a port. After a lost answer it may be there already, or come while another one is made."""
        lost = False

        async def look() -> Row | None:
            nonlocal lost
            lost = True
            return (await self._known(server_id, subnet, port["project_id"])).get(port["name"])

        try:
            made = await self.client.create("ports", {"port": port}, look)
        except NetworkException as error:
            if error.values.get("kind") == FOREIGN and port.get("security_groups"):
                raise lacking(error) from error
            raise refused(error, server_id, subnet) from error
        for one in await self._ports_of(server_id, subnet, port["project_id"]) if lost else ():
            if one["name"] == port["name"] and one["id"] != made["id"]:
                LOG.warning("a port was made twice", server=server_id, port=one["id"])
                await self._delete(str(one["id"]))
        return made

    async def _known(self, server_id: str, subnet: Row, project_id: str | None) -> dict[str, Row]:
        """The ports that an attempt before has made on the subnet, by name; of two the older one."""
        found = await self._ports_of(server_id, subnet, project_id)
        on = [one for one in found if subnet["neutron_subnet_id"] in {ip["subnet_id"] for ip in one["fixed_ips"]}]
        return {str(one["name"]): one for one in reversed(on)}

    async def _left(self, server_id: str, allocations: Sequence[Allocation], sought: Sought) -> list[Row]:
        """The server's ports that are still there, and are ours.

        Without a guard a member of the project can make one that looks like ours. Each of ours has a name of its own,
        and they are written down in their order: only the names that are missing may be those of ports that were not.
        """
        written = {str(one["id"]) for one in allocations}
        number = sum(one.get("share_network_subnet_id") == sought.subnet.get("id") for one in allocations)
        missing = {f"{server_id}_{one}" for one in range(number, sought.count)}
        left = []
        for one in await self._ports_of(server_id, sought.subnet, sought.project_id, written):
            if one["id"] in written or one["name"] in missing or self.guard != "none":
                left.append(one)
            else:
                LOG.warning("a port says to be a share server's and is not", port=one["id"], server=server_id)
        return left

    async def _ports_of(
        self, server_id: str, subnet: Row, project_id: str | None, written: Collection[str] = ()
    ) -> list[Row]:
        """The ports of a server in the subnet's network that this service has made, the oldest first."""
        query = {"network_id": subnet["neutron_net_id"], "device_owner": DEVICE_OWNER, "device_id": server_id}
        rows = await self.client.listing("ports", query)
        groups = await self.groups.ids_of(server_id) if rows and self.guard != "none" else None
        return made_for(rows, query | {"project_id": project_id}, groups, written)

    async def _delete(self, port_id: str) -> None:
        await self.client.delete(at("ports", port_id), GONE)

    def _allocation(self, server_id: str, subnet: Row, described: Row, port: Row) -> Allocation:
        allocation = {
            "id": port["id"],
            "share_server_id": server_id,
            "ip_address": address_of(port["fixed_ips"], described["ip_version"]),
            "mac_address": port["mac_address"],
            "label": self.label,
            **described,
        }
        if self.label != "admin":
            allocation["share_network_subnet_id"] = subnet["id"]
        return allocation


def _required(subnet: Row | None) -> Row:
    if subnet is None:
        raise NetworkBadConfigurationException(reason="a share network subnet is needed to allocate ports")
    return subnet


def _held(port: Row, groups: Mapping[str, str] | None) -> Held:
    """A port as the audit is told of it. ``groups``: id -> server of the service's groups; None: there is no guard."""
    server = str(port["device_id"])
    mine = None if groups is None else server in {groups.get(str(one)) for one in port["security_groups"]}
    return Held(str(port["id"]), server, str(port["project_id"]), str(port["network_id"]), mine)
