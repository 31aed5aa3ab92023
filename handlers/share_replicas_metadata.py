"""Metadata of share replicas."""

from __future__ import annotations

from db import metadata as table
from db import share_replicas
from db.connection import Conn
from generated.runtime import Fault
from handlers.call import Call
from handlers.metadata_of import MetadataOf

_RULE = "share_replica:show"


async def _owner(call: Call, conn: Conn, to_change: bool) -> str:
    """Id of the path's replica.

    Raises:
        Fault: 404, the requester may not see it. PolicyNotAuthorized: 403, a public share's would be changed.
    """
    row = await share_replicas.get(conn, call.path["resource_id"], call.ctx.scope)
    if row is None or (not row["is_public"] and not call.ctx.allows(_RULE, row)):
        raise Fault(404, "Share_replica not found.")
    if row["is_public"] and to_change:
        call.ctx.enforce(_RULE, row)
    return str(row["id"])


_METADATA = MetadataOf(table.REPLICA, _owner, null_is_empty=True)
list, show_item, create = _METADATA.list, _METADATA.show_item, _METADATA.create
update_item, update_all, delete_item = _METADATA.update_item, _METADATA.update_all, _METADATA.delete_item
