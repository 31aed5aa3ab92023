"""Two storage classes are two pools: each share, its snapshots' views and what it is reverted to stay in theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from drivers.kubernetes.api import CAPACITY, CLAIM, Cluster, Kind
from generated.runtime import Row
from tests.drivers.ganesha.kubernetes.test_driver import NETWORK, RULE, SHARE, SNAP
from tests.kube.api.back_end import BackEnd, installed
from tests.kube.api.conftest import Bench


@pytest.fixture
async def back_end(bench: Bench, request: pytest.FixtureRequest) -> AsyncIterator[BackEnd]:
    async with installed(bench, request) as found:
        yield found


async def reported(admin: Cluster, namespace: str, storage_class: str, room: str) -> None:
    """What the CSI driver reports of a class."""
    name = f"{namespace}-{storage_class}"
    about = {"metadata": {"name": name, "namespace": namespace}, "storageClassName": storage_class, "capacity": room}
    await admin.create(CAPACITY, about)


async def test_each_class_is_a_pool_with_its_own_room_and_shares(back_end: BackEnd) -> None:
    # other tests' claims and reports are of other classes
    fast, slow = (f"{back_end.bench.namespace}-{name}" for name in ("fast", "slow"))
    for name, room in ((fast, "10Gi"), (slow, "30Gi")):
        await back_end.storage_class(name)
        await reported(back_end.admin, back_end.bench.namespace, name, room)
    driver = back_end.driver(kubernetes_storage_class=f"{fast}, {slow}")
    await driver.do_setup()
    server: Row = {"id": "s1", "backend_details": await driver.setup_server(NETWORK)}
    placed = {**SHARE, "host": f"node1@kube#{slow}"}
    copied = {**SHARE, "id": "i2", "host": f"node1@kube#{fast}", "size": 2}
    await driver.create_share(placed, server)
    await driver.create_snapshot(SNAP, server)
    await driver.snapshot_update_access(SNAP, [RULE], [RULE], [], server)
    await driver.create_share_from_snapshot(copied, SNAP, server)
    await driver.revert_to_snapshot(SNAP, [], [], server)
    claims = {name: await _class(back_end, CLAIM, name) for name in await back_end.names(CLAIM)}
    # the snapshot lives in what the share had before
    shares = {"share-i1": slow, "share-i1-1": slow, "share-i2": fast}
    assert claims == {"state-gateway-s1-0": fast, "view-n1": slow, **shares}
    assert [await driver.get_pool(one) for one in (placed, copied)] == [slow, fast]
    pools = (await driver.get_share_stats(refresh=True))["pools"]
    found = {one["pool_name"]: (one["free_capacity_gb"], one["provisioned_capacity_gb"]) for one in pools}
    assert found == {fast: (10.0, 2.0), slow: (30.0, 2.0)}


async def _class(back_end: BackEnd, kind: Kind, name: str) -> str:
    return str((await back_end.the(kind, name))["spec"]["storageClassName"])
