"""A node of the lab: a mount namespace with a containerd, a kubelet and the CSI driver in it.

One node's mounts are not another's, and a dead node's mounts go with it. A sleeping process holds the namespace: the
kernel refuses a file for it now and then.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import time
from collections.abc import Iterator

from tests.lab import images, machine
from tests.lab.api import Api
from tests.lab.certificates import Authority
from tests.lab.dns import DOMAIN
from tests.lab.machine import PRIVATE
from tests.lab.place import BRIDGE, HOST, Place, free_port
from tests.lab.processes import Processes, sh, wait

DRIVER = "lab.csi.example"
PAUSE = "localhost/pause:1"


class Node:
    """One node: its name, and its address on the bridge."""

    def __init__(self, place: Place, processes: Processes, api: Api, authority: Authority, number: int) -> None:
        self.name, self.address = f"lab{number}", f"10.88.255.{number}"
        self.home = place.home(self.name)
        self._place, self._processes, self._api, self._authority = place, processes, api, authority

    def start(self) -> None:
        """Start all parts and wait until the node is ready and its driver known."""
        if f" {self.address}/" not in sh("ip", "-4", "addr", "show", "dev", BRIDGE):
            sh("ip", "addr", "add", f"{self.address}/32", "dev", BRIDGE)
        self._namespace()
        self.start_containerd()
        self.start_kubelet()
        self.start_csi()

    def inside(self) -> list[str]:
        """Words before a command that is to run in the node's mount namespace."""
        return ["nsenter", f"--target={self._processes[f'init@{self.name}'].pid}", "--mount"]

    def ctr(self, *words: str) -> str:
        """Ask the node's containerd."""
        socket = ("-a", f"{self.home}/c.sock", "-n", "k8s.io")
        return sh(self._place.program("ctr"), *socket, *words)

    def ready(self) -> bool:
        """Whether Kubernetes holds it for ready."""
        conditions = self._api.get(f"/api/v1/nodes/{self.name}")["status"].get("conditions", [])
        return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)

    def _namespace(self) -> None:
        gateways, mark = self._place.base / "gateways", self.home / "namespace-ready"
        pairs = [(self.home / "kubelet", self.home / "kubelet"), (self.home / "gateways", gateways)]
        pairs += [(self.home / "private" / one[1:].replace("/", "-"), pathlib.Path(one)) for one in PRIVATE]
        for folder in (folder for pair in pairs for folder in pair):
            folder.mkdir(parents=True, exist_ok=True)
        mark.unlink(missing_ok=True)
        binds = " && ".join(f"mount --bind {source} {at} && mount --make-rshared {at}" for source, at in pairs)
        script = f"{binds} && touch {mark} && exec sleep infinity"
        words = ("unshare", "--mount", "--propagation=private", "sh", "-ec", script)
        self._processes.spawn(f"init@{self.name}", *words)
        wait(f"the namespace of {self.name}", mark.exists)

    def start_containerd(self) -> None:
        """The container runtime, with the image of the pods' first container."""
        (self.home / "containerd").mkdir(exist_ok=True)
        config = self.home / "containerd.toml"
        config.write_text(_containerd(self.home, self._place))
        words = (*self.inside(), self._place.program("containerd"), "--config", str(config))
        self._processes.spawn(f"containerd@{self.name}", *words, PATH=self._path)
        wait(f"containerd of {self.name}", lambda: self.ctr("version"))
        layer, archive = self.home / "pause.layer", self.home / "pause.tar"
        images.layer_of(layer, self._place.programs / "pause", "pause")
        images.archive(archive, PAUSE, layer, ["/pause"])
        self.ctr("images", "import", str(archive))

    @property
    def _path(self) -> str:
        return f"{self._place.programs}:{os.environ['PATH']}"

    def start_kubelet(self) -> None:
        """The kubelet; done when the node is ready."""
        self._authority.certificate(self.name, f"/O=system:nodes/CN=system:node:{self.name}")
        for lab in machine.groups(self._place.base):
            for group in (lab, lab / self.name):
                group.mkdir(exist_ok=True)
                # a new group of this controller has no processor and no memory
                if (group / "cpuset.cpus").exists() and not (group / "cpuset.cpus").read_text().strip():
                    for file in ("cpuset.cpus", "cpuset.mems"):
                        (group / file).write_text((group.parent / file).read_text())
        config = self.home / "kubelet.json"
        config.write_text(json.dumps(_kubelet(self._place, self.name, self.address, self._authority.path("ca.crt"))))
        self._processes.spawn(
            f"kubelet@{self.name}",
            *self.inside(),
            self._place.program("kubelab"),
            "kubelet",
            f"--config={config}",
            f"--kubeconfig={self._authority.kubeconfig(self.name, self._api.url)}",
            f"--root-dir={self.home}/kubelet",
            f"--hostname-override={self.name}",
            f"--node-ip={self.address}",
            f"--cert-dir={self.home}/kubelet-pki",
            "--feature-gates=KubeletInUserNamespace=true",  # tolerates that root lacks CAP_SYS_RESOURCE
            PATH=self._path,
        )
        wait(f"{self.name} is ready", self.ready)

    def start_csi(self) -> None:
        """The CSI driver of the node; done when the kubelet has registered it."""
        kubelet = self.home / "kubelet"
        self._place.faults.mkdir(exist_ok=True)
        self._processes.spawn(
            f"csi@{self.name}",
            *self.inside(),
            self._place.program("lab-csi"),
            *("-name", DRIVER, "-node", self.name, "-pool", str(self._place.pool)),
            *("-socket", str(kubelet / "plugins" / DRIVER / "csi.sock")),
            *("-registry", str(kubelet / "plugins_registry"), "-faults", str(self._place.faults)),
        )
        path = f"/apis/storage.k8s.io/v1/csinodes/{self.name}"
        wait(f"the CSI driver of {self.name}", lambda: DRIVER in self._api("GET", path)[1])

    def kill(self) -> None:
        """As if the power went: everything in the node's mount namespace is killed, and its mounts vanish."""
        if f"init@{self.name}" not in self._processes:
            return
        namespace = pathlib.Path(f"/proc/{self._processes[f'init@{self.name}'].pid}/ns/mnt").stat().st_ino
        for name in self._processes.names():
            if name.endswith(f"@{self.name}"):
                self._processes.forget(name)
        while pids := list(_inhabitants(namespace)):
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)

    def spawn(self, name: str, *words: str, **env: str) -> int:
        """Run a program of one's own in the node's mount namespace; ``restart(f"{name}@{node}")`` and so on know it."""
        return self._processes.spawn(f"{name}@{self.name}", *self.inside(), *words, **env)


