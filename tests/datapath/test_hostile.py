"""A gateway whose pod is in a stranger's hands, and the node's agent as root on real folders and mounts.

Each trick is played on one gateway; after it the other one is served as before, and nothing outside was touched. Some
need more than the pod has: what it can write is a volume of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import subprocess
from collections.abc import AsyncIterator, Callable

import pytest

from drivers.ganesha.gateway.orders import Answer, Orders
from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.node_agent import NodeAgent, Places
from drivers.kubernetes.api import POD, SHARE_EXPORT, Object
from tests.datapath.lab import mounts
from tests.datapath.pod_lab import eventually
from tests.drivers.ganesha.kubernetes.fake import NODES, OPTIONS, FakeCluster

pytestmark = pytest.mark.datapath
EVIL, GOOD = "evil", "good"
SHARE = {EVIL: "bad-1", GOOD: "fine-1"}
FLOOD = """
import os
print(flush=True)
while True:
    open("x", "w").close()
    os.rename("x", "other.json")
"""


class Silent(FakeCluster):
    """Nobody answers but the agents under test."""

    def _follow(self, found: Object) -> None:
        """The agents do."""


class Node:
    """Two gateways on one node with a share each; ``canary``: a folder that is nobody's business."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root, self.cluster = root, Silent()
        self.places = Places(root / "pods", root / "gateways", root)
        self.canary = root / "canary"
        self.canary.mkdir(0o751)
        (self.canary / f"{SHARE[EVIL]}.json").write_text("precious")
        (self.canary / "roster.json").write_text("precious")
        self.uids = {server: self._gateway(server) for server in SHARE}
        self.agent = NodeAgent(self.cluster, OPTIONS.kubernetes_namespace, NODES[0], self.places)

    def _gateway(self, server: str) -> str:
        share = SHARE[server]
        pod = self._pod(names.gateway_pod(server), "gateway", {names.SERVER: server}, [])
        claim = {"name": "share", "persistentVolumeClaim": {"claimName": share}}
        holder = self._pod(names.holder(share), "holder", {names.SERVER: server, names.SHARE: share}, [claim])
        volume = self.places.pods / holder / "volumes" / "kubernetes.io~csi" / "pv" / "mount"
        volume.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "share", volume], check=True)
        (volume / "file").write_text(server)
        self.places.answers(pod).mkdir(parents=True)
        self.export(share, server)
        return pod

    def _pod(self, name: str, role: str, more: dict[str, str], volumes: list[Object]) -> str:
        metadata = {"name": name, "labels": names.labels("kube", role, **more)}
        made = self.cluster._put(POD, {"metadata": metadata, "spec": {"nodeName": NODES[0], "volumes": volumes}})
        return str(made["metadata"]["uid"])

    def export(self, share: str, server: str) -> None:
        """A ShareExport."""
        spec = {"server": server, "claim": share, "mounted": True, "exported": True, "squash": "s", "clients": []}
        self.cluster._put(SHARE_EXPORT, {"metadata": {"name": names.share(share)}, "spec": spec})

    def place(self, server: str = EVIL) -> pathlib.Path:
        return self.places.gateways / server

    def answer(self, server: str = EVIL) -> pathlib.Path:
        """File of a gateway's answer about its share."""
        return self.places.answers(self.uids[server]) / f"{SHARE[server]}.json"

    def status(self, server: str) -> Object:
        found = self.cluster.objects[SHARE_EXPORT.plural, names.share(SHARE[server])]
        return {**found.get("status", {}), "wanted": found["metadata"]["generation"]}

    def play(self, server: str) -> None:
        """What a gateway's agent does that can do everything."""
        orders, uid = Orders(self.place(server) / "control", self.places.answers(self.uids[server])), self.uids[server]
        pod, known = orders.roster()
        for name in known if pod == uid else ():
            order = orders.order(name)
            if order is not None:
                orders.reply(name, Answer(order.generation, order.bound, order.exported, uid, prepared=True))

    async def play_on(self, *servers: str) -> None:
        """Until it is cancelled."""
        while True:
            for one in servers:
                self.play(one)
            await asyncio.sleep(0.02)

    async def served(self, server: str) -> bool:
        """Whether a change of what is wanted of a gateway is carried there and back."""
        before = self.status(server)["wanted"]
        clients = [{"network": f"10.0.0.{before % 250 + 1}/32", "access": "RW"}]
        await self.cluster.merge(SHARE_EXPORT, names.share(SHARE[server]), None, {"spec": {"clients": clients}})
        return await eventually(lambda: self.status(server).get("observedGeneration", 0) > before)

    def untouched(self) -> None:
        """Nothing outside has changed."""
        assert sorted(os.listdir(self.canary)) == sorted([f"{SHARE[EVIL]}.json", "roster.json"])
        assert {one.read_text() for one in self.canary.iterdir()} == {"precious"}
        assert self.canary.stat().st_mode & 0o777 == 0o751
        assert not [one for one in mounts(self.root) if one.startswith(str(self.canary))]


