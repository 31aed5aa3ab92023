"""Specs of a QoS type."""

from __future__ import annotations

from db import qos_types as rows
from db.connection import Conn
from generated.errors import QosTypeNotFound, QosTypeSpecsNotFound
from generated.runtime import Fault, Row
from handlers import notices
from handlers.call import Call, Reply
from services import specs as texts


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["id"])
    if row is None:
        raise Fault(404, QosTypeNotFound(qos_type_id=call.path["id"]).msg)
    return row


async def _tell(call: Call, conn: Conn, event: str, payload: Row) -> None:
    given = {"qos_type_id": call.path["id"], **payload}
    await notices.info(call, conn, "qosTypeSpecs", f"qos_type_specs.{event}", given)


async def list(call: Call) -> Reply:
    """All specs."""
    async with call.core.db.read() as conn:
        row = await _type(conn, call)
    return Reply({"specs": row["specs"]})


async def show(call: Call) -> Reply:
    """One spec."""
    async with call.core.db.read() as conn:
        row = await _type(conn, call)
    key = call.path["key"]
    if key not in row["specs"]:
        raise Fault(404)
    return Reply({key: row["specs"][key]})


async def create(call: Call) -> Reply:
    """Add or change specs."""
    given = call.body.get("specs") if isinstance(call.body, dict) else None
    if not isinstance(given, dict):
        raise Fault(400)
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        texts.check_texts(given, "spec")
        texts.check_keys(given)
        if not call.ctx.is_admin:
            raise Fault(403)
        await rows.set_specs(conn, row["id"], texts.stored(given))
        await _tell(call, conn, "create", {"specs": given})
    return Reply(call.body)


async def update(call: Call) -> Reply:
    """Change one spec, or add it."""
    if not call.body:
        raise Fault(400, "Request body empty")
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        given = texts.single(call.body, call.path["key"])
        texts.check_texts(given, "spec")
        if not call.ctx.is_admin:
            raise Fault(403)
        await rows.set_specs(conn, row["id"], texts.stored(given))
        await _tell(call, conn, "update", {"key": call.path["key"]})
    return Reply(given)


async def delete(call: Call) -> Reply:
    """Remove a spec."""
    key = call.path["key"]
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        if not call.ctx.is_admin:
            raise Fault(403)
        if not await rows.remove_spec(conn, row["id"], key):
            raise Fault(404, QosTypeSpecsNotFound(qos_type_id=row["id"], key=key).msg)
        await _tell(call, conn, "delete", {"key": key})
    return Reply()
