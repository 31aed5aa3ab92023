"""QoS types."""

from __future__ import annotations

from db import qos_types as rows
from db.connection import Conn
from generated.errors import InvalidInput, QosTypeExists, QosTypeInUse, QosTypeNotFound
from generated.runtime import Fault, Row
from generated.views.qos_types import QOS_TYPE
from handlers import notices
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, sorting
from services import notifications
from services import specs as texts
from services.values import kept_text

NO_BODY = "Body does not contain 'qos_type' information."


def _given(call: Call) -> Row:
    given = call.body["qos_type"] if call.has("qos_type") else None
    if not isinstance(given, dict):
        raise Fault(422, NO_BODY)
    return given


def _description(given: Row) -> str | None:
    text = given.get("description")
    text = kept_text(text)
    if text is not None and (not isinstance(text, str) or len(text) > texts.MAX_TEXT):
        raise Fault(400, "'description' must be a text of at most 255 characters.")
    return text


async def list(call: Call) -> Reply:
    """Types; only an administrator may look for an id."""
    limit, offset = limit_and_offset(call)
    sort_key, descending = sorting(call)
    if sort_key not in rows.SORT_KEYS:
        raise InvalidInput(reason=f"Wrong sorting key provided - '{sort_key}'.")
    filters = {
        name: value
        for name, value in call.query.as_dict().items()
        if name in rows.FILTERS and (name != "id" or call.ctx.is_admin)
    }
    async with call.core.db.read() as conn:
        found = await rows.list_page(conn, filters, sort_key, descending, limit, offset, call.query.get("marker"))
    view = QOS_TYPE[call.version]
    return Reply({"qos_types": await call.shown(view, found)})


async def show(call: Call) -> Reply:
    """One type."""
    async with call.core.db.read() as conn:
        row = await rows.get(conn, call.path["id"])
    if row is None:
        raise Fault(404, f"No QoS Type exists with ID {call.path['id']}.")
    return Reply({"qos_type": QOS_TYPE[call.version](row, call.see)})


async def _tell(call: Call, conn: Conn, event: str, row: Row) -> None:
    payload = {"qos_types": notifications.qos_type(row)}
    await notices.info(call, conn, "qosType", f"qos_type.{event}", payload)


async def _tell_refused(call: Call, event: str, payload: Row) -> None:
    await notices.error(call, "qosType", f"qos_type.{event}", payload)


def _unknown(call: Call) -> Row:
    ident = call.path["id"]
    return {"id": ident, "error_message": QosTypeNotFound(qos_type_id=ident).msg}


async def create(call: Call) -> Reply:
    """Make a type."""
    given = _given(call)
    name, specs = given.get("name"), given.get("specs", {})
    if not name:
        raise Fault(
            400,
            "QoS Type must have name. Name will be used as template by backend drivers to create QoS policy name.",
        )
    if not texts.is_text(name):
        raise Fault(400, "'name' must be a text of at most 255 characters.")
    taken = Fault(409, f"QoS Type with name {name} already exist.")
    try:
        async with call.core.db.write() as conn:
            if await rows.by_name(conn, name):
                raise taken
            if not isinstance(specs, dict):
                raise Fault(400, "'specs' must be an object.")
            texts.check_texts(specs, "spec")
            description = _description(given)
            if not call.ctx.is_admin:
                raise Fault(403)
            row = await rows.create(conn, name, description, texts.stored(specs, new=True))
            await _tell(call, conn, "create", row)
            row["description"] = given.get("description")  # a number is kept as text and answered as it came
    except rows.NameTaken:
        await _tell_refused(call, "create", {"qos_types": given, "error_message": QosTypeExists(id=name).msg})
        raise taken from None
    return Reply({"qos_type": QOS_TYPE[call.version](row, call.see)})


async def update(call: Call) -> Reply:
    """Change the description; the name stays."""
    given = _given(call)
    async with call.core.db.write() as conn:
        row = await rows.get(conn, call.path["id"])
        if row is not None and "description" in given:
            text = _description(given)
            if text != row["description"]:
                await rows.describe(conn, row["id"], text)
                row = {**(await rows.get(conn, row["id"]) or row), "description": given["description"]}
            await _tell(call, conn, "update", {**row, "description": text})
    if row is None:
        await _tell_refused(call, "update", _unknown(call))
        raise Fault(404, f"No qos_type exists with ID {call.path['id']}.")
    return Reply({"qos_type": QOS_TYPE[call.version](row, call.see)})


async def delete(call: Call) -> Reply:
    """Remove a type that no share is of."""
    try:
        async with call.core.db.write() as conn:
            row = await rows.get(conn, call.path["id"])
            if row is not None:
                await rows.destroy(conn, row["id"])
                await _tell(call, conn, "delete", row)
    except rows.InUse:
        used = QosTypeInUse(qos_type_id=call.path["id"])
        await _tell_refused(call, "delete", {"id": call.path["id"], "error_message": used.msg})
        raise Fault(400, used.msg) from None
    if row is None:
        await _tell_refused(call, "delete", _unknown(call))
        raise Fault(404, f"No QoS Type exists with ID {call.path['id']}.")
    return Reply()
