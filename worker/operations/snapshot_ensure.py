"""Make a snapshot be there again, shown to the clients of its rules; one whose data is gone is in error."""

from __future__ import annotations

import structlog

from db import driver_rows, snapshot_access, snapshot_instances
from drivers.base import Unfinished
from generated.errors import SnapshotResourceNotFound
from generated.messages import Action, Resource
from services.work import SnapshotEnsure
from worker.operation import Operation, Step, Work

LOG = structlog.get_logger("share")


async def ensure(work: Work) -> None:
    """Let the driver make what is missing; a snapshot that is not available any more is left alone."""
    instance_id = work.job(SnapshotEnsure).snapshot_instance_id
    async with work.core.db.read() as conn:
        snapshot = await driver_rows.snapshot(conn, instance_id)
        rules = await snapshot_access.rules(conn, instance_id)
        share = None if snapshot is None else snapshot["share"]
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    if snapshot is None or share is None or snapshot["status"] != "available":
        return
    active = [rule for rule in rules if rule["state"] == "active"]
    try:
        await work.driver.ensure_snapshot(snapshot, active, share_server=server)
    except Unfinished as error:
        LOG.info("a snapshot is not shown by now; the next comparison finds it again", why=str(error))
    except SnapshotResourceNotFound:
        LOG.error("the data of a snapshot is gone", snapshot=snapshot["snapshot_id"])
        await _lost(work, snapshot["project_id"])


async def _lost(work: Work, project_id: str | None) -> None:
    job = work.job(SnapshotEnsure)
    async with work.write() as conn:
        if await snapshot_instances.change(conn, job.snapshot_instance_id, {"status": "error"}, ["available"]):
            await work.tell(conn, Action.UPDATE, project_id, job.snapshot_id, resource_type=Resource.SHARE_SNAPSHOT)


async def failed(work: Work, error: Exception) -> None:
    """The snapshot stays as it is; the next comparison finds it again."""
    LOG.error("the snapshot was not put right", snapshot=work.job(SnapshotEnsure).snapshot_id, error=repr(error))


OPERATION = Operation(SnapshotEnsure, (Step("ensure", ensure),), failed)
