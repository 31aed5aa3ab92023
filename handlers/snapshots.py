"""Snapshots."""

from __future__ import annotations

from functools import partial

from db import snapshot_access as rules
from db import snapshots as rows
from db.connection import Conn
from generated.errors import InvalidInput, NotFound, PolicyNotAuthorized
from generated.microversions import LIKE_FILTERS, SNAPSHOT_COUNT, SNAPSHOT_METADATA
from generated.runtime import Fault, Json, Row, View
from generated.views import access as access_views
from generated.views import snapshots as views
from handlers import paging
from handlers.call import Call, Reply
from handlers.long import Rest, first, goes_on
from handlers.snapshots_manage import manage
from services import snapshots
from services.literals import metadata_filter
from services.values import query_bool, strict_bool

_FOR_MEMBERS = frozenset(
    (
        "display_name",
        "status",
        "share_id",
        "size",
        "display_name~",
        "display_description~",
        "display_description",
        "metadata",
    )
)
_LONG_NAMES = {
    "name": "display_name",
    "description": "display_description",
    "name~": "display_name~",
    "description~": "display_description~",
}
_USAGES = ["any", "used", "unused"]


async def create(call: Call) -> Reply:
    """Make a snapshot of a share."""
    data = call.body["snapshot"] if call.has("snapshot") else None
    if not isinstance(data, dict):
        raise Fault(422)
    async with call.core.db.write() as conn:
        snapshot = await snapshots.create(conn, call.core, call.ctx, data, call.version >= SNAPSHOT_METADATA)
    return _one(call, snapshot)


async def show(call: Call) -> Reply:
    """One snapshot."""
    async with call.core.db.read() as conn:
        snapshot = await _visible(call, conn)
    if snapshot["status"] is None:
        raise Fault(404)
    return _one(call, snapshot)


async def update(call: Call) -> Reply:
    """Change ``display_name`` and ``display_description``."""
    call.ctx.enforce("share:snapshot_update")
    if not call.has("snapshot"):
        raise Fault(422)
    data = call.body["snapshot"]
    if data is None or isinstance(data, (bool, int, float)):
        raise Fault(400)
    fields = ("display_name", "display_description") if isinstance(data, dict) else ()
    sent = {name: data[name] for name in fields if name in data}  # a zero is kept as text and yet answered as it came
    for name, value in sent.items():
        snapshots.check_length(value, name)
    async with call.core.db.write() as conn:
        snapshot = await _visible(call, conn)
        call.ctx.enforce("share:snapshot_update", snapshot)
        values = {name: snapshots.check_name(value, name) for name, value in sent.items()}
        await rows.set_names(conn, snapshot["id"], values)
    return _one(call, {**snapshot, **sent})


async def delete(call: Call) -> Reply:
    """Remove a snapshot."""
    call.ctx.enforce("share:delete_snapshot")
    async with call.core.db.write() as conn:
        await rules.lock_snapshot(conn, call.path["id"])
        await snapshots.delete(call.core, conn, call.ctx, await _visible(call, conn))
    return Reply()


async def access_list(call: Call) -> Reply:
    """The access rules of a mountable snapshot."""
    async with call.core.db.read() as conn:
        snapshot = await snapshots.get(conn, call.ctx, call.path["snapshot_id"])
        snapshots.require_mountable(snapshot, await snapshots.share_of(conn, call.ctx, snapshot), to_change=False)
        found = await rules.of_snapshot(conn, snapshot["id"])
    view, see = access_views.SNAPSHOT_ACCESS_RULE[call.version], call.see
    return Reply({"snapshot_access_list": [view(rule, see) for rule in found]})


async def list(call: Call) -> Reply:
    """Snapshots by id, name and links."""
    return await _list(call, views.SNAPSHOT_SUMMARY[call.version], count=call.version >= SNAPSHOT_COUNT)


async def detail(call: Call) -> Reply:
    """Snapshots with all fields."""
    return await _list(call, views.SNAPSHOT[call.version], count=True)


async def _visible(call: Call, conn: Conn) -> Row:
    try:
        return await snapshots.get(conn, call.ctx, call.path["id"])
    except NotFound:
        raise Fault(404) from None


