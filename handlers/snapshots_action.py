"""Actions on snapshots."""

from __future__ import annotations

from db import snapshot_access as rules
from db import snapshots as rows
from generated.enums import Snapshot
from generated.errors import NotFound
from generated.microversions import IPV6_ACCESS
from generated.runtime import Fault, Json
from generated.views import access as views
from handlers.call import Call, Reply
from handlers.snapshots_manage import unmanage
from services import snapshots
from services.reset import wanted_status


async def reset_status(call: Call) -> Reply:
    """Set the status without touching the back end."""
    status = wanted_status(call.action_args, tuple(Snapshot))
    async with call.core.db.write() as conn:
        await rules.lock_snapshot(conn, call.path["id"])
        try:
            snapshot = await snapshots.get(conn, call.ctx, call.path["id"])
        except NotFound:
            raise Fault(404) from None
        if not call.ctx.allows("share_snapshot:reset_status", snapshot):
            raise Fault(403)
        if snapshot["instance"] is not None:
            await rows.set_status(conn, [snapshot["instance"]["id"]], status)
    return Reply()


async def force_delete(call: Call) -> Reply:
    """Remove a snapshot whatever its status, and even if the back end refuses."""
    async with call.core.db.write() as conn:
        await rules.lock_snapshot(conn, call.path["id"])
        try:
            snapshot = await snapshots.get(conn, call.ctx, call.path["id"])
        except NotFound:
            raise Fault(404) from None
        call.ctx.enforce("share_snapshot:force_delete", snapshot)
        await snapshots.delete(call.core, conn, call.ctx, snapshot, force=True)
    return Reply()


async def allow_access(call: Call) -> Reply:
    """Let a client mount the snapshot."""
    data = _access_data(call, "access_type", "access_to")
    async with call.core.db.write() as conn:
        rule = await snapshots.allow(
            conn, call.ctx, call.path["id"], data["access_type"], data["access_to"], call.version >= IPV6_ACCESS
        )
    return Reply({"snapshot_access": views.SNAPSHOT_ACCESS_RULE[call.version](rule, call.see)})


async def deny_access(call: Call) -> Reply:
    """Take a client's access to the snapshot away."""
    data = _access_data(call, "access_id")
    async with call.core.db.write() as conn:
        await snapshots.deny(conn, call.ctx, call.path["id"], data["access_id"])
    return Reply()


def _access_data(call: Call, *required: str) -> dict[str, str]:
    """The texts that the action must name. Raises Fault 400."""
    data: Json = call.action_args
    if not isinstance(data, dict):
        raise Fault(400, "Access data not found in request body.")
    for name in required:
        if name not in data:
            raise Fault(400, f"Required parameter {name} not found.")
        if not data[name]:
            raise Fault(400, f"Required parameter {name} is empty.")
        if not isinstance(data[name], str):
            raise Fault(400, f"Parameter {name} must be a string.")
    return data


os_reset_status = reset_status
os_force_delete = force_delete

__all__ = [
    "allow_access", "deny_access", "force_delete", "os_force_delete", "os_reset_status", "reset_status", "unmanage",
]  # fmt: skip
