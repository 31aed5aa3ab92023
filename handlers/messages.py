"""User messages: what went wrong in the background, in words a user may see."""

from __future__ import annotations

from db import message_lists as messages
from db import pages
from generated.errors import InvalidInput, MessageNotFound
from generated.messages import ACTION_TEXTS, DETAIL_TEXTS, UNKNOWN_ACTION_TEXT, Detail
from generated.microversions import MESSAGE_TIME_FILTERS
from generated.runtime import Fault, Row
from generated.views.messages import MESSAGE
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, listed, naive_time

TIMES = ("created_since", "created_before")


def _shown(row: Row) -> Row:
    action = ACTION_TEXTS.get(row["action_id"], UNKNOWN_ACTION_TEXT)
    detail = DETAIL_TEXTS.get(row["detail_id"], DETAIL_TEXTS[Detail.UNKNOWN_ERROR])
    return {**row, "user_message": f"{action}: {detail}"}


def _filters(call: Call) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in call.query.as_dict().items():
        if name in TIMES:
            if call.version >= MESSAGE_TIME_FILTERS:
                found[name] = naive_time(name, value)
        elif name in messages.FILTERS:
            found[name] = value
    return found


async def list(call: Call) -> Reply:
    """Messages of the requester's project, the newest first unless asked otherwise."""
    limit, offset = limit_and_offset(call)
    filters = _filters(call)
    sort_key = call.query.get("sort_key", "created_at") or ""
    if sort_key not in messages.SORT_KEYS:
        raise InvalidInput(reason=f"Invalid sort key {sort_key}")
    descending = call.query.get("sort_dir", "desc") == "desc"
    async with call.core.db.read() as conn:
        page = pages.Page(sort_key, descending, limit, offset, call.query.get("marker"), filters)
        rows = await pages.rows(conn, "messages", page, call.ctx.scope)
    view = MESSAGE[call.version]
    return listed(call, "messages", await call.shown(view, rows, _shown), rows)


async def show(call: Call) -> Reply:
    """One message."""
    async with call.core.db.read() as conn:
        row = await messages.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, MessageNotFound(message_id=call.path["id"]).msg)
    return Reply({"message": MESSAGE[call.version](_shown(row), call.see)})


async def delete(call: Call) -> Reply:
    """Remove a message."""
    async with call.core.db.write() as conn:
        row = await messages.get(conn, call.path["id"], call.ctx.scope)
        if row is None or not await messages.remove(conn, row["id"]):
            raise Fault(404, MessageNotFound(message_id=call.path["id"]).msg)
    return Reply()
