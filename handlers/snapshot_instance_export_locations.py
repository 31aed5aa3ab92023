"""Where clients mount a snapshot instance, for administrators."""

from __future__ import annotations

from db import snapshot_instances as rows
from db.connection import Conn
from generated.runtime import Fault
from handlers import snapshot_export_locations as locations
from handlers.call import Call, Reply


async def list(call: Call) -> Reply:
    """The locations of an instance."""
    async with call.core.db.read() as conn:
        found = await rows.locations(conn, [await _instance(call, conn)])
    return locations.shown(call, found)


async def show(call: Call) -> Reply:
    """One location of an instance."""
    async with call.core.db.read() as conn:
        location = await rows.location(conn, [await _instance(call, conn)], call.path["export_location_id"])
    return locations.one(call, location)


async def _instance(call: Call, conn: Conn) -> str:
    """Id of the instance that the path names. Raises Fault 404, or PolicyNotAuthorized if its share is hidden."""
    instance = await rows.get(conn, call.path["snapshot_instance_id"])
    if instance is None or instance["project_id"] is None:
        raise Fault(404, f"Snapshot instance '{call.path['snapshot_instance_id']}' not found.")
    if not instance["is_public"]:
        call.ctx.enforce("share:get", instance)
    return str(instance["id"])
