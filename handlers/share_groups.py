"""Share groups: what there is; they are made by operations to come."""

from __future__ import annotations

from db import share_groups
from generated.errors import InvalidInput
from generated.runtime import Row
from generated.views.share_groups import SHARE_GROUP, SHARE_GROUP_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import next_links, page, sorting

NO_FILTERS = ("limit", "offset", "sort_key", "sort_dir", "all_tenants", "share_types")
LIKE_SINCE = 36
LIKE = tuple(f"{name}~" for name in share_groups.LIKE)


def _filters(call: Call) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in call.query.as_dict().items():
        if key in NO_FILTERS or (key in LIKE and call.version < LIKE_SINCE):
            continue
        name = "share_group_type_id" if key == "group_type_id" else key
        if name not in share_groups.COLUMNS_OF_GROUPS and name not in LIKE:
            raise InvalidInput(reason=f"Share groups cannot be filtered using '{name}' key.")
        found[name] = value
    return found


async def _list(call: Call, detail: bool) -> Reply:
    filters = _filters(call)
    sort_key, descending = sorting(call)
    if sort_key not in share_groups.COLUMNS_OF_GROUPS:
        raise InvalidInput(reason=f"Wrong sorting key provided - '{sort_key}'.")
    everybody = bool(call.query.get("all_tenants")) and call.ctx.is_admin
    project = None if everybody else call.ctx.project_id or ""
    async with call.core.db.read() as conn:
        found = await share_groups.list_all(conn, project, filters, sort_key, descending)
    rows = page(call, found)
    view = (SHARE_GROUP if detail else SHARE_GROUP_SUMMARY)[call.version]
    body: Row = {"share_groups": [view(row, call.see) for row in rows]}
    links = next_links(call, "share_groups", rows)
    if links:
        body["share_groups_links"] = links
    return Reply(body)


async def list(call: Call) -> Reply:
    """Groups of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Groups of the requester's project."""
    return await _list(call, detail=True)
