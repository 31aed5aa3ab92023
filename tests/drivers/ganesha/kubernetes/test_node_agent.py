"""What a node's agent leaves alone."""

from __future__ import annotations

import pathlib

import pytest

from drivers.ganesha.kubernetes import node_agent
from drivers.ganesha.kubernetes.binds import MARK
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
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
