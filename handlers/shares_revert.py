"""Putting a share back to a snapshot; ``shares_action`` offers this under its operation's name."""

from __future__ import annotations

from handlers.call import Call, Reply
from services.revert import revert as queue_revert


async def revert(call: Call) -> Reply:
    """Put a share back to its newest snapshot."""
    snapshot_id = call.action_args["snapshot_id"]
    async with call.core.db.write() as conn:
        await queue_revert(conn, call.core, call.ctx, call.path["id"], snapshot_id)
    return Reply()
