"""Share group types: the list; they are made by operations to come."""

from __future__ import annotations

from db import share_groups
from generated.views.share_groups import SHARE_GROUP_TYPE
from handlers.call import Call, Reply
from handlers.share_types import is_public_filter


async def list(call: Call) -> Reply:
    """Types the requester may use; an administrator may ask for private ones."""
    is_public = is_public_filter(call)
    async with call.core.db.read() as conn:
        rows = await share_groups.list_types(conn, is_public, call.ctx.project_id, call.ctx.is_admin)
    default = call.core.settings.default.default_share_group_type
    view = SHARE_GROUP_TYPE[call.version]
    for row in rows:
        row["is_default"] = default is not None and default == row["name"]
    return Reply({"share_group_types": [view(row, call.see) for row in rows]})
