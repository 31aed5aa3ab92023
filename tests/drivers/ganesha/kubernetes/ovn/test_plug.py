"""What a node's agent says of a gateway that it has plugged."""

from __future__ import annotations

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.ovn.ovsdb import Database
from drivers.ganesha.kubernetes.ovn.plug import FAILED, INSTALLED, PLUGGED, Plugger
from drivers.ganesha.kubernetes.ovn.switch import Switch
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
