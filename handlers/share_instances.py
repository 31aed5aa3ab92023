"""Share instances, as administrators see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from db import instances as table
from generated.errors import NotFound
from generated.microversions import EXPORT_LOCATION_FILTERS, RECYCLE_BIN
from generated.runtime import Fault, Row
from generated.views import share_instances as views
from handlers import paging
from handlers.call import Call, Reply
from handlers.long import Rest, first, goes_on
from services import shares
from services.values import query_bool

_FOR_ALL = ("export_location_id", "export_location_path")


async def list(call: Call) -> Reply:
    """List share instances."""
    filters: Row = call.query.as_dict() if call.version >= EXPORT_LOCATION_FILTERS else {}
    recycle_bin = call.version >= RECYCLE_BIN
    if not call.ctx.is_admin:
        known = (*_FOR_ALL, "is_soft_deleted") if recycle_bin else _FOR_ALL
        filters = {key: value for key, value in filters.items() if key in known}
    if "is_soft_deleted" in filters and recycle_bin:
        filters["is_soft_deleted"] = query_bool("is_soft_deleted", filters["is_soft_deleted"])
    if not call.ctx.is_admin:
        raise Fault(403, "User does not have admin privileges.")
    # limit bounds nothing, but brings a link to the next page, which must not be this page again
    find = partial(table.find, filters=filters)
    async with call.listing() as conn:
        rows = await find(conn, limit=first(None), marker=call.query.get("marker"))
    if goes_on(rows, None):
        view, rest, name = views.SHARE_INSTANCE[call.version], Rest(call, find, None), "share_instances"
        return paging.long(call, name, view, rows, rest, None, collection=name, unread=_unread(call))
    return await _listed(call, rows)


def _unread(call: Call) -> tuple[str, ...]:
    return _FOR_ALL if call.version < EXPORT_LOCATION_FILTERS else ()


async def _listed(call: Call, rows: Sequence[Row]) -> Reply:
    view, unread = views.SHARE_INSTANCE[call.version], _unread(call)
    shown = await call.shown(view, rows)
    return paging.listed(call, "share_instances", shown, rows, collection="share_instances", unread=unread)


async def show(call: Call) -> Reply:
    """Show a share instance."""
    async with call.core.db.read() as conn:
        row = await table.get(conn, call.path["id"])
    if row is None:
        raise Fault(404)
    return Reply({"share_instance": views.SHARE_INSTANCE[call.version](row, call.see)})


async def list_by_share(call: Call) -> Reply:
    """List the instances of a share."""
    async with call.core.db.read() as conn:
        try:
            share = await shares.get(conn, call.ctx, call.path["share_id"])
        except NotFound:
            raise Fault(404) from None
        return await _listed(call, paging.after_marker(call, await table.of_share(conn, share["id"])))
