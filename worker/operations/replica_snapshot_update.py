"""Ask a back end how a snapshot is on a replica."""

from __future__ import annotations

from db import driver_rows, snapshot_instances
from generated.errors import SnapshotResourceNotFound
from generated.runtime import Row
from services.snapshot_removal import forget_snapshot
from services.work import ReplicaSnapshotUpdate
from worker.operation import Finished, Operation, Step, Work
from worker.replicas import lock

CHANGING = ("creating", "deleting")
KEPT = ("status", "progress", "provider_location")
"""What a driver may say of a snapshot instance."""


async def ask(work: Work) -> None:
    """Let the driver look."""
    snapshot = await _snapshot(work)
    async with work.core.db.read() as conn:
        every = await driver_rows.replicas(conn, work.job(ReplicaSnapshotUpdate).share_id)
        instances = await driver_rows.replica_snapshots(conn, snapshot_id=snapshot["snapshot_id"])
    replica = next((one for one in every if one["id"] == snapshot["share_instance_id"]), None)
    if replica is None:
        work.state["gone"] = True
        return
    try:
        answer = await work.driver.update_replicated_snapshot(
            every, replica, instances, snapshot, share_server=replica["share_server"]
        )
    except SnapshotResourceNotFound:
        if snapshot["status"] != "deleting":
            raise
        work.state["gone"] = True
        return
    work.state["answer"] = dict(answer or {})


async def _snapshot(work: Work) -> Row:
    """The snapshot instance. Ends the operation when nothing is done to it any more."""
    async with work.core.db.read() as conn:
        snapshot = await driver_rows.snapshot(conn, work.job(ReplicaSnapshotUpdate).snapshot_instance_id)
    if snapshot is None or snapshot["status"] not in CHANGING:
        raise Finished
    return snapshot


async def record(work: Work) -> None:
    """Write what it said, or forget the snapshot on this replica."""
    job = work.job(ReplicaSnapshotUpdate)
    instance_id = job.snapshot_instance_id
    async with work.write() as conn:
        await lock(conn, job.share_id)
        if work.state.get("gone"):
            await forget_snapshot(conn, instance_id)
            return
        values = said(work.state["answer"])
        if values:
            await snapshot_instances.change(conn, instance_id, values, CHANGING)


def said(answer: Row) -> Row:
    """The columns of a snapshot instance in a driver's answer."""
    values = {name: answer[name] for name in KEPT if name in answer}
    return {**values, "progress": "100%"} if values.get("status") == "available" else values


async def failed(work: Work, error: Exception) -> None:
    """The snapshot is in error on this replica."""
    async with work.write() as conn:
        snapshot = await driver_rows.snapshot(conn, work.job(ReplicaSnapshotUpdate).snapshot_instance_id)
        if snapshot is not None and snapshot["status"] in CHANGING:
            await snapshot_instances.change(conn, snapshot["id"], {"status": "error"}, CHANGING)


OPERATION = Operation(ReplicaSnapshotUpdate, (Step("ask", ask), Step("record", record)), failed)
