"""Ports are bound to where the node agents say that gateways are plugged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.ovn import binding
from drivers.ganesha.kubernetes.ovn.binding import Binding, host_of
from drivers.kubernetes.api import NODE, Cluster, Kind, Object
from drivers.tenant_ports import Borrowed
from generated.errors import NetworkException

PORT = {"port": "p1", "interface": "net1", "ips": ["10.0.0.50/24"], "mac": "m", "mtu": 1442, "gateway": None}


class NotedPorts:
    guards = False

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.refuse = False

    async def bind(self, port_id: str, host: str) -> None:
        if self.refuse:
            raise NetworkException("no agent", code=409)
        self.told.append((port_id, host))

    async def fence(self, port_id: str) -> None:
        self.told.append((port_id, "off"))

    async def lift(self, port_id: str) -> None:
        self.told.append((port_id, "on"))

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        self.told.append((server_id, ",".join(networks)))


class Pods(Cluster):
    def __init__(self, *pods: Object) -> None:
        super().__init__(None)
        self.pods = {one["metadata"]["name"]: one for one in pods}
        self.notes: list[dict[str, str]] = []
        self.nodes: list[Object] = [{"metadata": {"name": one}} for one in ("n1", "n2", "n10")]

    async def get(self, kind: Kind, name: str, namespace: str | None = None) -> Object | None:
        return self.pods.get(name)

    async def every(self, kind: Kind, namespace: str | None = None, labels: object = None) -> list[Object]:
        return self.nodes if kind is NODE else list(self.pods.values())

    async def merge(
        self, kind: Kind, name: str, namespace: str | None, changes: Object, part: str = ""
    ) -> Object | None:
        self.notes.append(json.loads(changes["metadata"]["annotations"][names.BOUND]))
        self.pods[name]["metadata"]["annotations"] |= changes["metadata"]["annotations"]
        return self.pods[name]


def pod(reason: str = "Plugged", host: str = "n1", node: str = "", **metadata: object) -> Object:
    about = {"name": "gateway-s1-0", "uid": "u", "annotations": {names.PORTS: json.dumps([PORT])}, **metadata}
    condition = {"type": names.ATTACHED, "status": "False", "reason": reason, "message": host}
    status = {"conditions": [condition] if reason else []}
    return {"metadata": about, "spec": {"nodeName": node or host}, "status": status}


@pytest.mark.parametrize(
    ("found", "host"),
    [
        (pod(), "n1"),
        (pod("Installed", "n2"), "n2"),
        (pod("Waiting", "n2"), "n2"),
        (pod("Failed", "there is no bridge"), None),
        (pod(""), None),
        (pod(deletionTimestamp="now"), None),
        (pod(annotations={}), None),
    ],
)
def test_where_a_gateway_is(found: Object, host: str | None) -> None:
    assert host_of(found) == host


async def test_a_port_is_bound_once_and_again_when_it_moved() -> None:
    ports, cluster = NotedPorts(), Pods(pod())
    following = Binding(cluster, "gateways", "kube", ports)
    for host in ("n1", "n1", "n2", "n1"):
        cluster.pods["gateway-s1-0"] = pod(host=host)
        await following.look()
    assert ports.told == [("p1", "n1"), ("p1", "n2"), ("p1", "n1")]


@pytest.mark.parametrize(
    ("said", "node", "right"),
    [
        ("n1", "n1", True),
        ("n1.example.org", "n1", True),
        ("n2", "n1", False),
        ("n10", "n1", False),
        ("n1", "n10", False),
        ("chassis-7", "n2", True),
        ("n2", "n2", False),  # the label says another
        ("chassis-7", "n1", False),
        ("n1", "unknown", False),
        ("", "n1", False),
    ],
)
async def test_a_node_is_believed_about_itself_only(said: str, node: str, right: bool) -> None:
    ports, cluster = NotedPorts(), Pods(pod(host=said, node=node))
    cluster.nodes[1]["metadata"]["labels"] = {names.HOST: "chassis-7"}
    following = Binding(cluster, "gateways", "kube", ports)
    await following.look()
    assert ports.told == ([("p1", said)] if right else [])
    if not right:
        with pytest.raises(NetworkException, match=f"is on node {node}"):
            await following.follow(cluster.pods["gateway-s1-0"])


async def test_the_pod_says_where_its_port_is_bound_once_it_is() -> None:
    """Written once, again for a pod that does not say so, and not when Neutron refuses."""
    ports, cluster = NotedPorts(), Pods(pod("Waiting"))
    following = Binding(cluster, "gateways", "kube", ports)
    ports.refuse = True
    await following.look()
    assert cluster.notes == []
    ports.refuse = False
    for _ in range(3):
        await following.look()
    assert cluster.notes == [{"p1": "n1"}] and ports.told == [("p1", "n1")]
    cluster.pods["gateway-s1-0"] = pod("Waiting")
    await following.look()
    assert cluster.notes == [{"p1": "n1"}] * 2 and ports.told == [("p1", "n1")]


async def test_a_binding_is_verified_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = NotedPorts()
    following = Binding(Pods(pod()), "gateways", "kube", ports)
    await following.look()
    monkeypatch.setattr(binding, "AGAIN", 0.0)
    await following.look()
    assert ports.told == [("p1", "n1")] * 2


async def test_one_refusal_stops_no_other_and_is_tried_again() -> None:
    ports = NotedPorts()
    following = Binding(Pods(pod()), "gateways", "kube", ports)
    ports.refuse = True
    await following.look()
    ports.refuse = False
    await following.look()
    assert ports.told == [("p1", "n1")]


async def test_while_a_gateway_starts_its_port_is_bound_and_a_refusal_is_told() -> None:
    ports = NotedPorts()
    following = Binding(Pods(pod()), "gateways", "kube", ports)
    async with following.following("gateway-s1-0"):
        await asyncio.sleep(0.05)
    assert ports.told == [("p1", "n1")]
    ports.refuse = True
    with pytest.raises(NetworkException):
        async with Binding(Pods(pod()), "gateways", "kube", ports).following("gateway-s1-0"):
            await asyncio.sleep(0.05)


async def test_without_a_network_service_nothing_happens() -> None:
    lent, real = Borrowed(), NotedPorts()
    await lent.bind("p", "h")
    await lent.fence("p")
    await lent.lift("p")
    await lent.admit("s", [])
    assert not lent.guards
    lent.be(real)
    await lent.fence("p")
    await lent.lift("p")
    await lent.admit("s", ["10.0.0.0/24"])
    assert real.told == [("p", "off"), ("p", "on"), ("s", "10.0.0.0/24")]
