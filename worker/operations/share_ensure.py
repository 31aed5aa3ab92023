"""Export a share instance again, as it should be: after its back end has started, or when an administrator asks."""

from __future__ import annotations

import structlog

from db import driver_rows, ensure, metadata, shares, write
from db.connection import Conn
from generated.messages import Action
from generated.runtime import Row
from services.work import ShareEnsure
from worker.operation import INFRASTRUCTURE, Operation, Step, Work
from worker.operations.access_update import apply

LOG = structlog.get_logger("share")
MOUNTED = (
    "available", "extending", "shrinking", "reverting", "reverting_to_snapshot", "replication_change",
    "backup_creating", "backup_restoring", "ensuring", "migrating", "migrating_to", "server_migrating",
    "extending_error", "shrinking_error", "shrinking_possible_data_loss_error", "reverting_error",
    "backup_restoring_error", "unmanage_error",
)  # fmt: skip
"""Statuses of share instances that a client may have mounted: what failed on a share ended no mount."""


async def export(work: Work) -> None:
    """Hand the driver the share with the rules it should have."""
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.job(ShareEnsure).instance_id)
        if share is None or share["status"] not in MOUNTED:
            work.state["share"] = None
            return
        rules = (await driver_rows.rules(conn, [share["id"]]))[share["id"]]
        server = await driver_rows.server(conn, share["share_server_id"])
    work.state["host"] = share["host"] = await _place(work, share)
    rules = [rule for rule in rules if rule["state"] != "error"]
    found = await _ensured(work, share, rules, server)
    if found.get("reapply_access_rules"):
        await apply(work, share, server, rules)
    work.state |= {"share": share, "found": found}


async def _place(work: Work, share: Row) -> str:
    """The share's host, with the pool that the driver names if it names none."""
    host = str(share["host"])
    if "#" in host:
        return host
    try:
        pool = await work.driver.get_pool(share)
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        LOG.error("the driver does not know the share's pool", share_instance=share["id"], error=repr(error))
        return host
    return f"{host}#{pool}" if pool else host


async def _ensured(work: Work, share: Row, rules: list[Row], server: Row | None) -> Row:
    """What the driver found; one without the call for several shares is asked for this one."""
    try:
        updates = await work.driver.ensure_shares([{**share, "access_rules": rules, "share_server": server}])
        return dict(updates.get(share["id"]) or {})
    except NotImplementedError:
        pass
    try:
        places = await work.driver.ensure_share(share, share_server=server)
    except NotImplementedError:
        return {}
    return {"export_locations": places} if places else {}


async def record(work: Work) -> None:
    """Write what the driver found; export locations that stay keep their ids. A share is ``ensuring`` no longer."""
    share = work.state["share"]
    async with work.write() as conn:
        await ensure.done(conn, work.task["id"], work.on_backend.host)
        if share is not None:
            await _write(work, conn, share, work.state["found"])


async def _write(work: Work, conn: Conn, share: Row, found: Row) -> None:
    await write.hold_share(conn, share["id"])
    await shares.place(conn, share["id"], work.state["host"])
    if found.get("export_locations"):
        wanted = [dict(location) for location in found["export_locations"]]
        await ensure.write_export_locations(conn, share["id"], share["export_locations"], wanted)
    await metadata.put(conn, metadata.SHARE, share["share_id"], found.get("metadata") or {})
    status = found.get("status") or ("available" if share["status"] == "ensuring" else share["status"])
    if status == share["status"]:
        return
    if share["status"] != "ensuring" or status != "available":
        LOG.error("share found in another state", share_instance=share["id"], status=status)
    if await shares.set_status(conn, share["id"], status, (share["status"],)) and status == "error":
        await work.tell(conn, Action.UPDATE, share["project_id"], share["share_id"])


async def failed(work: Work, error: Exception) -> None:
    """The share stays as it was: what could not be exported now is tried again at the next start."""
    instance_id = work.job(ShareEnsure).instance_id
    LOG.error("the share was not exported again", share_instance=instance_id, error=repr(error))
    async with work.write() as conn:
        await ensure.done(conn, work.task["id"], work.on_backend.host)
        await shares.set_status(conn, instance_id, "available", ("ensuring",))


OPERATION = Operation(ShareEnsure, (Step("export", export), Step("record", record)), failed)
