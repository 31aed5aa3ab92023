"""Extra specs of a share type."""

from __future__ import annotations

import re

from db import share_types as rows
from db.connection import Conn
from generated.errors import InvalidExtraSpec, ShareTypeExtraSpecsNotFound, ShareTypeNotFound
from generated.runtime import Fault, Row
from handlers.call import Call, Reply
from services import share_types
from services.share_types import visible_to

KEY = re.compile(r"[\w.\-:]+\Z")
NEVER_DELETED_BELOW = 24
"""Up to 2.23 every type has ``snapshot_support``."""


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["type_id"], visible_to(call.ctx))
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
        text = isinstance(value, bool) or (isinstance(value, str) and 0 < len(value) < 256)
        if not (good and text and 0 < len(key) < 256):
            raise Fault(400, f"Invalid extra_spec: {key}: {value}")


async def _store(conn: Conn, type_id: str, specs: Row) -> None:
    await rows.set_specs(conn, type_id, {key: str(value) for key, value in specs.items()})


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
        if not all(KEY.match(key) for key in given):
            raise Fault(
                400,
                "Key names can only contain alphanumeric characters, underscores, periods, colons and hyphens.",
            )
        specs = share_types.sanitized(given)
        await _store(conn, row["id"], specs)
    return Reply({**call.body, "extra_specs": specs})


async def update(call: Call) -> Reply:
    """Change one extra spec, or add it."""
    if not call.body:
        raise Fault(400, "Request body empty")
    async with call.core.db.write() as conn:
        row = await _type(conn, call)
        if not isinstance(call.body, dict) or call.path["id"] not in call.body:
            raise Fault(400, "Request body and URI mismatch")
        if len(call.body) > 1:
            raise Fault(400, "Request body contains too many items")
        _verify(call.body)
        specs = share_types.sanitized(call.body)
        await _store(conn, row["id"], specs)
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
    return Reply()
