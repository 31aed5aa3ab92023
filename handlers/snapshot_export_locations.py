"""Where clients mount a snapshot."""

from __future__ import annotations

from collections.abc import Sequence

from db import access as shares
from db import snapshot_instances as instances
from db import snapshots as rows
from db.connection import Conn
from generated.errors import NotFound
from generated.runtime import Fault, Row
from generated.views import snapshots as views
from handlers.call import Call, Reply


async def list(call: Call) -> Reply:
    """The locations of a snapshot's available instances."""
    async with call.core.db.read() as conn:
        snapshot = await _snapshot(call, conn)
        found = snapshot["instances"]
        chosen = [one for one in found if one["replica_state"] == "active"] or found
        locations = await instances.locations(conn, [one["id"] for one in chosen if one["status"] == "available"])
    return shown(call, locations)


async def show(call: Call) -> Reply:
    """One location of a snapshot."""
    async with call.core.db.read() as conn:
        snapshot = await _snapshot(call, conn)
        ids = [one["id"] for one in snapshot["instances"]]
        location = await instances.location(conn, ids, call.path["export_location_id"])
    return one(call, location)


def shown(call: Call, locations: Sequence[Row]) -> Reply:
    """A list of locations; those for administrators are shown to them alone."""
    view, see, admin = views.SNAPSHOT_EXPORT_LOCATION_SUMMARY[call.version], call.see, call.ctx.is_admin
    visible = [view(row, see) for row in locations if admin or not row["is_admin_only"]]
    return Reply({"share_snapshot_export_locations": visible})


def one(call: Call, location: Row | None) -> Reply:
    """One location. Raises NotFound."""
    if location is None:
        raise NotFound
    return Reply({"share_snapshot_export_location": views.SNAPSHOT_EXPORT_LOCATION[call.version](location, call.see)})


async def _snapshot(call: Call, conn: Conn) -> Row:
    """The snapshot that the path names. Raises Fault 404, or PolicyNotAuthorized if its share is hidden."""
    unknown = Fault(404, f"Snapshot '{call.path['snapshot_id']}' not found.")
    snapshot = await rows.get(conn, call.path["snapshot_id"], call.ctx.scope)
    if snapshot is None:
        raise unknown
    owner = await shares.owner(conn, snapshot["share_id"])
    if owner is None:
        raise unknown
    if not owner["is_public"]:
        call.ctx.enforce("share:get", owner)
    return snapshot
