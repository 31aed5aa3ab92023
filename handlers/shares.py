"""Shares: create, list, show, change, remove."""

from __future__ import annotations

from functools import partial

from db import share_lists
from db import shares as table
from db.connection import Conn
from generated.errors import Conflict, InvalidShare, NotFound
from generated.microversions import EXPORT_LOCATION_RESOURCES
from generated.runtime import Fault, Row
from generated.views import shares as views
from handlers import paging, shares_migration
from handlers.call import Call, Reply
from handlers.long import Rest, first, goes_on
from handlers.shares_manage import manage
from services import patterns, share_changes, share_create, share_request
from services import shares as rules
from services.share_filters import Search, read_search, unread

_CHANGEABLE = ("display_name", "display_description", "is_public")


async def create(call: Call) -> Reply:
    """Create a share, from scratch or from a snapshot."""
    wish = share_request.read(call.ctx, call.body, call.version)
    row = await share_create.create(call.core, call.ctx, wish, call.version)
    return Reply({"share": views.SHARE[call.version](row, call.see)})


async def show(call: Call) -> Reply:
    """Show a share."""
    async with call.core.db.read() as conn:
        try:
            row = await rules.get(conn, call.ctx, call.path["id"], exports=call.version < EXPORT_LOCATION_RESOURCES)
        except NotFound:
            raise Fault(404) from None
    return Reply({"share": views.SHARE[call.version](row, call.see)})


async def list(call: Call) -> Reply:
    """List shares, with ids and names."""
    return await _listed(call, detail=False)


async def detail(call: Call) -> Reply:
    """List shares with all their fields."""
    return await _listed(call, detail=True)


async def _listed(call: Call, *, detail: bool) -> Reply:
    search = read_search(call.ctx, call.query.as_dict(), call.version, count_always=detail)
    view = (views.SHARE if detail else views.SHARE_SUMMARY)[call.version]
    hidden = unread(call.version, count_always=detail)
    async with call.listing() as conn:
        await _matched(conn, search)
        if not await _placed(conn, search):
            return paging.listed(call, "shares", [], [], count=0 if search.with_count else None, unread=hidden)
        search.check(call.ctx)
        key, down = search.sort_key, search.descending
        exports = detail and call.version < EXPORT_LOCATION_RESOURCES
        find = partial(
            share_lists.find, filters=search.filters, sort_key=key, descending=down, detail=detail, exports=exports
        )
        rows = await find(conn, limit=first(search.limit), offset=search.offset, marker=search.marker)
        count = await share_lists.count(conn, search.filters) if search.with_count else None
    if goes_on(rows, search.limit):
        ids = partial(share_lists.ids, filters=search.filters, sort_key=key, descending=down)
        rest = Rest(call, find, None if key == "created_at" else ids)
        return paging.long(call, "shares", view, rows, rest, search.limit, count=count, unread=hidden)
    shown = await call.shown(view, rows)
    return paging.listed(call, "shares", shown, rows, count=count, unread=hidden)


async def _matched(conn: Conn, search: Search) -> None:
    """Regular expressions for ``name~`` and ``description~``; what is none is a text that a share's contains."""
    for name in ("display_name~", "display_description~"):
        if text := search.filters.get(name):
            search.filters[name] = await share_lists.expression(conn, text, literal=not patterns.is_usable(text))


async def _placed(conn: Conn, search: Search) -> bool:
    """Make the filter of the zone's name; False where there is no such zone."""
    if search.zone is not None:
        zone_id = await table.zone_id(conn, search.zone, by_id=search.zone_is_id)
        if zone_id is None:
            return False
        search.filters["availability_zone_id"] = zone_id
    return True


async def update(call: Call) -> Reply:
    """Change name, description and publicity of a share."""
    body, ctx = call.body, call.ctx
    if not call.has("share"):
        raise Fault(422)
    given = body["share"]
    if given is None or isinstance(given, (int, float)):
        raise Fault(400)
    if not isinstance(given, dict):
        if any(key in given for key in _CHANGEABLE):
            raise Fault(400, "Invalid input for field share: an object is expected.")
        given = {}
    changes = {key: given[key] for key in _CHANGEABLE if key in given}
    shown: Row = {}
    for key in ("display_name", "display_description"):
        if key in changes:
            share_request.check_length(changes[key], key)
            shown[key] = changes[key]  # a zero is kept as text and yet answered as it came
    async with call.core.db.write() as conn:
        try:
            row = await rules.get(
                conn, ctx, call.path["id"], exports=call.version < EXPORT_LOCATION_RESOURCES, lock=True
            )
        except NotFound:
            raise Fault(404) from None
        if row["is_soft_deleted"]:
            raise Fault(403, f"Share '{row['id']} cannot be updated, since it has been soft deleted.")
        if "is_public" in changes:
            changes["is_public"] = share_request.public_flag(ctx, changes["is_public"], "share:set_public_share")
        ctx.enforce("share:update", row)
        changes |= {key: share_request.stored_text(value, key) for key, value in shown.items()}
        if changes:
            await table.set_share(conn, row["id"], **changes)
    return Reply({"share": views.SHARE[call.version]({**row, **changes, **shown}, call.see)})


async def delete(call: Call) -> Reply:
    """Remove a share."""
    async with call.core.db.write() as conn:
        try:
            row = await rules.get(conn, call.ctx, call.path["id"], lock=True)
            _check_group(row, call.query.get("share_group_id"))
            await share_changes.remove(call.core, conn, call.ctx, row)
        except NotFound:
            raise Fault(404) from None
        except InvalidShare as error:
            raise Fault(403, error.msg) from None
        except Conflict as error:
            raise Fault(409, error.msg) from None
    return Reply()


migration_progress = shares_migration.migration_progress


def _check_group(row: Row, named: str | None) -> None:
    """A share of a group goes only when the request names the group. Raises Fault 400."""
    if not row["share_group_id"]:
        return
    if not named:
        raise Fault(400, "Must provide 'share_group_id' as a request parameter when deleting a share in a share group.")
    if named != row["share_group_id"]:
        raise Fault(400, "The specified 'share_group_id' does not match the share group id of the share.")


__all__ = ["create", "delete", "detail", "list", "manage", "migration_progress", "show", "update"]
