"""Who may see a share, and what several operations on shares ask of it."""

from __future__ import annotations

from db import shares as table
from db.connection import Conn
from generated.errors import InvalidInput, NotFound, ShareBusyException
from generated.runtime import Row
from services.context import Context

DEFERRED = ("deferred_deleting", "error_deferred_deleting")
BUSY = frozenset(
    (
        "migration_starting",
        "migration_in_progress",
        "migration_completing",
        "migration_driver_starting",
        "migration_driver_in_progress",
        "migration_driver_phase1_done",
        "data_copying_starting",
        "data_copying_in_progress",
        "data_copying_completing",
        "data_copying_completed",
    )
)


def visible(ctx: Context, share: Row | None, *, to_change: bool = False) -> Row:
    """The share, if the requester may know of it.

    A public share is seen by everybody; who may not change it is refused with 403 if ``to_change``.

    Raises:
        NotFound: there is none, or the requester may not know of it.
        PolicyNotAuthorized: a public share of somebody else would be changed.
    """
    if share is None:
        raise NotFound
    if share["is_public"] and to_change:
        ctx.enforce("share:get", share)
    elif not share["is_public"] and not ctx.allows("share:get", share):
        raise NotFound
    if share["status"] in DEFERRED and not ctx.allows("share:list_shares_in_deferred_deletion_states", share):
        raise NotFound
    return share


async def get(
    conn: Conn, ctx: Context, share_id: str, *, exports: bool = False, lock: bool = False, to_change: bool = False
) -> Row:
    """A share that the requester may see; arguments and errors as ``db.shares.get`` and ``visible``."""
    return visible(ctx, await table.get(conn, share_id, exports=exports, lock=lock), to_change=to_change)


def require_idle(share: Row) -> None:
    """Raise ShareBusyException (400) while a migration works on the share."""
    if share["task_state"] in BUSY:
        raise ShareBusyException(
            reason=f"Share {share['id']} is busy as part of an active task: {share['task_state']}."
        )


def check_size_of_type(share_type: Row | None, size: int, operation: str) -> None:
    """Apply the size limits of a share type's extra specs.

    Args:
        operation: ``create``, ``extend``, ``admin-extend`` or ``shrink``.

    Raises:
        InvalidInput: 400, the size in GiB is outside of them.
    """
    if share_type is None:
        return
    specs, name = share_type["extra_specs"] or {}, share_type["name"]
    least = specs.get("provisioning:min_share_size") if operation in ("create", "shrink") else None
    if least and size < int(least):
        raise InvalidInput(
            reason=f"Specified share size of '{size}' is less than the minimum required size of '{least}' "
            f"for share type '{name}'."
        )
    most = specs.get("provisioning:max_share_size") if operation in ("create", "extend") else None
    if most and size > int(most):
        raise InvalidInput(
            reason=f"Specified share size of '{size}' is greater than the maximum allowable size of '{most}' "
            f"for share type '{name}'."
        )
    most = specs.get("provisioning:max_share_extend_size") if operation == "admin-extend" else None
    if most and size > int(most):
        raise InvalidInput(
            reason=f"Specified share size of '{size}' is greater than the maximum allowable extend size of '{most}' "
            f"for share type '{name}'."
        )
