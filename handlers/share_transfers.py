"""Share transfers: what there is; they are made by operations to come."""

from __future__ import annotations

from db import pages
from generated.columns import COLUMNS
from generated.errors import InvalidInput
from generated.runtime import Row
from generated.views.transfers import TRANSFER, TRANSFER_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, next_links
from services.capabilities import read_bool

TRANSFERS = "transfers"
NAMES = {"name": "display_name", "name~": "display_name~"}
FILTERS = (
    "display_name", "display_name~", "id", "resource_type", "resource_id", "source_project_id",
    "destination_project_id",
)  # fmt: skip


def _page(call: Call) -> pages.Page:
    limit, offset = limit_and_offset(call)
    sort_key = call.query.get("sort_key") or "created_at"
    if sort_key not in COLUMNS[TRANSFERS]:
        raise InvalidInput(reason=f"Invalid sort key {sort_key}")
    descending = call.query.get("sort_dir", "desc") == "desc"
    named = {NAMES.get(name, name): value for name, value in call.query.as_dict().items()}
    filters = {name: value for name, value in named.items() if name in FILTERS}
    return pages.Page(sort_key, descending, limit, offset, call.query.get("marker"), filters)


async def _list(call: Call, detail: bool) -> Reply:
    page = _page(call)
    everybody = read_bool(call.query.get("all_tenants")) and call.ctx.allows("share_transfer:get_all_tenant")
    if not everybody:
        page.filters.pop("source_project_id", None)
    project = None if everybody else call.ctx.project_id or ""
    async with call.core.db.read() as conn:
        found = await pages.rows(conn, TRANSFERS, page, project, "source_project_id")
    view = (TRANSFER if detail else TRANSFER_SUMMARY)[call.version]
    body: Row = {"transfers": [view({**row, "name": row["display_name"]}, call.see) for row in found]}
    links = next_links(call, "share-transfers", found)
    if links:
        body["transfers_links"] = links
    return Reply(body)


async def list(call: Call) -> Reply:
    """Transfers that the requester's project started, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Transfers that the requester's project started."""
    return await _list(call, detail=True)