@pytest.fixture
async def node(tmp_path: pathlib.Path) -> AsyncIterator[Node]:
    made, stop = Node(tmp_path), asyncio.Event()
    running = asyncio.create_task(made.agent.run(stop))
    playing = asyncio.create_task(made.play_on(EVIL, GOOD))
    try:
        assert await eventually(lambda: all(made.place(one).exists() for one in SHARE))
        for one in SHARE:
            assert await made.served(one)
            assert (made.place(one) / "shares" / SHARE[one] / "file").read_text() == one
        playing.cancel()
        playing = asyncio.create_task(made.play_on(GOOD))
        yield made
        assert not running.done(), "the agent of the node has ended"
    finally:
        stop.set()
        playing.cancel()
        await asyncio.gather(running, playing, return_exceptions=True)
        for one in mounts(tmp_path):
            subprocess.run(["umount", one], check=True)


def _instead(at: pathlib.Path, plant: Callable[[pathlib.Path], object]) -> None:
    """Put something in the place of a file or folder."""
    if at.is_dir() and not at.is_symlink():
        at.rename(at.parent.parent / f"{at.name}-aside")
    else:
        at.unlink(missing_ok=True)
    plant(at)


Trick = Callable[[Node], object]
ANSWERS: dict[str, Trick] = {
    "link to a file": lambda on: _instead(on.answer(), lambda at: at.symlink_to(on.canary / "roster.json")),
    "link to the other's": lambda on: _instead(on.answer(), lambda at: at.symlink_to(on.answer(GOOD))),
    "pipe": lambda on: _instead(on.answer(), os.mkfifo),
    "zeros without end": lambda on: _instead(on.answer(), lambda at: os.mknod(at, 0o20600, os.makedev(1, 5))),
    "the terminal": lambda on: _instead(on.answer(), lambda at: os.mknod(at, 0o20600, os.makedev(5, 0))),
    "a folder": lambda on: _instead(on.answer(), pathlib.Path.mkdir),
    "huge": lambda on: os.truncate(on.answer(), 1 << 40),
    "no JSON": lambda on: on.answer().write_text("{"),
    "no answer": lambda on: on.answer().write_text('{"generation": [1], "mounted": 1, "exported": {}}'),
    "deep": lambda on: on.answer().write_text("[" * 10_000),
    "no text": lambda on: on.answer().write_bytes(b"\xff" * 100),
}
FOLDERS: dict[str, Trick] = {
    "answers link": lambda on: _instead(on.answer().parent, lambda at: at.symlink_to(on.answer(GOOD).parent)),
    "answers pipe": lambda on: _instead(on.answer().parent, os.mkfifo),
    "control link": lambda on: _instead(on.place() / "control", lambda at: at.symlink_to("../good/control")),
    "orders link": lambda on: _instead(
        on.place() / "control" / "desired", lambda at: at.symlink_to("../../good/control/desired")
    ),
    "orders link away": lambda on: _instead(on.place() / "control" / "desired", lambda at: at.symlink_to(on.canary)),
    "order link": lambda on: _instead(
        on.place() / "control" / "desired" / f"{SHARE[EVIL]}.json",
        lambda at: at.symlink_to(on.canary / f"{SHARE[EVIL]}.json"),
    ),
    "new order link": lambda on: _instead(
        on.place() / "control" / "desired" / f"{SHARE[EVIL]}.json.new",
        lambda at: at.symlink_to(on.canary / f"{SHARE[EVIL]}.json"),
    ),
    "order pipe": lambda on: _instead(on.place() / "control" / "desired" / f"{SHARE[EVIL]}.json", os.mkfifo),
    "order folder": lambda on: _instead(on.place() / "control" / "desired" / f"{SHARE[EVIL]}.json", pathlib.Path.mkdir),
    "roster link": lambda on: _instead(
        on.place() / "control" / "roster.json", lambda at: at.symlink_to(on.canary / "roster.json")
    ),
    "roster pipe": lambda on: _instead(on.place() / "control" / "roster.json", os.mkfifo),
    "odd names": lambda on: [
        (on.place() / "control" / "desired" / one).write_text("") for one in ("...json", ".json", "-rf.json", "\n.json")
    ],
    "devices link": lambda on: _instead(on.place() / "devices", lambda at: at.symlink_to(on.canary)),
    "device link": lambda on: _instead(
        on.place() / "devices" / SHARE[EVIL], lambda at: at.symlink_to(on.canary / "roster.json")
    ),
    "a share that is none": lambda on: (on.place() / "shares" / "more").symlink_to(on.canary),
    "a server with a path": lambda on: on.export("odd-1", "../good"),
}


