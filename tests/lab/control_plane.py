"""etcd and the API server, with or without controllers and scheduler."""

from __future__ import annotations

import json
import pathlib

from tests.lab.api import Api
from tests.lab.certificates import Authority
from tests.lab.place import HOST, SERVICE, Place, free_port, own_network
from tests.lab.processes import Processes, wait

LOCAL = "127.0.0.1"
AUDIT = pathlib.Path("logs", "audit.log")
"""Below the lab's folder: a JSON document a line for each request of a service account."""


def start(place: Place, processes: Processes, authority: Authority, *, whole: bool) -> Api:
    """Start it and wait until it serves.

    Args:
        whole: also controllers and scheduler, from the binary ``kubelab``; else the small binary ``apiserver``.
    """
    authority.make(LOCAL, HOST, SERVICE)
    program = place.program("kubelab" if whole or (place.programs / "kubelab").exists() else "apiserver")
    # in a network namespace of its own pods reach it at the usual service address
    bind, port = ("0.0.0.0", 443) if own_network() else (LOCAL, free_port())
    api = Api(f"https://{LOCAL}:{port}", authority)
    (place.base / "url").write_text(api.url)
    client = free_port()
    processes.spawn("etcd", program, "etcd", *_etcd(place.base, authority, client, free_port()))
    words = _apiserver(authority, f"https://{LOCAL}:{client}", bind, port)
    if not whole:
        words.append("--disable-admission-plugins=ServiceAccount")  # nobody makes the default accounts
    processes.spawn("apiserver", program, "apiserver", *words)
    authority.kubeconfig("admin", api.url)
    wait("the API server is ready", lambda: api("GET", "/readyz")[0] == 200)
    if whole:
        _controllers(place.base, processes, authority, program, api.url)
    return api


def wait_for_controllers(api: Api) -> None:
    """Until the first thing that they make is there."""
    account = "/api/v1/namespaces/default/serviceaccounts/default"
    wait("controllers run", lambda: api("GET", account)[0] == 200)


def _etcd(base: pathlib.Path, authority: Authority, client: int, peer: int) -> list[str]:
    own, others = f"https://{LOCAL}:{client}", f"http://{LOCAL}:{peer}"
    return [
        *("--data-dir", str(base / "etcd"), "--unsafe-no-fsync", "--log-level=warn"),
        f"--listen-client-urls={own}",
        f"--advertise-client-urls={own}",
        f"--listen-peer-urls={others}",
        f"--initial-advertise-peer-urls={others}",
        f"--initial-cluster=default={others}",
        *("--cert-file", authority.path("serving.crt"), "--key-file", authority.path("serving.key")),
        *("--client-cert-auth", "--trusted-ca-file", authority.path("ca.crt")),
    ]


def _apiserver(authority: Authority, etcd: str, bind: str, port: int) -> list[str]:
    return [
        f"--etcd-servers={etcd}",
        f"--etcd-cafile={authority.path('ca.crt')}",
        f"--etcd-certfile={authority.path('serving.crt')}",
        f"--etcd-keyfile={authority.path('serving.key')}",
        f"--bind-address={bind}",
        f"--advertise-address={HOST}",
        f"--secure-port={port}",
        "--endpoint-reconciler-type=none",
        f"--cert-dir={authority.folder}",
        f"--tls-cert-file={authority.path('serving.crt')}",
        f"--tls-private-key-file={authority.path('serving.key')}",
        f"--client-ca-file={authority.path('ca.crt')}",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={authority.path('sa.pub')}",
        f"--service-account-signing-key-file={authority.path('sa.key')}",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        "--allow-privileged=true",
        "--profiling=false",
        f"--kubelet-client-certificate={authority.path('admin.crt')}",
        f"--kubelet-client-key={authority.path('admin.key')}",
        "--kubelet-preferred-address-types=InternalIP",
        f"--audit-policy-file={_audit(authority.folder)}",
        f"--audit-log-path={authority.folder.parent / AUDIT}",
    ]


def _audit(folder: pathlib.Path) -> pathlib.Path:
    """Who of the service accounts asks for what is written down, those of Kubernetes' own controllers apart."""
    rules = [
        {"level": "None", "userGroups": ["system:serviceaccounts:kube-system"]},
        {"level": "Metadata", "userGroups": ["system:serviceaccounts"]},
        {"level": "None"},
    ]
    policy = folder / "audit.json"
    head = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"]}
    policy.write_text(json.dumps({**head, "rules": rules}))
    return policy


def _controllers(base: pathlib.Path, processes: Processes, authority: Authority, program: str, url: str) -> None:
    alone = ("--leader-elect=false", "--secure-port=0")
    processes.spawn(
        "controller-manager",
        program,
        "controller-manager",
        f"--kubeconfig={authority.kubeconfig('controller-manager', url)}",
        f"--service-account-private-key-file={authority.path('sa.key')}",
        f"--root-ca-file={authority.path('ca.crt')}",
        "--use-service-account-credentials",
        "--node-monitor-grace-period=12s",
        "--node-monitor-period=1s",
        "--pvclaimbinder-sync-period=1s",
        f"--flex-volume-plugin-dir={base}/plugins",
        *alone,
    )
    scheduler = f"--kubeconfig={authority.kubeconfig('scheduler', url)}"
    processes.spawn("scheduler", program, "scheduler", scheduler, *alone)
