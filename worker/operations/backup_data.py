"""Backups by the data service: it mounts the share and the backup export, and copies."""

from __future__ import annotations

import asyncio
import os
import pathlib

import structlog

from db import driver_rows, share_backups, shares, write
from generated.errors import ShareBackupNotFound
from generated.runtime import Row
from services.work import DataBackupCreate, DataBackupDelete, DataBackupRestore, DataJob
from worker.data import access, places
from worker.data.copying import Copy
from worker.data.mounts import Place, mounts_of
from worker.data.progress import Progress
from worker.data.trails import descriptor, remove
from worker.data.transfer import transfer, verify_of
from worker.operation import Finished, Operation, Step, Work
from worker.operations.backup_driver import LONGEST_REASON, forget, not_removed

LOG = structlog.get_logger("data")
_STATUS = {
    DataBackupCreate.KIND: ("creating", "backup_creating", "progress"),
    DataBackupRestore.KIND: ("restoring", "backup_restoring", "restore_progress"),
}
"""Statuses of the backup and of the share while an operation runs, and where the backup shows how far it is."""


async def _subject(work: Work) -> tuple[Row, Row]:
    """The backup and its share instance.

    Raises:
        Finished: one is gone, or somebody gave it another status than the operation's.
    """
    if "backup" not in work.state:
        job = work.job(DataJob)
        status, share_status, _ = _STATUS[work.task["kind"]]
        async with work.core.db.read() as conn:
            backup = await share_backups.get(conn, job.backup_id)
            share = None if job.instance_id is None else await driver_rows.share(conn, job.instance_id)
        if backup is None or share is None or (backup["status"], share["status"]) != (status, share_status):
            raise Finished
        work.state |= {"backup": backup, "share": share}
    return work.state["backup"], work.state["share"]


def _places(work: Work) -> tuple[Place, Place]:
    """Where the share is mounted, and where the backup export."""
    settings, backup = work.core.settings, work.state["backup"]
    return places.of_share(settings, work.state["share"]), places.of_backup(settings, backup["id"])


async def _task_state(work: Work, state: str | None) -> None:
    async with work.write() as conn:
        await shares.set_share(conn, work.job(DataJob).share_id, task_state=state)


async def admit(work: Work) -> None:
    """Let the data service into the share."""
    try:
        _, share = await _subject(work)
    except Finished:
        await access.dismiss(work)
        raise
    if work.job(DataJob).copied:
        return
    if not work.job(DataJob).rules:
        async with work.write() as conn:
            host = {"host": work.core.settings.default.host}
            await share_backups.change(conn, work.job(DataJob).backup_id, host, [_STATUS[work.task["kind"]][0]])
            await shares.set_share(conn, share["share_id"], task_state="data_copying_starting")
    await access.admit(work, share, writes=work.task["kind"] == DataBackupRestore.KIND)


async def undo_admit(work: Work) -> None:
    """Order that it is let out again."""
    await access.dismiss(work)


async def mount(work: Work) -> None:
    """Mount both."""
    await _subject(work)
    if work.job(DataJob).copied:
        return
    mounts, (share, export) = mounts_of(work.core.settings), _places(work)
    await mounts.mount(share)
    try:
        await mounts.mount(export)
    except Exception:
        await mounts.unmount(share)
        raise


async def unmount(work: Work) -> None:
    """Unmount both; what cannot be unmounted does not make the copy a bad one."""
    await _subject(work)
    for place in _places(work):
        try:
            await mounts_of(work.core.settings).unmount(place)
        except Exception as error:
            LOG.warning("cannot unmount", path=str(place.path), error=repr(error))


async def copy(work: Work) -> None:
    """Copy everything, and show on the way how far it is."""
    backup, share = await _subject(work)
    if work.job(DataJob).copied:
        return
    place, export = _places(work)
    for one in (place, export):
        await mounts_of(work.core.settings).check(one)
    saved = places.folder_of(backup["id"], export)
    if work.task["kind"] == DataBackupRestore.KIND:
        source, target = await asyncio.to_thread(_kept, saved), place.path
        if source is None:
            raise ShareBackupNotFound(backup_id=backup["id"])
    else:
        source, target = place.path, await asyncio.to_thread(_empty, saved)
    await _task_state(work, "data_copying_in_progress")
    ignore, verify = work.core.settings.default.backup_ignore_files, verify_of(work.core.settings)
    # in the folder of a backup without a root of its own are the files, but not the root's owner and mode
    job = Copy(str(source), str(target), ignore, verify, backup["id"], with_root=source != saved)

    async def report(progress: Progress) -> bool:
        status, _, column = _STATUS[work.task["kind"]]
        async with work.write() as conn:
            shown = {column: str(min(progress.percent, 99))}
            return await share_backups.change(conn, backup["id"], shown, [status])

    await transfer(job, report)
    async with work.write() as conn:
        await work.remember(conn, copied=True)
        await shares.set_share(conn, share["share_id"], task_state="data_copying_completing")


