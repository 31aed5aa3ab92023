"""A node is left only when it is certain that it is out, and then by gateway and volumes together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from drivers.ganesha.kubernetes import fencing, names, reconcile
from drivers.ganesha.kubernetes.comparing import lost
from drivers.ganesha.kubernetes.observed import OUT_OF_SERVICE, WORD, Observed
from drivers.kubernetes.api import NODE, POD, SHARE_EXPORT, VOLUME_ATTACHMENT, Object
from drivers.reconciling import Broken, Findings
from generated.errors import NetworkException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster
from tests.drivers.ganesha.kubernetes.installation import Installation, made


@pytest.fixture
async def installation() -> Installation:
    return await Installation().begin()


def silence(cluster: FakeCluster, node: str = "node-1") -> None:
    """The node does not answer; Kubernetes marks the pods it may evict."""
    cluster.answers(node, False)
    cluster.objects[POD.plural, "gateway-s1-0"]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"


async def test_a_gateway_on_a_node_that_may_be_alive_is_never_moved(installation: Installation) -> None:
    silence(installation.cluster)
    before = list(installation.cluster.done)
    found = await installation.look()
    assert [(one.server_id, one.node) for one in found.waiting] == [("s1", "node-1")]
    assert found.broken == ()
    assert installation.cluster.done == before
    assert installation.cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-1"


def taint(cluster: FakeCluster) -> None:
    cluster.objects[NODE.plural, "node-1"]["spec"] = {"taints": [{"key": OUT_OF_SERVICE, "effect": "NoExecute"}]}


def word(cluster: FakeCluster) -> None:
    cluster.objects[NODE.plural, "node-1"]["metadata"]["annotations"] = {WORD: "power is off"}


async def attached(cluster: FakeCluster) -> None:
    """Volumes on the node: ``a0`` of a share, ``a1`` of nobody whom the back end knows."""
    for number, volume in enumerate(("pv-share-i1", "pv-of-another-tenant")):
        spec = {"nodeName": "node-1", "source": {"persistentVolumeName": volume}}
        await cluster.create(VOLUME_ATTACHMENT, {"metadata": {"name": f"a{number}"}, "spec": spec})


@pytest.mark.parametrize("declare", [taint, word])
async def test_a_node_that_is_declared_out_is_left_with_all_volumes(
    installation: Installation, declare: Callable[[FakeCluster], None]
) -> None:
    cluster = installation.cluster
    await attached(cluster)
    silence(cluster)
    declare(cluster)
    await installation.mend()
    assert cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-2"
    for _ in range(2):
        await installation.mend()
    assert cluster.of(POD)[names.holder("i1")]["spec"]["nodeName"] == "node-2"
    assert cluster.of(SHARE_EXPORT)["share-i1"]["status"]["exported"]
    assert list(cluster.of(VOLUME_ATTACHMENT)) == ["a1"]
    found = await installation.look()
    assert (found.broken, found.waiting) == ((), ())


async def test_a_look_that_is_old_by_now_ends_no_gateway(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process stood still behind its look; meanwhile the gateway was moved, and the next one serves."""
    cluster = installation.cluster
    key = POD.version, POD.plural, OPTIONS.kubernetes_namespace, "gateway-s1-0"

    def seen_long_ago(seen: Observed) -> Iterator[Object]:
        found = list(lost(seen))
        for name in {one["metadata"]["name"] for one in found} & {"gateway-s1-0"}:
            cluster.server.put(key, {"metadata": cluster.of(POD)[name]["metadata"], "spec": {"nodeName": "node-2"}})
        return iter(found)

    monkeypatch.setattr(reconcile, "lost", seen_long_ago)
    silence(cluster)
    word(cluster)
    cluster.done.clear()
    await installation.look()
    assert cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-2"
    assert "delete Pod gateway-s1-0" not in cluster.done


