"""A whole Kubernetes: started, asked, broken and removed without a trace."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess

from tests.lab import control_plane, storage
from tests.lab.api import Api
from tests.lab.certificates import Authority
from tests.lab.node import PRIVATE, Node, cgroups
from tests.lab.place import BRIDGE, PODS, Place, make_bridge, own_network
from tests.lab.processes import Processes, sh

SYSCTLS = (
    "vm/overcommit_memory",
    "kernel/panic",
    "kernel/panic_on_oops",
    "kernel/keys/root_maxkeys",
    "kernel/keys/root_maxbytes",
)
"""What a kubelet changes for the whole machine; put back at the end."""
LAST = ("etcd", "apiserver", "controller-manager", "scheduler")


class Cluster:
    """A lab below a folder. ``load`` finds one that another process has started."""

    def __init__(self, base: pathlib.Path, programs: pathlib.Path) -> None:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.place = Place(base.resolve(), programs.resolve())
        self.processes = Processes(self.place.base)
        self.authority = Authority(self.place.base / "pki")
        self.nodes: dict[str, Node] = {}
        self._api: Api | None = None

    @classmethod
    def load(cls, base: pathlib.Path) -> Cluster:
        """The lab that runs below a folder."""
        known = json.loads((base / "lab.json").read_text())
        found = cls(base, pathlib.Path(known["programs"]))
        found._api = Api((base / "url").read_text(), found.authority)
        for number in range(1, known["nodes"] + 1):
            node = found._node(number)
            if f"init@{node.name}" in found.processes:
                found.nodes[node.name] = node
        return found

    @property
    def api(self) -> Api:
        """Requests as the administrator."""
        assert self._api is not None, "the lab is not started"
        return self._api

    @property
    def kubeconfig(self) -> pathlib.Path:
        """The administrator's configuration file."""
        return self.authority.folder / "admin.kubeconfig"

    def start(self, nodes: int | None) -> None:
        """Start it.

        Args:
            nodes: how many; None for the API server alone, which needs no root.

        Raises:
            RuntimeError: nodes outside of a network namespace of their own.
        """
        if nodes and not own_network():
            raise RuntimeError("nodes need a network namespace of their own: `python -m tests.lab run`")
        known = {"programs": str(self.place.programs), "nodes": nodes or 0, "sysctls": _sysctls()}
        (self.place.base / "lab.json").write_text(json.dumps(known))
        self._api = control_plane.start(self.place, self.processes, self.authority, whole=nodes is not None)
        if nodes:
            self._start_nodes(nodes)
        if nodes is not None:
            control_plane.wait_for_controllers(self.api)

    def _start_nodes(self, count: int) -> None:
        make_bridge()
        storage.make_pool(self.place)
        self._pod_network()
        storage.define(self.api, self.place.programs)
        for number in range(1, count + 1):
            node = self._node(number)
            node.start()
            self.nodes[node.name] = node
        storage.classes(self.api)
        storage.start(self.place, self.processes, self.authority)

    def _node(self, number: int) -> Node:
        return Node(self.place, self.processes, self.api, self.authority, number)

    def _pod_network(self) -> None:
        folder, plugins = self.place.base / "cni" / "net.d", self.place.base / "cni"
        folder.mkdir(parents=True, exist_ok=True)
        ranges = [[{"subnet": PODS, "rangeEnd": "10.88.254.254"}]]
        default = {
            "cniVersion": "1.0.0",
            "name": "pods",
            "type": "bridge",
            "bridge": BRIDGE,
            "isDefaultGateway": True,
            "ipam": {"type": "host-local", "dataDir": str(plugins / "ipam"), "ranges": ranges},
        }
        plugin = {
            "cniVersion": "1.0.0",
            "name": "lab",
            "type": "lab-cni",
            "kubeconfig": str(self.kubeconfig),
            "cacheDir": str(plugins / "cache"),
            "default": default,
        }
        whole = {"cniVersion": "1.0.0", "name": "lab", "plugins": [plugin]}
        (folder / "00-lab.conflist").write_text(json.dumps(whole))

    def import_image(self, archive: pathlib.Path) -> None:
        """Give every node an image."""
        for node in self.nodes.values():
            node.ctr("images", "import", str(archive))

    def stop(self) -> None:
        """Stop everything and remove what it left: mounts, links, cgroups, folders, changed sysctls."""
        own = [name for name in self.processes.names() if name not in LAST and "@" not in name]
        for name in own:
            self.processes.stop(name)
        for node in self.nodes.values():
            node.kill()
        for name in reversed(self.processes.names()):
            self.processes.stop(name)
        self._unmount()
        if self.nodes:
            subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True, check=False)
            for folder in PRIVATE:
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
        for name in self.nodes:
            _remove_groups(name)
        known = json.loads((self.place.base / "lab.json").read_text())
        for name, value in known["sysctls"].items():
            file = pathlib.Path("/proc/sys", name)
            if file.read_text() != value:
                file.write_text(value)

    def _unmount(self) -> None:
        mounts = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
        for mount in sorted((one for one in mounts if one.startswith(f"{self.place.base}/")), reverse=True):
            sh("umount", "-l", mount)


def _sysctls() -> dict[str, str]:
    files = {name: pathlib.Path("/proc/sys", name) for name in SYSCTLS}
    return {name: file.read_text() for name, file in files.items() if file.exists()}


def _remove_groups(node: str) -> None:
    for place in cgroups(node):
        for folder, _, _ in os.walk(place, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
