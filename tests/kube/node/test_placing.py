"""Where gateways and holders run and with what, as an operator's options say, on kubelets."""

from __future__ import annotations

import json
import pathlib
import subprocess
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.kubernetes import names
from drivers.kubernetes.api import POD
from generated.runtime import Row
from tests.kube.node.site import Object, Site, written
from tests.lab.cluster import Cluster

pytestmark = pytest.mark.kube_node
NODE, CLASS, TAINT = "lab2", "gateways-of-the-lab", "openkeel.io/gateways-only"
MEMORY = {"ganesha": 700, "agent": 300, "holder": 24}
"""MiB."""


@pytest.fixture
async def site(images: Cluster) -> AsyncIterator[Site]:
    """Gateways belong on one node, which nothing else may use."""
    wanted = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": CLASS}}
    images.api.apply("/apis/scheduling.k8s.io/v1/priorityclasses", {**wanted, "value": 4711})

    def limit(name: str) -> str:
        return json.dumps({"requests": {"cpu": "1m", "memory": "8Mi"}, "limits": {"memory": f"{MEMORY[name]}Mi"}})

    made = Site(
        images,
        "placed",
        kubernetes_node_selector=json.dumps({"kubernetes.io/hostname": NODE}),
        kubernetes_tolerations=json.dumps([{"key": TAINT, "operator": "Exists"}]),
        kubernetes_priority_class=CLASS,
        kubernetes_gateway_resources=limit("ganesha"),
        kubernetes_agent_resources=limit("agent"),
        kubernetes_holder_resources=limit("holder"),
    )
    async with made.working():
        images.kubectl("taint", "node", NODE, f"{TAINT}=yes:NoSchedule")
        try:
            yield made
        finally:
            images.kubectl("taint", "node", NODE, f"{TAINT}-")
            images.api("DELETE", f"/apis/scheduling.k8s.io/v1/priorityclasses/{CLASS}")


def _limits(pod: Object) -> dict[str, int]:
    """MiB that the kernel lets each container of a pod have."""
    found = {}
    for status in pod["status"]["containerStatuses"]:
        container = status["containerID"].rpartition("/")[2]
        for place in pathlib.Path("/sys/fs/cgroup").rglob(f"*{container}*"):
            # of the two versions of cgroups
            for limit in (place / "memory.max", place / "memory.limit_in_bytes"):
                if limit.exists():
                    found[status["name"]] = int(limit.read_text()) // 2**20
    return found


async def test_options_are_what_the_pods_run_with(site: Site) -> None:
    server: Row = await site.server("placed")
    share = await site.share(server, 1, "rw 10.7.0.5")
    await written(await site.client("placed", "10.7.0.5"), share)
    gateway = site.gateway(server)
    holder = site.lab.api.get(f"{POD.path(site.namespace)}/{names.holder(share['id'])}")
    for pod in (gateway, holder):
        assert (pod["spec"]["nodeName"], pod["spec"]["priority"]) == (NODE, 4711)
    limits = {**_limits(gateway), **_limits(holder)}
    print(f"\nlimits of the kernel, MiB: {limits}")
    assert limits == MEMORY
    await site.driver.delete_share(share, server)
    await site.driver.teardown_server(server["backend_details"])


async def test_a_gateway_listens_in_the_tenant_s_network_only(site: Site) -> None:
    """Whoever reaches its address on the pod network, as its own node does, finds nothing there."""
    server: Row = await site.server("closed")
    share = await site.share(server, 1, "rw 10.7.0.5")
    client = await site.client("closed", "10.7.0.5")
    await written(client, share)
    pod = site.gateway(server)["status"]["podIP"]
    (ganesha,) = site.ganesha(server)
    words = ["nsenter", f"--net=/proc/{ganesha}/ns/net", "ss", "-tulnH"]
    listening = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split("\n")
    found = [line.split() for line in listening if line]
    # a socket of IPv6 may be bound to an address of IPv4
    places = {(one[0], one[4].replace("[::ffff:", "").replace("]:", ":")) for one in found}
    print(f"\nlistens at {places}; on the pod network it is {pod}")
    assert places == {("tcp", f"{share['location'].partition(':/')[0]}:2049")}
    for port in (111, 2049, 20048):
        reach = f"import socket; socket.create_connection(('{pod}', {port}), 3)"
        done = subprocess.run(["python3", "-c", reach], capture_output=True, text=True, check=False)
        assert done.returncode, f"something answers at {pod}:{port}"
    await site.driver.delete_share(share, server)
    await site.driver.teardown_server(server["backend_details"])
