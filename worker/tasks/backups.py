"""How far backups and restores are: back ends are asked, and what nobody works on any more is ended."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from db import driver_rows, share_backups, shares
from generated.runtime import Row
from generated.settings import Settings
from services.work import DATA
from worker.operation import INFRASTRUCTURE
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("share")
DONE = "100"


async def backup_continue(now: Now) -> None:
    """Ask a back end about the backups that it makes. One that fails does not stop the others."""
    for backup in await _of_backend(now, "creating"):
        async with now.core.db.read() as conn:
            instance_id = await share_backups.instance_of(conn, backup["share_id"])
        try:
            await _ask(now, backup, instance_id)
        except INFRASTRUCTURE as error:
            LOG.warning("a backup's progress is not known now", backup=backup["id"], error=repr(error))
        except Exception as error:
            LOG.error("a backup failed", backup=backup["id"], error=repr(error))
            await _ended(now, backup, instance_id, {"status": "error", "progress": "0"}, "available")


async def _ask(now: Now, backup: Row, instance_id: str | None) -> None:
    """Ask about one backup that is made or restored, and write how far it is."""
    assert now.backend is not None
    async with now.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, instance_id)
    if share is None:
        raise LookupError("the share of the backup is gone")
    driver = now.backend.driver
    if backup["status"] == "creating":
        column, found = "progress", await driver.create_backup_continue(share, backup, share_server=server)
    else:
        column = "restore_progress"
        found = await driver.restore_backup_continue(backup, share, share_server=server)
    progress = str((found or {}).get("total_progress", "0"))
    if progress == DONE:
        await _ended(now, backup, instance_id, {"status": "available", column: DONE}, "available")
        return
    async with now.core.db.write() as conn:
        await share_backups.change(conn, backup["id"], {column: progress}, [backup["status"]])


async def restore_continue(now: Now) -> None:
    """Ask a back end about the shares that it overwrites with backups. One that fails does not stop the others."""
    for backup in await _of_backend(now, "restoring"):
        async with now.core.db.read() as conn:
            targets = await share_backups.restoring_into(conn, backup["id"])
        for target in targets:
            try:
                await _ask(now, backup, target["id"])
            except INFRASTRUCTURE as error:
                LOG.warning("a restore's progress is not known now", backup=backup["id"], error=repr(error))
            except Exception as error:
                LOG.error("a restore failed", backup=backup["id"], share=target["share_id"], error=repr(error))
                found = {"status": "available", "restore_progress": "0"}
                await _ended(now, backup, target["id"], found, "backup_restoring_error")


async def data_backup_continue(now: Now) -> None:
    """End in error the backups of the data service that it gave up."""
    for backup in await _given_up(now, "creating"):
        async with now.core.db.read() as conn:
            instance_id = await share_backups.instance_of(conn, backup["share_id"])
        await _ended(now, backup, instance_id, {"status": "error", "progress": "0"}, "available")


async def data_restore_continue(now: Now) -> None:
    """End the restores of the data service that it gave up; the shares' contents are unknown."""
    for backup in await _given_up(now, "restoring"):
        async with now.core.db.read() as conn:
            targets = await share_backups.restoring_into(conn, backup["id"])
        for target in targets:
            found = {"status": "available", "restore_progress": "0"}
            await _ended(now, backup, target["id"], found, "backup_restoring_error")


async def _of_backend(now: Now, status: str) -> list[Row]:
    """Backups that the back end was told about, with the name drivers know them by."""
    if now.backend is None:
        return []
    default, host = now.core.settings.default, now.backend.host
    async with now.core.db.read() as conn:
        found = await share_backups.waiting(conn, default.share_topic, status, host)
        untold = await share_backups.worked_on(conn, host) if found else set()
    named = [{**row, "name": default.share_backup_name_template % row["id"]} for row in found]
    return [row for row in named if row["id"] not in untold]


async def _given_up(now: Now, status: str) -> list[Row]:
    async with now.core.db.read() as conn:
        found = await share_backups.waiting(conn, now.core.settings.default.data_topic, status)
        at_work = await share_backups.worked_on(conn, DATA) if found else set()
    return [row for row in found if row["id"] not in at_work]


async def _ended(now: Now, backup: Row, instance_id: str | None, values: Row, share_status: str) -> None:
    """Give backup and share their final statuses, unless somebody gave them others meanwhile."""
    share_was = "backup_creating" if backup["status"] == "creating" else "backup_restoring"
    async with now.core.db.write() as conn:
        await share_backups.change(conn, backup["id"], values, [backup["status"]])
        if instance_id is not None:
            await shares.set_status(conn, instance_id, share_status, [share_was])


def _every(option: str) -> Callable[[Settings], float]:
    """The interval that an option of section DEFAULT says."""
    return lambda settings: float(getattr(settings.default, option))


PERIODIC = (
    Periodic("backup_continue", backup_continue, _every("driver_backup_continue_update_interval")),
    Periodic("restore_continue", restore_continue, _every("driver_restore_continue_update_interval")),
    Periodic("data_backup_continue", data_backup_continue, _every("backup_continue_update_interval"), False),
    Periodic("data_restore_continue", data_restore_continue, _every("restore_continue_update_interval"), False),
)
