"""Actions on share servers."""

from __future__ import annotations

from db import share_servers
from db.write import update
from generated.enums import ServerTaskState, ShareServer
from generated.runtime import Fault
from handlers.call import Call, Reply
from services.reset import wanted_status

STATUSES = tuple(str(one) for one in ShareServer)
TASK_STATES = (*(str(one) for one in ServerTaskState), None)


async def reset_status(call: Call) -> Reply:
    """Set a server's status, whatever it is now."""
    return await _reset(call, "status", wanted_status(call.action_args, STATUSES))


async def reset_task_state(call: Call) -> Reply:
    """Set a server's task state, whatever it is now."""
    arguments = call.action_args
    if not isinstance(arguments, dict) or "task_state" not in arguments:
        raise Fault(400, "Must specify 'task_state'")
    state = arguments["task_state"]
    if isinstance(state, (dict, list)) or state not in TASK_STATES:
        raise Fault(400, f"Invalid state. Valid states: {', '.join(str(one) for one in TASK_STATES)}.")
    return await _reset(call, "task_state", state)


async def _reset(call: Call, column: str, value: str | None) -> Reply:
    async with call.core.db.write() as conn:
        row = await share_servers.get(conn, call.path["id"])
        if row is None:
            raise Fault(404)
        call.ctx.enforce("share_server:reset_status", row)
        await update(conn, "share_servers", {"id": row["id"]}, {column: value})
    return Reply()
