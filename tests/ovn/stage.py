"""Share servers and clients on OVN without Kubernetes: a "pod" is a network namespace, the API a stand-in."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from drivers.ganesha.driver import _server
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments import chosen
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.ovn import space
from drivers.ganesha.kubernetes.ovn.binding import Binding
from drivers.ganesha.kubernetes.ovn.plug import Plugger
from drivers.kubernetes.api import Cluster, Kind, Object
from network.base import Row
from network.neutron import NeutronPlugin
from tests.lab.ovn.chassis import Chassis
from tests.lab.ovn.lab import OvnLab
from tests.lab.ovn.neutron import OvnNeutron
from tests.lab.ovn.traffic import Echo
from tests.lab.processes import wait

OPTIONS = KubernetesOptions(name="k", share_backend_name="kube", kubernetes_attachment="ovn-port")
TENANTS = {"a": "0a", "b": "0b"}
"""Two networks of the stand-in with one CIDR, 10.0.0.0/24."""
_numbers = itertools.count(1)


class Pods(Cluster):
    """The pods of the stage, as the product's client sees them."""

    def __init__(self) -> None:
        super().__init__(None)
        self.pods: dict[str, Object] = {}

    async def get(self, kind: Kind, name: str, namespace: str | None = None) -> Object | None:
        return self.pods.get(name)

    async def every(self, kind: Kind, namespace: str | None = None, labels: Any = None) -> list[Object]:
        return list(self.pods.values())

    async def condition(
        self, kind: Kind, name: str, namespace: str | None, condition: Object, uid: str = ""
    ) -> Object | None:
        pod = self.pods.get(name)
        if pod is None or uid not in ("", pod["metadata"]["uid"]):
            return None
        pod["status"]["conditions"] = [condition]
        return pod

    async def merge(
        self, kind: Kind, name: str, namespace: str | None, changes: Object, part: str = ""
    ) -> Object | None:
        pod = self.pods.get(name)
        if pod is not None:
            pod["metadata"]["annotations"] |= changes["metadata"]["annotations"]
        return pod


@dataclass
class Pod:
    """A gateway's pod: its namespace, and what it runs there."""

    document: Object
    node: str
    file: str
    echo: Echo | None = None

    @property
    def reason(self) -> str:
        """What the node agent says of it."""
        conditions = self.document["status"]["conditions"]
        return str(conditions[0]["reason"]) if conditions else ""


@dataclass
class ShareServer:
    """A share server with its port."""

    id: str
    tenant: str
    allocation: Row
    subnet: Row
    pods: list[Pod] = field(default_factory=list)

    @property
    def ip(self) -> str:
        return str(self.allocation["ip_address"])

    @property
    def port(self) -> str:
        return str(self.allocation["id"])


