"""Moving a share; ``shares_action`` and ``shares`` offer this under the operations' names."""

from __future__ import annotations

from db import share_networks, share_types, uses
from db.connection import Conn
from generated.errors import Conflict, InvalidShare, NotFound
from generated.microversions import MIGRATION_DETAILS
from generated.runtime import Fault, Json, Row
from handlers.call import Call, Reply
from services import share_migration as migration
from services import shares as rules
from services.network_changes import check_active
from services.values import strict_bool

_FLAGS = ("preserve_metadata", "writable", "nondisruptive", "preserve_snapshots", "force_host_assisted_migration")


async def _found(call: Call, conn: Conn, *, lock: bool = True) -> Row:
    """The share. Raises Fault 404 that names it."""
    try:
        return await rules.get(conn, call.ctx, call.path["id"], lock=lock)
    except NotFound:
        raise Fault(404, f"Share {call.path['id']} not found.") from None


async def migration_start(call: Call) -> Reply:
    """Move a share; 200 when it is there already."""
    async with call.core.db.write() as conn:
        await hold_network(call, conn)
        share = await _found(call, conn)
        if share["is_soft_deleted"]:
            raise InvalidShare(
                reason=f"Migration cannot start for share '{share['id']}' since it has been soft deleted."
            )
        arguments = call.action_args
        flags = {name: flag(arguments, name) for name in _FLAGS}
        network = await new_network(call, conn, arguments, share["share_network_id"])
        wish = migration.Wish(
            host=arguments["host"], force_host=flags["force_host_assisted_migration"],
            preserve_metadata=flags["preserve_metadata"], writable=flags["writable"],
            nondisruptive=flags["nondisruptive"], preserve_snapshots=flags["preserve_snapshots"], network=network,
            share_type=await _new_type(call, conn, arguments),
        )  # fmt: skip
        try:
            begun = await migration.start(call.core, conn, call.ctx, share, wish)
        except Conflict as error:
            raise Fault(409, error.msg) from None
    return Reply(status=202 if begun else 200)


def flag(arguments: Json, name: str) -> bool:
    """A boolean argument, False when it is absent. Raises Fault 400."""
    try:
        return strict_bool(arguments.get(name, False))
    except ValueError:
        raise Fault(400, f"Invalid value {arguments[name]} for {name}. Expecting a boolean.") from None


async def hold_network(call: Call, conn: Conn) -> None:
    """The network that the request names stays; before the share or server is locked (``db.order``)."""
    wanted = call.action_args.get("new_share_network_id") if isinstance(call.action_args, dict) else None
    await uses.hold(conn, share_networks.TABLE, [wanted] if isinstance(wanted, str) else [])


async def new_network(call: Call, conn: Conn, arguments: Json, current: str | None) -> Row | None:
    """The network that the request names; it, or else the current one, must be active. Raises Fault 400."""
    wanted = arguments.get("new_share_network_id")
    if not wanted:
        known = None if current is None else await share_networks.get(conn, current, call.ctx.scope)
        if known is not None:
            check_active(known)
        return None
    found = await share_networks.get(conn, wanted, call.ctx.scope) if _is_id(wanted) else None
    if found is None:
        raise Fault(400, f"Share network {wanted} not found.")
    check_active(found)
    return found


async def _new_type(call: Call, conn: Conn, arguments: Json) -> Row | None:
    wanted = arguments.get("new_share_type_id")
    if not wanted:
        return None
    await uses.hold(conn, "share_types", [wanted] if isinstance(wanted, str) else [])
    found = await share_types.get(conn, wanted, call.ctx.scope) if _is_id(wanted) else None
    if found is None:
        raise Fault(400, f"Share type {wanted} not found.")
    return found


def _is_id(value: Json) -> bool:
    return isinstance(value, str) and "\0" not in value


async def migration_complete(call: Call) -> Reply:
    """Begin the second phase of a migration."""
    async with call.core.db.write() as conn:
        await migration.complete(conn, call.ctx, await _found(call, conn))
    return Reply()


async def migration_cancel(call: Call) -> Reply:
    """End a migration and leave the share where it was."""
    async with call.core.db.write() as conn:
        await migration.cancel(call.core, conn, call.ctx, await _found(call, conn))
    return Reply()


async def migration_get_progress(call: Call) -> Reply:
    """How far a migration is."""
    async with call.core.db.read() as conn:
        share = await _found(call, conn, lock=False)
        found = await migration.progress(call.core, conn, share)
    body = {"total_progress": found.pop("total_progress"), "task_state": share["task_state"]}
    return Reply(body | ({"details": found} if call.version >= MIGRATION_DETAILS else {}))


migration_progress = migration_get_progress
