"""An installation of the Kubernetes back end on the lab, driven through the driver as a worker would."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import pathlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar, Self

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.kubernetes import assembled, definition, names
from drivers.ganesha.kubernetes.attachments.multus import bridge
from drivers.ganesha.kubernetes.gateways import ready
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import SHARE_EXPORT
from drivers.kubernetes.api import Cluster as KubernetesCluster
from generated.runtime import Row
from tests.datapath.lab import AGENT, Client, Driven, port
from tests.kube.api import accounts
from tests.lab.cluster import Cluster
from tests.lab.processes import sh, wait
from tests.lab.storage import AWAY, CLASS

Object = dict[str, Any]
PUMP = AGENT.with_name("pump.py")
ADDRESS = "10.7.0.50"


class Pump:
    """A client that writes without rest; ``end`` tells how it went."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def end(self) -> Row:
        """``writes``, ``gap`` in seconds, ``errors``, ``lost``."""
        assert self._process.stdin
        self._process.stdin.close()
        assert self._process.stdout
        text = await asyncio.wait_for(self._process.stdout.read(), 90)
        await self._process.wait()
        found: Row = json.loads(text.decode().splitlines()[-1])
        return found


class Site(Driven):
    """One namespace with gateways, one tenant network for each name, and agents on all nodes."""

    roles: ClassVar[tuple[str, ...]] = ("node-role",)
    """The chart's, of nodes' agents."""
    subnet = "10.7.0"
    agents = "node-agent"
    """Account of the nodes' agents."""
    told: ClassVar[dict[str, str]] = {}
    """What they are told besides."""

    def __init__(self, lab: Cluster, namespace: str, **options: Any) -> None:
        self.lab, self.namespace = lab, namespace
        settings: dict[str, Any] = {
            "name": "kube",
            "share_backend_name": "kube",
            "driver_handles_share_servers": True,
            "ganesha_grace_period": 5,
            "ganesha_lease_lifetime": 10,
            "kubernetes_namespace": namespace,
            "kubernetes_storage_class": CLASS,
            "kubernetes_snapshot_class": CLASS,
            "kubernetes_backup_class": AWAY,
            "kubernetes_gateways_path": str(lab.place.gateways),
            "kubernetes_gateway_resources": '{"requests": {"cpu": "1m", "memory": "8Mi"}}',
            "kubernetes_failover_seconds": 3,
            "kubernetes_bind_timeout": 30.0,
            "kubernetes_start_timeout": 90.0,
            "kubernetes_expand_timeout": 60.0,
        }
        self.space()
        settings["kubernetes_kubeconfig"] = str(self.account().kubeconfig)
        self.options = KubernetesOptions(**settings | options)
        self.start()
        self.clients: list[Client] = []

    def start(self) -> None:
        """A share manager with the present options, not yet set up."""
        options = self.options
        self.cluster = KubernetesCluster(options.kubernetes_kubeconfig, timeout=options.kubernetes_request_timeout)
        self.driver = assembled(options, self.cluster)

    async def again(self) -> None:
        """The share manager is started anew, with the present options, and finds what it had stored."""
        await self.cluster.close()
        storage = self.driver.private_storage
        self.start()
        self.driver.private_storage = storage
        await self.driver.do_setup()

    # ---- the installation

    def space(self) -> None:
        """The namespace and the resource."""
        api = self.lab.api
        crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", **definition.shareexports()}
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        if not self._there(f"{definitions}/{crd['metadata']['name']}"):  # helm's own would not suffer another's hand
            api.apply(definitions, crd)
        served = f"{SHARE_EXPORT.path(self.namespace)}"
        labels = {"pod-security.kubernetes.io/enforce": "privileged"}
        wanted = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace, "labels": labels}}
        api.apply("/api/v1/namespaces", wanted)
        wait("ShareExports are served", functools.partial(self._there, served))

    def account(self) -> accounts.Account:
        """The share manager's; as in a release: what the chart's role does not allow it is not allowed here."""
        folder = self.lab.place.base / "accounts" / self.namespace
        folder.mkdir(parents=True, exist_ok=True)
        return accounts.make(self.lab, folder, self.namespace, "share", "share-role", "share-cluster-role")

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[Self]:
        """It is installed until the block ends."""
        self.install()
        await self.driver.do_setup()
        try:
            yield self
        finally:
            await self.close()

    def install(self) -> None:
        """The agents and what they may do."""
        self.allow_agents()
        for account in ("default", self.agents):
            path = f"/api/v1/namespaces/{self.namespace}/serviceaccounts/{account}"
            wait(f"the account {account}", functools.partial(self._there, path))
        for name in self.lab.nodes:
            self.lab.api.apply(f"/apis/apps/v1/namespaces/{self.namespace}/daemonsets", self._agent(name))
        for name in self.lab.nodes:
            wait(f"the agent of {name}", functools.partial(self._agent_runs, name), 120)

    def allow_agents(self) -> None:
        """An account with the roles that they have in a release."""
        api = self.lab.api
        account = _named("v1", "ServiceAccount", self.agents)
        api.apply(f"/api/v1/namespaces/{self.namespace}/serviceaccounts", account)
        rbac = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{self.namespace}"
        version = "rbac.authorization.k8s.io/v1"
        rules = [rule for role in self.roles for rule in accounts.rules(role)]
        api.apply(f"{rbac}/roles", {**_named(version, "Role", self.agents), "rules": rules})
        bound = {
            "subjects": [{"kind": "ServiceAccount", "name": self.agents, "namespace": self.namespace}],
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": self.agents},
        }
        api.apply(f"{rbac}/rolebindings", {**_named(version, "RoleBinding", self.agents), **bound})

    def _there(self, path: str) -> bool:
        return self.lab.api("GET", path)[0] == 200

    def _agent_runs(self, node: str) -> bool:
        path = f"/apis/apps/v1/namespaces/{self.namespace}/daemonsets/agent-{node}"
        return bool(self.lab.api.get(path)["status"].get("numberReady"))

    def _agent(self, node: str) -> Object:
        """The agent of one node: in the lab the kubelets' folders have different names."""
        pods = self.lab.nodes[node].home / "kubelet" / "pods"
        said = {"NODE_NAME": node, "NAMESPACE": self.namespace, "PODS_FOLDER": str(pods)}
        said |= {"GATEWAYS_FOLDER": str(self.lab.place.gateways), "MARKS_FOLDER": "/tmp", **self.told}
        mounts = [
            {"name": "pods", "mountPath": str(pods), "mountPropagation": "HostToContainer"},
            {"name": "gateways", "mountPath": str(self.lab.place.gateways), "mountPropagation": "Bidirectional"},
        ]
        container = {
            "name": "agent",
            "image": "localhost/manila-node-agent:latest",
            "imagePullPolicy": "Never",
            "securityContext": {"privileged": True},
            "env": [{"name": name, "value": value} for name, value in said.items()],
            "volumeMounts": mounts,
        }
        spec = {
            "serviceAccountName": self.agents,
            "automountServiceAccountToken": True,
            "nodeSelector": {"kubernetes.io/hostname": node},
            "tolerations": [{"operator": "Exists"}],
            "terminationGracePeriodSeconds": 1,
            "containers": [container],
            "volumes": [
                {"name": "pods", "hostPath": {"path": str(pods), "type": "Directory"}},
                {"name": "gateways", "hostPath": {"path": str(self.lab.place.gateways), "type": "Directory"}},
            ],
        }
        own = {"app": f"agent-{node}"}
        wanted = {"selector": {"matchLabels": own}, "template": {"metadata": {"labels": own}, "spec": spec}}
        return {**_named("apps/v1", "DaemonSet", f"agent-{node}"), "spec": wanted}

    # ---- what a worker and its tenants do

    async def server(self, network: str, address: str = f"{ADDRESS}/24") -> Row:
        """A share server in the tenant network of that name."""
        return await self.set_up(network, address)

    async def set_up(self, network: str, address: str, project: str = "") -> Row:
        """A share server of a project."""
        server_id = f"{network}-{self.namespace}"
        info = {**port(server_id, network, address), "project_id": project}
        info["network_allocations"][0]["mac_address"] = f"fa:16:3e:00:00:{sum(network.encode()) % 256:02x}"
        details = await self.driver.setup_server([info])
        return {"id": server_id, "backend_details": details}

    def plug(self, network: str, ip: str, prefix: int = 24) -> str:
        """A machine in a tenant's network; its network namespace."""
        return machine(bridge(network), f"{network}-{ip.rpartition('.')[2]}", ip, prefix)

    async def client(self, network: str, ip: str, prefix: int = 24) -> Client:
        """An NFS client in a tenant's network."""
        client = await nfs_client(self.plug(network, ip, prefix))
        self.clients.append(client)
        return client

    def pump(
        self, share: Row, ip: str = "10.7.0.5"
    ) -> contextlib.AbstractAsyncContextManager[Callable[[], Awaitable[Row]]]:
        """A client of a share that writes without rest meanwhile; what is given tells how it went."""
        network = share["server"]["id"].removesuffix(f"-{self.namespace}")
        return pumping(self.plug(network, ip), str(share["location"]))

    # ---- what is there

    def objects(self, kind: str, namespace: str = "") -> list[Object]:
        """Objects of the namespace, or of another, of a kind as kubectl calls it."""
        text = self.lab.kubectl("-n", namespace or self.namespace, "get", kind, "-o", "json")
        found: list[Object] = json.loads(text)["items"]
        return found

    def of(self, kind: str, name: str) -> list[str]:
        """Names of objects that belong to a share or snapshot instance or a server."""
        return [one["metadata"]["name"] for one in self.objects(kind) if name in one["metadata"]["name"]]

    def gateway(self, server: Row) -> Object:
        """The pod of a server's gateway."""
        pod, namespace = names.gateway_pod(server["id"]), server["backend_details"]["identifier"].partition("/")[0]
        return self.lab.api.get(f"/api/v1/namespaces/{namespace}/pods/{pod}")

    def node_of(self, server: Row) -> str:
        """The node of a server's gateway."""
        return str(self.gateway(server)["spec"]["nodeName"])

    def bound(self, server: Row, node: str | None = None) -> dict[str, str]:
        """Share -> device of what is bound into a gateway's folder on its node."""
        place = self.lab.place.gateways / server["id"] / "shares"
        text = sh(*self.lab.nodes[node or self.node_of(server)].inside(), "cat", "/proc/self/mountinfo")
        fields = [line.split() for line in text.splitlines()]
        return {pathlib.Path(one[4]).name: one[2] for one in fields if one[4].startswith(f"{place}/")}

    def ganesha(self, server: Row) -> list[int]:
        """Process ids of Ganesha in a gateway's pod."""
        return [pid for pid in self._processes(server) if _comm(pid) == "ganesha.nfsd"]

    def _processes(self, server: Row) -> list[int]:
        uid = self.gateway(server)["metadata"]["uid"]
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"pod{uid}" in (folder / "cgroup").read_text():
                    found.append(int(folder.name))
        return found

    def everything(self, server: Row) -> list[int]:
        """Process ids of a gateway's programs, without the pod's first process."""
        return [pid for pid in self._processes(server) if _comm(pid) != "pause"]

    def pending(self) -> list[str]:
        """Claims without a volume."""
        return [one["metadata"]["name"] for one in self.objects("pvc") if one["status"].get("phase") != "Bound"]

    def pss(self, server: Row) -> dict[str, int]:
        """KiB by program in a gateway's pod."""
        sums: dict[str, int] = {}
        for pid in self._processes(server):
            with contextlib.suppress(OSError):
                lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                size = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
                sums[_comm(pid)] = sums.get(_comm(pid), 0) + size
        return sums

    async def ready_again(self, server: Row, before: str, seconds: float = 90.0) -> float:
        """Wait for another pod of a gateway to be ready; seconds it took."""
        begin = time.monotonic()

        def there() -> bool:
            pod = self.gateway(server)
            return ready(pod) and pod["metadata"]["uid"] != before

        await asyncio.to_thread(wait, "the gateway is ready again", there, seconds)
        return time.monotonic() - begin

    async def close(self) -> None:
        """End the clients and the driver's connections."""
        for client in self.clients:
            await client.close()
        await self.cluster.close()