def _inhabitants(namespace: int) -> Iterator[int]:
    """Processes of a mount namespace and all their descendants: containers have namespaces of their own."""
    mine, children = [], dict[int, list[int]]()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            if state == "Z":
                continue
            children.setdefault(int(parent), []).append(int(folder.name))
            if os.stat(folder / "ns" / "mnt").st_ino == namespace:
                mine.append(int(folder.name))
    seen = set(mine)
    while mine:
        pid = mine.pop()
        yield pid
        fresh = [child for child in children.get(pid, []) if child not in seen]
        seen.update(fresh)
        mine += fresh


def _containerd(home: pathlib.Path, place: Place) -> str:
    root = home / "containerd"
    return f"""\
version = 3
root = "{root}/root"
state = "{root}/state"
disabled_plugins = [
  "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs",
  "io.containerd.snapshotter.v1.devmapper", "io.containerd.nri.v1.nri",
]
[grpc]
address = "{home}/c.sock"
[plugins."io.containerd.internal.v1.opt"]
path = "{home}/opt"
[ttrpc]
address = "{home}/c.ttrpc"
[plugins."io.containerd.cri.v1.images"]
snapshotter = "overlayfs"
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "{PAUSE}"
[plugins."io.containerd.cri.v1.runtime"]
restrict_oom_score_adj = true
disable_apparmor = true
netns_mounts_under_state_dir = true
[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = ["{place.programs}"]
conf_dir = "{place.base}/cni/net.d"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
BinaryName = "{shutil.which("runc")}"
SystemdCgroup = false
"""


def _kubelet(place: Place, name: str, address: str, authority: str) -> dict[str, object]:
    home = place.home(name)
    closed = {"anonymous": {"enabled": False}, "webhook": {"enabled": False}, "x509": {"clientCAFile": authority}}
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "address": address,
        "port": free_port(address),
        "healthzPort": 0,
        "readOnlyPort": 0,
        "authentication": closed,
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": f"/{machine.group(place.base)}/{name}",
        "failCgroupV1": False,
        "failSwapOn": False,
        "enforceNodeAllocatable": [],
        "containerRuntimeEndpoint": f"unix://{home}/c.sock",
        "resolvConf": "",
        "clusterDNS": [HOST],
        "clusterDomain": DOMAIN,
        "podLogsDir": f"{home}/podlogs",
        "volumePluginDir": f"{home}/plugins",
        "evictionHard": {"memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
        "imageGCHighThresholdPercent": 100,
        "maxOpenFiles": 10000,
        "maxPods": 250,
        "syncFrequency": "5s",
        "nodeStatusUpdateFrequency": "2s",
        "nodeLeaseDurationSeconds": 8,
        "volumeStatsAggPeriod": "10s",
        "makeIPTablesUtilChains": False,
    }
