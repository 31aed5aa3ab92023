"""Actions on share group types: give a private one to a project, or take it back."""

from __future__ import annotations

from db import share_group_types as rows
from db.connection import Conn
from generated.errors import ShareGroupTypeAccessExists, ShareGroupTypeAccessNotFound, ShareGroupTypeNotFound
from generated.runtime import Fault
from handlers.call import Call, Reply
from services.values import is_uuid_like


def _project(call: Call) -> str:
    args = call.action_args
    if not isinstance(args, dict):
        raise Fault(400)
    project = args.get("project")
    if not is_uuid_like(project):
        raise Fault(400, f"Project value ({project}) must be in uuid format.")
    return str(project)


async def _private(conn: Conn, call: Call) -> str:
    """The id of the type of the URL, which must not be public."""
    row = await rows.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, ShareGroupTypeNotFound(type_id=call.path["id"]).msg)
    if row["is_public"]:
        raise Fault(409, "Type access modification is not applicable to public share group type.")
    if not call.ctx.is_admin:
        raise Fault(403)
    return str(row["id"])


async def addProjectAccess(call: Call) -> Reply:
    """Let a project use a private type."""
    project = _project(call)
    async with call.core.db.write() as conn:
        type_id = await _private(conn, call)
        if not await rows.grant(conn, type_id, project):
            raise Fault(409, ShareGroupTypeAccessExists(type_id=type_id, project_id=project).msg)
    return Reply()


async def removeProjectAccess(call: Call) -> Reply:
    """Take a private type back from a project."""
    project = _project(call)
    async with call.core.db.write() as conn:
        type_id = await _private(conn, call)
        if not await rows.revoke(conn, type_id, project):
            raise Fault(404, ShareGroupTypeAccessNotFound(type_id=type_id, project_id=project).msg)
    return Reply()


async def create(call: Call) -> Reply:
    """Offered by the original's router, but its method takes no id: always 400."""
    raise Fault(400)


delete = create
