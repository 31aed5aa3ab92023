"""Where a share replica is mounted from."""

from __future__ import annotations

from db import export_locations as table
from db import share_replicas
from db.connection import Conn
from generated.errors import ExportLocationNotFound
from generated.runtime import Fault, Row
from generated.views import share_replicas as views
from handlers.call import Call, Reply


async def _replica(call: Call, conn: Conn) -> Row:
    row = await share_replicas.get(conn, call.path["share_replica_id"], call.ctx.scope)
    if row is None:
        raise Fault(404, f"Share replica '{call.path['share_replica_id']}' not found.")
    return row


def _of(replica: Row, location: Row) -> Row:
    """The location with what the answer says of its replica."""
    return {**location, **{name: replica[name] for name in ("replica_state", "availability_zone")}}


async def list(call: Call) -> Reply:
    """List the export locations of a replica; some only administrators see."""
    async with call.core.db.read() as conn:
        replica = await _replica(call, conn)
        rows = await table.of_instance(conn, replica["id"])
    view, see = views.REPLICA_EXPORT_LOCATION_SUMMARY[call.version], call.see
    shown = [row for row in rows if call.ctx.is_admin or not row["is_admin_only"]]
    return Reply({"export_locations": [view(_of(replica, row), see) for row in shown]})


async def show(call: Call) -> Reply:
    """Show an export location of a replica."""
    location_id = call.path["export_location_uuid"]
    async with call.core.db.read() as conn:
        replica = await _replica(call, conn)
        row = await table.get(conn, location_id, instance_id=replica["id"])
    if row is None:
        raise Fault(404, ExportLocationNotFound(uuid=location_id).msg)
    return Reply({"export_location": views.REPLICA_EXPORT_LOCATION[call.version](_of(replica, row), call.see)})