@pytest.mark.parametrize("trick", ANSWERS)
async def test_an_answer_may_be_anything(node: Node, trick: str) -> None:
    wanted = node.status(EVIL)["observedGeneration"]
    ANSWERS[trick](node)
    assert await node.served(GOOD)
    await node.cluster.merge(SHARE_EXPORT, names.share(SHARE[EVIL]), None, {"spec": {"clients": []}})
    assert await eventually(lambda: bool(node.status(EVIL).get("message"))), "nobody is told"
    print(node.status(EVIL)["message"])
    assert node.status(EVIL)["observedGeneration"] == wanted, "taken for an answer"
    # what it is to do is told it all the same
    order = node.place() / "control" / "desired" / f"{SHARE[EVIL]}.json"
    assert await eventually(lambda: json.loads(order.read_text())["generation"] == node.status(EVIL)["wanted"])
    with contextlib.suppress(IsADirectoryError):
        node.answer().unlink()
    if node.answer().exists():
        node.answer().rmdir()
    node.play(EVIL)
    assert await eventually(lambda: node.status(EVIL)["message"] == "")
    node.untouched()


@pytest.mark.parametrize("trick", FOLDERS)
async def test_a_folder_may_be_anything(node: Node, trick: str) -> None:
    FOLDERS[trick](node)
    kept = node.place(GOOD) / "control" / "desired" / f"{SHARE[GOOD]}.json"
    for _ in range(3):
        await node.cluster.merge(
            SHARE_EXPORT, names.share(SHARE[EVIL]), None, {"spec": {"squash": os.urandom(4).hex()}}
        )
        assert await node.served(GOOD)
    assert json.loads(kept.read_text())["name"] == SHARE[GOOD], "the other's orders"
    assert (node.place(GOOD) / "shares" / SHARE[GOOD] / "file").read_text() == GOOD
    node.untouched()


async def test_a_volume_is_mounted_in_no_strange_folder(node: Node) -> None:
    """Also not where a link leads that was there before the volume."""
    for name in (SHARE[EVIL], "bad-2"):
        node.export("bad-2", EVIL)
        at = node.place() / "shares" / name
        while os.path.ismount(at):
            subprocess.run(["umount", at], check=True)
        with contextlib.suppress(FileNotFoundError):
            at.rmdir()
        with contextlib.suppress(FileExistsError):
            at.symlink_to(node.canary)
        assert await node.served(GOOD)
    node.untouched()


async def test_answers_without_rest_keep_nobody_waiting(node: Node) -> None:
    """Every rename wakes the agent."""
    flood = await asyncio.create_subprocess_exec(
        "python3", "-c", FLOOD, cwd=node.answer().parent, stdout=subprocess.PIPE
    )
    try:
        assert flood.stdout and await flood.stdout.readline()
        for _ in range(3):
            assert await node.served(GOOD)
    finally:
        flood.kill()
        await flood.wait()
    assert (node.root / "alive").exists() and (node.root / "ready").exists()


async def test_when_a_gateway_leaves_its_links_go_and_nothing_behind_them(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.ganesha.kubernetes.node_agent.UNUSED", 0.1)
    _instead(node.place() / "control", lambda at: at.symlink_to(node.canary))
    (node.place() / "shares" / "more").symlink_to(node.canary)
    del node.cluster.objects[SHARE_EXPORT.plural, names.share(SHARE[EVIL])]
    del node.cluster.objects[POD.plural, names.gateway_pod(EVIL)]
    aside = node.place().parent / "control-aside"
    if aside.exists():
        aside.rename(node.root / "aside")
    assert await eventually(lambda: not node.place().exists(), 20)
    assert await node.served(GOOD)
    node.untouched()
