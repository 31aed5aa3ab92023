"""Snapshots of share groups."""

from __future__ import annotations

from db import share_group_snapshots as table
from db.connection import Conn
from generated.errors import InvalidInput, InvalidShareGroup, InvalidShareGroupSnapshot
from generated.runtime import Fault, Row
from generated.views.share_groups import (
    SHARE_GROUP_SNAPSHOT,
    SHARE_GROUP_SNAPSHOT_MEMBER,
    SHARE_GROUP_SNAPSHOT_SUMMARY,
)
from handlers.call import Call, Reply
from handlers.group_like import GroupLike
from handlers.paging import after_marker, listed, page, sorting
from services import share_group_snapshots as rules
from services.share_groups import forget_snapshot

KEY = "share_group_snapshot"
COLLECTION = "share-group-snapshots"
NO_FILTERS = ("limit", "offset", "marker", "sort_key", "sort_dir", "all_tenants")


def _filters(call: Call) -> dict[str, str]:
    found = {name: value for name, value in call.query.as_dict().items() if name not in NO_FILTERS}
    for name in found:
        if name not in table.COLUMNS_OF_SNAPSHOTS:
            raise InvalidInput(reason=f"Share group snapshots cannot be filtered using '{name}' key.")
    return found


async def _list(call: Call, detail: bool) -> Reply:
    filters = _filters(call)
    sort_key, descending = sorting(call)
    if sort_key not in table.COLUMNS_OF_SNAPSHOTS:
        raise InvalidInput(reason=f"Wrong sorting key provided - '{sort_key}'.")
    everybody = bool(call.query.get("all_tenants")) and call.ctx.is_admin
    project = None if everybody else call.ctx.project_id or ""
    async with call.core.db.read() as conn:
        found = await table.list_all(conn, project, filters, sort_key, descending)
    rows = page(call, after_marker(call, found))
    view = (SHARE_GROUP_SNAPSHOT if detail else SHARE_GROUP_SNAPSHOT_SUMMARY)[call.version]
    shown = await call.shown(view, rows)
    return listed(call, "share_group_snapshots", shown, rows, links="share_group_snapshot_links")


async def create(call: Call) -> Reply:
    """Make a snapshot of every share of a group."""
    try:
        async with call.core.db.write() as conn:
            snapshot = await rules.create(call.core, conn, call.ctx, call.body)
    except InvalidShareGroup as error:
        raise Fault(409, error.msg) from None
    return SNAPSHOT.one(call, snapshot)


async def _forget(conn: Conn, snapshot: Row) -> None:
    await forget_snapshot(conn, snapshot["id"])


SNAPSHOT = GroupLike(
    key=KEY,
    title="Share group snapshot",
    get=table.get,
    change=table.change,
    view=SHARE_GROUP_SNAPSHOT,
    delete_one=rules.delete,
    busy=InvalidShareGroupSnapshot,
    forget=_forget,
)
show, update, delete = SNAPSHOT.show, SNAPSHOT.update, SNAPSHOT.delete


async def members(call: Call) -> Reply:
    """The snapshots of single shares that a group snapshot is made of."""
    page(call, ())  # what is no number is said first
    async with call.core.db.read() as conn:
        snapshot = await SNAPSHOT.found(call, conn)
        rows = page(call, await table.members(conn, snapshot["id"]))
    view = SHARE_GROUP_SNAPSHOT_MEMBER[call.version]
    shown_as = [{"id": snapshot["id"]} for _ in rows]  # the original's link names the snapshot, and leads to the list
    key, collection = "share_group_snapshot_members", "share-group-snapshots"
    return listed(call, key, await call.shown(view, rows), shown_as, collection=collection)


async def list(call: Call) -> Reply:
    """Group snapshots of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Group snapshots of the requester's project."""
    return await _list(call, detail=True)
