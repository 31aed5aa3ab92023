"""Specs of a share group type."""

from __future__ import annotations

from db import share_group_types as rows
from db.connection import Conn
from generated.errors import ShareGroupTypeNotFound, ShareGroupTypeSpecsNotFound
from generated.runtime import Fault, Row
from handlers.call import Call
from handlers.specs_of import SpecsOf
from services import specs as texts


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, ShareGroupTypeNotFound(type_id=call.path["id"]).msg)
    return row


def _changed(specs: Row) -> Row:
    texts.check_texts(specs)
    return specs


def _new(specs: Row) -> Row:
    texts.check_keys(_changed(specs))
    return specs


_SPECS = SpecsOf(
    field="group_specs",
    key="key",
    find=_type,
    write=rows.set_specs,
    drop=rows.remove_spec,
    missing=lambda type_id, key: ShareGroupTypeSpecsNotFound(type_id=type_id, specs_key=key),
    new=_new,
    changed=_changed,
    empty="Request body empty.",
    stop=".",
)
list, show, create, update, delete = _SPECS.list, _SPECS.show, _SPECS.create, _SPECS.update, _SPECS.delete
