"""Resource locks as far as access rules use them: who may place, lift or look past one."""

from __future__ import annotations

from db import access as rows
from db.access_sync import LOCK_REASON
from db.connection import Conn
from generated.errors import InvalidInput, PolicyNotAuthorized
from generated.runtime import Fault, Json, Row
from services.context import Context

_SHARES_NOT_LOCKED = (
    "deleting",
    "error_deleting",
    "unmanage_starting",
    "manage_error_unmanage_starting",
    "unmanage_error",
    "unmanaged",
    "deleted",
)
_RULES_NOT_LOCKED = ("queued_to_deny", "denying", "error", "deleted")
_LONGEST_REASON = 1023


def lock_context(ctx: Context) -> str:
    """On whose behalf the requester locks: ``service``, ``admin`` or ``user``."""
    if ctx.creds.get("service_roles"):
        return "service"
    return "admin" if ctx.is_admin else "user"


def may_handle(ctx: Context, lock: Row) -> bool:
    """Whether a lock of that context is within the requester's reach: users < services < administrators."""
    asking, placed = lock_context(ctx), lock["lock_context"]
    return not ((placed == "admin" and asking != "admin") or (placed == "service" and asking == "user"))


def hides(ctx: Context, lock: Row | None) -> bool:
    """Whether a visibility lock hides its rule's client from the requester."""
    if lock is None:
        return False
    return not may_handle(ctx, lock) or not ctx.allows("resource_lock:bypass_locked_show_action", lock)


async def require_deletable(conn: Conn, ctx: Context, access_id: str, share_id: str, unrestrict: bool) -> None:
    """Refuse to remove a locked rule, unless all its locks may be lifted with it.

    Raises:
        Fault: 403.
    """
    locks = await rows.deletion_locks(conn, access_id)
    if not locks:
        return
    if not unrestrict:
        raise Fault(
            403,
            f"Cannot deny access for share '{share_id}' since it has been locked. Please remove the locks and retry "
            "the operation",
        )
    for lock in locks:
        known = ctx.is_admin or lock["project_id"] == ctx.project_id
        if not (known and ctx.allows("resource_lock:delete", lock) and may_handle(ctx, lock)):
            raise Fault(403, "Unable to drop access rule restrictions that are not placed by you.")


async def place(
    conn: Conn, ctx: Context, share: Row, access_id: str, reason: Json, *, deletion: bool, visibility: bool
) -> None:
    """Lock a new rule in the transaction that makes it. A rule locked against deletion locks its share too.

    Raises:
        Fault: 400, naming the lock that can't be placed.
    """
    if deletion:
        lock_id = await _place(conn, ctx, "access_rule", access_id, "delete", reason, ctx.own, "access rule")
        if share["is_soft_deleted"] or share["status"] in _SHARES_NOT_LOCKED:
            raise _failed("delete", "share", share["id"])
        await _place(conn, ctx, "share", share["id"], "delete", LOCK_REASON % lock_id, share, "share")
    if visibility:
        await _place(conn, ctx, "access_rule", access_id, "show", reason, ctx.own, "access rule")


async def _place(
    conn: Conn, ctx: Context, kind: str, resource_id: str, action: str, reason: Json, target: Row, words: str
) -> str:
    try:
        ctx.enforce("resource_lock:create", target)
    except PolicyNotAuthorized as error:
        raise _failed(action, words, resource_id) from error
    legal = reason is None or (isinstance(reason, str) and len(reason) <= _LONGEST_REASON and "\x00" not in reason)
    if not legal:
        raise _failed(action, words, resource_id)
    return await rows.create_lock(
        conn,
        {
            "resource_type": kind,
            "resource_id": resource_id,
            "resource_action": action,
            "lock_reason": reason,
            "lock_context": lock_context(ctx),
            "user_id": ctx.user_id,
            "project_id": ctx.project_id,
        },
    )


def _failed(action: str, words: str, resource_id: str) -> Fault:
    what = {"show": "visibility", "delete": "deletion"}[action]
    return Fault(400, f"Failed to lock the {what} of the {words} {resource_id}.")


def require_lockable(resource: Row, resource_type: str, action: str) -> None:
    """Refuse a lock that could not hold: on a share or access rule that is going, or a share in the recycle bin.

    Raises:
        InvalidInput: 400.
    """
    going = _SHARES_NOT_LOCKED if resource_type == "share" else _RULES_NOT_LOCKED
    if action == "delete" and resource.get("status", resource.get("state")) in going:
        raise InvalidInput(reason="Resource status not suitable for locking")
    if resource_type == "share" and resource["is_soft_deleted"]:
        raise InvalidInput(reason="Resource cannot be locked since it has been soft deleted.")
