"""Administrators' actions on share group snapshots."""

from __future__ import annotations

from db import share_group_snapshots
from db.connection import Conn
from generated.enums import ShareAdminReset
from generated.runtime import Fault, Row
from handlers.call import Call, Reply
from services.reset import wanted_status
from services.share_groups import forget_snapshot


async def reset_status(call: Call) -> Reply:
    """Set the status without touching the back end."""
    status = wanted_status(call.action_args, tuple(ShareAdminReset))
    async with call.core.db.write() as conn:
        snapshot = await _found(call, conn)
        if not call.ctx.allows("share_group_snapshot:reset_status", snapshot):
            raise Fault(403)
        await share_group_snapshots.change(conn, snapshot["id"], {"status": status})
    return Reply()


async def force_delete(call: Call) -> Reply:
    """Remove a group snapshot's rows, whatever its status is, without touching the back end."""
    async with call.core.db.write() as conn:
        snapshot = await _found(call, conn)
        call.ctx.enforce("share_group_snapshot:force_delete", snapshot)
        await forget_snapshot(conn, snapshot["id"])
    return Reply()


async def _found(call: Call, conn: Conn) -> Row:
    snapshot = await share_group_snapshots.get(conn, call.path["id"], call.ctx.scope, lock=True)
    if snapshot is None:
        raise Fault(404)
    return snapshot
