"""Remove a replica from its back end, then from the database. What fails may be asked for again at once."""

from __future__ import annotations

from db import driver_rows
from db import share_replicas as table
from generated.errors import StorageResourceNotFound
from generated.messages import Action
from services.share_replicas import forget_replica
from services.work import ReplicaDelete
from worker.operation import INFRASTRUCTURE, Finished, Operation, Step, Work
from worker.operations.access_update import remove_all
from worker.replicas import Replicas, lock, of_task, tell

LEAVING = ("deleting", "error", "error_deleting")
"""Statuses of a replica that is removed, ``error`` since its access could not be taken away once."""


async def _replicas(work: Work) -> Replicas:
    """What drivers are told. Ends the operation when an administrator has taken the replica back."""
    found = await of_task(work)
    if found.replica["status"] not in LEAVING and not work.job(ReplicaDelete).force:
        raise Finished
    return found


async def cut(work: Work) -> None:
    """Take all access away."""
    found = await _replicas(work)
    try:
        await remove_all(work, found.replica, found.server)
    except StorageResourceNotFound:
        return
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        await _complain(work, found, Action.DELETE_ACCESS_RULES, error, {"status": "error"})


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there is removed."""
    found = await _replicas(work)
    async with work.core.db.read() as conn:
        snapshots = await driver_rows.replica_snapshots(conn, replica_id=found.replica["id"])
    try:
        await work.driver.delete_replica(found.every, snapshots, found.replica, share_server=found.server)
    except StorageResourceNotFound:
        return
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        gone = {"status": "error_deleting", "replica_state": "error"}
        await _complain(work, found, Action.DELETE, error, gone)


async def _complain(work: Work, found: Replicas, action: Action, error: Exception, values: dict[str, str]) -> None:
    """Say what went wrong; then go on if the removal is forced. Raises Finished otherwise."""
    forced = work.job(ReplicaDelete).force
    async with work.write() as conn:
        if not forced:
            await table.change(conn, found.replica["id"], values, LEAVING)
        await tell(work, conn, action, found.replica, error=error)
    if not forced:
        raise Finished


async def forget(work: Work) -> None:
    """Remove the rows and give the quota back."""
    job = work.job(ReplicaDelete)
    async with work.write() as conn:
        await lock(conn, job.share_id)
        await forget_replica(conn, job.instance_id)


async def failed(work: Work, error: Exception) -> None:
    """What nobody foresaw."""
    async with work.write() as conn:
        await table.change(conn, work.job(ReplicaDelete).instance_id, {"status": "error_deleting"}, ("deleting",))


OPERATION = Operation(ReplicaDelete, (Step("cut", cut), Step("remove", remove), Step("forget", forget)), failed)
