"""Metadata of snapshots."""

from __future__ import annotations

from db import metadata as table
from db import snapshots as rows
from db.connection import Conn
from generated.runtime import Fault
from handlers.call import Call
from handlers.metadata_of import MetadataOf


async def _snapshot(call: Call, conn: Conn, to_change: bool) -> str:
    """Id of the snapshot that the path names."""
    snapshot = await rows.get(conn, call.path["resource_id"], call.ctx.scope)
    if snapshot is None:
        raise Fault(404, "Share_snapshot not found.")
    if to_change:
        call.ctx.enforce("share_snapshot:get_snapshot", snapshot)
    return str(snapshot["id"])


_METADATA = MetadataOf(table.SNAPSHOT, _snapshot)
list, show_item, create = _METADATA.list, _METADATA.show_item, _METADATA.create
update_item, update_all, delete_item = _METADATA.update_item, _METADATA.update_all, _METADATA.delete_item
