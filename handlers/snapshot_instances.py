"""Snapshot instances, for administrators."""

from __future__ import annotations

from db import snapshot_instances as rows
from generated.runtime import Fault, View
from generated.views import snapshots as views
from handlers.call import Call, Reply


async def show(call: Call) -> Reply:
    """One instance."""
    async with call.core.db.read() as conn:
        instance = await rows.get(conn, call.path["id"])
    if instance is None:
        raise Fault(404, f"Snapshot instance {call.path['id']} not found.")
    return Reply({"snapshot_instance": views.SNAPSHOT_INSTANCE[call.version](instance, call.see)})


async def list(call: Call) -> Reply:
    """Instances by id, snapshot and status."""
    return await _list(call, views.SNAPSHOT_INSTANCE_SUMMARY[call.version])


async def detail(call: Call) -> Reply:
    """Instances with all fields."""
    return await _list(call, views.SNAPSHOT_INSTANCE[call.version])


async def _list(call: Call, view: View) -> Reply:
    snapshot_id = call.query.get("snapshot_id") or None
    async with call.core.db.read() as conn:
        found = [] if snapshot_id and "\0" in snapshot_id else await rows.find(conn, snapshot_id)
    return Reply({"snapshot_instances": await call.shown(view, found)})
