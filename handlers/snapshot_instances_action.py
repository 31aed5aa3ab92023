"""Actions on snapshot instances, for administrators."""

from __future__ import annotations

from db import snapshot_instances as rows
from generated.enums import ShareAdminReset
from generated.runtime import Fault
from handlers.call import Call, Reply
from services.reset import wanted_status, within


async def reset_status(call: Call) -> Reply:
    """Set the status without touching the back end."""
    status = wanted_status(call.action_args, tuple(ShareAdminReset))
    if not call.ctx.allows("share_snapshot_instance:reset_status"):
        raise Fault(403)
    async with call.core.db.write() as conn:
        row = await rows.get(conn, call.path["id"])
        if row is None:
            raise Fault(404)
        within(call.ctx, row["project_id"])
        await rows.reset_status(conn, row["id"], status)
    return Reply()
