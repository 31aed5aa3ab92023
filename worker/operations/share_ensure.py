"""Export a share instance again, as it should be: after its back end has started, or when an administrator asks."""

from __future__ import annotations

import structlog

from db import driver_rows, ensure, shares
from services.work import ShareEnsure
from worker.operation import Finished, Operation, Step, Work
from worker.operations.access_update import apply

LOG = structlog.get_logger("share")
MOUNTED = (
    "available", "extending", "shrinking", "reverting", "reverting_to_snapshot", "replication_change",
    "backup_creating", "backup_restoring",
)  # fmt: skip
"""Statuses of share instances that a client may have mounted."""


async def export(work: Work) -> None:
    """Hand the driver the share with the rules it should have."""
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.job(ShareEnsure).instance_id)
        if share is None or share["status"] not in MOUNTED:
            raise Finished
        rules = (await driver_rows.rules(conn, [share["id"]]))[share["id"]]
        server = await driver_rows.server(conn, share["share_server_id"])
    rules = [rule for rule in rules if rule["state"] != "error"]
    try:
        updates = await work.driver.ensure_shares([{**share, "access_rules": rules, "share_server": server}])
    except NotImplementedError:
        raise Finished from None
    found = updates.get(share["id"]) or {}
    if found.get("reapply_access_rules"):
        await apply(work, share, server, rules)
    work.state |= {"share": share, "found": found}


async def record(work: Work) -> None:
    """Write what the driver found; export locations that stay keep their ids."""
    share, found = work.state["share"], work.state["found"]
    async with work.write() as conn:
        if "export_locations" in found:
            wanted = [dict(location) for location in found["export_locations"]]
            await ensure.write_export_locations(conn, share["id"], share["export_locations"], wanted)
        if (status := found.get("status")) and status != share["status"]:
            LOG.error("share found in another state", share_instance=share["id"], status=status)
            await shares.set_status(conn, share["id"], status, (share["status"],))


async def failed(work: Work, error: Exception) -> None:
    """The share stays as it is: what could not be exported now is tried again at the next start."""
    LOG.error("the share was not exported again", share_instance=work.job(ShareEnsure).instance_id, error=repr(error))


OPERATION = Operation(ShareEnsure, (Step("export", export), Step("record", record)), failed)
