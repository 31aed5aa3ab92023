"""Tenants' networks on a real OVN with a chassis for each node of the lab, and their machines; Neutron in front."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from deploy.embedded.identity import Identity
from tests.lab.cluster import Cluster
from tests.lab.ovn import programs
from tests.lab.ovn.lab import OvnLab
from tests.lab.ovn.neutron import OvnNeutron
from tests.lab.place import HOST
from tests.lab.processes import sh, wait

NUMBERS = {"a": "0a", "b": "0b"}
"""Two networks of the stand-in with one CIDR; the first letter is its tenant's last."""
Row = dict[str, Any]


def network_of(letter: str) -> str:
    """Id of a tenant's network."""
    return f"00000000-0000-4000-8000-0000000000{NUMBERS[letter]}"


def subnet_of(letter: str) -> str:
    """Id of its subnet."""
    return f"00000000-0000-4000-9000-0000000000{NUMBERS[letter]}"


class Ovn:
    """A running OVN, Neutron, and machines that are ports of it."""

    def __init__(self, lab: OvnLab, neutron: OvnNeutron) -> None:
        self.lab, self.neutron = lab, neutron
        self.spaces: dict[tuple[str, str], str] = {}
        """Network and address of a machine -> file of its network namespace."""

    def machine(self, letter: str, node: str, ip: str) -> str:
        """A machine behind the chassis of a node, made if it is not there; the file of its network namespace."""
        if (letter, ip) in self.spaces:
            return self.spaces[letter, ip]
        wanted: Row = {
            "network_id": network_of(letter),
            "fixed_ips": [{"subnet_id": subnet_of(letter), "ip_address": ip}],
            "project_id": f"clients-{letter}",
            "mac_address": f"fa:16:3e:cc:00:{int(ip.rpartition('.')[2]):02x}",
            "binding:host_id": node,
        }
        with self.neutron.state.lock:
            port = self.neutron.state.create_port({"port": wanted})
        file = self.lab.spaces.add(f"{letter}-{ip.rpartition('.')[2]}")
        self.lab.chassis[node].plug(port["id"], file, port["mac_address"], ip)
        self.spaces[letter, ip] = file
        wait(f"client {ip} is plugged", lambda: self.lab.owner(port["id"]) == node, 20, 0.02)
        return file

    def share_ports(self) -> list[Row]:
        """Neutron's ports of share servers."""
        return [one for one in self.neutron.state.ports.values() if one["device_owner"] == "manila:share"]

    def left(self) -> list[str]:
        """Rows of gateways: Neutron's ports and groups, OVN's ports and port groups, those of every switch."""
        groups = [one for one in self.neutron.state.groups.values() if one["name"].startswith("manila-")]
        ids = [one["id"].replace("-", "_") for one in groups]
        rows = [f"port {one['id']}" for one in self.share_ports()] + [f"group {one['name']}" for one in groups]
        owner = "neutron:device_owner"
        for one in self.lab.northbound.select("Logical_Switch_Port", columns=("name", "external_ids")):
            if [owner, "manila:share"] in one["external_ids"][1]:
                rows.append(f"OVN port {one['name']}")
        for one in self.lab.northbound.select("Port_Group", columns=("name",)):
            if any(name in one["name"] for name in ids):
                rows.append(f"OVN group {one['name']}")
        for name, chassis in self.lab.chassis.items():
            rows += [f"interface {row.name} of {name}" for row in chassis.switch.plugged()]
        return rows


@contextlib.contextmanager
def running(lab: Cluster) -> Iterator[Ovn]:
    """OVN with a chassis for each node; skips the test, saying why, where there is none."""
    if why := programs.lacking():
        pytest.skip(why)
    with OvnLab(lab.place.base / "ovn", programs.fetch()) as ovn:
        ovn.up(*lab.nodes)
        neutron = OvnNeutron(ovn.northbound, host=HOST, default_groups=True).start()
        neutron.state.hosts = frozenset(lab.nodes)
        try:
            yield Ovn(ovn, neutron)
        finally:
            neutron.shutdown()
            neutron.server_close()
        assert not ovn.ended()


class OvnTenants:
    """``cloud.Tenants`` on OVN; ``nodes``: address of a machine -> the node behind whose chassis it is."""

    def __init__(self, lab: Cluster, ovn: Ovn, nodes: dict[str, str]) -> None:
        self.ovn, self._cluster, self._nodes = ovn, lab, nodes
        self.url = ovn.neutron.url
        self.options: Row = {"kubernetes_attachment": "ovn-port"}
        self._folder = lab.place.base / "openvswitch"
        self.agent: Row = {
            "openvswitchPath": str(self._folder),
            "openvswitchNamespace": str(self._folder / "namespace"),
        }

    @contextlib.asynccontextmanager
    async def serving(self, keystone: Identity) -> AsyncIterator[None]:
        """Every node has the folder of its chassis under one name, as nodes of their own have."""
        self.ovn.neutron.state.home = next(one.project_id for one in keystone.accounts if one.user == "manila")
        for name, node in self._cluster.nodes.items():
            run = self.ovn.lab.chassis[name].run
            (run / "db.sock").unlink(missing_ok=True)
            (run / "db.sock").symlink_to("conf.sock")
            (run / "namespace").touch()
            switch = self.ovn.lab.processes[f"vswitchd@{name}"].pid
            binds = f"mkdir -p {self._folder} && mount --bind {run} {self._folder}"
            space = f"mount --bind /proc/{switch}/ns/net {self._folder}/namespace"
            sh(*node.inside(), "sh", "-ec", f"{binds} && {space}")
        try:
            yield
        finally:
            for node in self._cluster.nodes.values():
                sh(*node.inside(), "umount", "-R", str(self._folder))

    def network(self, project_id: str) -> Row:
        found: Row = next(one for one in self.ovn.neutron.state.networks.values() if one["project_id"] == project_id)
        return found

    def machine(self, project: str, project_id: str, ip: str) -> str:
        return pathlib.Path(self.ovn.machine(project[-1], self._nodes[ip], ip)).name

    def ports(self) -> list[str]:
        return self.ovn.left()
