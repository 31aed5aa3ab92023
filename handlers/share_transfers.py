"""Share transfers: what is offered, offers made, taken back and taken."""

from __future__ import annotations

from db import pages
from generated.columns import COLUMNS
from generated.errors import (
    InvalidAuthKey,
    InvalidInput,
    InvalidShare,
    InvalidSnapshot,
    ShareLimitExceeded,
    ShareReplicaSizeExceedsAvailableQuota,
    ShareReplicasLimitExceeded,
    ShareSizeExceedsAvailableQuota,
    ShareSizeExceedsLimit,
    SnapshotLimitExceeded,
    SnapshotSizeExceedsAvailableQuota,
    TransferNotFound,
)
from generated.runtime import Fault, Json, Row
from generated.views.transfers import TRANSFER, TRANSFER_CREATED, TRANSFER_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, listed
from services import transfers as rules
from services.capabilities import read_bool
from services.values import is_uuid_like, strict_bool

TRANSFERS = "transfers"
NAMES = {"name": "display_name", "name~": "display_name~"}
FILTERS = (
    "display_name", "display_name~", "id", "resource_type", "resource_id", "source_project_id",
    "destination_project_id",
)  # fmt: skip
OVER = (
    ShareSizeExceedsLimit,
    ShareLimitExceeded,
    ShareSizeExceedsAvailableQuota,
    ShareReplicasLimitExceeded,
    ShareReplicaSizeExceedsAvailableQuota,
    SnapshotSizeExceedsAvailableQuota,
    SnapshotLimitExceeded,
)


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
    return listed(
        call,
        "transfers",
        await call.shown(view, found, _named),
        found,
        collection="share-transfers",
    )


async def list(call: Call) -> Reply:
    """Transfers that the requester's project started, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Transfers that the requester's project started."""
    return await _list(call, detail=True)


async def show(call: Call) -> Reply:
    """One offer of a share of the requester's project."""
    call.ctx.enforce("share_transfer:get")
    async with call.core.db.read() as conn:
        row = await rules.find(conn, call.ctx, call.path["id"])
    return Reply({"transfer": TRANSFER[call.version](_named(row), call.see)})


async def create(call: Call) -> Reply:
    """Offer a share to whoever gets the key in the answer."""
    wanted = _object(call, "transfer")
    share_id = wanted.get("share_id")
    if not share_id:
        raise Fault(400, "Must supply 'share_id' attribute.")
    if not isinstance(share_id, str) or not is_uuid_like(share_id):
        raise Fault(400, "The 'share_id' attribute must be a uuid.")
    name = wanted.get("name")
    if name is not None and not isinstance(name, str):
        raise Fault(400, f"'name' must be a text of at most {rules.LONGEST_NAME} characters.")
    async with call.core.db.write() as conn:
        row = await rules.create(call.core, conn, call.ctx, share_id, None if name is None else name.strip())
    return Reply({"transfer": TRANSFER_CREATED[call.version](_named(row), call.see)})


async def delete(call: Call) -> Reply:
    """Take an offer back."""
    async with call.core.db.write() as conn:
        await rules.cancel(call.core, conn, call.ctx, call.path["id"])
    return Reply()


async def accept(call: Call) -> Reply:
    """Take an offered share into the requester's project."""
    wanted = _object(call, "accept")
    key = wanted.get("auth_key")
    if not key:
        raise Fault(400, "Must supply 'auth_key' while accepting a share transfer.")
    clear = wanted.get("clear_access_rules", False)
    try:
        clear_rules = bool(clear) and strict_bool(clear)
    except ValueError:
        raise Fault(400, f"Invalid boolean clear_access_rules : {clear}") from None
    async with call.core.db.write() as conn:
        try:
            await rules.accept(call.core, conn, call.ctx, call.path["id"], key, clear_rules=clear_rules)
        except (InvalidShare, InvalidSnapshot, InvalidAuthKey, TransferNotFound) as error:
            raise Fault(400, error.msg) from None
        except OVER as error:
            raise Fault(413, error.msg) from None
    return Reply()


def _object(call: Call, key: str) -> Row:
    """The object under ``key``. Raises Fault 400."""
    found: Json = call.body[key] if call.has(key) and isinstance(call.body, dict) else None
    if not isinstance(found, dict):
        raise Fault(400, f"'{key}' is missing from the request body.")
    return found


def _named(row: Row) -> Row:
    return {**row, "name": row["display_name"]}
