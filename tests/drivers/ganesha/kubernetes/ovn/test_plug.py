"""What a node's agent says of a gateway that it has plugged."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.ovn import space
from drivers.ganesha.kubernetes.ovn.ovsdb import Database
from drivers.ganesha.kubernetes.ovn.plug import FAILED, INSTALLED, PLUGGED, Plugger, Wanted
from drivers.ganesha.kubernetes.ovn.switch import Plugged, Switch
from drivers.kubernetes.api import POD, Object
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster

NAME = names.gateway_pod("s1")


async def made(cluster: FakeCluster, node: str) -> Object:
    metadata = names.metadata(NAME, OPTIONS.kubernetes_namespace, {})
    return await cluster.create(POD, {"metadata": metadata, "spec": {"nodeName": node, "volumes": []}})


def said(cluster: FakeCluster) -> list[str]:
    conditions = cluster.of(POD)[NAME]["status"]["conditions"]
    return [one["reason"] for one in conditions if one["type"] == names.ATTACHED]


@pytest.fixture
def agents() -> tuple[FakeCluster, Plugger, Plugger]:
    """The agents of two nodes."""
    cluster = FakeCluster()
    switch = Switch(Database("/nowhere"))
    first, second = (Plugger(cluster, OPTIONS.kubernetes_namespace, switch) for _ in range(2))
    return cluster, first, second


async def test_what_is_known_of_the_last_pod_is_not_said_of_the_next(
    agents: tuple[FakeCluster, Plugger, Plugger],
) -> None:
    """Pods of a gateway have one name, and an agent looks at pods that may be gone by now."""
    cluster, first, second = agents
    old = await made(cluster, "node-1")
    await first._say(old, INSTALLED, "node-1")
    assert said(cluster) == [INSTALLED]
    await cluster.delete(POD, NAME, grace=0)
    new = await made(cluster, "node-2")
    await second._say(new, PLUGGED, "node-2")
    await first._say(old, FAILED, "it was unplugged by somebody else")
    assert said(cluster) == [PLUGGED]


async def test_what_nobody_heard_is_said_again(agents: tuple[FakeCluster, Plugger, Plugger]) -> None:
    cluster, first, _ = agents
    old = await made(cluster, "node-1")
    await cluster.delete(POD, NAME, grace=0)
    await first._say(old, PLUGGED, "node-1")
    assert first._said == {}
    new = await made(cluster, "node-1")
    await first._say(new, PLUGGED, "node-1")
    assert said(cluster) == [PLUGGED] and list(first._said) == [new["metadata"]["uid"]]


@pytest.mark.parametrize(("claimed", "again"), [("port-1", False), ("port-2", True), ("", True)])
async def test_a_row_that_claims_another_port_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, claimed: str, again: bool
) -> None:
    """Somebody has changed it: the gateway would stay unreached, and be called installed."""
    cluster, sandbox = FakeCluster(), space.Sandbox("/nowhere", "sandbox-1")
    wanted = Wanted("port-1", "net1", ("10.0.0.50/24",), "fa:16:3e:00:00:01", 1442)
    device, plugged = wanted.device(sandbox), list[str]()
    metadata = names.metadata(NAME, OPTIONS.kubernetes_namespace, {}, {names.PORTS: json.dumps([asdict(wanted)])})
    pod = await cluster.create(POD, {"metadata": metadata, "spec": {"nodeName": "node-1", "volumes": []}})

    class Rows(Switch):
        def plugged(self) -> list[Plugged]:
            return [Plugged(device, claimed, pod["metadata"]["uid"], "sandbox-1", installed=True)]

        def host(self) -> str:
            return "node-1"

    async def plug(self: Plugger, uid: str, sandbox: space.Sandbox, one: Wanted) -> None:
        plugged.append(one.port)

    monkeypatch.setattr(space, "devices", lambda path: {device})
    monkeypatch.setattr(Plugger, "_plug", plug)
    switch = Rows(Database("/nowhere"))
    plugger = Plugger(cluster, OPTIONS.kubernetes_namespace, switch, find=lambda uid: sandbox)
    await plugger.look([pod])
    assert plugged == (["port-1"] if again else [])
