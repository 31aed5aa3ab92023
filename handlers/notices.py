"""Notifications of requests that the API itself finishes."""

from __future__ import annotations

from db.connection import Conn
from generated.runtime import Row
from handlers.call import Call
from services import notifications


async def info(call: Call, conn: Conn, service: str, event: str, payload: Row) -> None:
    """Tell, in the transaction of the change, that it was made."""
    context = notifications.context_of(call.ctx)
    await notifications.tell(conn, call.core.settings, service, event, payload, context=context)


async def error(call: Call, service: str, event: str, payload: Row) -> None:
    """Tell that a change was refused; in a transaction of its own, since the change's is undone."""
    if not notifications.enabled(call.core.settings):
        return
    async with call.core.db.write() as conn:
        context = notifications.context_of(call.ctx)
        await notifications.tell(conn, call.core.settings, service, event, payload, priority="ERROR", context=context)
