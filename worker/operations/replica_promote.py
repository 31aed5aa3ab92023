"""Make a replica the active one; the one that was active follows it."""

from __future__ import annotations

from collections.abc import Sequence

from db import export_locations, snapshot_instances
from db import share_replicas as table
from db.connection import Conn
from generated.errors import ReplicationException
from generated.messages import Action, Detail
from generated.runtime import Row
from services.work import ReplicaPromote
from worker.operation import Finished, Operation, Step, Work
from worker.replicas import Replicas, lock, of_task, rules_of, set_rules_status, tell

CHANGING = ("replication_change",)


class NoActive(Exception):
    """There is no replica to take over from."""


async def _replicas(work: Work) -> Replicas:
    found = await of_task(work)
    if found.replica["status"] not in CHANGING:
        raise Finished
    return found


async def promote(work: Work) -> None:
    """Let the driver do it."""
    found = await _replicas(work)
    if found.active is None:
        error = ReplicationException(reason=f"share {found.replica['share_id']} has no active replica")
        raise NoActive(error.msg)
    work.state["replicas"] = found
    rules = await rules_of(work, found.replica["id"])
    answer = await work.driver.promote_replica(
        found.every, found.replica, rules, share_server=found.server,
        quiesce_wait_time=work.job(ReplicaPromote).quiesce_wait_time,
    )  # fmt: skip
    work.state["answer"] = list(answer or [])


async def record(work: Work) -> None:
    """Write the new states, the promoted replica last; its unfinished snapshots won't be finished."""
    found: Replicas = work.state["replicas"]
    async with work.write() as conn:
        await lock(conn, work.job(ReplicaPromote).share_id)
        now = await table.get(conn, found.replica["id"], None)
        if now is None or now["status"] not in CHANGING:
            raise Finished
        for snapshot_instance in await table.snapshots_of(conn, found.replica["id"], ("creating", "deleting")):
            await snapshot_instances.change(conn, snapshot_instance, {"status": "error"}, ("creating", "deleting"))
        for one in _updates(found, work.state["answer"]):
            await _write(conn, found, one)


def _updates(found: Replicas, answer: Sequence[Row]) -> list[Row]:
    """What the driver said of each replica, or what a silent one means; that of the promoted one comes last."""
    promoted = found.replica["id"]
    if not answer:
        old = [] if found.active is None else [{"id": found.active["id"], "replica_state": "out_of_sync"}]
        return [*old, {"id": promoted, "replica_state": "active"}]
    return sorted(answer, key=lambda one: one["id"] == promoted)


async def _write(conn: Conn, found: Replicas, update: Row) -> None:
    if isinstance(update.get("export_locations"), list):
        await export_locations.write(conn, update["id"], [dict(one) for one in update["export_locations"]])
    values: Row = {}
    if update["id"] == found.replica["id"]:
        values = {"cast_rules_to_readonly": False, "status": "available"}
    elif found.active is not None and update["id"] == found.active["id"]:
        values = {"cast_rules_to_readonly": found.replica["replication_type"] == "readable"}
    if update.get("replica_state") == "error":
        values["status"] = "error"
    if update.get("replica_state") is not None:
        values["replica_state"] = update["replica_state"]
    known = next((one["status"] for one in found.every if one["id"] == update["id"]), None)
    if values and known is not None:
        await table.change(conn, update["id"], values, (known,))
    if update.get("access_rules_status"):
        await set_rules_status(conn, update["id"], update["access_rules_status"])


async def failed(work: Work, error: Exception) -> None:
    """Without an active replica nothing has happened; after a failure of the driver no replica can be trusted."""
    async with work.write() as conn:
        await lock(conn, work.job(ReplicaPromote).share_id)
        replica = await table.get(conn, work.job(ReplicaPromote).instance_id, None)
        if replica is None or replica["status"] not in CHANGING:
            return
        if isinstance(error, NoActive):
            await table.change(conn, replica["id"], {"status": "available"}, CHANGING)
            await tell(work, conn, Action.PROMOTE, replica, detail=Detail.NO_ACTIVE_REPLICA)
            return
        for one in await table.list_all(conn, None, replica["share_id"]):
            await table.change(conn, one["id"], {"status": "error"}, (one["status"],))
            await tell(work, conn, Action.PROMOTE, one, error=error)


OPERATION = Operation(ReplicaPromote, (Step("promote", promote), Step("record", record)), failed)
