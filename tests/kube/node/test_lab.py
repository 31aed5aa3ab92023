"""The lab itself: tenant networks, volumes, snapshots, growth, faults, power loss, as gateways need them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.lab.cluster import Cluster
from tests.lab.node import PAUSE
from tests.lab.processes import sh, wait

pytestmark = pytest.mark.kube_node
Object = dict[str, Any]
ADDRESS, MAC = "10.7.0.50", "fa:16:3e:00:00:0a"
ANSWER = """
import socket
try:
    socket.create_connection(("10.7.0.50", 9), timeout=5)
except ConnectionRefusedError:
    print("reached")
"""


def _claim(name: str, size: str = "300Mi", source: str | None = None) -> Object:
    spec: Object = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "lab",
        "resources": {"requests": {"storage": size}},
    }
    if source:
        spec["dataSource"] = {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": source}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}


def _set(name: str, claim: str, annotations: dict[str, str]) -> Object:
    soon = [
        {"key": f"node.kubernetes.io/{one}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 2}
        for one in ("not-ready", "unreachable")
    ]
    mount = {"name": "state", "mountPath": "/state"}
    pod = {
        "terminationGracePeriodSeconds": 1,
        "tolerations": soon,
        "containers": [{"name": "c", "image": PAUSE, "imagePullPolicy": "Never", "volumeMounts": [mount]}],
        "volumes": [{"name": "state", "persistentVolumeClaim": {"claimName": claim}}],
    }
    own = {"app": name}
    spec = {
        "replicas": 1,
        "serviceName": name,
        "selector": {"matchLabels": own},
        "template": {"metadata": {"labels": own, "annotations": annotations}, "spec": pod},
    }
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": name}, "spec": spec}


def _pod(lab: Cluster, namespace: str, name: str) -> Object | None:
    """The pod if it is ready and stays."""
    found = lab.api.get(f"/api/v1/namespaces/{namespace}/pods/{name}")
    conditions = found.get("status", {}).get("conditions", [])
    good = any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
    return found if good and "deletionTimestamp" not in found["metadata"] else None


def _volume_size(lab: Cluster, node: str, uid: str) -> int:
    """Size of a pod's volume as its file system says, bytes."""
    pods = lab.nodes[node].home / "kubelet" / "pods" / uid / "volumes" / "kubernetes.io~csi"
    words = ["sh", "-c", f"stat -f -c '%b %S' {pods}/*/mount"]
    blocks, size = sh(*lab.nodes[node].inside(), *words).split()
    return int(blocks) * int(size)


def _status(lab: Cluster, path: str) -> Object:
    found: Object = lab.api.get(path).get("status", {})
    return found


def _attach(lab: Cluster, namespace: str, bridge: str) -> dict[str, str]:
    """A tenant network; the annotation of a pod with an address in it."""
    config = {
        "cniVersion": "1.0.0",
        "name": "tenant",
        "type": "bridge",
        "bridge": bridge,
        "capabilities": {"ips": True, "mac": True},
        "ipam": {"type": "static"},
    }
    definition = {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "tenant"},
        "spec": {"config": json.dumps(config)},
    }
    networks = f"/apis/k8s.cni.cncf.io/v1/namespaces/{namespace}/network-attachment-definitions"
    lab.api.apply(networks, definition)
    one = {"name": "tenant", "namespace": namespace, "interface": "net1", "ips": [f"{ADDRESS}/24"], "mac": MAC}
    return {"k8s.v1.cni.cncf.io/networks": json.dumps([one])}


def _reached_from(bridge: str, client: str) -> str:
    """What a client of the tenant's network sees of the pod."""
    sh("ip", "netns", "add", client)
    try:
        sh("ip", "link", "add", client, "type", "veth", "peer", "name", "eth0", "netns", client)
        sh("ip", "link", "set", client, "master", bridge, "up")
        sh("ip", "-n", client, "addr", "add", "10.7.0.5/24", "dev", "eth0")
        sh("ip", "-n", client, "link", "set", "eth0", "up")
        answer = sh("ip", "netns", "exec", client, sys.executable, "-c", ANSWER)
        return f"{answer} {sh('ip', '-n', client, 'neigh', 'show', ADDRESS)}"
    finally:
        subprocess.run(["ip", "netns", "del", client], check=False)


