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
from handlers.paging import after_marker, next_links, page, sorting
from services import share_group_snapshots as rules
from services.share_group_request import changes_of, stored_texts

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
    see = call.see
    body: Row = {"share_group_snapshots": [view(row, see) for row in rows]}
    if links := next_links(call, COLLECTION, rows):
        body["share_group_snapshot_links"] = links
    return Reply(body)


async def create(call: Call) -> Reply:
    """Make a snapshot of every share of a group."""
    try:
        async with call.core.db.write() as conn:
            snapshot = await rules.create(call.core, conn, call.ctx, call.body)
    except InvalidShareGroup as error:
        raise Fault(409, error.msg) from None
    return _one(call, snapshot)


async def show(call: Call) -> Reply:
    """One group snapshot."""
    async with call.core.db.read() as conn:
        return _one(call, await _found(call, conn))


async def members(call: Call) -> Reply:
    """The snapshots of single shares that a group snapshot is made of."""
    page(call, ())  # what is no number is said first
    async with call.core.db.read() as conn:
        snapshot = await _found(call, conn)
        rows = page(call, await table.members(conn, snapshot["id"]))
    view, see = SHARE_GROUP_SNAPSHOT_MEMBER[call.version], call.see
    body: Row = {"share_group_snapshot_members": [view(row, see) for row in rows]}
    shown_as = [{"id": snapshot["id"]} for _ in rows]  # the original's link names the snapshot, and leads to the list
    if links := next_links(call, COLLECTION, shown_as):
        body["share_group_snapshot_members_links"] = links
    return Reply(body)


async def update(call: Call) -> Reply:
    """Change name and description of a group snapshot."""
    shown = changes_of(call.body, KEY)
    async with call.core.db.write() as conn:
        snapshot = await _found(call, conn, lock=True)
        if shown:
            await table.change(conn, snapshot["id"], stored_texts(shown))
    return _one(call, {**snapshot, **shown})


async def delete(call: Call) -> Reply:
    """Remove a group snapshot."""
    async with call.core.db.write() as conn:
        snapshot = await _found(call, conn, lock=True)
        try:
            await rules.delete(conn, call.ctx, snapshot)
        except InvalidShareGroupSnapshot as error:
            raise Fault(409, error.msg) from None
    return Reply()


async def _found(call: Call, conn: Conn, *, lock: bool = False) -> Row:
    snapshot = await table.get(conn, call.path["id"], call.ctx.scope, lock=lock)
    if snapshot is None:
        raise Fault(404, f"Share group snapshot {call.path['id']} not found.")
    return snapshot


def _one(call: Call, snapshot: Row) -> Reply:
    return Reply({KEY: SHARE_GROUP_SNAPSHOT[call.version](snapshot, call.see)})


async def list(call: Call) -> Reply:
    """Group snapshots of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Group snapshots of the requester's project."""
    return await _list(call, detail=True)
