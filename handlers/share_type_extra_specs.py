"""Extra specs of a share type."""

from __future__ import annotations

from db import share_types as rows
from db.connection import Conn
from generated.errors import InvalidExtraSpec, ShareTypeExtraSpecsNotFound, ShareTypeNotFound
from generated.microversions import SNAPSHOT_SUPPORT_OPTIONAL
from generated.runtime import Fault, Row
from handlers import notices
from handlers.call import Call
from handlers.specs_of import SpecsOf
from services import share_types
from services import specs as texts


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["type_id"], call.ctx.scope)
    if row is None:
        raise Fault(404, ShareTypeNotFound(share_type_id=call.path["type_id"]).msg)
    return row


def _changed(specs: Row) -> Row:
    """Raises Fault 400 for a key or value that is not allowed, InvalidExtraSpec for a boolean that is none."""
    for key, value in specs.items():
        if isinstance(value, dict) and texts.is_text(key):
            _changed(value)  # the refusal names the innermost, as the original's
        elif not (share_types.valid_required(key, value) and share_types.valid_optional(key, value)):
            raise Fault(400, f"Invalid extra_spec: {key}: {value}")
        texts.check_texts({key: value})
    return share_types.sanitized(specs)


def _new(specs: Row) -> Row:
    try:
        found = _changed(specs)
    except InvalidExtraSpec:
        raise Fault(400) from None
    texts.check_keys(specs)
    return found


def _may_drop(call: Call) -> None:
    """Raises Fault 403 for a spec that every type has; up to 2.23 ``snapshot_support`` is one."""
    key = call.path["id"]
    kept = share_types.SNAPSHOT_SUPPORT if call.version < SNAPSHOT_SUPPORT_OPTIONAL else None
    if key in (*share_types.REQUIRED, kept):
        raise Fault(403, f"Extra spec '{key}' can't be deleted.")


async def _tell(call: Call, conn: Conn, event: str, payload: Row) -> None:
    given = {"type_id": call.path["type_id"], **payload}
    await notices.info(call, conn, "shareTypeExtraSpecs", f"share_type_extra_specs.{event}", given)


_SPECS = SpecsOf(
    field="extra_specs",
    key="id",
    find=_type,
    write=rows.set_specs,
    drop=rows.remove_spec,
    missing=lambda type_id, key: ShareTypeExtraSpecsNotFound(share_type_id=type_id, extra_specs_key=key),
    new=_new,
    changed=_changed,
    may_drop=_may_drop,
    tell=_tell,
    word="id",
)
list, show, create, update, delete = _SPECS.list, _SPECS.show, _SPECS.create, _SPECS.update, _SPECS.delete
