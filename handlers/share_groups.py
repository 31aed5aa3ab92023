"""Share groups."""

from __future__ import annotations

from collections.abc import Sequence

from db import share_groups
from generated.errors import InvalidInput, InvalidShareGroup
from generated.microversions import LIKE_FILTERS
from generated.runtime import Row
from generated.views.share_groups import SHARE_GROUP, SHARE_GROUP_SUMMARY
from handlers.call import Call, Reply
from handlers.group_like import GroupLike
from handlers.paging import after_marker, listed, page, sorting
from services import share_groups as rules

NO_FILTERS = ("limit", "offset", "marker", "sort_key", "sort_dir", "all_tenants", "share_types")
LIKE = tuple(f"{name}~" for name in share_groups.LIKE)
NEVER_MET = "availability_zone"
"""A filter that the original knows and that no group meets."""


def _filters(call: Call) -> dict[str, str] | None:
    """The filters of ``db.share_groups.list_all``; None when nothing meets them. Raises InvalidInput."""
    found: dict[str, str] = {}
    unmet = False
    for key, value in call.query.as_dict().items():
        if key in NO_FILTERS or (key in LIKE and call.version < LIKE_FILTERS):
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
    return listed(call, "share_groups", await call.shown(view, rows), rows)


async def create(call: Call) -> Reply:
    """Make a group, of share types or from a group snapshot."""
    return GROUP.one(call, await rules.create(call.core, call.ctx, call.body))


GROUP = GroupLike(
    key="share_group",
    title="Share group",
    get=share_groups.get,
    change=share_groups.change,
    view=SHARE_GROUP,
    delete_one=rules.delete,
    busy=InvalidShareGroup,
    forget=rules.force_delete,
)
show, update, delete = GROUP.show, GROUP.update, GROUP.delete


async def list(call: Call) -> Reply:
    """Groups of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Groups of the requester's project."""
    return await _list(call, detail=True)
