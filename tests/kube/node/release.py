"""Installations by the chart on the lab, each with a database of its own on one PostgreSQL made from its image."""

from __future__ import annotations

import pathlib
import subprocess

import psycopg
from psycopg import sql

from deploy.helm import build as helm_build
from drivers.ganesha.kubernetes.gateways import ready
from tests.lab.cluster import Cluster
from tests.lab.processes import sh, wait

DATABASES = "databases"
"""Namespace of the PostgreSQL."""
API = "app.kubernetes.io/component=api"


class Helm:
    """helm with the lab's configuration; ``folder`` is its home."""

    def __init__(self, lab: Cluster, folder: pathlib.Path) -> None:
        self._folder = folder
        self._env = {"KUBECONFIG": str(lab.kubeconfig), "HOME": str(folder), "PATH": "/usr/bin:/bin"}

    def __call__(self, *words: str, text: str | None = None) -> str:
        """What a command prints; ``text``: values as YAML. Fails the test when the command fails."""
        if text is not None:
            file = self._folder / "values.yaml"
            file.write_text(text)
            words = (*words, "--values", str(file))
        command = [str(helm_build.build()), *words]
        done = subprocess.run(command, env=self._env, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, f"{words}: {done.stderr[-2000:]}"
        return done.stdout


def usual_kubelet_folders(lab: Cluster) -> None:
    """The chart knows kubelets' usual folder; in the lab each node's kubelet has one of another name."""
    for node in lab.nodes.values():
        pods = node.home / "kubelet" / "pods"
        usual = "mkdir -p /var/lib/kubelet/pods; mountpoint -q /var/lib/kubelet/pods"
        sh(*node.inside(), "sh", "-ec", f"{usual} || mount --rbind {pods} /var/lib/kubelet/pods")


def address(lab: Cluster, namespace: str, selector: str) -> str | None:
    """Address of the ready pod that a selector finds; None while there is none, or more than one."""
    found = lab.api.get(f"/api/v1/namespaces/{namespace}/pods?labelSelector={selector}")["items"]
    live = [one for one in found if "deletionTimestamp" not in one["metadata"]]
    return str(live[0]["status"]["podIP"]) if len(live) == 1 and ready(live[0]) else None


class Databases:
    """A PostgreSQL in a pod; nothing of it is kept."""

    def __init__(self, lab: Cluster) -> None:
        self._lab = lab

    def start(self) -> None:
        """Make it, and wait until it can be asked."""
        api, space = self._lab.api, f"/api/v1/namespaces/{DATABASES}"
        api.apply("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": DATABASES}})
        wait("its account", lambda: api("GET", f"{space}/serviceaccounts/default")[0] == 200)
        mounts = [{"name": "data", "mountPath": "/var/lib/trial"}, {"name": "data", "mountPath": "/tmp"}]
        container = {
            "name": "postgresql",
            "image": "localhost/manila-postgresql-trial:latest",
            "imagePullPolicy": "Never",
            "env": [{"name": "POSTGRES_PASSWORD", "value": "trial"}],
            "readinessProbe": {"tcpSocket": {"port": 5432}, "periodSeconds": 1},
            "volumeMounts": mounts,
        }
        spec = {
            "securityContext": {"fsGroup": 10001},
            "terminationGracePeriodSeconds": 1,
            "containers": [container],
            "volumes": [{"name": "data", "emptyDir": {}}],
        }
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "db", "labels": {"app": "db"}}, "spec": spec}
        api.apply(f"{space}/pods", pod)
        wait("the database", lambda: address(self._lab, DATABASES, "app=db") is not None, 90)

    def __getitem__(self, name: str) -> str:
        """URL of the database of that name, which is made if it is not there."""
        url = f"postgresql://manila:trial@{address(self._lab, DATABASES, 'app=db')}:5432"
        with psycopg.connect(f"{url}/manila", autocommit=True) as conn:
            if not conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
                conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return f"{url}/{name}"

    def remove(self) -> None:
        """Ask for its removal."""
        self._lab.api("DELETE", f"/api/v1/namespaces/{DATABASES}")
