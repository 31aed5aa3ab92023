"""Share backups."""

from __future__ import annotations

from db import pages
from db import share_backups as rows
from generated.errors import (
    InvalidBackup,
    InvalidInput,
    InvalidShare,
    NotFound,
    ShareBackupNotFound,
    ShareBusyException,
)
from generated.runtime import Fault, Row
from generated.views.share_backups import SHARE_BACKUP, SHARE_BACKUP_SUMMARY
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, listed, sorting
from services import backups, shares

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


NO_BODY = "Body does not contain 'share_backup' information."


def _given(call: Call) -> Row:
    given = call.body["share_backup"] if call.has("share_backup") else None
    if not isinstance(given, dict):
        raise Fault(422, NO_BODY)
    return given


def _named(row: Row) -> Row:
    return {**row, "name": row["display_name"], "description": row["display_description"]}


def _one(call: Call, row: Row) -> Reply:
    return Reply({"share_backup": SHARE_BACKUP[call.version](_named(row), call.see)})


def unknown(backup_id: str) -> Fault:
    """What is answered about a backup that is not there, or not the requester's."""
    return Fault(404, f"No backup exists with ID {backup_id}.")


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
    view = (SHARE_BACKUP if detail else SHARE_BACKUP_SUMMARY)[call.version]
    return listed(call, "share_backups", await call.shown(view, found, _named), found, links="share_backup_links")


async def list(call: Call) -> Reply:
    """Backups of the requester's project, in short."""
    return await _list(call, detail=False)


async def detail(call: Call) -> Reply:
    """Backups of the requester's project."""
    return await _list(call, detail=True)


async def show(call: Call) -> Reply:
    """One backup."""
    async with call.core.db.read() as conn:
        try:
            return _one(call, await backups.get(conn, call.ctx, call.path["id"]))
        except ShareBackupNotFound:
            raise unknown(call.path["id"]) from None


async def create(call: Call) -> Reply:
    """Make a backup of a share."""
    given = _given(call)
    share_id = given.get("share_id")
    if not share_id:
        raise Fault(400, "'share_id' is missing from the request body.")
    missing = Fault(400, f"No share exists with ID {share_id}.")
    if not isinstance(share_id, str):
        raise missing
    async with call.core.db.write() as conn:
        try:
            share = await shares.get(conn, call.ctx, share_id, lock=True, to_change=True)
        except NotFound:
            raise missing from None
        if share["is_soft_deleted"]:
            raise Fault(403, f"Backup can not be created for share '{share_id}' since it has been soft deleted.")
        try:
            backup = await backups.create(conn, call.core, call.ctx, share, given)
        except ShareBusyException as error:
            raise Fault(409, error.msg) from None
        except (InvalidBackup, InvalidShare) as error:
            raise Fault(400, error.msg) from None
    return _one(call, backup)


async def update(call: Call) -> Reply:
    """Change a backup's name or description; this answer shows them as they were sent, not as they are kept."""
    given = _given(call)
    async with call.core.db.write() as conn:
        try:
            backup = await backups.get(conn, call.ctx, call.path["id"], lock=True)
        except ShareBackupNotFound:
            raise unknown(call.path["id"]) from None
        changes = {
            f"display_{field}": backups.checked_text(given, field)
            for field in ("name", "description")
            if field in given
        }
        if changes:
            await rows.change(conn, backup["id"], changes)
            sent = {name: given[name.removeprefix("display_")] for name in changes}
            backup = {**await backups.get(conn, call.ctx, backup["id"]), **sent}
    return _one(call, backup)


async def delete(call: Call) -> Reply:
    """Remove a backup."""
    async with call.core.db.write() as conn:
        try:
            backup = await backups.get(conn, call.ctx, call.path["id"], lock=True)
            await backups.delete(conn, call.core, call.ctx, backup)
        except ShareBackupNotFound:
            raise unknown(call.path["id"]) from None
        except InvalidBackup as error:
            raise Fault(400, error.msg) from None
    return Reply()
