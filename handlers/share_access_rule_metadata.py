"""Metadata of access rules."""

from __future__ import annotations

from db import access as rows
from db.connection import Conn
from generated.errors import InvalidMetadata, InvalidMetadataSize, NotFound, ShareAccessMetadataNotFound
from generated.runtime import Fault, Row
from handlers.call import Call, Reply
from services import access
from services.literals import items_of_new


async def update(call: Call) -> Reply:
    """Set the given items; others stay."""
    metadata = call.body.get("metadata") if isinstance(call.body, dict) else None
    if not isinstance(metadata, dict):
        raise Fault(400)
    async with call.core.db.write() as conn:
        rule = await _visible(call, conn)
        try:
            items = items_of_new(metadata)
        except (InvalidMetadata, InvalidMetadataSize) as error:
            raise Fault(400, type(error)().msg) from error
        await rows.lock_share(conn, rule["share_id"])
        await rows.update_metadata(conn, rule["id"], items)
    return Reply({"metadata": items})


async def delete(call: Call) -> Reply:
    """Remove one item."""
    async with call.core.db.write() as conn:
        rule = await _visible(call, conn)
        if not await rows.delete_metadata(conn, rule["id"], call.path["key"]):
            raise Fault(404, ShareAccessMetadataNotFound(metadata_key=call.path["key"], access_id=rule["id"]).msg)
    return Reply()


async def _visible(call: Call, conn: Conn) -> Row:
    try:
        return (await access.visible(conn, call.ctx, call.path["access_id"]))[0]
    except NotFound as error:
        raise Fault(404, error.msg) from error