def machine(link: str, name: str, ip: str, prefix: int) -> str:
    """A machine with an address on a bridge, made if it is not there; its network namespace, which has its name.

    Args:
        link: the bridge, made if it is not there.
        name: at most 13 characters.
    """
    if not pathlib.Path(f"/run/netns/{name}").exists():
        if f"{link} " not in sh("ip", "-br", "link"):
            sh("ip", "link", "add", link, "type", "bridge")
            sh("ip", "link", "set", link, "up")
        sh("ip", "netns", "add", name)
        sh("ip", "link", "add", f"v-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        sh("ip", "link", "set", f"v-{name}", "master", link, "up")
        sh("ip", "-n", name, "addr", "add", f"{ip}/{prefix}", "dev", "eth0")
        for device in ("eth0", "lo"):
            sh("ip", "-n", name, "link", "set", device, "up")
    return name


async def nfs_client(namespace: str) -> Client:
    """An NFS client in a network namespace."""
    return Client(await _spawn(namespace, str(AGENT)))


@contextlib.asynccontextmanager
async def pumping(namespace: str, location: str) -> AsyncIterator[Callable[[], Awaitable[Row]]]:
    """A client in a network namespace that writes without rest meanwhile; what is given tells how it went."""
    host, _, path = location.rpartition(":/")
    process = await _spawn(namespace, str(PUMP), host, f"/{path}")
    assert process.stdout
    assert (await asyncio.wait_for(process.stdout.readline(), 60)).strip() == b"going"
    ended: list[Row] = []

    async def end() -> Row:
        if not ended:
            ended.append(await Pump(process).end())
        return ended[0]

    try:
        yield end
    finally:
        if process.returncode is None and not ended:
            process.kill()
            await process.wait()


async def written(client: Client, share: Row, seconds: float = 30.0, pause: float = 0.02) -> None:
    """Until a client has mounted a share and written to it; what it met last is raised after ``seconds``."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            await client.mount(share["location"])
            await client("write", name="first", text=share["id"])
            return
        except Exception:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(pause)


async def _spawn(namespace: str, *words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *inside(namespace, sys.executable, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def _comm(pid: int) -> str:
    return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()


def _named(version: str, kind: str, name: str) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}}
