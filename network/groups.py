"""Security groups that let NFS in to the ports of share servers.

Without one Neutron puts a port into its project's default group, which lets nobody in but members of that group: no
client reaches the share. A group belongs to the service's own project, so it costs the tenant no quota and can't be
changed by it. It has no outgoing rules: replies pass, and a gateway opens no connections.

Names prove nothing: the account sees the groups of all projects, and a tenant may give its own the names of ours. A
group is ours when it is in the project of the service's token, where no tenant can make one.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import structlog

from generated.errors import NetworkBadConfigurationException, NetworkException
from network.base import Row, Unavailable
from network.client import ATTEMPTS, Client, at

LOG = structlog.get_logger("groups")
Guard = Literal["none", "subnet", "rules"]
"""Who may reach NFS on a port: what the project's default group says, the port's subnet, the shares' access rules."""
NFS: Final = 2049
TCP: Final = ("tcp", "6")
"""Neutron keeps the protocol as it was sent, and takes both for one when it looks for equal rules."""
PREFIX: Final = "manila-"
"""Of the names of groups; a server's id follows."""
FOREIGN: Final = "SecurityGroupNotFound"
"""Neutron's kind of error for a group that is not there, or not of the port's project where no admin asks."""
EVERYBODY: Final = {"IPv4": "0.0.0.0/0", "IPv6": "::/0"}


@dataclass(slots=True)
class SecurityGroups:
    """One group for each share server."""

    client: Client

    async def ensure(self, server_id: str, networks: Sequence[str] = ()) -> str:
        """Make the group of a server, if it has none, and let ``networks`` (CIDR) in besides; its id.

        Whatever else a new group holds goes: Neutron copies the operator's default rules into it. Of a group that was
        there what is no rule of ours goes.
        """
        found = await self._own(server_id)
        group = str((found[0] if found else await self._make(server_id))["id"])
        for one in found[1:]:
            await self._drop(server_id, str(one["id"]))
        wanted = {canonical(one) for one in networks}
        present = set()
        for rule in await self._rules(group):
            network = network_of(rule)
            if network is None or not (found or network in wanted):
                await self._drop_rule(rule)
            else:
                present.add(network)
        await self._add(group, sorted(wanted - present))
        return group

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        """Let exactly these networks in.

        What is new is added before what is old goes, so that a client in both is not cut off; what is old goes even if
        nothing can be added.

        Raises:
            NetworkException: the server has no group, Neutron refuses a rule (its quota), or can't be reached.
        """
        found = await self._own(server_id)
        if not found:
            project = await self.client.project()
            text = f"share server {server_id} has no security group in project {project}, that of section neutron"
            raise NetworkException(text, code=404)
        for one in found:
            await self._let_in(str(one["id"]), {canonical(network) for network in networks})

    async def _let_in(self, group: str, wanted: set[str]) -> None:
        rules = await self._rules(group)
        try:
            await self._add(group, sorted(wanted - {network_of(one) for one in rules}))
        finally:
            for one in rules:
                if network_of(one) not in wanted:
                    await self._drop_rule(one)

    async def ids_of(self, server_id: str) -> set[str]:
        """The groups of a server."""
        return {str(one["id"]) for one in await self._own(server_id)}

    async def ids(self) -> dict[str, str]:
        """The groups of all servers: id -> the server's."""
        project = await self.client.project()
        rows = await self.client.listing("security-groups", {"project_id": project})
        mine = [one for one in rows if _owner(one) == project and str(one["name"]).startswith(PREFIX)]
        return {str(one["id"]): str(one["name"]).removeprefix(PREFIX) for one in mine}

    async def remove(self, server_id: str) -> None:
        """Remove a server's group, unless a port still has it."""
        for one in await self._own(server_id):
            await self._drop(server_id, str(one["id"]))

    async def _drop(self, server_id: str, group: str) -> None:
        try:
            await self.client.delete(at("security-groups", group), FOREIGN)
        except NetworkException as error:
            if error.values.get("code") != 409:
                raise
            LOG.info("a security group is still used", server=server_id, group=group)

    async def _make(self, server_id: str) -> Row:
        about = {"name": name_of(server_id), "description": "NFS of a share server of the Shared File Systems API"}

        async def look() -> Row | None:
            return next(iter(await self._own(server_id)), None)

        try:
            made = await self.client.create("security-groups", {"security_group": about}, look)
        except NetworkException as error:
            if error.values.get("code") != 403:
                raise
            raise lacking(error) from error
        if _owner(made) != await self.client.project():
            text = f"Neutron made security group {made['id']} in project {_owner(made)}, not in that of section neutron"
            raise NetworkBadConfigurationException(reason=text)
        return made

    async def _own(self, server_id: str) -> list[Row]:
        """The service's groups of a server, the oldest first: one, unless an answer was lost."""
        name, project = name_of(server_id), await self.client.project()
        rows = await self.client.listing("security-groups", {"name": name, "project_id": project})
        mine = [one for one in rows if one["name"] == name and _owner(one) == project]
        return sorted(mine, key=lambda one: (str(one.get("created_at") or ""), str(one["id"])))

    async def _rules(self, group: str) -> list[Row]:
        rows = await self.client.listing("security-group-rules", {"security_group_id": group})
        return [one for one in rows if one["security_group_id"] == group]

    async def _add(self, group: str, networks: Iterable[str]) -> None:
        """One request for all; a rule that is there already is as good as made."""
        left = [_rule(group, one) for one in networks]
        for number in range(1, ATTEMPTS + 1):
            try:
                await self._post(left)
                return
            except Unavailable as error:
                if number == ATTEMPTS:
                    raise
                await self.client.wait(number, error)
                made = {network_of(one) for one in await self._rules(group)}
                left = [one for one in left if network_of(one) not in made]

    async def _post(self, rules: Sequence[Row]) -> None:
        """All rules or none; those that are there already are as good as made."""
        if not rules:
            return
        body: Row = {"security_group_rules": list(rules)} if len(rules) > 1 else {"security_group_rule": rules[0]}
        try:
            await self.client.request("POST", "security-group-rules", body=body, repeat=False)
        except NetworkException as error:
            if error.values.get("kind") != "SecurityGroupRuleExists":
                raise
            for one in rules if len(rules) > 1 else ():
                await self._post([one])

    async def _drop_rule(self, rule: Row) -> None:
        await self.client.delete(at("security-group-rules", str(rule["id"])), "SecurityGroupRuleNotFound")