def _one(call: Call, snapshot: Row) -> Reply:
    return Reply({"snapshot": views.SNAPSHOT[call.version](snapshot, call.see)})


async def _list(call: Call, view: View, *, count: bool) -> Reply:
    query = call.query.as_dict()
    limit, offset = paging.limit_and_offset(call)
    marker = query.get("marker")
    for name in ("limit", "offset", "marker"):
        query.pop(name, None)
    if call.version < LIKE_FILTERS:
        for name in ("name~", "description~", "description"):
            query.pop(name, None)
    counted = query.pop("with_count", None)
    wanted = count and counted is not None and query_bool("with_count", counted)
    sort_key, sort_dir = query.pop("sort_key", "created_at"), query.pop("sort_dir", "desc")
    sort_key = {"name": "display_name", "description": "display_description"}.get(sort_key, sort_key)
    filters = _filters(call, query, sort_key, sort_dir)
    if sort_dir.lower() not in ("asc", "desc") or sort_key not in rows.SORT_KEYS:
        raise InvalidInput(
            reason=f"Wrong sorting data provided: sort key is '{sort_key}' and sort direction is '{sort_dir}'."
        )
    down = sort_dir.lower() == "desc"
    most = limit if "limit" in call.query else None
    find = partial(rows.find, filters=filters, sort_key=sort_key, descending=down)
    async with call.listing() as conn:
        total = await rows.count(conn, filters) if wanted else None
        found = await find(conn, limit=first(most), offset=offset, marker=marker)
    if goes_on(found, most):
        ids = partial(rows.ids, filters=filters, sort_key=sort_key, descending=down)
        rest = Rest(call, find, None if sort_key == "created_at" else ids)
        return paging.long(call, "snapshots", view, found, rest, most, links="share_snapshots_links", count=total)
    shown = await call.shown(view, found)
    return paging.listed(call, "snapshots", shown, found, links="share_snapshots_links", count=total)


def _filters(call: Call, query: dict[str, str], sort_key: str, sort_dir: str) -> Row:
    """The filters of ``db.snapshots.find``. Raises errors of status 400 and 403 in the original's order."""
    given: dict[str, Json] = {_LONG_NAMES.get(name, name): value for name, value in query.items()}
    if call.version < SNAPSHOT_METADATA:
        given.pop("metadata", None)
    elif "metadata" in given:
        given["metadata"] = metadata_filter(given["metadata"])
    if not call.ctx.is_admin:
        given = {name: value for name, value in given.items() if name in _FOR_MEMBERS}
    call.ctx.enforce("share_snapshot:get_all_snapshots")
    everybody = _all_tenants(call, given)
    for name, value in {"sort_key": sort_key, "sort_dir": sort_dir, **given}.items():
        if name != "metadata" and not value:
            raise InvalidInput(reason=f"Wrong '{name}' filter provided: '{value}'.")
    rule = "share_snapshot:list_snapshots_in_deferred_deletion_states"
    given["deferred"] = call.ctx.allows(rule)
    if not given["deferred"] and "deferred" in given.get("status", ""):
        raise PolicyNotAuthorized(action=rule)
    if given.get("usage") not in (None, *_USAGES):
        raise InvalidInput(reason=f"Wrong 'usage' key provided - '{given['usage']}'. Expected keys are '{_USAGES}'.")
    for name in ("size", "share_size"):
        if name in given:
            given[name] = _number(name, given[name])
    if not everybody:
        given["owner"] = call.ctx.project_id
    return given


def _all_tenants(call: Call, given: Row) -> bool:
    """Whether snapshots of every project are asked for and may be shown."""
    if "all_tenants" not in given:
        return False
    value = given["all_tenants"]
    try:
        if value and not strict_bool(value):
            return False
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    del given["all_tenants"]
    return call.ctx.allows("share_snapshot:list_all_projects")


def _number(name: str, value: str) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if not 0 <= number <= 2**31 - 1:
        raise InvalidInput(reason=f"{name} must be a number.")
    return number


__all__ = ["access_list", "create", "delete", "detail", "list", "manage", "show", "update"]
