"""What a node's agent says of a gateway that it has plugged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.ovn import space
from drivers.ganesha.kubernetes.ovn.binding import Binding
from drivers.ganesha.kubernetes.ovn.ovsdb import Database
from drivers.ganesha.kubernetes.ovn.plug import FAILED, INSTALLED, PLUGGED, WAITING, Plugger, Wanted
from drivers.ganesha.kubernetes.ovn.switch import Plugged, Switch
from drivers.kubernetes.api import NODE, POD, Object
from drivers.tenant_ports import Borrowed
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


class Rows(Switch):
    """A switch of node-1 with these rows, and with interfaces of others that claim a port."""

    def __init__(self, rows: Sequence[Plugged] = (), foreign: Sequence[str] = ()) -> None:
        super().__init__(Database("/nowhere"))
        self.rows, self.foreign = list(rows), list(foreign)

    def plugged(self) -> list[Plugged]:
        return self.rows

    def claims(self, port_id: str) -> list[str]:
        return self.foreign

    def remove(self, names: Iterable[str]) -> None:
        self.rows = [one for one in self.rows if one.name not in names]

    def host(self) -> str:
        return "node-1"


class Gateway:
    """A pod with a port, and the agent of its node."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, switch: Rows) -> None:
        self.cluster, self.sandbox, self.switch = FakeCluster(), space.Sandbox("/nowhere", "sandbox-1"), switch
        self.wanted = Wanted("port-1", "net1", ("10.0.0.50/24",), "fa:16:3e:00:00:01", 1442)
        self.device = self.wanted.device(self.sandbox)
        self.plugged: list[str] = []
        monkeypatch.setattr(space, "devices", lambda path: {one.name for one in switch.rows})

        async def plug(plugger: Plugger, uid: str, sandbox: space.Sandbox, one: Wanted) -> None:
            self.plugged.append(one.port)
            switch.rows.append(Plugged(one.device(sandbox), one.port, uid, sandbox.identity, installed=True))

        monkeypatch.setattr(Plugger, "_plug", plug)
        namespace = OPTIONS.kubernetes_namespace
        self.agent = Plugger(self.cluster, namespace, switch, find=lambda uid: self.sandbox)

    async def made(self, bound: str, reason: str = "") -> None:
        """The pod; ``bound``: where the worker says that its port is."""
        notes = {names.PORTS: json.dumps([asdict(self.wanted)])}
        if bound:
            notes[names.BOUND] = json.dumps({self.wanted.port: bound})
        metadata = names.metadata(NAME, OPTIONS.kubernetes_namespace, {}, notes)
        pod = await self.cluster.create(POD, {"metadata": metadata, "spec": {"nodeName": "node-1", "volumes": []}})
        if reason:
            condition = {"type": names.ATTACHED, "status": "True", "reason": reason, "message": "node-1"}
            await self.cluster.condition(POD, NAME, OPTIONS.kubernetes_namespace, condition, pod["metadata"]["uid"])

    async def looked(self) -> str:
        """What the agent says after a look."""
        await self.agent.look([self.cluster.of(POD)[NAME]])
        return said(self.cluster)[-1]


@pytest.mark.parametrize(("claimed", "again"), [("port-1", False), ("port-2", True), ("", True)])
async def test_a_row_that_claims_another_port_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, claimed: str, again: bool
) -> None:
    """Somebody has changed it: the gateway would stay unreached, and be called installed."""
    gateway = Gateway(monkeypatch, Rows())
    gateway.switch.rows = [Plugged(gateway.device, claimed, "u", "sandbox-1", installed=True)]
    await gateway.made("node-1")
    assert await gateway.looked() == INSTALLED
    assert gateway.plugged == (["port-1"] if again else [])


@pytest.mark.parametrize("elsewhere", ["", "node-2"])
async def test_a_port_is_plugged_when_it_is_bound(monkeypatch: pytest.MonkeyPatch, elsewhere: str) -> None:
    """Not while it is bound nowhere, nor to another host."""
    gateway = Gateway(monkeypatch, Rows())
    await gateway.made(elsewhere)
    for _ in range(2):
        assert await gateway.looked() == WAITING
    assert gateway.plugged == []
    note = {"metadata": {"annotations": {names.BOUND: json.dumps({"port-1": "node-1"})}}}
    await gateway.cluster.merge(POD, NAME, OPTIONS.kubernetes_namespace, note)
    assert await gateway.looked() == INSTALLED and gateway.plugged == ["port-1"]


class Ports(Borrowed):
    """Neutron, which is told where ports are."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, str]] = []

    async def bind(self, port_id: str, host: str) -> None:
        self.told.append((port_id, host))


async def test_the_agent_asks_the_worker_binds_and_the_agent_plugs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parts on one API: a gateway is called installed after its port was bound, and plugged in between."""
    gateway, ports = Gateway(monkeypatch, Rows()), Ports()
    await gateway.made("")
    await gateway.cluster.create(NODE, {"metadata": {"name": "node-1"}})
    worker = Binding(gateway.cluster, OPTIONS.kubernetes_namespace, "kube", ports)
    assert await gateway.looked() == WAITING and gateway.plugged == []
    await worker.follow(gateway.cluster.of(POD)[NAME])
    assert ports.told == [("port-1", "node-1")] and gateway.plugged == []
    assert await gateway.looked() == INSTALLED and gateway.plugged == ["port-1"]
    await worker.follow(gateway.cluster.of(POD)[NAME])
    assert await gateway.looked() == INSTALLED and len(ports.told) == 1


@pytest.mark.parametrize(
    ("before", "after"), [(INSTALLED, INSTALLED), (PLUGGED, PLUGGED), ("", PLUGGED)], ids=["served", "plugged", "new"]
)
async def test_what_an_agent_before_this_one_has_plugged(
    monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    """Its binding was noted nowhere: one that was served is not disturbed, any other one is bound first."""
    gateway = Gateway(monkeypatch, Rows())
    gateway.switch.rows = [Plugged(gateway.device, "port-1", "u", "sandbox-1", installed=True)]
    await gateway.made("", before)
    assert await gateway.looked() == after and gateway.plugged == []


async def test_a_foreign_claim_is_told_before_the_port_is_bound_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bound to this host, OVN would give it to the interface that claims it."""
    gateway = Gateway(monkeypatch, Rows(foreign=["theirs"]))
    await gateway.made("")
    assert await gateway.looked() == FAILED and gateway.plugged == []
