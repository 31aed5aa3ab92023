"""The back end on the lab with gateways that are ports of a real OVN: a chassis for each node, Neutron in front."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pathlib
from collections.abc import AsyncIterator
from typing import ClassVar

import pytest

from generated.runtime import Row
from network.client import Client as Requests
from network.client import NeutronOptions
from network.neutron import NeutronPlugin
from network.tokens import fixed, known
from tests.kube.node.ovn_tenants import Ovn, network_of, subnet_of
from tests.kube.node.site import Object, Site
from tests.lab.cluster import Cluster
from tests.lab.ovn import programs
from tests.lab.ovn.lab import OvnLab
from tests.lab.ovn.neutron import OvnNeutron
from tests.lab.processes import sh


class OvnSite(Site):
    """As ``Site``; a client is a port of its own on the chassis of a node."""

    roles: ClassVar[tuple[str, ...]] = ("node-role", "node-ovn-role")

    def __init__(self, lab: Cluster, ovn: OvnLab, neutron: OvnNeutron, namespace: str) -> None:
        self.ovn, self.neutron = ovn, neutron
        requests = Requests(NeutronOptions(neutron.url), fixed("t"), owner=known(neutron.state.home))
        self.plugin = NeutronPlugin(requests, guard="rules")
        self.tenants = Ovn(ovn, neutron)
        self._machines = self.tenants.spaces
        # beside the folder of another site on the same nodes, whose agents take what is in theirs for their own
        self.folder = lab.place.gateways / namespace
        path = str(self.folder)
        super().__init__(lab, namespace, kubernetes_attachment="ovn-port", kubernetes_gateways_path=path)
        self.driver.tenant_ports.be(self.plugin.ports)
        self.allocations: dict[str, Row] = {}

    def _agent(self, node: str) -> Object:
        """It sees the node's processes and Open vSwitch, whose network namespace is the chassis' here."""
        sh(*self.lab.nodes[node].inside(), "sh", "-c", f"mkdir -p {self.folder} && touch {self.folder}/.kept")
        text = json.dumps(super()._agent(node)).replace(f'"{self.lab.place.gateways}"', f'"{self.folder}"')
        made: Object = json.loads(text)
        spec = made["spec"]["template"]["spec"]
        folder = str(self.ovn.chassis[node].run)
        switch = self.ovn.processes[f"vswitchd@{node}"].pid
        spec["hostPID"] = True
        spec["volumes"].append({"name": "openvswitch", "hostPath": {"path": folder, "type": "Directory"}})
        container = spec["containers"][0]
        container["volumeMounts"].append({"name": "openvswitch", "mountPath": folder})
        container["env"] += [
            {"name": "OVN_DATABASE", "value": f"{folder}/conf.sock"},
            {"name": "OVN_NODE_SPACE", "value": f"/proc/{switch}/ns/net"},
        ]
        return made

    def _subnet(self, network: str) -> Row:
        ids = {"neutron_net_id": network_of(network), "neutron_subnet_id": subnet_of(network)}
        return {"id": f"subnet-{network}", **ids}

    async def server(self, network: str, address: str = "") -> Row:
        """A share server with a port of Neutron's, as the worker makes it."""
        server_id, subnet = f"{network}-{self.namespace}", self._subnet(network)
        got = await self.plugin.allocate(server_id, f"project-{network}", subnet, 1)
        self.allocations[network] = got.allocations[0]
        info = {"server_id": server_id, "network_allocations": got.allocations, **subnet, **got.subnet}
        details = await self.driver.setup_server([info])
        return {"id": server_id, "backend_details": details}

    async def remove(self, network: str, server: Row) -> None:
        """Its end, as the worker makes it."""
        await self.driver.teardown_server(server["backend_details"])
        await self.plugin.deallocate(server["id"], [self.allocations.pop(network)])

    def machine(self, network: str, node: str, ip: str) -> str:
        """A client's machine behind the chassis of a node; its network namespace."""
        return self.tenants.machine(network, node, ip)

    def plug(self, network: str, ip: str, prefix: int = 24) -> str:
        """The name of a machine's network namespace."""
        return pathlib.Path(self._machines[network, ip]).name

    async def placed(self, server: Row, node: str) -> float:
        """Delete a gateway's pod, so that it comes back on ``node``; seconds until it is ready there."""
        before = self.gateway(server)["metadata"]["uid"]
        others = [one for one in self.lab.nodes if one != node]
        self.cordon(*others)
        try:
            pod = f"/api/v1/namespaces/{self.namespace}/pods/{self.gateway(server)['metadata']['name']}"
            self.lab.api("DELETE", pod)
            took = await self.ready_again(server, before)
        finally:
            self.uncordon(*others)
        assert self.node_of(server) == node
        return took

    def cordon(self, *nodes: str) -> None:
        """No new pod goes to these nodes."""
        for node in nodes:
            self.lab.kubectl("cordon", node)

    def uncordon(self, *nodes: str) -> None:
        """Pods go there again."""
        for node in nodes:
            self.lab.kubectl("uncordon", node)

    async def close(self) -> None:
        binding = self.driver._gateways._attaching.binding  # type: ignore[attr-defined]
        if binding._task is not None:
            binding._task.cancel()
            await asyncio.gather(binding._task, return_exceptions=True)
        await super().close()
        await self.plugin.close()


@contextlib.asynccontextmanager
async def installed(lab: Cluster, folder: str, prefix: str, namespace: str) -> AsyncIterator[OvnSite]:
    """An installation with an OVN of its own, until the block ends; skips the test where OVN's programs can't be had.

    Args:
        folder: of OVN, in the lab's.
        prefix: of the names of its network devices.
    """
    if why := programs.lacking():
        pytest.skip(why)
    with OvnLab(lab.place.base / folder, programs.fetch(), prefix) as ovn:
        ovn.up(*lab.nodes)
        neutron = OvnNeutron(ovn.northbound, default_groups=True).start()
        try:
            async with OvnSite(lab, ovn, neutron, namespace).working() as made:
                yield made
        finally:
            neutron.shutdown()
            neutron.server_close()
            lab.kubectl("delete", "namespace", namespace, "--wait=false")
        assert not ovn.ended()