class Stage:
    """What a test makes and removes. Node agents run as tasks, one for each chassis."""

    def __init__(self, ovn: OvnLab, neutron: OvnNeutron, plugin: NeutronPlugin) -> None:
        self.ovn, self.neutron, self.plugin = ovn, neutron, plugin
        self.cluster = Pods()
        self.binding = Binding(self.cluster, "gateways", "kube", plugin.ports)
        self.sandboxes: dict[str, space.Sandbox] = {}
        self.agents: dict[str, asyncio.Task[None]] = {}
        self._binding: asyncio.Task[None] | None = None
        self.servers: list[ShareServer] = []
        self._spaces: dict[str, str] = {}
        self._echoes: list[Echo] = []
        self._clients: list[tuple[Chassis, str, str]] = []

    # ---- what the product runs

    def start_agent(self, node: str) -> None:
        """The part of a node agent that plugs."""
        chassis = self.ovn.chassis[node]
        plugger = Plugger(self.cluster, "gateways", chassis.switch, chassis.space, find=self.sandboxes.get)
        self.agents[node] = asyncio.create_task(plugger.run(lambda: self.pods_of(node)))

    async def stop_agent(self, node: str) -> None:
        """End it at once."""
        task = self.agents.pop(node)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    def start(self) -> None:
        """Agents on all nodes, and the worker that binds."""
        for node in self.ovn.chassis:
            self.start_agent(node)
        self.start_binding()

    def start_binding(self) -> None:
        """The worker that binds."""
        self._binding = asyncio.create_task(self._bind())

    async def stop_binding(self) -> None:
        """As if no worker ran."""
        if self._binding is not None:
            self._binding.cancel()
            await asyncio.gather(self._binding, return_exceptions=True)
            self._binding = None

    async def _bind(self) -> None:
        while True:
            await self.binding.look()
            await asyncio.sleep(0.1)

    def pods_of(self, node: str) -> list[Object]:
        return [one for one in self.cluster.pods.values() if one["spec"]["nodeName"] == node]

    # ---- servers and clients

    async def server(self, tenant: str) -> ShareServer:
        """A share server with a port of Neutron's, on no node yet."""
        server_id, number = str(uuid.uuid4()), TENANTS[tenant]
        subnet = {
            "id": f"subnet-{tenant}",
            "neutron_net_id": f"00000000-0000-4000-8000-0000000000{number}",
            "neutron_subnet_id": f"00000000-0000-4000-9000-0000000000{number}",
        }
        got = await self.plugin.allocate(server_id, f"project-{tenant}", subnet, 1)
        made = ShareServer(server_id, tenant, got.allocations[0], subnet)
        self.servers.append(made)
        return made

    def pod(self, server: ShareServer, node: str, *, echo: bool = True) -> Pod:
        """A pod of the server's StatefulSet on a node, with a sandbox; it takes the place of the one before."""
        number = next(_numbers)
        file, uid = self._space(f"gw{number}"), str(uuid.uuid4())
        info = {"server_id": server.id, "network_allocations": [server.allocation], **server.subnet}
        attached = chosen(OPTIONS)(_server([{**info, "cidr": server.allocation["cidr"]}]))
        about: Object = {"name": names.gateway_pod(server.id), "uid": uid, "annotations": attached.annotations}
        document: Object = {"metadata": about, "spec": {"nodeName": node}, "status": {"conditions": []}}
        made = Pod(document, node, file)
        if echo:
            made.echo = Echo(file, f"{server.tenant}@{node}")
            self._echoes.append(made.echo)
        self.sandboxes[uid] = space.Sandbox(file, space.identity(file))
        self.cluster.pods[about["name"]] = document
        server.pods.append(made)
        return made

    def kill(self, pod: Pod) -> None:
        """The sandbox goes with all in it; the pod's object stays, as after the loss of a node."""
        if pod.echo is not None:
            pod.echo.close()
        self.sandboxes.pop(str(pod.document["metadata"]["uid"]), None)
        self.ovn.spaces.remove(self._spaces.pop(pod.file))

    def delete(self, pod: Pod) -> None:
        """Kubernetes removes the pod."""
        self.kill(pod)
        name = pod.document["metadata"]["name"]
        if self.cluster.pods.get(name) is pod.document:
            del self.cluster.pods[name]

    def client(self, tenant: str, node: str, ip: str) -> str:
        """A client's machine on a tenant's network, with a port of its own; the file of its namespace."""
        number = TENANTS[tenant]
        wanted = {
            "network_id": f"00000000-0000-4000-8000-0000000000{number}",
            "fixed_ips": [{"subnet_id": f"00000000-0000-4000-9000-0000000000{number}", "ip_address": ip}],
            "project_id": f"clients-{tenant}",
            "mac_address": f"fa:16:3e:cc:00:{int(ip.rpartition('.')[2]):02x}",
            "binding:host_id": node,
            "device_id": f"client-{tenant}-{ip}",
        }
        with self.neutron.state.lock:
            port = self.neutron.state.create_port({"port": wanted})
        file = self._space(f"cl{next(_numbers)}")
        chassis = self.ovn.chassis[node]
        device = chassis.plug(port["id"], file, port["mac_address"], ip)
        self._clients.append((chassis, device, port["id"]))
        wait(f"client {ip} is plugged", lambda: self.up(port["id"]), 10, 0.01)
        return file

    def up(self, port: str) -> bool:
        """Whether OVN says that a port is up."""
        rows = self.ovn.northbound.select("Logical_Switch_Port", ["name", "==", port], columns=("up",))
        return bool(rows) and rows[0]["up"] is True

    async def until(self, what: str, check: Callable[[], object], seconds: float = 10.0) -> None:
        """Wait while the agents go on."""
        await asyncio.to_thread(wait, what, check, seconds, 0.01)

    async def installed(self, pod: Pod) -> None:
        """Wait until the node agent says that the pod is reached."""
        await self.until("the gateway is installed", lambda: pod.reason == "Installed")

    async def status(self, server: ShareServer) -> str:
        """What Neutron calls the server's port."""
        answer = await self.plugin.client.request("GET", f"ports/{server.port}")
        return str(answer["port"]["status"])

    async def active(self, server: ShareServer) -> None:
        """Wait until Neutron calls the server's port active."""
        for _ in range(100):
            if await self.status(server) == "ACTIVE":
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"Neutron calls port {server.port} {await self.status(server)}")

    def rows(self, node: str) -> list[str]:
        """Gateways' rows in a node's switch."""
        return [one.name for one in self.ovn.chassis[node].switch.plugged()]

    def _space(self, name: str) -> str:
        file = self.ovn.spaces.add(name)
        self._spaces[file] = name
        return file

    async def clear(self) -> None:
        """Remove everything; the agents take the rows away themselves."""
        for server in self.servers:
            for pod in server.pods:
                if pod.file in self._spaces:
                    self.delete(pod)
            await self.plugin.deallocate(server.id, [server.allocation])
        self.cluster.pods.clear()
        for node in self.ovn.chassis:
            if node not in self.agents:
                self.start_agent(node)
            await self.until(f"no row is left on {node}", lambda node=node: not self.rows(node))  # type: ignore[misc]
            await self.stop_agent(node)
        await self.stop_binding()
        for chassis, device, port in self._clients:
            chassis.unplug(device)
            with self.neutron.state.lock:
                self.neutron.state.handle("DELETE", f"/v2.0/ports/{port}", {}, None)
        for echo in self._echoes:
            echo.close()
        for name in self._spaces.values():
            self.ovn.spaces.remove(name)