@pytest.mark.parametrize("declare", [taint, word])
async def test_a_node_that_answers_is_believed_more_than_who_declares_it_out(
    installation: Installation, declare: Callable[[FakeCluster], None]
) -> None:
    declare(installation.cluster)
    before = list(installation.cluster.done)
    await installation.look()
    assert installation.cluster.done == before


async def test_volumes_are_where_a_gateway_starts_before_it_serves(installation: Installation) -> None:
    cluster = installation.cluster
    silence(cluster)
    taint(cluster)
    await installation.look()
    pod = cluster.objects[POD.plural, "gateway-s1-0"]
    pod["status"] = {"phase": "Pending"}
    assert {one.why for one in (await installation.look()).broken} == {
        "its volume is not held",
        "its view is not held",
    }
    assert await installation.driver.ensure_shares(installation.rows.shares) == {"i1": {}}, "it does not serve"
    assert cluster.of(POD)[names.holder("i1")]["spec"]["nodeName"] == "node-2"
    snapshot = installation.rows.snapshots[0]
    await installation.driver.ensure_snapshot(snapshot, snapshot["access_rules"], installation.rows.servers[0])
    assert cluster.of(POD)[names.holder("n1")]["spec"]["nodeName"] == "node-2"
    assert (await installation.look()).broken == (), "the gateway is waited for"
    cluster.objects[POD.plural, names.holder("i1")]["spec"]["nodeName"] = "node-1"
    assert Broken("share", "i1", "its volume is held on another node") in (await installation.look()).broken


async def test_a_task_does_not_wait_for_a_node_that_does_not_answer(installation: Installation) -> None:
    silence(installation.cluster)
    before = list(installation.cluster.done)
    assert await installation.driver.ensure_shares(installation.rows.shares) == {"i1": {}}
    assert installation.cluster.done == before


async def test_a_worker_starts_while_a_gateway_is_away(installation: Installation) -> None:
    silence(installation.cluster)
    before = list(installation.cluster.done)
    await installation.driver.do_setup()
    assert not {one for one in installation.cluster.done[len(before) :] if "holder" in one or "gateway-s1" in one}


async def test_a_node_that_the_cluster_has_forgotten_may_be_alive(installation: Installation) -> None:
    del installation.cluster.objects[NODE.plural, "node-1"]
    before = list(installation.cluster.done)
    found = await installation.look()
    assert len(found.waiting) == 1
    assert installation.cluster.done == before


class Switches:
    """Ports that are on or off; ``away``: the network service can't be asked."""

    guards = False

    def __init__(self, cluster: FakeCluster | None = None) -> None:
        self.done: list[str] = []
        self.away = False
        self.cluster = cluster

    async def _do(self, what: str) -> None:
        if self.away:
            raise NetworkException("Neutron is away")
        self.done.append(what)

    async def bind(self, port_id: str, host: str) -> None:
        await self._do(f"bind {port_id} {host}")

    async def fence(self, port_id: str) -> None:
        assert self.cluster is not None
        assert "holder-i1" in self.cluster.of(POD), "before anything is taken from there"
        await self._do(f"fence {port_id}")

    async def lift(self, port_id: str) -> None:
        await self._do(f"lift {port_id}")

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        await self._do(f"admit {server_id}")


@pytest.fixture
async def fenced(monkeypatch: pytest.MonkeyPatch) -> tuple[Installation, Switches]:
    """An installation whose gateway's port can be turned off."""
    monkeypatch.setattr(fencing, "SETTLE", 0.0)
    switches = Switches()
    installation = Installation(ports=switches)
    switches.cluster = installation.cluster
    return await installation.begin(), switches


