"""Security groups for the stand-in of Neutron: as Neutron has them, in memory.

What an account may follows from its roles as in Neutron's policies and in ``_get_security_groups_on_port`` of its
``db/securitygroups_db.py``. Each new group gets the rules of the operator's ``default-security-group-rules``.

``default_groups``: a port that names no group gets its project's default one, which lets in its own members only.
"""

from __future__ import annotations

import uuid
from typing import Any

from tests.lab.ovn.accounts import SERVICE, RealState, Row, Server, fake

__all__ = ["SERVICE", "GroupNeutron", "GroupState", "Row", "fake"]


class GroupState(RealState):
    """The stand-in's state with security groups."""

    def __init__(self, *, default_groups: bool = False) -> None:
        self.default_groups = default_groups
        self.template: list[Row] = [{"direction": "egress", "ethertype": one} for one in ("IPv4", "IPv6")]
        super().__init__()

    def reset(self) -> None:
        super().reset()
        self.mac: int = 0
        self.groups: dict[str, Row] = {}
        self.rules: dict[str, Row] = {}
        self.rule_quota: int | None = None

    # -- what a subclass may follow

    def group_changed(self, group: str) -> None:
        """The rules of a group are others now."""

    def group_gone(self, group: str) -> None:
        """A group was removed."""

    # -- groups

    def _allow(self, *roles: str) -> None:
        """Refuse an account that has none of the roles and is no admin."""
        if not self.account.roles & {"admin", *roles}:
            raise fake.NeutronError(403, "PolicyNotAuthorized", "rule:create_security_group is disallowed by policy")

    def create_group(self, body: Row) -> Row:
        wanted = body["security_group"]
        project = self._project(wanted)
        about = {"name": wanted["name"], "description": wanted.get("description", "")}
        made = {"id": str(uuid.uuid4()), **about, "project_id": project, "tenant_id": project}
        self.groups[made["id"]] = made
        made["created_at"] = f"2026-11-30T00:00:00.{len(self.groups):06d}Z"
        for one in self.template:
            self._add_rule({"security_group_id": made["id"], **one})
        self.group_changed(made["id"])
        return self.with_rules(made)

    def _project(self, wanted: Row) -> str:
        """Whose a new thing is: a stranger's for an admin alone."""
        asked = wanted.get("project_id") or wanted.get("tenant_id")
        if asked and asked != self.account.project and "admin" not in self.account.roles:
            raise fake.NeutronError(403, "PolicyNotAuthorized", "rule:create_security_group is disallowed by policy")
        return str(asked or self.account.project)

    def with_rules(self, group: Row) -> Row:
        """A group as answers have it."""
        rules = [one for one in self.rules.values() if one["security_group_id"] == group["id"]]
        return {**group, "security_group_rules": rules}

    def default_group(self, project: str) -> str:
        """The default group of a project, made at need."""
        for one in self.groups.values():
            if one["project_id"] == project and one["name"] == "default":
                return str(one["id"])
        made = str(uuid.uuid4())
        about = {"name": "default", "description": "Default security group", "created_at": ""}
        self.groups[made] = {"id": made, **about, "project_id": project, "tenant_id": project}
        for family in ("IPv4", "IPv6"):
            self._add_rule({"security_group_id": made, "direction": "egress", "ethertype": family})
            rule = {"direction": "ingress", "ethertype": family, "remote_group_id": made}
            self._add_rule({"security_group_id": made, **rule})
        self.group_changed(made)
        return made

    def create_rules(self, body: Row) -> list[Row]:
        """All or none."""
        wanted = body.get("security_group_rules") or [body["security_group_rule"]]
        group = wanted[0]["security_group_id"]
        self._group(group)
        for one in wanted:
            for known in self.rules.values():
                if all(known.get(key) == value for key, value in one.items()):
                    raise fake.NeutronError(409, "SecurityGroupRuleExists", f"Rule {known['id']} exists already.")
        if self.rule_quota is not None and len(self.rules) + len(wanted) > self.rule_quota:
            raise fake.NeutronError(409, "OverQuota", "Quota exceeded for resources: ['security_group_rule'].")
        made = [self._add_rule(one) for one in wanted]
        self.group_changed(group)
        return made

    def _add_rule(self, wanted: Row) -> Row:
        empty = dict.fromkeys(("protocol", "port_range_min", "port_range_max", "remote_ip_prefix", "remote_group_id"))
        made = {"id": str(uuid.uuid4()), **empty, **wanted}
        self.rules[made["id"]] = made
        return made

    def _group(self, group: str) -> Row:
        who = self.account
        if group not in self.groups or not ("admin" in who.roles or self.groups[group]["project_id"] == who.project):
            raise fake.NeutronError(404, "SecurityGroupNotFound", f"Security group {group} does not exist")
        return self.groups[group]

    def _delete_group(self, group: str) -> None:
        self._group(group)
        if any(group in port["security_groups"] for port in self.ports.values()):
            raise fake.NeutronError(409, "SecurityGroupInUse", f"Security Group {group} in use.")
        del self.groups[group]
        self.rules = {name: one for name, one in self.rules.items() if one["security_group_id"] != group}
        self.group_gone(group)

    def _delete_rule(self, rule: str) -> None:
        if rule not in self.rules:
            raise fake.NeutronError(404, "SecurityGroupRuleNotFound", f"Security group rule {rule} does not exist")
        self.group_changed(self.rules.pop(rule)["security_group_id"])

    # -- requests

    def create_port(self, body: Row) -> Row:
        wanted = dict(body["port"])
        self._usable(wanted.get("security_groups", []), wanted.get("project_id"))
        network = self.find("networks", "Network", wanted["network_id"])
        secure = wanted.get("port_security_enabled", network.get("port_security_enabled", True))
        if self.default_groups and "security_groups" not in wanted and secure:
            project = wanted.get("project_id") if self.account.sees_all else None
            wanted["security_groups"] = [self.default_group(project or self.account.project)]
        return super().create_port({"port": wanted})

    def update_port(self, ident: str, body: Row) -> Row:
        self._usable(body["port"].get("security_groups", []), None)
        return super().update_port(ident, body)

    def _usable(self, groups: list[str], project: str | None) -> None:
        """A group of another project than the port's may be named by an admin only."""
        for group in groups:
            owner = self._group(group)["project_id"]
            if "admin" not in self.account.roles and project not in (None, owner):
                raise fake.NeutronError(404, "SecurityGroupNotFound", f"Security group {group} does not exist")

    def routed(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        parts = [part for part in path.split("/") if part][1:]
        if parts[:1] not in (["security-groups"], ["security-group-rules"]):
            return super().routed(method, path, query, body)
        if failure := self.fault_for(method, path):
            raise fake.NeutronError(failure.get("status", 500), failure.get("type", "Fault"), "Injected fault.")
        return self._groups_request(method, parts[0], parts[1:], query, body)

    def _groups_request(
        self, method: str, kind: str, rest: list[str], query: dict[str, list[str]], body: Any
    ) -> tuple[int, Any]:
        who = self.account
        if method == "GET" and not who.roles & {"admin", "member", "reader"}:
            return 200, {kind.replace("-", "_"): []}
        if method != "GET":
            self._allow("member")
        if method == "GET" and kind == "security-groups":
            found = [self.with_rules(one) for one in self.groups.values() if self._shows(one["id"])]
            return 200, {"security_groups": [one for one in found if _fits(one, query)]}
        if method == "GET":
            rules = [one for one in self.rules.values() if self._shows(one["security_group_id"])]
            return 200, {"security_group_rules": [one for one in rules if _fits(one, query)]}
        if method == "POST" and kind == "security-groups":
            return 201, {"security_group": self.create_group(body)}
        if method == "POST":
            made = self.create_rules(body)
            bulk = "security_group_rules" in body
            return 201, {"security_group_rules": made} if bulk else {"security_group_rule": made[0]}
        if method == "DELETE" and rest:
            (self._delete_group if kind == "security-groups" else self._delete_rule)(rest[0])
            return 204, None
        raise fake.NeutronError(404, "HTTPNotFound", "The resource could not be found.")

    def _shows(self, group: str) -> bool:
        who = self.account
        return "admin" in who.roles or self.groups[group]["project_id"] == who.project


def _fits(row: Row, query: dict[str, list[str]]) -> bool:
    return all(str(row.get(key)) in values for key, values in query.items() if key != "fields")


class GroupNeutron(Server):
    """The stand-in as an HTTP server, with security groups."""

    state: GroupState

    def __init__(self, port: int = 0, *, default_groups: bool = False) -> None:
        super().__init__(GroupState(default_groups=default_groups), port)