@pytest.mark.parametrize("tenant", ["a", "b"])
def test_a_pod_has_its_tenant_s_address_and_mac(lab: Cluster, namespace: str, tenant: str) -> None:
    """Twice the same network and address, in two tenants."""
    claims, sets = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", f"/apis/apps/v1/namespaces/{namespace}"
    begin = time.monotonic()
    lab.api.apply(claims, _claim("state"))
    wait("the claim is bound", lambda: _status(lab, f"{claims}/state").get("phase") == "Bound")
    bound = time.monotonic()
    lab.api.apply(f"{sets}/statefulsets", _set("gateway", "state", _attach(lab, namespace, f"lab-{tenant}")))
    pod = wait("the pod is ready", lambda: _pod(lab, namespace, "gateway-0"))
    print(f"\nclaim bound {bound - begin:.2f} s, pod with network and volume ready {time.monotonic() - bound:.2f} s")
    assert pod is not None
    (_, net) = json.loads(pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/network-status"])
    assert (net["interface"], net["ips"], net["mac"]) == ("net1", [ADDRESS], MAC)
    seen = _reached_from(f"lab-{tenant}", f"lab-c{tenant}")
    assert seen.startswith("reached")
    assert MAC in seen


def test_volumes_grow_while_mounted_and_snapshots_become_volumes(lab: Cluster, namespace: str) -> None:
    claims, sets = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", f"/apis/apps/v1/namespaces/{namespace}"
    lab.api.apply(claims, _claim("share"))
    lab.api.apply(f"{sets}/statefulsets", _set("holder", "share", {}))
    pod = wait("the holder is ready", lambda: _pod(lab, namespace, "holder-0"))
    assert pod is not None
    where = pod["spec"]["nodeName"], pod["metadata"]["uid"]
    before, begin = _volume_size(lab, *where), time.monotonic()
    lab.api.apply(claims, _claim("share", "600Mi"))
    wait("the file system has grown", lambda: _volume_size(lab, *where) > 1.8 * before)
    print(f"\ngrown after {time.monotonic() - begin:.2f} s")
    snapshots, begin = f"/apis/snapshot.storage.k8s.io/v1/namespaces/{namespace}/volumesnapshots", time.monotonic()
    wanted: Object = {
        "apiVersion": "snapshot.storage.k8s.io/v1",
        "kind": "VolumeSnapshot",
        "metadata": {"name": "snap"},
        "spec": {"volumeSnapshotClassName": "lab", "source": {"persistentVolumeClaimName": "share"}},
    }
    lab.api.apply(snapshots, wanted)
    wait("the snapshot is ready", lambda: _status(lab, f"{snapshots}/snap").get("readyToUse"))
    ready = time.monotonic()
    lab.api.apply(claims, _claim("copy", "600Mi", "snap"))
    wait("the copy is bound", lambda: _status(lab, f"{claims}/copy").get("phase") == "Bound")
    print(f"snapshot ready {ready - begin:.2f} s, copy bound {time.monotonic() - ready:.2f} s")


def test_a_full_pool_is_told_and_passes(lab: Cluster, namespace: str) -> None:
    claims = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    events = f"/api/v1/namespaces/{namespace}/events?fieldSelector=involvedObject.name=full,type=Warning"
    with lab.fault("CreateVolume", "8 pool is full"):
        lab.api.apply(claims, _claim("full"))
        told = wait("a warning", lambda: [one["message"] for one in lab.api.get(events)["items"]])
        assert "pool is full" in told[0]
        assert _status(lab, f"{claims}/full").get("phase") == "Pending"
    wait("the claim is bound", lambda: _status(lab, f"{claims}/full").get("phase") == "Bound")


def test_the_control_plane_may_be_away(lab: Cluster, namespace: str) -> None:
    with lab.without("apiserver"), pytest.raises(OSError):
        lab.api("GET", "/readyz")
    with lab.without():
        assert lab.processes.names() != []
    assert lab.api("GET", f"/api/v1/namespaces/{namespace}")[0] == 200
    lab.restart("kubelet@lab1")
    lab.restart("containerd@lab1")
    wait("the node is ready", lambda: lab.ready("lab1"))


def test_a_node_is_cut_off_while_its_pods_run(lab: Cluster, namespace: str) -> None:
    claims, sets = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", f"/apis/apps/v1/namespaces/{namespace}"
    lab.api.apply(claims, _claim("state"))
    annotations = _attach(lab, namespace, "lab-d")
    lab.api.apply(f"{sets}/statefulsets", _set("gateway", "state", annotations))
    pod = wait("the pod is ready", lambda: _pod(lab, namespace, "gateway-0"))
    assert pod is not None
    cut = pod["spec"]["nodeName"]
    with lab.cut_off(cut):
        wait("the node is not ready", lambda: not lab.ready(cut))
        assert _reached_from("lab-d", "lab-cd").startswith("reached")
    wait("the node is ready", lambda: lab.ready(cut))


def test_power_goes_and_comes_back(lab: Cluster, namespace: str) -> None:
    claims, sets = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", f"/apis/apps/v1/namespaces/{namespace}"
    lab.api.apply(claims, _claim("state"))
    lab.api.apply(f"{sets}/statefulsets", _set("gateway", "state", {}))
    pod = wait("the pod is ready", lambda: _pod(lab, namespace, "gateway-0"))
    assert pod is not None
    dead, begin = pod["spec"]["nodeName"], time.monotonic()
    lab.kill_node(dead)
    wait("the node is not ready", lambda: not lab.ready(dead))
    noticed = time.monotonic()
    lab.kubectl("taint", "node", dead, "node.kubernetes.io/out-of-service=gone:NoExecute")
    moved = wait(
        "the pod runs elsewhere",
        lambda: found if (found := _pod(lab, namespace, "gateway-0")) and found["spec"]["nodeName"] != dead else None,
        120,
    )
    assert moved is not None
    print(f"\nnot ready after {noticed - begin:.1f} s, moved {time.monotonic() - noticed:.1f} s after the taint")
    begin = time.monotonic()
    lab.start_node(dead)
    lab.kubectl("taint", "node", dead, "node.kubernetes.io/out-of-service-")
    wait("the node is ready", lambda: lab.ready(dead))
    print(f"back after {time.monotonic() - begin:.1f} s")
