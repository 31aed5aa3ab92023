"""Share instances, as administrators see them."""

from __future__ import annotations

from collections.abc import Sequence

from db import instances as table
from generated.errors import NotFound
from generated.microversions import EXPORT_LOCATION_FILTERS, RECYCLE_BIN
from generated.runtime import Fault, Row
from generated.views import share_instances as views
from handlers import paging
from handlers.call import Call, Reply
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
    async with call.core.db.read() as conn:
        return await _listed(call, await table.find(conn, filters))


async def _listed(call: Call, found: Sequence[Row]) -> Reply:
    # limit bounds nothing, but brings a link to the next page, which must not be this page again
    rows = paging.after_marker(call, found)
    view = views.SHARE_INSTANCE[call.version]
    unread = _FOR_ALL if call.version < EXPORT_LOCATION_FILTERS else ()
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
        return await _listed(call, await table.of_share(conn, share["id"]))
