"""Remove a share from its back end, then from the database.

A removal that the back end refuses is tried again with growing pauses; its owner may ask again at once.
"""

from __future__ import annotations

from db import driver_rows, instances, share_changes, shares
from generated.errors import ShareResourceNotFound
from generated.messages import Action
from generated.runtime import Row
from services.share_changes import forget
from services.shares import DEFERRED
from services.work import ShareDelete
from worker import announce, last_share
from worker.operation import INFRASTRUCTURE, Finished, Operation, Retry, Step, Work
from worker.operations.access_update import remove_all

GIVE_UP_AFTER = 12
"""Runs of one task until it waits for the owner or an administrator; about half a day."""
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 7200.0
_LEAVING = ("deleting", "deferred_deleting", "error_deleting", "error_deferred_deleting")


async def _share(work: Work) -> tuple[Row, Row | None]:
    """The instance and its server. Ends the operation when it is gone or was taken back by an administrator."""
    job = work.job(ShareDelete)
    async with work.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, job.instance_id)
    if share is None or (share["status"] not in _LEAVING and not job.force):
        raise Finished
    return share, server


async def cut(work: Work) -> None:
    """Take all access away."""
    share, server = await _share(work)
    async with work.write() as conn:
        await announce.share(work, conn, "delete.start", share["id"])
        waits = share["status"] in DEFERRED and await share_changes.has_snapshots(conn, share["id"])
        if waits:
            # its snapshots go first; the periodic task asks again
            await shares.set_status(conn, share["id"], "error_deferred_deleting", DEFERRED)
    if waits:
        raise Finished
    try:
        await remove_all(work, share, server)
    except ShareResourceNotFound:
        return
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        await _complain(work, share, Action.DELETE_ACCESS_RULES, share["id"], error)


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there is removed."""
    share, server = await _share(work)
    try:
        await work.driver.delete_share(share, share_server=server)
    except ShareResourceNotFound:
        return
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        await _complain(work, share, Action.DELETE, share["share_id"], error)


async def _complain(work: Work, share: Row, action: Action, resource_id: str, error: Exception) -> None:
    """Say what went wrong, once; then go on if the removal is forced, else try again later."""
    forced = work.job(ShareDelete).force
    async with work.write() as conn:
        status = "error_deferred_deleting" if share["status"] in DEFERRED else "error_deleting"
        first = share["status"] in ("deleting", "deferred_deleting")
        if not forced:
            await shares.set_status(conn, share["id"], status, _LEAVING)
        if first or forced:
            await work.tell(conn, action, share["project_id"], resource_id, error=error)
    if forced:
        return
    attempts = max(1, int(work.task["attempts"]) - int(work.task["failures"]))
    if attempts >= GIVE_UP_AFTER:
        raise Finished
    raise Retry(repr(error), min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (attempts - 1)))


async def forget_rows(work: Work) -> None:
    """Remove the rows and give the quota back."""
    async with work.write() as conn:
        job = work.job(ShareDelete)
        await announce.share(work, conn, "delete.end", job.instance_id)
        row = await instances.get(conn, job.instance_id)
        await forget(conn, job.instance_id, counted=job.counted)
        if row is not None:
            await last_share.left(work, conn, row["share_server_id"])


async def failed(work: Work, error: Exception) -> None:
    """What nobody foresaw."""
    instance_id = work.job(ShareDelete).instance_id
    async with work.write() as conn:
        if not await shares.set_status(conn, instance_id, "error_deferred_deleting", DEFERRED):
            await shares.set_status(conn, instance_id, "error_deleting", _LEAVING)


OPERATION = Operation(ShareDelete, (Step("cut", cut), Step("remove", remove), Step("forget", forget_rows)), failed)
