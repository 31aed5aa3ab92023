"""Replication of the dummy driver, as the recordings show it."""

from __future__ import annotations

import pytest

from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver

REPLICAS = [
    {"id": f"i-{n}", "share_id": "s-1", "share_proto": "NFS", "mount_point_name": None, "replica_state": state}
    for n, state in ((1, "active"), (2, "in_sync"))
]
SNAPSHOTS = [{"id": "x-1"}, {"id": "x-2"}]


@pytest.fixture
def driver() -> DummyDriver:
    return DummyDriver(BackendOptions("beta", "BETA", driver_handles_share_servers=False))


async def test_a_replica_is_in_sync_at_once_at_places_of_its_own(driver: DummyDriver) -> None:
    found = await driver.create_replica(REPLICAS, REPLICAS[1], [], [])
    assert (found["replica_state"], found["access_rules_status"]) == ("in_sync", "active")
    assert {one["path"].partition(":")[2] for one in found["export_locations"]} == {"/path/to/fake/share/share_s_1_i_2"}
    assert await driver.update_replica_state(REPLICAS, REPLICAS[1], [], []) == "in_sync"


async def test_promotion_names_every_replica(driver: DummyDriver) -> None:
    found = await driver.promote_replica(REPLICAS, REPLICAS[1], [])
    assert found == [{"id": "i-1", "replica_state": "in_sync"}, {"id": "i-2", "replica_state": "active"}]


async def test_snapshots_are_there_and_gone_on_every_replica(driver: DummyDriver) -> None:
    made = await driver.create_replicated_snapshot(REPLICAS, SNAPSHOTS)
    assert made == [{"id": "x-1", "status": "available"}, {"id": "x-2", "status": "available"}]
    gone = await driver.delete_replicated_snapshot(REPLICAS, SNAPSHOTS)
    assert {one["status"] for one in gone} == {"deleted"}
    one = await driver.update_replicated_snapshot(REPLICAS, REPLICAS[1], SNAPSHOTS, SNAPSHOTS[1])
    assert one == {"id": "x-2", "status": "available"}
