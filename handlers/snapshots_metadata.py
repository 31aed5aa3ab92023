"""Metadata of snapshots."""

from __future__ import annotations

from db import metadata as table
from db import snapshots as rows
from db.connection import Conn
from generated.errors import InvalidMetadata, InvalidMetadataSize
from generated.runtime import Fault
from handlers.call import Call, Reply
from services import metadata


async def list(call: Call) -> Reply:
    """All items."""
    async with call.core.db.read() as conn:
        return Reply({"metadata": await table.get(conn, table.SNAPSHOT, await _snapshot(call, conn))})


async def show_item(call: Call) -> Reply:
    """One item."""
    async with call.core.db.read() as conn:
        owner = await _snapshot(call, conn)
        return Reply({"meta": await metadata.show(conn, table.SNAPSHOT, owner, call.path["key"])})


async def create(call: Call) -> Reply:
    """Set items; the others stay."""
    return await _add(call, _items(call))


async def update_item(call: Call) -> Reply:
    """Set one item."""
    try:
        items = metadata.body_item(call.body, call.path["key"])
    except (InvalidMetadata, InvalidMetadataSize) as error:
        raise Fault(400, error.msg) from error
    return await _add(call, items)


async def update_all(call: Call) -> Reply:
    """Make the given items the whole metadata."""
    items = _items(call)
    async with call.core.db.write() as conn:
        owner = await _snapshot(call, conn, to_change=True)
        return Reply({"metadata": await metadata.replace(conn, table.SNAPSHOT, owner, items)})


async def delete_item(call: Call) -> Reply:
    """Remove one item."""
    async with call.core.db.write() as conn:
        await metadata.drop(conn, table.SNAPSHOT, await _snapshot(call, conn, to_change=True), call.path["key"])
    return Reply()


async def _add(call: Call, items: dict[str, str]) -> Reply:
    async with call.core.db.write() as conn:
        await metadata.add(conn, table.SNAPSHOT, await _snapshot(call, conn, to_change=True), items)
    return Reply({"metadata": items})


def _items(call: Call) -> dict[str, str]:
    try:
        return metadata.body_items(call.body)
    except (InvalidMetadata, InvalidMetadataSize) as error:
        raise Fault(400, error.msg) from error


async def _snapshot(call: Call, conn: Conn, *, to_change: bool = False) -> str:
    """Id of the snapshot that the path names."""
    snapshot = await rows.get(conn, call.path["resource_id"], call.ctx.scope)
    if snapshot is None:
        raise Fault(404, "Share_snapshot not found.")
    if to_change:
        call.ctx.enforce("share_snapshot:get_snapshot", snapshot)
    return str(snapshot["id"])
