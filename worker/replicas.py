"""What the operations on replicas share: the rows that drivers are given, and who is told what."""

from __future__ import annotations

from dataclasses import dataclass

from db import access, driver_rows, snapshots
from db import share_replicas as table
from db.connection import Conn
from generated.messages import Action, Detail, Resource
from generated.runtime import Row
from services.work import ShareJob
from worker.operation import Finished, Work

STATES = ("in_sync", "out_of_sync", "error")
"""What a back end may call a replica that is not the active one."""
ERROR = {"status": "error", "replica_state": "error"}


@dataclass(slots=True)
class Replicas:
    """The replicas of a share, the one that a task is about, and the active one if there is one."""

    every: list[Row]
    replica: Row
    active: Row | None

    @property
    def server(self) -> Row | None:
        """The share server of the task's replica."""
        found: Row | None = self.replica["share_server"]
        return found


async def of_task(work: Work) -> Replicas:
    """The replicas of the task's share. Raises Finished when the task's replica is gone."""
    job = work.job(ShareJob)
    async with work.core.db.read() as conn:
        every = await driver_rows.replicas(conn, job.share_id)
    replica = next((one for one in every if one["id"] == job.instance_id), None)
    if replica is None:
        raise Finished
    return Replicas(every, replica, next((one for one in every if one["replica_state"] == "active"), None))


async def rules_of(work: Work, replica_id: str) -> list[Row]:
    """The access rules of a replica as drivers know them."""
    async with work.core.db.read() as conn:
        return (await driver_rows.rules(conn, [replica_id]))[replica_id]


async def snapshot_pairs(work: Work, share_id: str, active_id: str, replica_id: str) -> list[Row]:
    """For each available snapshot its instance on the active replica and that on another one."""
    found = []
    async with work.core.db.read() as conn:
        for snapshot in await snapshots.find(conn, {"share_id": share_id}, descending=False):
            if snapshot["status"] != "available":
                continue
            instances = await driver_rows.replica_snapshots(conn, snapshot_id=snapshot["id"])
            by_replica = {one["share_instance_id"]: one for one in instances}
            if active_id in by_replica and replica_id in by_replica:
                found.append(
                    {"active_replica_snapshot": by_replica[active_id], "share_replica_snapshot": by_replica[replica_id]}
                )
    return found


async def tell(
    work: Work,
    conn: Conn,
    action: Action,
    replica: Row,
    *,
    error: Exception | None = None,
    detail: Detail | None = None,
) -> None:
    """A user message about a replica, to its share's owner."""
    await work.tell(
        conn, action, replica["project_id"], replica["id"], resource_type=Resource.SHARE_REPLICA, error=error,
        detail=detail,
    )  # fmt: skip


async def lock(conn: Conn, share_id: str) -> None:
    """Take the place in line that requests take too."""
    await access.lock_share(conn, share_id)


async def set_rules_status(conn: Conn, replica_id: str, status: str) -> None:
    """The state of all the rules of a replica together."""
    await table.change(conn, replica_id, {"access_rules_status": status})
