"""What a node's agent leaves alone."""

from __future__ import annotations

import asyncio
import os
import pathlib

import pytest

from drivers.client_counts import Count, Seen, Statistics
from drivers.ganesha.gateway import statistics
from drivers.ganesha.gateway.orders import Answer, Orders
from drivers.ganesha.kubernetes import names, node_agent
from drivers.ganesha.kubernetes.binds import MARK, Binds
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
from drivers.kubernetes.api import NAMESPACE, POD, SHARE_EXPORT, Object
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster


async def _look(agent: NodeAgent) -> None:
    """As one that has seen that there is no gateway at all."""
    agent._pods.seen = agent._exports.seen = True
    await agent.look()


async def test_gateways_of_another_namespace_are_not_its_own(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two releases on one node, which have the usual path both."""
    monkeypatch.setattr(node_agent, "UNUSED", -1.0)
    for server, namespace in (("s1", OPTIONS.kubernetes_namespace), ("s2", "another"), ("s3", "")):
        for name in ("control", "shares/i1", "devices"):
            (tmp_path / server / name).mkdir(parents=True)
        if namespace:
            (tmp_path / server / MARK).write_text(namespace)
    (tmp_path / "file").touch()
    agent = NodeAgent(FakeCluster(), OPTIONS.kubernetes_namespace, "node-1", Places(tmp_path / "pods", tmp_path))
    for _ in range(2):
        await _look(agent)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "s2", "s3"]
    for server in ("s2", "s3"):
        assert (tmp_path / server / "shares" / "i1").is_dir() and (tmp_path / server / "control").is_dir()


@pytest.mark.parametrize("projects", [False, True])
async def test_only_namespaces_of_our_name_and_label_are_served(tmp_path: pathlib.Path, projects: bool) -> None:
    home = OPTIONS.kubernetes_namespace
    cluster = FakeCluster()
    own = {names.MANAGED: "openkeel-manila", names.WITHIN: home}
    labelled = {f"{home}-ours": own, f"{home}-theirs": {}, "elsewhere": own}
    for namespace, labels in labelled.items():
        await cluster.create(NAMESPACE, {"metadata": {"name": namespace, "labels": labels}})
    for number, namespace in enumerate((home, *labelled)):
        said = {names.MANAGED: "openkeel-manila", names.ROLE: "gateway", names.SERVER: f"s{number}"}
        metadata = names.metadata(names.gateway_pod(f"s{number}"), namespace, said)
        await cluster.create(POD, {"metadata": metadata, "spec": {"nodeName": "node-1", "volumes": []}})
    agent = NodeAgent(cluster, home, "node-1", Places(tmp_path / "pods", tmp_path), projects=projects)
    stop = asyncio.Event()
    running = asyncio.create_task(agent.run(stop))
    try:
        async with asyncio.timeout(10):
            while len(agent._gateways_here() or ()) != 1 + projects:
                await asyncio.sleep(0.01)
    finally:
        stop.set()
        await running
    found = {one["metadata"]["namespace"] for one in agent._gateways_here() or ()}
    assert found == {home, *([f"{home}-ours"] if projects else [])}


@pytest.mark.parametrize("pod", [None, {}], ids=["no pod", "a pod without a node"])
async def test_a_share_is_let_go_of_where_its_gateway_was(tmp_path: pathlib.Path, pod: Object | None) -> None:
    """Nobody else could say that it is: a gateway that waits for room has no agent."""
    cluster, namespace = FakeCluster(), OPTIONS.kubernetes_namespace
    agent = NodeAgent(cluster, namespace, "node-1", Places(tmp_path / "pods", tmp_path))
    spec = {"server": "s1", "claim": "share-i1", "mounted": False, "exported": False}
    metadata = names.metadata("share-i1", namespace, {names.MANAGED: "openkeel-manila"})
    export = await cluster.create(SHARE_EXPORT, {"metadata": metadata, "spec": spec})
    cluster.of(SHARE_EXPORT)["share-i1"]["status"] = {"node": "node-1", "mounted": True}
    export = cluster.of(SHARE_EXPORT)["share-i1"]
    agent._exports._objects["share-i1", namespace] = export
    if pod is not None:
        own = {names.MANAGED: "openkeel-manila", names.ROLE: "gateway", names.SERVER: "s1"}
        found = {"metadata": names.metadata("gateway-s1-0", namespace, own), "spec": pod}
        agent._pods._objects["gateway-s1-0", namespace] = found
    await _look(agent)
    status = cluster.of(SHARE_EXPORT)["share-i1"]["status"]
    assert (status["mounted"], status["observedGeneration"]) == (False, export["metadata"]["generation"])


async def test_an_export_that_says_nothing_stops_it_not(tmp_path: pathlib.Path) -> None:
    """Definitions of older releases let somebody make one."""
    agent = NodeAgent(FakeCluster(), OPTIONS.kubernetes_namespace, "node-1", Places(tmp_path / "pods", tmp_path))
    metadata = names.metadata("garbage", OPTIONS.kubernetes_namespace, {})
    agent._exports._objects[OPTIONS.kubernetes_namespace, "garbage"] = {"metadata": metadata}
    await _look(agent)


async def test_what_a_gateway_complains_of_is_in_the_status_until_it_is_well(tmp_path: pathlib.Path) -> None:
    cluster, home = FakeCluster(), OPTIONS.kubernetes_namespace
    cluster.stuck.add("share-i1")
    spec = {"server": "s1", "claim": "share-i1", "mounted": True, "exported": True, "squash": "none", "clients": []}
    made = await cluster.create(SHARE_EXPORT, {"metadata": names.metadata("share-i1", home, {}), "spec": spec})
    agent = NodeAgent(cluster, home, "node-1", Places(tmp_path / "pods", tmp_path))
    (tmp_path / "answers").mkdir()
    (tmp_path / "s1" / "control").mkdir(parents=True)
    orders, binds = Orders(tmp_path / "s1" / "control", tmp_path / "answers"), Binds(tmp_path / "s1")
    binds.make(home)
    orders.make()
    for exported, message in ((False, "[Errno 30] Read-only file system: '/state/records/i1.json.new'"), (True, "")):
        orders.reply("i1", Answer(1, mounted=True, exported=exported, pod="the-pod", message=message))
        await agent._follow(orders, binds, "the-pod", made, None)
        status = cluster.of(SHARE_EXPORT)["share-i1"]["status"]
        assert (status["message"], status["exported"]) == (message, exported)


async def _watching(folder: pathlib.Path) -> tuple[NodeAgent, pathlib.Path]:
    """An agent whose node has a gateway with the share i1, and the folder of the pod's answers."""
    home = OPTIONS.kubernetes_namespace
    agent = NodeAgent(FakeCluster(), home, "node-1", Places(folder / "pods", folder))
    of_server = {names.MANAGED: "openkeel-manila", names.SERVER: "s1"}
    pod = names.metadata("gateway-s1-0", home, {**of_server, names.ROLE: "gateway", names.PROJECT: "p1"})
    spec: Object = {"nodeName": "node-1", "volumes": []}
    agent._pods._objects["gateway-s1-0", home] = {"metadata": {**pod, "uid": "the-pod"}, "spec": spec}
    spec = {"server": "s1", "claim": "share-i1", "mounted": False, "exported": False}
    export = {**names.metadata("share-i1", home, {**of_server, names.OF_SHARE: "share-1"}), "generation": 1}
    agent._exports._objects["share-i1", home] = {"metadata": export, "spec": spec}
    answers = agent._places.answers("the-pod")
    answers.mkdir(parents=True)
    await _look(agent)
    return agent, answers


SOME = (Count(1, 0, 0.1, 4096), Count(), Count(3))


async def test_what_clients_do_is_told_with_share_and_project(tmp_path: pathlib.Path) -> None:
    agent, answers = await _watching(tmp_path)
    assert list(agent.seen()) == []
    told = Statistics({"i1": SOME, "of-somebody-else": SOME}, {"10.0.0.5": SOME})
    Orders(tmp_path / "unused", answers).count(statistics.told(told))
    own = Statistics({"i1": SOME}, {"10.0.0.5": SOME})
    assert list(agent.seen()) == [Seen("s1", own, "p1", {"i1": "share-1"})]
    agent._pods._objects.clear()
    await _look(agent)
    assert list(agent.seen()) == []


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "garbage", "flood", "no folder"])
async def test_garbage_of_a_pod_is_no_figure(tmp_path: pathlib.Path, kind: str) -> None:
    agent, answers = await _watching(tmp_path)
    elsewhere = tmp_path / "secret"
    elsewhere.write_text(statistics.told(Statistics({"i1": SOME})))
    if kind == "no folder":
        (answers / "counts").symlink_to(tmp_path)
    else:
        (answers / "counts").mkdir()
    place = answers / "counts" / "counts"
    match kind:
        case "link":
            place.symlink_to(elsewhere)
        case "folder":
            place.mkdir()
        case "pipe":
            os.mkfifo(place)
        case "garbage":
            place.write_text("{" * 100_000)
        case "flood":
            place.write_text(" " * (statistics.LIMIT + 1))
    assert list(agent.seen()) == []
