"""The wall opens before an export admits and closes after it, also when two workers change one gateway's exports."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from drivers.ganesha.wall import WalledExports, Walls, published
from drivers.kubernetes.api import POD
from generated.errors import NetworkException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster

A, B = Client("10.0.0.5/32", "RW"), Client("10.0.1.0/24", "RO")


class NotedWall:
    """Notes what it was told, and what the exports said at that moment."""

    guards = True

    def __init__(self, shares: Shares) -> None:
        self.told: list[list[str]] = []
        self.refuse = False
        self.meanwhile: Export | None = None
        self.exports: WalledExports | None = None

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        if self.refuse:
            raise NetworkException("quota", code=409)
        if self.meanwhile is not None and self.exports is not None:
            other, self.meanwhile = self.meanwhile, None
            await self.exports.publish(server_id, other)
        self.told.append(list(networks))


@pytest.fixture
async def parts() -> tuple[Shares, NotedWall, WalledExports]:
    cluster = FakeCluster()
    shares = Shares(OPTIONS, cluster)
    for pod in ("gateway-s1-0", "holder-i1", "holder-i2"):
        about = {"name": pod, "namespace": OPTIONS.kubernetes_namespace}
        await cluster.create(POD, {"metadata": about, "spec": {"nodeName": "node-1"}})
    for name in ("i1", "i2"):
        await shares.mount(name, "s1", f"share-{name}")
    wall = NotedWall(shares)
    wall.exports = WalledExports(KubernetesExports(shares), shares.clients, wall)
    return shares, wall, wall.exports


def export(name: str, *clients: Client) -> Export:
    return Export(name, f"/shares/{name}", "None", clients)


async def test_it_opens_first_and_closes_last(parts: tuple[Shares, NotedWall, WalledExports]) -> None:
    _, wall, exports = parts
    await exports.publish("s1", export("i1", A))
    assert wall.told == [["10.0.0.5/32"]]
    await exports.publish("s1", export("i1", B))
    assert wall.told[1:] == [["10.0.0.5/32", "10.0.1.0/24"], ["10.0.1.0/24"]]
    await exports.publish("s1", export("i2", A))
    await exports.withdraw("s1", "i1")
    assert wall.told[-1] == ["10.0.0.5/32"]


async def test_a_wall_that_does_not_open_fails_the_rule(parts: tuple[Shares, NotedWall, WalledExports]) -> None:
    _, wall, exports = parts
    wall.refuse = True
    with pytest.raises(NetworkException):
        await exports.publish("s1", export("i1", A))
    assert await exports.find("s1", "i1") is None


async def test_two_workers_lock_nobody_out(parts: tuple[Shares, NotedWall, WalledExports]) -> None:
    """The other one publishes while this one's wall is being changed with what it read before."""
    _, wall, exports = parts
    await exports.publish("s1", export("i1", A, B))
    wall.meanwhile = export("i2", Client("10.0.2.0/24", "RW"))
    await exports.publish("s1", export("i1", A))
    assert set(wall.told[-1]) == {"10.0.0.5/32", "10.0.2.0/24"}


async def test_each_wall_that_guards_is_told(parts: tuple[Shares, NotedWall, WalledExports]) -> None:
    """And the clients may be read export by export, where they are not at hand otherwise."""
    shares, first, exports = parts
    second, idle = NotedWall(shares), NotedWall(shares)
    idle.guards = False
    plain = KubernetesExports(shares)
    walled = WalledExports(plain, published(plain), Walls(first, idle, second))
    await exports.publish("s1", export("i1", A))
    await walled.publish("s1", export("i2", B))
    assert first.told[-1] == second.told[-1] == ["10.0.0.5/32", "10.0.1.0/24"]
    assert idle.told == [] and not Walls(idle).guards
    await walled.withdraw("s1", "i1")
    assert first.told[-1] == second.told[-1] == ["10.0.1.0/24"]
