"""Share groups."""

from __future__ import annotations

from collections.abc import Sequence

from db import share_groups
from db.connection import Conn
from generated.errors import InvalidInput, InvalidShareGroup
from generated.runtime import Fault, Row
from generated.views.share_groups import SHARE_GROUP, SHARE_GROUP_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import after_marker, next_links, page, sorting
from services import share_groups as rules
from services.share_group_request import changes_of, stored_texts

NO_FILTERS = ("limit", "offset", "marker", "sort_key", "sort_dir", "all_tenants", "share_types")
LIKE_SINCE = 36
LIKE = tuple(f"{name}~" for name in share_groups.LIKE)
NEVER_MET = "availability_zone"
"""A filter that the original knows and that no group meets."""


def _filters(call: Call) -> dict[str, str] | None:
    """The filters of ``db.share_groups.list_all``; None when nothing meets them. Raises InvalidInput."""
    found: dict[str, str] = {}
    unmet = False
    for key, value in call.query.as_dict().items():
        if key in NO_FILTERS or (key in LIKE and call.version < LIKE_SINCE):
            continue
        name = "share_group_type_id" if key == "group_type_id" else key
        if name == NEVER_MET:
            unmet = True
            continue
        if name not in share_groups.COLUMNS_OF_GROUPS and name not in LIKE:
            raise InvalidInput(reason=f"Share groups cannot be filtered using '{name}' key.")
        found[name] = value
    return None if unmet else found


async def _list(call: Call, detail: bool) -> Reply:
    filters = _filters(call)
    sort_key, descending = sorting(call)
    if sort_key not in share_groups.COLUMNS_OF_GROUPS:
        raise InvalidInput(reason=f"Wrong sorting key provided - '{sort_key}'.")
    everybody = bool(call.query.get("all_tenants")) and call.ctx.is_admin
    project = None if everybody else call.ctx.project_id or ""
    found: Sequence[Row] = ()
    if filters is not None:
        async with call.core.db.read() as conn:
            found = await share_groups.list_all(conn, project, filters, sort_key, descending)
    rows = page(call, after_marker(call, found))
    view = (SHARE_GROUP if detail else SHARE_GROUP_SUMMARY)[call.version]
    see = call.see
    body: Row = {"share_groups": [view(row, see) for row in rows]}
    links = next_links(call, "share-groups", rows)
    if links:
        body["share_groups_links"] = links
    return Reply(body)


async def create(call: Call) -> Reply:
    """Make a group, of share types or from a group snapshot."""
    return _one(call, await rules.create(call.core, call.ctx, call.body))


async def show(call: Call) -> Reply:
    """One group."""
    async with call.core.db.read() as conn:
        return _one(call, await _found(call, conn))


async def update(call: Call) -> Reply:
    """Change name and description of a group."""
    shown = changes_of(call.body, "share_group")
    async with call.core.db.write() as conn:
        group = await _found(call, conn, lock=True)
        if shown:
            await share_groups.change(conn, group["id"], stored_texts(shown))
    return _one(call, {**group, **shown})


async def delete(call: Call) -> Reply:
    """Remove an empty group."""
    async with call.core.db.write() as conn:
        group = await _found(call, conn, lock=True)
        try:
            await rules.delete(conn, call.ctx, group)
        except InvalidShareGroup as error:
            raise Fault(409, error.msg) from None
    return Reply()


async def _found(call: Call, conn: Conn, *, lock: bool = False) -> Row:
    group = await share_groups.get(conn, call.path["id"], call.ctx.scope, lock=lock)
    if group is None:
        raise Fault(404, f"Share group {call.path['id']} not found.")
    return group


def _one(call: Call, group: Row) -> Reply:
    return Reply({"share_group": SHARE_GROUP[call.version](group, call.see)})


async def list(call: Call) -> Reply:
    """Groups of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Groups of the requester's project."""
    return await _list(call, detail=True)
