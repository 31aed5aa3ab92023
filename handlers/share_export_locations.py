"""Where a share is mounted from."""

from __future__ import annotations

from db import export_locations as table
from db.connection import Conn
from generated.errors import NotFound
from generated.microversions import REPLICA_EXPORT_LOCATIONS
from generated.runtime import Fault, Row
from generated.views import export_locations as views
from handlers.call import Call, Reply
from services import shares


async def share_of(call: Call, conn: Conn, *, to_change: bool = False) -> Row:
    """The share of the path.

    Raises:
        Fault: 404. PolicyNotAuthorized: 403, a public share of others would be changed.
    """
    try:
        return await shares.get(conn, call.ctx, call.path["share_id"], to_change=to_change)
    except NotFound:
        raise Fault(404, f"Share '{call.path['share_id']}' not found.") from None


async def list(call: Call) -> Reply:
    """List the export locations of a share."""
    async with call.core.db.read() as conn:
        share = await share_of(call, conn)
        rows = await table.of_share(
            conn, share["id"], admin_only=call.ctx.is_admin, primary_only=call.version >= REPLICA_EXPORT_LOCATIONS
        )
    view = views.EXPORT_LOCATION_SUMMARY[call.version]
    return Reply({"export_locations": await call.shown(view, rows)})


async def show(call: Call) -> Reply:
    """Show an export location."""
    location_id = call.path["export_location_uuid"]
    async with call.core.db.read() as conn:
        share = await share_of(call, conn)
        row = await table.get(
            conn, location_id, share_id=share["id"], primary_only=call.version >= REPLICA_EXPORT_LOCATIONS
        )
    if row is None:
        raise Fault(404, f"Export location '{location_id}' not found.")
    if row["is_admin_only"] and not call.ctx.is_admin:
        raise Fault(403)
    return Reply({"export_location": views.EXPORT_LOCATION[call.version](row, call.see)})
