"""Administrators' actions on share groups."""

from __future__ import annotations

from db import share_groups
from db.connection import Conn
from generated.enums import ShareAdminReset
from generated.runtime import Fault, Row
from handlers.call import Call, Reply
from services import share_groups as rules
from services.reset import wanted_status


async def reset_status(call: Call) -> Reply:
    """Set the status without touching the back end."""
    status = wanted_status(call.action_args, tuple(ShareAdminReset))
    async with call.core.db.write() as conn:
        group = await _found(call, conn)
        if not call.ctx.allows("share_group:reset_status", group):
            raise Fault(403)
        await share_groups.change(conn, group["id"], {"status": status})
    return Reply()


async def force_delete(call: Call) -> Reply:
    """Remove a group's rows, whatever its status is, without touching the back end."""
    async with call.core.db.write() as conn:
        group = await _found(call, conn)
        call.ctx.enforce("share_group:force_delete", group)
        await rules.force_delete(conn, group)
    return Reply()


async def _found(call: Call, conn: Conn) -> Row:
    group = await share_groups.get(conn, call.path["id"], call.ctx.scope, lock=True)
    if group is None:
        raise Fault(404)
    return group
