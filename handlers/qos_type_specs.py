"""Specs of a QoS type."""

from __future__ import annotations

from db import qos_types as rows
from db.connection import Conn
from generated.errors import QosTypeNotFound, QosTypeSpecsNotFound
from generated.runtime import Fault, Row
from handlers import notices
from handlers.call import Call
from handlers.specs_of import SpecsOf
from services import specs as texts


async def _type(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["id"])
    if row is None:
        raise Fault(404, QosTypeNotFound(qos_type_id=call.path["id"]).msg)
    return row


async def _tell(call: Call, conn: Conn, event: str, payload: Row) -> None:
    given = {"qos_type_id": call.path["id"], **payload}
    await notices.info(call, conn, "qosTypeSpecs", f"qos_type_specs.{event}", given)


def _changed(specs: Row) -> Row:
    texts.check_texts(specs, "spec")
    return specs


def _new(specs: Row) -> Row:
    texts.check_keys(_changed(specs))
    return specs


def _may_change(call: Call) -> None:
    if not call.ctx.is_admin:
        raise Fault(403)


_SPECS = SpecsOf(
    field="specs",
    key="key",
    find=_type,
    write=rows.set_specs,
    drop=rows.remove_spec,
    missing=lambda type_id, key: QosTypeSpecsNotFound(qos_type_id=type_id, key=key),
    new=_new,
    changed=_changed,
    may_change=_may_change,
    tell=_tell,
)
list, show, create, update, delete = _SPECS.list, _SPECS.show, _SPECS.create, _SPECS.update, _SPECS.delete