async def test_a_port_is_off_from_the_word_until_its_gateway_is_elsewhere(
    fenced: tuple[Installation, Switches],
) -> None:
    installation, switches = fenced
    silence(installation.cluster)
    await installation.mend()
    assert switches.done == []
    taint(installation.cluster)
    installation.cluster.stuck.add("gateway-s1-0")  # it takes its time
    for _ in range(2):
        await installation.look()
    assert switches.done == ["fence port-1"]
    installation.cluster.stuck.clear()
    pod = installation.cluster.objects[POD.plural, "gateway-s1-0"]
    pod["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    for _ in range(2):
        await installation.look()
    assert switches.done == ["fence port-1", "lift port-1"]


async def test_a_gateway_whose_port_stays_on_is_not_moved(fenced: tuple[Installation, Switches]) -> None:
    installation, switches = fenced
    silence(installation.cluster)
    word(installation.cluster)
    switches.away = True
    before = list(installation.cluster.done)
    await installation.look()
    assert installation.cluster.done == before
    switches.away = False
    for _ in range(4):
        await installation.mend()
    assert installation.cluster.of(POD)[names.holder("i1")]["spec"]["nodeName"] == "node-2"
    assert switches.done == ["fence port-1", "lift port-1"]


@pytest.mark.parametrize("declare", [taint, word])
async def test_a_node_that_died_while_no_worker_ran_is_left_at_the_first_look(
    fenced: tuple[Installation, Switches], declare: Callable[[FakeCluster], None]
) -> None:
    """Nobody told the worker of anything: it starts, looks once, and the gateway goes after its port is off."""
    installation, switches = fenced
    cluster = installation.cluster
    await attached(cluster)
    silence(cluster)
    declare(cluster)
    installation.driver = made(cluster, ports=switches)
    await installation.driver.do_setup()
    assert switches.done == [] and cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-1"
    await installation.mend()
    assert switches.done[0] == "fence port-1"
    assert cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-2"
    assert "node-1" not in {one["spec"]["nodeName"] for one in cluster.of(POD).values()}
    assert list(cluster.of(VOLUME_ATTACHMENT)) == ["a1"]
    for _ in range(2):
        await installation.mend()
    assert cluster.of(POD)[names.holder("i1")]["spec"]["nodeName"] == "node-2"
    assert cluster.of(SHARE_EXPORT)["share-i1"]["status"]["exported"]
    assert switches.done == ["fence port-1", "lift port-1"]
    assert await installation.look() == Findings()


async def test_a_node_that_fell_silent_while_no_worker_ran_is_waited_for(
    fenced: tuple[Installation, Switches],
) -> None:
    installation, switches = fenced
    silence(installation.cluster)
    installation.driver = made(installation.cluster, ports=switches)
    await installation.driver.do_setup()
    before = list(installation.cluster.done)
    found = await installation.look()
    assert [(one.server_id, one.node) for one in found.waiting] == [("s1", "node-1")] and found.broken == ()
    assert (installation.cluster.done, switches.done) == (before, [])


async def test_a_worker_goes_on_where_the_last_one_died(
    fenced: tuple[Installation, Switches], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port was off, and nothing was taken from the node yet."""
    installation, switches = fenced
    cluster = installation.cluster
    silence(cluster)
    word(cluster)

    async def dies(*_: object, **__: object) -> None:
        raise ConnectionError("the worker is on that node")

    with monkeypatch.context() as patch, pytest.raises(ConnectionError):
        patch.setattr(cluster, "delete", dies)
        await installation.look()
    assert switches.done == ["fence port-1"]
    assert cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-1"
    installation.driver = made(cluster, ports=switches)
    await installation.driver.do_setup()
    for _ in range(3):
        await installation.mend()
    assert cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-2"
    assert switches.done == ["fence port-1", "lift port-1"]
    assert await installation.look() == Findings()


async def test_ports_stay_on_if_the_configuration_says_so() -> None:
    switches = Switches()
    options = replace(OPTIONS, kubernetes_fence_ports=False)
    installation = await Installation(options, switches).begin()
    silence(installation.cluster)
    word(installation.cluster)
    await installation.mend()
    assert switches.done == []
    assert installation.cluster.of(POD)["gateway-s1-0"]["spec"]["nodeName"] == "node-2"
