"""Backups that a share's back end makes by itself: it is told to start, and asked from time to time how far it is.

The asking is done by the periodic tasks of ``worker.tasks.backups``.
"""

from __future__ import annotations

import contextlib

from db import driver_rows, quotas, share_backups, shares
from generated.errors import BackupException, StorageResourceNotFound
from generated.messages import Action, Detail
from generated.runtime import Row
from services.work import BackupCreate, BackupDelete, BackupJob, BackupRestore
from worker.operation import Finished, Operation, Step, Work

LONGEST_REASON = 1023


async def _subject(work: Work, status: str) -> tuple[Row, Row | None, Row | None]:
    """The backup with the name that drivers give it, its share instance and share server.

    Raises:
        Finished: the backup is gone, or somebody gave it another status.
    """
    job = work.job(BackupJob)
    async with work.core.db.read() as conn:
        backup = await share_backups.get(conn, job.backup_id)
        if backup is None or backup["status"] != status:
            raise Finished
        share, server = await driver_rows.share_on_server(conn, job.instance_id)
    name = work.core.settings.default.share_backup_name_template % backup["id"]
    return {**backup, "name": name}, share, server


async def start(work: Work) -> None:
    """Let the driver start."""
    backup, share, server = await _subject(work, "creating")
    if share is None:
        raise Finished
    backup["backup_options"] = work.job(BackupCreate).options
    await work.driver.create_backup(share, backup, share_server=server)
    async with work.write() as conn:  # its time of change says that the back end has begun
        await share_backups.change(conn, backup["id"], {"status": "creating"}, ["creating"])


async def not_created(work: Work, error: Exception) -> None:
    """The share is as before, the backup is in error."""
    job = work.job(BackupJob)
    async with work.write() as conn:
        reason = str(error)[:LONGEST_REASON]
        await share_backups.change(conn, job.backup_id, {"status": "error", "fail_reason": reason}, ["creating"])
        if job.instance_id is not None:
            await shares.set_status(conn, job.instance_id, "available", ["backup_creating"])


async def restore(work: Work) -> None:
    """Let the driver start to overwrite the share."""
    backup, share, server = await _subject(work, "restoring")
    if share is None:
        raise Finished
    if share["share_id"] != backup["share_id"] and not work.driver.restore_to_target_support:
        async with work.write() as conn:
            await work.tell(
                conn, Action.RESTORE_BACKUP, share["project_id"], share["share_id"],
                detail=Detail.TARGETED_RESTORE_UNSUPPORTED,
            )  # fmt: skip
        raise BackupException(reason="the share driver does not restore to another share than the backup's own")
    await work.driver.restore_backup(backup, share, share_server=server)


async def not_restored(work: Work, error: Exception) -> None:
    """The share's contents are unknown; the backup is in error, as with the original."""
    job = work.job(BackupJob)
    async with work.write() as conn:
        await share_backups.change(conn, job.backup_id, {"status": "error"}, ["restoring"])
        if job.instance_id is not None:
            await shares.set_status(conn, job.instance_id, "backup_restoring_error", ["backup_restoring"])


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there is removed."""
    backup, share, server = await _subject(work, "deleting")
    with contextlib.suppress(StorageResourceNotFound):
        await work.driver.delete_backup(backup, share or {}, share_server=server)


async def forget(work: Work) -> None:
    """Remove the row and give the quota back."""
    async with work.write() as conn:
        gone = await share_backups.remove(conn, work.job(BackupJob).backup_id, ["deleting"])
        if gone is not None:
            deltas = {"backups": -1, "backup_gigabytes": -gone["size"]}
            await quotas.reserve(conn, gone["project_id"], gone["user_id"], deltas)


async def not_removed(work: Work, error: Exception) -> None:
    """The removal ends in error."""
    async with work.write() as conn:
        await share_backups.change(conn, work.job(BackupJob).backup_id, {"status": "error_deleting"}, ["deleting"])


OPERATIONS = (
    Operation(BackupCreate, (Step("start", start),), not_created),
    Operation(BackupRestore, (Step("start", restore),), not_restored),
    Operation(BackupDelete, (Step("remove", remove), Step("forget", forget)), not_removed),
)
