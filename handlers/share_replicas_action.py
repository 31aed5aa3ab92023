"""Actions of share replicas."""

from __future__ import annotations

from db import share_replicas as table
from db import shares
from db.connection import Conn
from generated.enums import ReplicaState, ShareAdminReset
from generated.errors import AdminRequired, InvalidHost, ReplicationException
from generated.microversions import PROMOTE_QUIESCE_WAIT
from generated.runtime import Fault, Json, Row
from generated.views.share_replicas import SHARE_REPLICA
from handlers.call import Call, Reply
from handlers.share_replicas import locked, require_network_active
from services import share_replicas as rules
from services.reset import wanted_status
from services.values import LARGEST_INT, is_int_like


async def _found(call: Call, conn: Conn) -> Row:
    replica = await locked(call, conn, call.path["id"])
    if replica is None:
        raise Fault(404, f"No replica exists with ID {call.path['id']}.")
    return replica


async def promote(call: Call) -> Reply:
    """Make a replica the active one; 200 when it is."""
    async with call.core.db.write() as conn:
        replica = await _found(call, conn)
        if replica["share_network_id"]:
            await require_network_active(call, conn, replica["share_network_id"])
        if replica["replica_state"] == "active":
            return Reply(status=200)
        wait = _wait(call.action_args) if call.version >= PROMOTE_QUIESCE_WAIT else None
        try:
            await rules.promote(conn, call.ctx, replica, wait)
        except ReplicationException as error:
            raise Fault(400, error.msg) from None
        except AdminRequired as error:
            raise Fault(403, error.msg) from None
        row = await table.get(conn, replica["id"], call.ctx.scope)
    assert row is not None
    return Reply({"share_replica": SHARE_REPLICA[call.version](row, call.see)})


def _wait(arguments: Json) -> int | None:
    """``quiesce_wait_time``. Raises Fault 400."""
    if arguments is not None and not isinstance(arguments, dict):
        raise Fault(400, "Invalid input for field promote: an object is expected.")
    value = (arguments or {}).get("quiesce_wait_time")
    if not value:
        return None
    if not is_int_like(value) or not 0 < int(value) <= LARGEST_INT:
        raise Fault(400, "quiesce_wait_time must be an integer and greater than 0.")
    return int(value)


async def resync(call: Call) -> Reply:
    """Look at the state of a replica now; 200 for the active one."""
    async with call.core.db.write() as conn:
        replica = await _found(call, conn)
        if replica["replica_state"] == "active":
            return Reply(status=200)
        try:
            await rules.resync(conn, call.ctx, replica)
        except InvalidHost as error:
            raise Fault(400, error.msg) from None
    return Reply(headers={"content-type": "application/json"})


async def reset_status(call: Call) -> Reply:
    """Set the status of a replica, whatever it is now."""
    return await _reset(call, "status", wanted_status(call.action_args, [str(one) for one in ShareAdminReset]))


async def reset_replica_state(call: Call) -> Reply:
    """Set the replica state of a replica that is not active."""
    states = [str(one) for one in ReplicaState]
    return await _reset(call, "replica_state", wanted_status(call.action_args, states, "replica_state"))


async def _reset(call: Call, column: str, value: str) -> Reply:
    async with call.core.db.write() as conn:
        replica = await locked(call, conn, call.path["id"])
        if replica is None:
            raise Fault(404)
        if column == "replica_state" and replica["replica_state"] == "active":
            raise Fault(400, "Cannot reset replica_state of an active replica")
        if not call.ctx.allows("share_replica:reset_status", replica):
            raise Fault(403)
        if column == "status":
            await shares.reset_status(conn, replica["id"], value)
        else:
            await table.change(conn, replica["id"], {column: value})
    return Reply()


async def force_delete(call: Call) -> Reply:
    """Remove a replica even if the back end fails; not the only active one."""
    async with call.core.db.write() as conn:
        replica = await locked(call, conn, call.path["id"])
        if replica is None:
            raise Fault(404)
        call.ctx.enforce("share_replica:force_delete", replica)
        try:
            await rules.remove(conn, call.ctx, replica, force=True)
        except ReplicationException as error:
            raise Fault(400, error.msg) from None
    return Reply()
