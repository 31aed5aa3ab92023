"""Share backups: what there is; they are made by operations to come."""

from __future__ import annotations

from db import pages
from db import share_backups as rows
from generated.errors import InvalidInput, NotFound
from generated.runtime import Fault, Row
from generated.views.share_backups import SHARE_BACKUP, SHARE_BACKUP_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, next_links, sorting
from services import shares

NAMES = {
    "name": "display_name", "description": "display_description", "name~": "display_name~",
    "description~": "display_description~",
}  # fmt: skip
FILTERS = (
    "display_name",
    "display_name~",
    "display_description",
    "display_description~",
    "share_id",
    "topic",
    "status",
)
ADMIN_FILTERS = ("id", "host")


async def _page(call: Call) -> pages.Page:
    limit, offset = limit_and_offset(call)
    sort_key, descending = sorting(call)
    sort_key = NAMES.get(sort_key, sort_key)
    if sort_key not in rows.SORT_KEYS:
        raise InvalidInput(reason=f"Wrong sorting key provided - '{sort_key}'.")
    legal = (*FILTERS, *ADMIN_FILTERS) if call.ctx.is_admin else FILTERS
    named = {NAMES.get(name, name): value for name, value in call.query.as_dict().items()}
    filters = {name: value for name, value in named.items() if name in legal}
    return pages.Page(sort_key, descending, limit, offset, call.query.get("marker"), filters)


async def _list(call: Call, detail: bool) -> Reply:
    page = await _page(call)
    everybody = call.query.get("all_tenants") or call.query.get("all_projects")
    project = None if everybody and call.ctx.allows("share_backup:get_all_project") else call.ctx.project_id or ""
    share_id = call.query.get("share_id")
    async with call.core.db.read() as conn:
        if share_id:
            try:
                await shares.get(conn, call.ctx, share_id)
            except NotFound:
                raise Fault(400, f"No share exists with ID {share_id}.") from None
        found = await rows.list_page(conn, page, project)
    shown = [{**row, "name": row["display_name"], "description": row["display_description"]} for row in found]
    view = (SHARE_BACKUP if detail else SHARE_BACKUP_SUMMARY)[call.version]
    body: Row = {"share_backups": [view(row, call.see) for row in shown]}
    links = next_links(call, "share-backups", found)
    if links:
        body["share_backup_links"] = links
    return Reply(body)


async def list(call: Call) -> Reply:
    """Backups of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Backups of the requester's project."""
    return await _list(call, detail=True)
