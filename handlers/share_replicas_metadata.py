"""Metadata of share replicas."""

from __future__ import annotations

from collections.abc import Callable

from db import metadata as table
from db import share_replicas
from db.connection import Conn
from generated.errors import InvalidMetadata, InvalidMetadataSize
from generated.runtime import Fault
from handlers.call import Call, Reply
from services import metadata

_RULE = "share_replica:show"


async def _owner(call: Call, conn: Conn, *, to_change: bool = False) -> str:
    """Id of the path's replica.

    Raises:
        Fault: 404, the requester may not see it. PolicyNotAuthorized: 403, a public share's would be changed.
    """
    row = await share_replicas.get(conn, call.path["resource_id"], call.ctx.scope)
    if row is None or (not row["is_public"] and not call.ctx.allows(_RULE, row)):
        raise Fault(404, "Share_replica not found.")
    if row["is_public"] and to_change:
        call.ctx.enforce(_RULE, row)
    return str(row["id"])


def _items(read: Callable[[], dict[str, str]]) -> dict[str, str]:
    """The items of a body. Raises Fault 400."""
    try:
        return read()
    except (InvalidMetadata, InvalidMetadataSize) as error:
        raise Fault(400, error.msg) from error


def _all(call: Call) -> dict[str, str]:
    if call.has("metadata") and call.body["metadata"] is None:
        return {}
    return _items(lambda: metadata.body_items(call.body))


async def list(call: Call) -> Reply:
    """All items."""
    async with call.core.db.read() as conn:
        return Reply({"metadata": await table.get(conn, table.REPLICA, await _owner(call, conn))})


async def show_item(call: Call) -> Reply:
    """One item."""
    async with call.core.db.read() as conn:
        owner = await _owner(call, conn)
        return Reply({"meta": await metadata.show(conn, table.REPLICA, owner, call.path["key"])})


async def create(call: Call) -> Reply:
    """Set items; the others stay."""
    return await _add(call, _all(call))


async def update_item(call: Call) -> Reply:
    """Set one item."""
    return await _add(call, _items(lambda: metadata.body_item(call.body, call.path["key"])))


async def _add(call: Call, items: dict[str, str]) -> Reply:
    async with call.core.db.write() as conn:
        await metadata.add(conn, table.REPLICA, await _owner(call, conn, to_change=True), items)
    return Reply({"metadata": items})


async def update_all(call: Call) -> Reply:
    """Make the given items the whole metadata."""
    items = _all(call)
    async with call.core.db.write() as conn:
        owner = await _owner(call, conn, to_change=True)
        return Reply({"metadata": await metadata.replace(conn, table.REPLICA, owner, items)})


async def delete_item(call: Call) -> Reply:
    """Remove one item."""
    async with call.core.db.write() as conn:
        owner = await _owner(call, conn, to_change=True)
        await metadata.drop(conn, table.REPLICA, owner, call.path["key"])
    return Reply()
