"""Remove a snapshot.

What a back end refuses is tried again by itself: a task of its own, so that the share is not kept waiting for it.
"""

from __future__ import annotations

import dataclasses

import structlog

from db import driver_rows, manage, quotas, snapshot_access, snapshot_instances
from db.connection import Conn
from db.snapshots import DEFERRED
from generated.errors import ShareSnapshotIsBusy, StorageResourceNotFound
from generated.messages import Action, Resource
from generated.runtime import Row
from services.work import SnapshotDelete, enqueue
from worker.operation import INFRASTRUCTURE, Finished, Operation, Retry, Step, Work
from worker.operations.snapshot_create import waiting

LOG = structlog.get_logger("worker")
TRIES = 8
FIRST_PAUSE = 2.0
"""Seconds before the second try; each further pause is twice as long."""
COPIED_PAUSE = 1.0
"""Seconds between looks whether a share that is made of the snapshot is there."""
_GOING = ("deleting", "error_deleting", "deferred_deleting", "error_deferred_deleting")


async def close(work: Work) -> None:
    """Take all clients off it; a back end that fails in that does not keep the snapshot alive."""
    work.state["snapshot"] = snapshot = await waiting(work, *_GOING)
    async with work.core.db.read() as conn:
        if not work.job(SnapshotDelete).force and await snapshot_instances.copied(conn, snapshot["snapshot_id"]):
            raise Retry("a share is being made of the snapshot", COPIED_PAUSE)
        rules = await snapshot_access.rules(conn, snapshot["id"])
        share = snapshot["share"]
        work.state["server"] = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    if not rules:
        return
    try:
        await work.driver.snapshot_update_access(snapshot, [], [], rules, share_server=work.state["server"])
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        LOG.warning("rules of a snapshot could not be removed", snapshot=snapshot["snapshot_id"], error=repr(error))
    async with work.write() as conn:
        await snapshot_access.forget(conn, snapshot["id"])


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there, or whose share is not there, is removed."""
    snapshot = work.state["snapshot"]
    try:
        await work.driver.delete_snapshot(snapshot, share_server=work.state["server"])
    except StorageResourceNotFound:
        return
    except INFRASTRUCTURE:
        raise
    except ShareSnapshotIsBusy as error:
        if snapshot["status"] in DEFERRED:  # its owner does not see it any more
            await _refused(work, snapshot, error)
            return
        async with work.write() as conn:
            await snapshot_instances.change(conn, snapshot["id"], {"status": "available"}, _GOING)
        raise Finished from None
    except Exception as error:
        LOG.warning("the driver refused to remove a snapshot", snapshot=snapshot["snapshot_id"], error=repr(error))
        await _refused(work, snapshot, error)


async def forget(work: Work) -> None:
    """Remove the rows and give the quota back."""
    snapshot = work.state["snapshot"]
    async with work.write() as conn:
        counted = await manage.snapshot_counts(conn, snapshot["id"])
        gone = await snapshot_instances.remove(conn, snapshot["id"])
        if gone is not None and counted and snapshot["status"] not in DEFERRED:
            await _give_back(conn, gone)


async def _give_back(conn: Conn, snapshot: Row) -> None:
    deltas = {"snapshots": -1, "snapshot_gigabytes": -snapshot["size"]}
    share_type_id = await snapshot_instances.share_type_of(conn, snapshot["share_id"])
    await quotas.reserve(conn, snapshot["project_id"], snapshot["user_id"], deltas, None, share_type_id)


async def _refused(work: Work, snapshot: Row, error: Exception) -> None:
    """Tell the owner once, and try again later; an administrator's forced removal goes on without the back end.

    Raises:
        Finished: this run has nothing left to do.
    """
    job = work.job(SnapshotDelete)
    job = dataclasses.replace(job, tried=job.tried + 1)
    async with work.write() as conn:
        if job.tried == 1:
            owner, kind = snapshot["project_id"], Resource.SHARE_SNAPSHOT
            await work.tell(conn, Action.DELETE, owner, snapshot["id"], resource_type=kind, error=error)
        if job.force:
            return
        await snapshot_instances.change(conn, snapshot["id"], {"status": _failed(snapshot["status"])}, _GOING)
        if job.tried < TRIES:
            pause = FIRST_PAUSE * 2 ** (job.tried - 1)
            await enqueue(conn, job, work.task["queue"], request_id=work.task["request_id"], delay=pause)
    raise Finished


async def failed(work: Work, error: Exception) -> None:
    """The removal ends in error."""
    instance_id = work.job(SnapshotDelete).snapshot_instance_id
    async with work.write() as conn:
        for status in _GOING:
            await snapshot_instances.change(conn, instance_id, {"status": _failed(status)}, (status,))


def _failed(status: str) -> str:
    return "error_deferred_deleting" if status in DEFERRED else "error_deleting"


OPERATION = Operation(SnapshotDelete, (Step("close", close), Step("remove", remove), Step("forget", forget)), failed)
