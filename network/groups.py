"""Security groups that let NFS in to the ports of share servers.

Without one Neutron puts a port into its project's default group, which lets nobody in but members of that group: no
client reaches the share. A group belongs to the service's own project, so it costs the tenant no quota and can't be
changed by it. It has no outgoing rules: replies pass, and a gateway opens no connections.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import structlog

from generated.errors import NetworkException
from network.base import Row
from network.client import Client

LOG = structlog.get_logger("groups")
Guard = Literal["none", "subnet", "rules"]
"""Who may reach NFS on a port: what the project's default group says, the port's subnet, the shares' access rules."""
NFS: Final = 2049
FOREIGN: Final = "SecurityGroupNotFound"
"""Neutron's kind of error for a group that the port's project does not own, where the asking account is no admin."""
EVERYBODY: Final = {"IPv4": "0.0.0.0/0", "IPv6": "::/0"}


@dataclass(slots=True)
class SecurityGroups:
    """One group for each share server."""

    client: Client

    async def ensure(self, server_id: str, networks: Sequence[str] = ()) -> str:
        """Make the group of a server, if it has none, and let ``networks`` (CIDR) in besides; its id."""
        found = await self._find(server_id)
        if found is None:
            about = {"name": name_of(server_id), "description": "NFS of a share server of the Shared File Systems API"}
            found = await self._make(about)
        group = str(found["id"])
        rules = await self._rules(group)
        for one in rules:
            if one["direction"] == "egress":
                await self._delete(f"security-group-rules/{one['id']}")
        present = {_network(one) for one in rules if one["direction"] == "ingress"}
        await self._add(group, [one for one in networks if one not in present])
        return group

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        """Let exactly these networks in.

        What is new is added before what is old goes, so that a client in both is not cut off; what is old goes even if
        nothing can be added.

        Raises:
            NetworkException: the server has no group, Neutron refuses a rule (its quota), or can't be reached.
        """
        found = await self._find(server_id)
        if found is None:
            raise NetworkException(f"share server {server_id} has no security group", code=404)
        group = str(found["id"])
        rules = [one for one in await self._rules(group) if one["direction"] == "ingress"]
        present, wanted = {_network(one) for one in rules}, set(networks)
        try:
            await self._add(group, sorted(wanted - present))
        finally:
            for one in rules:
                if _network(one) not in wanted:
                    await self._delete(f"security-group-rules/{one['id']}")

    async def remove(self, server_id: str) -> None:
        """Remove a server's group, unless a port still has it."""
        found = await self._find(server_id)
        if found is None:
            return
        try:
            await self._delete(f"security-groups/{found['id']}")
        except NetworkException as error:
            if error.values.get("code") != 409:
                raise
            LOG.info("a security group is still used", server=server_id)

    async def _make(self, about: Row) -> Row:
        try:
            answer = await self.client.request("POST", "security-groups", body={"security_group": about})
        except NetworkException as error:
            if error.values.get("code") != 403:
                raise
            raise lacking(error) from error
        return dict(answer["security_group"])

    async def _find(self, server_id: str) -> Row | None:
        found = await self.client.request("GET", "security-groups", query={"name": name_of(server_id)})
        return next(iter(found["security_groups"]), None)

    async def _rules(self, group: str) -> list[Row]:
        found = await self.client.request("GET", "security-group-rules", query={"security_group_id": group})
        return list(found["security_group_rules"])

    async def _add(self, group: str, networks: Iterable[str]) -> None:
        """One request for all; a rule that is there already is as good as made."""
        wanted = [_rule(group, one) for one in networks]
        if not wanted:
            return
        try:
            await self.client.request("POST", "security-group-rules", body={"security_group_rules": wanted})
        except NetworkException as error:
            if error.values.get("kind") != "SecurityGroupRuleExists":
                raise
            for one in wanted:
                await self._add_one(one)

    async def _add_one(self, rule: Row) -> None:
        try:
            await self.client.request("POST", "security-group-rules", body={"security_group_rule": rule})
        except NetworkException as error:
            if error.values.get("kind") != "SecurityGroupRuleExists":
                raise

    async def _delete(self, path: str) -> None:
        try:
            await self.client.request("DELETE", path)
        except NetworkException as error:
            if error.values.get("code") != 404:
                raise


def name_of(server_id: str) -> str:
    """Name of a share server's group."""
    return f"manila-{server_id}"


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


def _network(rule: Row) -> str:
    """The network that a rule lets in; Neutron may leave out the one that is everybody."""
    return str(rule.get("remote_ip_prefix") or EVERYBODY[rule["ethertype"]])
