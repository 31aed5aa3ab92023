"""Actions of a share instance."""

from __future__ import annotations

from db import instances as table
from db import shares
from db.connection import Conn
from generated.enums import ShareAdminReset
from generated.runtime import Fault, Row
from handlers.call import Call, Reply
from services import share_changes
from services.reset import wanted_status, within


async def _found(call: Call, conn: Conn) -> Row:
    row = await table.get(conn, call.path["id"])
    if row is None:
        raise Fault(404)
    return row


async def reset_status(call: Call) -> Reply:
    """Set the status of an instance, whatever it is now."""
    status = wanted_status(call.action_args, tuple(ShareAdminReset))
    async with call.core.db.write() as conn:
        row = await _found(call, conn)
        call.ctx.enforce("share_instance:reset_status", row)
        within(call.ctx, row["project_id"])
        await shares.reset_status(conn, row["id"], status)
    return Reply()


async def force_delete(call: Call) -> Reply:
    """Remove an instance whatever its status is, even if the back end fails."""
    async with call.core.db.write() as conn:
        row = await _found(call, conn)
        call.ctx.enforce("share_instance:force_delete", row)
        within(call.ctx, row["project_id"])
        await share_changes.remove_instance(call.core, conn, call.ctx, row, row["share_id"], force=True)
    return Reply()


os_reset_status = reset_status
os_force_delete = force_delete