def name_of(server_id: str) -> str:
    """Name of a share server's group."""
    return f"{PREFIX}{server_id}"


def _owner(group: Row) -> str:
    return str(group.get("project_id") or group.get("tenant_id"))


def lacking(error: NetworkException) -> NetworkException:
    """What to say of a refusal that comes of the account's roles: a group of the service on a port of a tenant.

    Neutron puts a group onto a port of another project for an admin only (``_get_security_groups_on_port``).
    """
    why = "neutron_nfs_access = rules or subnet needs the role admin in Neutron for the account of section neutron"
    code, kind = error.values.get("code"), error.values.get("kind")
    return NetworkException(f"{why}; Neutron says: {error}", code=code, kind=kind)


def _rule(group: str, network: str) -> Row:
    return {
        "security_group_id": group,
        "direction": "ingress",
        "ethertype": "IPv6" if ":" in network else "IPv4",
        "protocol": "tcp",
        "port_range_min": NFS,
        "port_range_max": NFS,
        "remote_ip_prefix": network,
    }


def network_of(rule: Row) -> str | None:
    """The network that a rule lets in to NFS, which Neutron may leave out for everybody; None: any other rule."""
    ports = (rule.get("port_range_min"), rule.get("port_range_max"))
    if rule["direction"] != "ingress" or str(rule.get("protocol")) not in TCP or ports != (NFS, NFS):
        return None
    if rule.get("remote_group_id") or rule.get("remote_address_group_id"):
        return None
    return canonical(str(rule.get("remote_ip_prefix") or EVERYBODY[str(rule["ethertype"])]))


def canonical(network: str) -> str:
    """The one way to write a network."""
    return str(ipaddress.ip_network(network, strict=False))