def _kept(folder: pathlib.Path) -> pathlib.Path | None:
    """Where a backup's files are; None when there is no backup."""
    return places.tree_of(folder) if folder.is_dir() else None


def _empty(folder: pathlib.Path) -> pathlib.Path:
    """Make an empty folder for a backup's files, whatever an earlier run has left of it."""
    _erase(folder)
    folder.mkdir(mode=0o700)
    inner = folder / folder.name
    inner.mkdir(mode=0o700)
    return inner


def _erase(folder: pathlib.Path) -> None:
    with descriptor(str(folder.parent), os.O_RDONLY | os.O_DIRECTORY) as export:
        remove(export, folder.name)


async def leave(work: Work) -> None:
    """Take the data service's rules off the share."""
    await _subject(work)
    await access.leave(work)


async def record(work: Work) -> None:
    """Show backup and share as available."""
    backup, share = await _subject(work)
    status, share_status, column = _STATUS[work.task["kind"]]
    async with work.write() as conn:
        await share_backups.change(conn, backup["id"], {"status": "available", column: "100"}, [status])
        await write.hold_share(conn, share["id"])
        await shares.set_status(conn, share["id"], "available", [share_status])
        await shares.set_share(conn, share["share_id"], task_state=None)


async def not_created(work: Work, error: Exception) -> None:
    """The share is as before; ``data_backup_continue`` finds that nobody works on the backup, and ends it in error."""
    job = work.job(DataJob)
    await access.dismiss(work)
    async with work.write() as conn:
        await share_backups.change(conn, job.backup_id, {"fail_reason": str(error)[:LONGEST_REASON]}, ["creating"])
        if job.instance_id:
            await write.hold_share(conn, job.instance_id)
        if job.instance_id and await shares.set_status(conn, job.instance_id, "available", ["backup_creating"]):
            await shares.set_share(conn, job.share_id, task_state="data_copying_error")


async def not_restored(work: Work, error: Exception) -> None:
    """The share's contents are unknown; the backup is as before."""
    job = work.job(DataJob)
    await access.dismiss(work)
    async with work.write() as conn:
        await share_backups.change(conn, job.backup_id, {"status": "available"}, ["restoring"])
        error_status = "backup_restoring_error"
        if job.instance_id:
            await write.hold_share(conn, job.instance_id)
        if job.instance_id and await shares.set_status(conn, job.instance_id, error_status, ["backup_restoring"]):
            await shares.set_share(conn, job.share_id, task_state="data_copying_error")


# ---- removal


async def _export(work: Work) -> Place:
    job = work.job(DataJob)
    async with work.core.db.read() as conn:
        backup = await share_backups.get(conn, job.backup_id)
    if backup is None or backup["status"] != "deleting":
        raise Finished
    return places.of_backup(work.core.settings, job.backup_id)


async def mount_export(work: Work) -> None:
    """Mount the backup export."""
    await mounts_of(work.core.settings).mount(await _export(work))


async def erase(work: Work) -> None:
    """Remove the backup's files; there are none when it failed early."""
    export = await _export(work)
    await mounts_of(work.core.settings).check(export)
    folder = places.folder_of(work.job(DataJob).backup_id, export)
    await asyncio.to_thread(_erase, folder)


async def unmount_export(work: Work) -> None:
    """Unmount the export."""
    try:
        await mounts_of(work.core.settings).unmount(await _export(work))
    except Finished:
        raise
    except Exception as error:
        LOG.warning("cannot unmount", backup=work.job(DataJob).backup_id, error=repr(error))


_COPY = (
    Step("admit", admit, undo_admit),
    Step("mount", mount, unmount),
    Step("copy", copy),
    Step("unmount", unmount),
    Step("leave", leave),
    Step("record", record),
)
_REMOVAL = (
    Step("mount", mount_export, unmount_export),
    Step("erase", erase),
    Step("unmount", unmount_export),
    Step("forget", forget),
)
OPERATIONS = (
    Operation(DataBackupCreate, _COPY, not_created),
    Operation(DataBackupRestore, _COPY, not_restored),
    Operation(DataBackupDelete, _REMOVAL, not_removed),
)
