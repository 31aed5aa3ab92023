"""Actions of a share; each exists below 2.7 under a name with ``os-`` as well."""

from __future__ import annotations

from db import shares as table
from db.connection import Conn
from generated import enums
from generated.enums import ShareAdminReset
from generated.errors import (
    Conflict,
    InvalidInput,
    InvalidShare,
    NotFound,
    ShareNotFound,
    ShareSizeExceedsAvailableQuota,
)
from generated.microversions import FORCED_EXTEND
from generated.runtime import Fault, Json, Row
from handlers.call import Call, Reply
from handlers.shares_access import access_list, allow_access, deny_access
from handlers.shares_manage import unmanage
from handlers.shares_migration import migration_cancel, migration_complete, migration_get_progress, migration_start
from handlers.shares_revert import revert
from services import share_changes
from services import shares as rules
from services.reset import wanted_status, wanted_task_state
from services.values import LARGEST_INT, strict_bool


async def extend(call: Call) -> Reply:
    """Make a share larger."""
    async with call.core.db.write() as conn:
        share = await _found(call, conn)
        size = _new_size(call.action_args)
        force = _force(call.action_args) if call.version >= FORCED_EXTEND else False
        if share["is_soft_deleted"]:
            raise Fault(403, f"Cannot extend share '{share['id']}' since it has been soft deleted.")
        try:
            await share_changes.extend(call.core, conn, call.ctx, share, size, force=force)
        except (InvalidInput, InvalidShare) as error:
            raise Fault(400, error.msg) from None
        except ShareSizeExceedsAvailableQuota as error:
            raise Fault(403, error.msg) from None
    return Reply()


async def shrink(call: Call) -> Reply:
    """Make a share smaller."""
    async with call.core.db.write() as conn:
        share = await _found(call, conn)
        size = _new_size(call.action_args)
        if share["is_soft_deleted"]:
            raise Fault(403, f"Cannot shrink share '{share['id']}' since it has been soft deleted.")
        try:
            await share_changes.shrink(conn, call.ctx, share, size)
        except (InvalidInput, InvalidShare) as error:
            raise Fault(400, error.msg) from None
    return Reply()


async def _found(call: Call, conn: Conn) -> Row:
    """The share, locked. Raises Fault 404 with the error's own text."""
    try:
        return await rules.get(conn, call.ctx, call.path["id"], lock=True)
    except NotFound as error:
        raise Fault(404, error.msg) from None


def _new_size(arguments: Json) -> int:
    try:
        size = int(arguments["new_size"])
    except (KeyError, ValueError, TypeError):
        raise Fault(400, "New share size must be specified as an integer.") from None
    if abs(size) > LARGEST_INT:
        raise Fault(400, "New share size is out of range.")
    return size


def _force(arguments: Json) -> bool:
    if "force" not in arguments:
        return False
    try:
        return strict_bool(arguments["force"])
    except ValueError:
        raise Fault(400, f"Invalid boolean force : {arguments['force']}") from None


async def reset_status(call: Call) -> Reply:
    """Set the status of a share, whatever it is now."""
    async with call.core.db.write() as conn:
        try:
            share = await rules.get(conn, call.ctx, call.path["id"], lock=True)
        except NotFound:
            raise Fault(404) from None
        if share["is_soft_deleted"]:
            raise Fault(403, f"status cannot be reset for share '{share['id']}' since it has been soft deleted.")
        if not call.ctx.allows("share:reset_status"):
            raise Fault(403)
        status = wanted_status(call.action_args, tuple(ShareAdminReset))
        call.ctx.enforce("share:reset_status", share)
        if share["instance_id"] is not None:
            await table.reset_status(conn, share["instance_id"], status)
    return Reply()


async def reset_task_state(call: Call) -> Reply:
    """Set the task state of a share, whatever it is now."""
    async with call.core.db.write() as conn:
        try:
            share = await rules.get(conn, call.ctx, call.path["id"], lock=True)
        except NotFound:
            raise ShareNotFound(share_id=call.path["id"]) from None
        if share["is_soft_deleted"]:
            raise Fault(403, f"task state cannot be reset for share '{share['id']}' since it has been soft deleted.")
        if not call.ctx.allows("share:reset_status"):
            raise Fault(403)
        state = wanted_task_state(call.action_args, TASK_STATES)
        call.ctx.enforce("share:reset_status", share)
        await table.set_share(conn, share["id"], task_state=state)
    return Reply()


TASK_STATES = (*(str(one) for one in enums.ShareTaskState if str(one) != "None"), None)


async def force_delete(call: Call) -> Reply:
    """Remove a share whatever its status is, even if the back end fails."""
    async with call.core.db.write() as conn:
        try:
            share = await rules.get(conn, call.ctx, call.path["id"], lock=True)
        except NotFound:
            raise Fault(404) from None
        call.ctx.enforce("share:force_delete", share)
        await share_changes.remove(call.core, conn, call.ctx, share, force=True)
    return Reply()


async def soft_delete(call: Call) -> Reply:
    """Put a share into the recycle bin."""
    async with call.core.db.write() as conn:
        try:
            share = await rules.get(conn, call.ctx, call.path["id"], lock=True, to_change=True)
            await share_changes.recycle(call.core, conn, share)
        except NotFound:
            raise Fault(404) from None
        except share_changes.REFUSED as error:
            raise Fault(409 if isinstance(error, Conflict) else 403, error.msg) from None
    return Reply()


async def restore(call: Call) -> Reply:
    """Take a share out of the recycle bin; 200 when it isn't in it."""
    async with call.core.db.write() as conn:
        try:
            share = await rules.get(conn, call.ctx, call.path["id"], lock=True, to_change=True)
        except NotFound:
            raise Fault(404, f"No share exists with ID {call.path['id']}.") from None
        if not share["is_soft_deleted"]:
            return Reply(status=200)
        if share["status"] in ("deleting", "error_deleting"):
            raise Fault(
                403,
                f"Share {share['id']} is being deleted or has suffered an error during deletion, cannot be restored.",
            )
        await table.set_share(conn, share["id"], is_soft_deleted=False, scheduled_to_be_deleted_at=None)
    return Reply()


os_extend = extend
os_shrink = shrink
os_reset_status = reset_status
os_force_delete = force_delete
os_allow_access = allow_access
os_deny_access = deny_access
os_access_list = access_list

__all__ = [
    "access_list", "allow_access", "deny_access", "extend", "force_delete", "migration_cancel",
    "migration_complete", "migration_get_progress", "migration_start", "os_access_list", "os_allow_access",
    "os_deny_access", "os_extend", "os_force_delete", "os_reset_status", "os_shrink", "reset_status",
    "reset_task_state", "restore", "revert", "shrink", "soft_delete", "unmanage",
]  # fmt: skip
