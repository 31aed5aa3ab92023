"""Where a share instance is mounted from."""

from __future__ import annotations

from db import export_locations as table
from db import instances
from db.connection import Conn
from generated.errors import ExportLocationNotFound
from generated.runtime import Fault, Row
from generated.views import export_locations as views
from handlers.call import Call, Reply


async def _instance(call: Call, conn: Conn) -> Row:
    row = await instances.get(conn, call.path["share_instance_id"])
    if row is None:
        raise Fault(404, f"Share instance '{call.path['share_instance_id']}' not found.")
    if not row["is_public"]:
        call.ctx.enforce("share_instance:show", row)
    return row


async def list(call: Call) -> Reply:
    """List the export locations of an instance."""
    async with call.core.db.read() as conn:
        instance = await _instance(call, conn)
        rows = await table.of_instance(conn, instance["id"])
    view = views.EXPORT_LOCATION_SUMMARY[call.version]
    return Reply({"export_locations": await call.shown(view, rows)})


async def show(call: Call) -> Reply:
    """Show an export location of an instance."""
    location_id = call.path["export_location_uuid"]
    async with call.core.db.read() as conn:
        instance = await _instance(call, conn)
        row = await table.get(conn, location_id, instance_id=instance["id"])
    if row is None:
        raise Fault(404, ExportLocationNotFound(uuid=location_id).msg)
    return Reply({"export_location": views.EXPORT_LOCATION[call.version](row, call.see)})
