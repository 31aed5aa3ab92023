"""Specs of a share group type."""

from __future__ import annotations

from db import share_group_types as rows
from db.connection import Conn
from generated.errors import ShareGroupTypeNotFound, ShareGroupTypeSpecsNotFound
from generated.runtime import Fault, Row
from handlers.call import Call, Reply
from services import specs as texts


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, ShareGroupTypeNotFound(type_id=call.path["id"]).msg)
    return row


async def list(call: Call) -> Reply:
    """All specs."""
    async with call.core.db.read() as conn:
        row = await _type(conn, call)
    return Reply({"group_specs": row["group_specs"]})


async def show(call: Call) -> Reply:
    """One spec."""
    async with call.core.db.read() as conn:
        row = await _type(conn, call)
    key = call.path["key"]
    if key not in row["group_specs"]:
        raise Fault(404)
    return Reply({key: row["group_specs"][key]})


async def create(call: Call) -> Reply:
    """Add or change specs."""
    given = call.body.get("group_specs") if isinstance(call.body, dict) else None
    if not isinstance(given, dict):
        raise Fault(400)
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        texts.check_texts(given)
        texts.check_keys(given)
        await rows.set_specs(conn, row["id"], texts.stored(given))
    return Reply(call.body)


async def update(call: Call) -> Reply:
    """Change one spec, or add it."""
    if not call.body:
        raise Fault(400, "Request body empty.")
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        given = texts.single(call.body, call.path["key"], ".")
        texts.check_texts(given)
        await rows.set_specs(conn, row["id"], texts.stored(given))
    return Reply(given)


async def delete(call: Call) -> Reply:
    """Remove a spec."""
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        if not await rows.remove_spec(conn, row["id"], call.path["key"]):
            raise Fault(404, ShareGroupTypeSpecsNotFound(type_id=row["id"], specs_key=call.path["key"]).msg)
    return Reply()
