"""Extra specs of a share type."""

from __future__ import annotations

from db import share_types as rows
from db.connection import Conn
from generated.errors import InvalidExtraSpec, ShareTypeExtraSpecsNotFound, ShareTypeNotFound
from generated.runtime import Fault, Row
from handlers import notices
from handlers.call import Call, Reply
from services import share_types
from services import specs as texts

NEVER_DELETED_BELOW = 24
"""Up to 2.23 every type has ``snapshot_support``."""


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["type_id"], call.ctx.scope)
    if row is None:
        raise Fault(404, ShareTypeNotFound(share_type_id=call.path["type_id"]).msg)
    return row


async def list(call: Call) -> Reply:
    """All extra specs."""
    async with call.core.db.read() as conn:
        row = await _type(conn, call)
    return Reply({"extra_specs": row["extra_specs"]})


async def show(call: Call) -> Reply:
    """One extra spec."""
    async with call.core.db.read() as conn:
        row = await _type(conn, call)
    key = call.path["id"]
    if key not in row["extra_specs"]:
        raise Fault(404)
    return Reply({key: row["extra_specs"][key]})


def _verify(specs: Row) -> None:
    """Raise Fault 400 for a key or value that is not allowed, InvalidExtraSpec for a boolean that is none."""
    for key, value in specs.items():
        good = share_types.valid_required(key, value) and share_types.valid_optional(key, value)
        if not good:
            raise Fault(400, f"Invalid extra_spec: {key}: {value}")
        texts.check_texts({key: value})


async def _tell(call: Call, conn: Conn, event: str, payload: Row) -> None:
    given = {"type_id": call.path["type_id"], **payload}
    await notices.info(call, conn, "shareTypeExtraSpecs", f"share_type_extra_specs.{event}", given)


async def _store(conn: Conn, type_id: str, specs: Row) -> None:
    await rows.set_specs(conn, type_id, texts.stored(specs))


async def create(call: Call) -> Reply:
    """Add or change extra specs."""
    given = call.body.get("extra_specs") if isinstance(call.body, dict) else None
    if not isinstance(given, dict):
        raise Fault(400)
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        try:
            _verify(given)
        except InvalidExtraSpec:
            raise Fault(400) from None
        texts.check_keys(given)
        specs = share_types.sanitized(given)
        await _store(conn, row["id"], specs)
        await _tell(call, conn, "create", {"specs": specs})
    return Reply({**call.body, "extra_specs": specs})


async def update(call: Call) -> Reply:
    """Change one extra spec, or add it."""
    if not call.body:
        raise Fault(400, "Request body empty")
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        given = texts.single(call.body, call.path["id"])
        _verify(given)
        specs = share_types.sanitized(given)
        await _store(conn, row["id"], specs)
        await _tell(call, conn, "update", {"id": call.path["id"]})
    return Reply(specs)


async def delete(call: Call) -> Reply:
    """Remove an extra spec that is not required."""
    key = call.path["id"]
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        kept = share_types.SNAPSHOT_SUPPORT if call.version < NEVER_DELETED_BELOW else None
        if key in (*share_types.REQUIRED, kept):
            raise Fault(403, f"Extra spec '{key}' can't be deleted.")
        if not await rows.remove_spec(conn, row["id"], key):
            error = ShareTypeExtraSpecsNotFound(share_type_id=row["id"], extra_specs_key=key)
            raise Fault(404, error.msg)
        await _tell(call, conn, "delete", {"id": key})
    return Reply()
