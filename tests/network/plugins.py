"""The product's plugin in front of the stand-in of Neutron, and who else asks it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from network.base import Row
from network.client import Client, NeutronOptions
from network.groups import Guard
from network.neutron import NeutronPlugin
from network.tokens import fixed, known
from tests.lab.ovn.accounts import SERVICE, Account

PROJECT, OTHER = "b0000000000000000000000000000000", "c0000000000000000000000000000000"
SUBNET: Row = {
    "id": "subnet-row",
    "neutron_net_id": "00000000-0000-4000-8000-00000000000a",
    "neutron_subnet_id": "00000000-0000-4000-9000-00000000000a",
}


def plugin_of(neutron: Any, guard: Guard = "rules", **more: Any) -> NeutronPlugin:
    """A plugin with the service's account."""
    options = NeutronOptions(neutron.url, backoff=0.001)
    return NeutronPlugin(Client(options, fixed("t"), owner=known(SERVICE)), guard=guard, **more)


class Tenant:
    """Requests of a member of a project."""

    def __init__(self, neutron: Any, project: str) -> None:
        self.url, self.project, self.token = neutron.url, project, f"token-{project}"
        neutron.state.accounts[self.token] = Account(project)

    def ask(self, method: str, path: str, body: Row | None = None) -> tuple[int, Row]:
        """Status and body of an answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"X-Auth-Token": self.token, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/v2.0/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def group(self, name: str, prefix: str | None = "0.0.0.0/0") -> str:
        """A group of the tenant's with a rule that looks like one of ours."""
        status, answer = self.ask("POST", "security-groups", {"security_group": {"name": name}})
        assert status == 201
        ident = str(answer["security_group"]["id"])
        if prefix is not None:
            rule = {"security_group_id": ident, "direction": "ingress", "ethertype": "IPv4", "protocol": "tcp",
                    "port_range_min": 2049, "port_range_max": 2049, "remote_ip_prefix": prefix}  # fmt: skip
            assert self.ask("POST", "security-group-rules", {"security_group_rule": rule})[0] == 201
        return ident

    def port(self, network: str, **values: Any) -> str:
        """A port of the tenant's."""
        status, answer = self.ask("POST", "ports", {"port": {"network_id": network, **values}})
        assert status == 201, answer
        return str(answer["port"]["id"])
