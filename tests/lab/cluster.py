"""A whole Kubernetes: started, asked, broken and removed without a trace."""

from __future__ import annotations

import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

from deploy.bootstrap import ROOT
from tests.lab import control_plane, storage
from tests.lab.api import Api
from tests.lab.certificates import Authority
from tests.lab.node import Node
from tests.lab.place import BRIDGE, HOST, PODS, Place, make_bridge, own_network
from tests.lab.processes import Processes, sh, wait

LONGEST = 107 - len("/lab1/kubelet/plugins_registry/lab.csi.example-reg.sock")
"""Characters that a lab's folder may have: a socket's name has 107 at most."""
CONTROL_PLANE = ("etcd", "apiserver", "controller-manager", "scheduler")


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
        """The lab that runs below a folder; its nodes by name, also those that are killed."""
        known = json.loads((base / "lab.json").read_text())
        found = cls(base, pathlib.Path(known["programs"]))
        found._api = Api((base / "url").read_text(), found.authority)
        found._know(known["nodes"])
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
            RuntimeError: nodes outside of a network namespace of their own, or in a folder with too long a name.
        """
        if nodes and len(str(self.place.base)) > LONGEST:
            raise RuntimeError(f"{self.place.base}: sockets below it would have names that are too long")
        if nodes and not own_network():
            raise RuntimeError("nodes need a network namespace of their own: `python -m tests.lab run`")
        known = {"programs": str(self.place.programs), "nodes": nodes or 0}
        (self.place.base / "lab.json").write_text(json.dumps(known))
        self.processes.clear()
        self._api = control_plane.start(self.place, self.processes, self.authority, whole=nodes is not None)
        storage.define(self.api, self.place.programs)
        if nodes is None:
            return
        if nodes:
            make_bridge()
            storage.make_pool(self.place)
            self._pod_network()
            dns = (sys.executable, "-m", "tests.lab.dns", str(self.place.base), HOST)
            self.processes.spawn("dns", *dns, PYTHONPATH=str(ROOT))
        self._know(nodes)
        for node in self.nodes.values():
            node.start()
        if nodes:
            storage.classes(self.api)
            storage.start(self.api, self.place, self.processes, self.authority)
        control_plane.wait_for_controllers(self.api)

    def _know(self, count: int) -> None:
        parts = (self.place, self.processes, self.api, self.authority)
        self.nodes = {f"lab{number}": Node(*parts, number) for number in range(1, count + 1)}

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
        """Give every node an image; ``archive``: of the form that docker and OCI tools write."""
        for node in self.nodes.values():
            node.ctr("images", "import", str(archive))

    def kubectl(self, *words: str) -> str:
        """Output of kubectl as the administrator. Raises Failed with its words."""
        return sh(self.place.program("kubectl"), f"--kubeconfig={self.kubeconfig}", *words)

    # what may break

    def restart(self, name: str) -> None:
        """Stop a part and start it again, such as ``kubelet@lab1``, ``containerd@lab2`` or ``apiserver``."""
        self.processes.restart(name)

    @contextlib.contextmanager
    def without(self, *names: str) -> Iterator[None]:
        """Parts are away meanwhile; who asks them is refused. Without names: the whole control plane.

        Controllers that were without an API server look for it again after up to a minute; here they are begun anew,
        so that what comes next does not wait for them. Kubelets are not.
        """
        gone = [(name, self.processes[name]) for name in names or reversed(CONTROL_PLANE)]
        for name, _ in gone:
            self.processes.stop(name, 2.0)  # an API server would wait for those who watch
        try:
            yield
        finally:
            for name, part in reversed(gone):
                self.processes.spawn(name, *part.words, **part.env)
            wait("the API server is ready", lambda: self.api("GET", "/readyz")[0] == 200)
            if "apiserver" in dict(gone):
                self._begin_anew({"etcd", "csi-controller", *dict(gone)})

    def _begin_anew(self, besides: set[str]) -> None:
        for name in self.processes.names():
            if "@" not in name and name not in besides:
                self.processes.restart(name, 2.0)

    @contextlib.contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """A part stands still meanwhile: it takes connections and answers nothing."""
        self.processes.signal(name, signal.SIGSTOP)
        try:
            yield
        finally:
            self.processes.signal(name, signal.SIGCONT)

    @contextlib.contextmanager
    def fault(self, call: str, what: str) -> Iterator[None]:
        """A CSI call is slow (``delay 5s``) or fails (``8 pool is full``: a gRPC code and words) meanwhile."""
        file = self.place.faults / call
        file.write_text(what)
        try:
            yield
        finally:
            file.unlink(missing_ok=True)

    @contextlib.contextmanager
    def cut_off(self, name: str) -> Iterator[None]:
        """A node cannot talk to the API server meanwhile, while its containers run on and their clients reach them.

        Its kubelet stands still, and packets of its pods to the API server are dropped; pods on the node's own network
        are not concerned.
        """
        pods = self.api.get(f"/api/v1/pods?fieldSelector=spec.nodeName={name}")["items"]
        own = {one["status"].get("podIP") for one in pods} - {None, self.nodes[name].address}
        addresses = ", ".join(sorted(own)) or "255.255.255.255"
        rule = f"iif {BRIDGE} ip saddr {{ {addresses} }} tcp dport 443 drop"
        table = f"cut-{name}"
        chain = f"chain in {{ type filter hook input priority 0; {rule}; }}"
        sh("nft", "-f", "-", stdin=f"table inet {table} {{\n{chain}\n}}\n")
        try:
            with self.frozen(f"kubelet@{name}"):
                yield
        finally:
            sh("nft", "delete", "table", "inet", table)

    def kill_node(self, name: str) -> None:
        """As if the power went."""
        self.nodes[name].kill()

    def start_node(self, name: str) -> None:
        """As if the power came back; done when the node is ready."""
        self.nodes[name].start()

    def ready(self, name: str) -> bool:
        """Whether a node is ready."""
        return self.nodes[name].ready()

    def stop(self) -> None:
        """Stop everything and remove what it left in the lab's own namespaces."""
        for name in self.processes.names():
            if name not in CONTROL_PLANE and "@" not in name:
                self.processes.stop(name, 2.0)
        for node in self.nodes.values():
            node.kill()
        for name in reversed(self.processes.names()):
            self.processes.stop(name, 2.0)
        self._unmount()
        if self.nodes:
            subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True, check=False)

    def _unmount(self) -> None:
        deadline = time.monotonic() + 10
        while mounts := sorted(self._mounts(), reverse=True):
            for mount in mounts:
                subprocess.run(["umount", "-l", mount], capture_output=True, check=False)
            if time.monotonic() > deadline:
                raise RuntimeError(f"these mounts do not go: {mounts}")

    def _mounts(self) -> list[str]:
        mounts = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
        return [one for one in mounts if one.startswith(f"{self.place.base}/")]
