"""Gateways as in pods, without a cluster: the programs of a pod in a network namespace, the node's agent beside them.

The API server, the scheduler and the kubelet are played: a holder's volume is a file system on a loop device, mounted
where a kubelet would mount it. Ganesha, both agents, the packet filter and the clients are real.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

from deploy import bootstrap
from drivers.ganesha.driver import GaneshaDriver
from drivers.ganesha.embedded.network import Fabric, inside
from drivers.ganesha.gateway.command import run
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.gateways import KubernetesGateways
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.ganesha.ports import Address
from drivers.kubernetes.api import POD, SHARE_EXPORT, STATEFUL_SET, Kind, Late, Object
from tests.datapath.lab import Client, Driven, leftovers, mounts, port
from tests.drivers.ganesha.kubernetes.fake import NODES, FakeCluster


class Played(FakeCluster):
    """A cluster in memory whose pods are real processes and mounts. ``paused``: kubelet and controllers do nothing."""

    def __init__(self, root: pathlib.Path, fabric: Fabric) -> None:
        super().__init__()
        self.root, self.fabric = root, fabric
        self.paused = False
        self.programs: dict[str, list[subprocess.Popen[bytes]]] = {}
        self.plugged: dict[str, tuple[Address, ...]] = {}
        self.told: dict[str, dict[str, str]] = {}

    async def until(
        self,
        kind: Kind,
        name: str,
        namespace: str | None,
        good: Callable[[Object | None], bool],
        seconds: float,
        what: str,
    ) -> Object | None:
        """Other than in memory things take their time here."""
        deadline = time.monotonic() + seconds
        while not good(found := await self.get(kind, name, namespace)):
            if time.monotonic() > deadline:
                raise Late(what, seconds, found)
            await asyncio.sleep(0.02)
        return found

    def _control(self, kind: Kind, found: Object) -> None:
        if kind is SHARE_EXPORT:
            return
        super()._control(kind, found)
        if kind is not POD or self.paused:
            return
        labels = found["metadata"]["labels"]
        if labels[names.ROLE] == "holder":
            self._mount(found)
        elif found["metadata"]["uid"] not in self.programs:
            self.start(found)

    def volume(self, pod: Object) -> pathlib.Path:
        """Where the kubelet has a holder's volume."""
        claim = pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
        kind = self.root / "pods" / str(pod["metadata"]["uid"]) / "volumes" / "kubernetes.io~csi"
        return kind / f"pv-{claim}" / "mount"

    def _mount(self, pod: Object) -> None:
        at = self.volume(pod)
        image = self.root / f"{at.parent.name}.img"
        at.mkdir(parents=True, exist_ok=True)
        if os.path.ismount(at):
            return
        if not image.exists():
            subprocess.run(["truncate", "-s", "1G", image], check=True)
            subprocess.run(["mkfs.xfs", "-q", image], check=True)
        subprocess.run(["mount", "-o", "loop,nouuid", image, at], check=True)

    def start(self, pod: Object) -> None:
        """Start the programs of a gateway's pod."""
        server, uid = pod["metadata"]["labels"][names.SERVER], pod["metadata"]["uid"]
        place = self.root / "gateways" / server
        folders = {name: place / name for name in ("shares", "control", "devices")}
        folders["answers"] = self.root / "pods" / str(uid) / "volumes" / "kubernetes.io~empty-dir" / "answers"
        folders |= {"state": self.root / f"state-{server}", "run": self.root / f"run-{uid}"}
        for folder in folders.values():
            folder.mkdir(parents=True, exist_ok=True)
        said = {one["name"]: one.get("value", uid) for one in pod["spec"]["containers"][0]["env"]}
        said |= {f"GATEWAY_{name.upper()}_FOLDER": str(folder) for name, folder in folders.items()}
        # a test may have programs of its own there that stand before the system's
        interfaces = ",".join(f"eth{number}" for number, _ in enumerate(said["GATEWAY_ADDRESSES"].split(",")))
        env = {**os.environ, **said, "GATEWAY_INTERFACES": interfaces, "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        if root := bootstrap.ganesha():
            env["GANESHA_ROOT"] = str(root)
        self.told[uid] = env
        words = inside(self.fabric.gateway(server), sys.executable, "-m")
        with (self.root / f"{uid}.log").open("ab") as log:
            for program in ("cli.gateway", "cli.ganesha_agent"):
                started = subprocess.Popen([*words, program], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
                self.programs.setdefault(uid, []).append(started)

    def end(self, pod: Object, number: int = signal.SIGTERM) -> None:
        """End the programs of a gateway's pod."""
        for one in self.programs.pop(pod["metadata"]["uid"], []):
            with contextlib.suppress(ProcessLookupError):
                one.send_signal(number)
            one.wait(20)

    def changed(self, kind: Kind, found: Object) -> None:
        """Tell who watches of an object that was changed by hand."""
        self.server.touch((kind.version, kind.plural, found["metadata"]["namespace"], found["metadata"]["name"]))

    async def delete(
        self,
        kind: Kind,
        name: str,
        namespace: str | None = None,
        *,
        grace: int | None = None,
        uid: str = "",
        version: str = "",
    ) -> None:
        pod = self.objects.get((POD.plural, f"{name}-0" if kind is STATEFUL_SET else name))
        if pod is not None and kind in (POD, STATEFUL_SET):
            if pod["metadata"]["labels"][names.ROLE] == "holder":
                if os.path.ismount(self.volume(pod)):
                    await run("umount", str(self.volume(pod)))
            else:
                await asyncio.to_thread(self.end, pod)
        await super().delete(kind, name, namespace, grace=grace, uid=uid, version=version)

    async def get(self, kind: Kind, name: str, namespace: str | None = None) -> Object | None:
        """A gateway's pod is ready when its mark is there."""
        found = await super().get(kind, name, namespace)
        if kind is POD and found is not None and found["metadata"]["labels"][names.ROLE] == "gateway":
            mark = self.root / f"run-{found['metadata']['uid']}" / "ready"
            found["status"]["conditions"] = [{"type": "Ready", "status": str(mark.exists())}]
        return found


class PodLab(Driven):
    """One back end of the Kubernetes form on this machine, driven through its driver."""

    def __init__(self) -> None:
        self.root = pathlib.Path(f"/tmp/okp-{os.getpid()}")
        self.root.mkdir()
        self.fabric = Fabric(f"{self.root.name}-")
        self.cluster = Played(self.root, self.fabric)
        self.options = KubernetesOptions(
            name="k",
            share_backend_name="kube",
            driver_handles_share_servers=True,
            kubernetes_storage_class="fast",
            kubernetes_snapshot_class="fast",
            ganesha_grace_period=3,
            ganesha_lease_lifetime=15,
            ganesha_timeout=15.0,
            ganesha_hang_timeout=10,
            kubernetes_start_timeout=15.0,
        )
        shares = Shares(self.options, self.cluster)
        self.driver = GaneshaDriver(
            self.options,
            KubernetesGateways(self.options, self.cluster),
            KubernetesVolumes(self.options, self.cluster, shares),
            KubernetesExports(shares),
        )
        self.clients: list[Client] = []
        self._stop = asyncio.Event()
        self._agent: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[Self]:
        """A node's agent is at work until the block ends."""
        try:
            self.start_agent()
            await self.driver.do_setup()
            yield self
        finally:
            await self.down()

    def start_agent(self) -> None:
        """Start the node's agent."""
        places = Places(self.root / "pods", self.root / "gateways")
        self._stop = asyncio.Event()
        agent = NodeAgent(self.cluster, self.options.kubernetes_namespace, NODES[0], places)
        self._agent = asyncio.create_task(agent.run(self._stop))

    async def end_agent(self) -> None:
        """End it; fails if it had failed."""
        self._stop.set()
        if self._agent is not None:
            await self._agent

    async def server(self, network: str, address: str = "10.0.0.50/24", **more: str) -> dict[str, Any]:
        """A share server; its ports are plugged in before, as a CNI plugin would.

        Args:
            more: addresses by network: of further ports, and of the pod network, whose name is ``pods``.
        """
        server_id = f"srv-{network}"
        tenants = {network: address, **{name: one for name, one in more.items() if name != "pods"}}
        plugged = tuple(_address(name, one) for name, one in {**tenants, **more}.items())
        await self.fabric.plug(self.fabric.gateway(server_id), plugged)
        self.cluster.plugged[server_id] = plugged
        details = await self.driver.setup_server([port(server_id, name, one) for name, one in tenants.items()])
        return {"id": server_id, "backend_details": details}

    def pod(self, server: dict[str, Any]) -> Object:
        """The pod of a server's gateway."""
        return self.cluster.objects[POD.plural, names.gateway_pod(server["id"])]

    def replace_pod(self, server: dict[str, Any], number: int = signal.SIGTERM) -> None:
        """What a StatefulSet does when its pod is deleted: another pod of the same name, with another identity."""
        old = self.pod(server)
        self.cluster.end(old, number)
        old["metadata"]["uid"] += "x"
        self.cluster.changed(POD, old)
        self.cluster.start(old)

    async def down(self) -> None:
        """End everything; asserts that nothing stays."""
        for client in self.clients:
            await client.close()
        for pod in [one for (plural, _), one in self.cluster.objects.items() if plural == POD.plural]:
            self.cluster.end(pod)
        await self.end_agent()
        for namespace in leftovers(f"{self.root.name}-"):
            await run("ip", "netns", "del", namespace)
        for mount in mounts(self.root):
            await run("umount", mount)
        shutil.rmtree(self.root)
        assert not mounts(self.root)


def _address(network: str, text: str) -> Address:
    ip, _, prefix = text.partition("/")
    return Address(ip, int(prefix), network)


async def eventually(check: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether something comes true in time."""
    for _ in range(int(seconds / 0.02)):
        if check():
            return True
        await asyncio.sleep(0.02)
    return False
