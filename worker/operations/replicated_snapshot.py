"""Snapshots of a share with replicas: taken and removed on all of them at once."""

from __future__ import annotations

from db import driver_rows, snapshot_instances
from db.connection import Conn
from generated.errors import StorageResourceNotFound
from generated.runtime import Row
from services.snapshot_removal import forget_snapshot
from services.work import ReplicatedSnapshotCreate, ReplicatedSnapshotDelete, ReplicatedSnapshotJob
from worker.operation import Finished, Operation, Step, Work
from worker.operations.replica_snapshot_update import said
from worker.replicas import lock

GOING = ("deleting", "error_deleting")


async def _facts(work: Work, conn: Conn) -> tuple[list[Row], list[Row], Row | None]:
    """Replicas, instances of the snapshot, and the share server of the active replica."""
    job = work.job(ReplicatedSnapshotJob)
    every = await driver_rows.replicas(conn, job.share_id)
    instances = await driver_rows.replica_snapshots(conn, snapshot_id=job.snapshot_id)
    active = next((one for one in every if one["replica_state"] == "active"), None)
    return every, instances, None if active is None else active["share_server"]


async def take(work: Work) -> None:
    """Let the driver take it."""
    async with work.core.db.read() as conn:
        every, instances, server = await _facts(work, conn)
    if not any(one["status"] == "creating" for one in instances):
        raise Finished
    answer = await work.driver.create_replicated_snapshot(every, instances, share_server=server)
    work.state["answer"] = list(answer or [])


async def record(work: Work) -> None:
    """Write what became of it on each replica; one that nothing is said of is asked about later."""
    async with work.write() as conn:
        await lock(conn, work.job(ReplicatedSnapshotJob).share_id)
        _, instances, _ = await _facts(work, conn)
        making = {one["id"] for one in instances if one["status"] == "creating"}
        for one in work.state["answer"]:
            if one["id"] in making and (values := said(one)):
                await snapshot_instances.change(conn, one["id"], values, ("creating",))


async def not_taken(work: Work, error: Exception) -> None:
    """It is in error on every replica."""
    await _set(work, ("creating",), "error")


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there is removed, a forced removal goes on without the back ends."""
    gone = work.job(ReplicatedSnapshotDelete).force
    async with work.core.db.read() as conn:
        every, instances, server = await _facts(work, conn)
    if not instances or not (gone or any(one["status"] in GOING for one in instances)):
        raise Finished
    try:
        answer = await work.driver.delete_replicated_snapshot(every, instances, share_server=server)
    except StorageResourceNotFound:
        gone = True
    except Exception:
        if not gone:
            raise
    work.state["answer"] = [{"id": one["id"], "status": "deleted"} for one in instances] if gone else list(answer or [])


async def forget(work: Work) -> None:
    """Remove the rows of what is gone, and give the quota back with the last one."""
    async with work.write() as conn:
        await lock(conn, work.job(ReplicatedSnapshotJob).share_id)
        for one in work.state["answer"]:
            if one["status"] == "deleted":
                await forget_snapshot(conn, one["id"])
            elif values := said(one):
                await snapshot_instances.change(conn, one["id"], values, GOING)


async def not_removed(work: Work, error: Exception) -> None:
    """The removal ends in error on every replica; it may be asked for again."""
    await _set(work, GOING, "error_deleting")


async def _set(work: Work, statuses: tuple[str, ...], status: str) -> None:
    async with work.write() as conn:
        _, instances, _ = await _facts(work, conn)
        for one in instances:
            await snapshot_instances.change(conn, one["id"], {"status": status}, statuses)


OPERATIONS = (
    Operation(ReplicatedSnapshotCreate, (Step("take", take), Step("record", record)), not_taken),
    Operation(ReplicatedSnapshotDelete, (Step("remove", remove), Step("forget", forget)), not_removed),
)
