"""Back ends are asked how their replicas and the snapshots on them are; a task each, in turn with other work."""

from __future__ import annotations

from db import share_replicas as table
from generated.settings import Settings
from services.work import ReplicaSnapshotUpdate, ReplicaUpdate, enqueue
from worker.periodic import Now, Periodic


async def replica_state_update(now: Now) -> None:
    """Order a look at each replica of a back end that is not active."""
    if now.backend is None:
        return
    async with now.core.db.write() as conn:
        for row in await table.secondaries_on(conn, now.backend.host, ReplicaUpdate.KIND):
            await enqueue(conn, ReplicaUpdate.read(row), now.backend.host)


async def replica_snapshot_update(now: Now) -> None:
    """Order a look at each snapshot that is being made or removed on such a replica."""
    if now.backend is None:
        return
    async with now.core.db.write() as conn:
        for row in await table.unsettled_snapshots_on(conn, now.backend.host, ReplicaSnapshotUpdate.KIND):
            await enqueue(conn, ReplicaSnapshotUpdate.read(row), now.backend.host)


def _interval(settings: Settings) -> float:
    return settings.default.replica_state_update_interval


PERIODIC = (
    Periodic("replica_state_update", replica_state_update, _interval),
    Periodic("replica_snapshot_update", replica_snapshot_update, _interval),
)
