"""Share group types: list, show, create, delete, and the projects a private one is given to."""

from __future__ import annotations

from typing import Any

from db import share_group_types as rows
from db import share_types, uses
from db.connection import Conn
from generated.errors import ShareGroupTypeExists, ShareTypeDoesNotExist
from generated.microversions import GROUP_TYPE_FILTERS
from generated.runtime import Fault, Json, Row
from generated.views.share_groups import SHARE_GROUP_TYPE, SHARE_GROUP_TYPE_ACCESS
from handlers.call import Call, Reply
from handlers.share_types import is_public_filter
from services import specs as texts


def _view(call: Call, row: Row) -> Json:
    default = call.core.settings.default.default_share_group_type
    shown = {**row, "is_default": default is not None and default == row["name"]}
    return SHARE_GROUP_TYPE[call.version](shown, call.see)


def _specs_filter(call: Call) -> Row:
    text = call.query.get("group_specs")
    if not text:
        return {}
    if call.version < GROUP_TYPE_FILTERS:
        raise Fault(
            400,
            "Filter by 'group_specs' is not supported by this microversion. Use 2.66 or greater microversion to be "
            "able to use filter search by 'group_specs.",
        )
    return texts.literal("group_specs", text)


async def list(call: Call) -> Reply:
    """Types the requester may use; an administrator may ask for private ones."""
    is_public = is_public_filter(call)
    wanted = _specs_filter(call).items()
    async with call.core.db.read() as conn:
        found = await rows.list_all(conn, is_public, call.ctx.project_id, call.ctx.is_admin)
    matching = [row for row in found if all(row["group_specs"].get(key) == value for key, value in wanted)]
    return Reply({"share_group_types": [_view(call, row) for row in matching]})


async def show(call: Call) -> Reply:
    """One type."""
    type_id = call.path["id"]
    async with call.core.db.read() as conn:
        row = await rows.get(conn, type_id, call.ctx.scope)
    if row is None:
        raise Fault(404, f"Share group type with id {type_id} not found.")
    return Reply({"share_group_type": _view(call, row)})


async def default(call: Call) -> Reply:
    """The type of a group whose creator names none."""
    name = call.core.settings.default.default_share_group_type
    async with call.core.db.read() as conn:
        row = None if name is None else await rows.by_name(conn, name)
    if row is None:
        raise Fault(404, "Default share group type not found.")
    return Reply({"share_group_type": _view(call, row)})


async def _share_type_ids(conn: Conn, call: Call, given: Any) -> Any:
    ids = []
    for item in given:
        if not isinstance(item, str):
            raise Fault(400, "'share_types' must be names or ids.")
        found = await share_types.by_name_or_id(conn, item, call.ctx.scope)
        if found is None:
            raise Fault(404, ShareTypeDoesNotExist(share_type=item).msg)
        ids.append(found["id"])
    return ids


def _checked_specs(given: Any) -> dict[str, str]:
    if given is not None and not isinstance(given, dict):
        raise Fault(400, "Group specs can be either of 'None' or 'dict' types.")
    specs: Row = given or {}
    if not all(isinstance(value, str) for value in specs.values()):
        raise Fault(400, "Group specs keys and values should be strings.")
    for key, value in specs.items():
        if max(len(key), len(value)) > texts.MAX_TEXT:
            raise Fault(400, f"Invalid group spec: {key}: {value}")
    return dict(specs)


async def create(call: Call) -> Reply:
    """Make a type."""
    given = call.body.get("share_group_type") if isinstance(call.body, dict) else None
    if not isinstance(given, dict):
        raise Fault(400)
    name, is_public, types = given.get("name"), given.get("is_public", True), given.get("share_types")
    if not types:
        raise Fault(400, "Supported share types must be provided.")
    if name is not None and not isinstance(name, str):
        raise Fault(400)
    if not name or len(name) > texts.MAX_TEXT:
        raise Fault(400, "Share group type name is not valid.")
    specs = _checked_specs(given.get("group_specs", {}))
    if is_public not in (True, False, None):
        raise Fault(400, "is_public has a non-boolean value.")
    if isinstance(types, dict | int | float):
        raise Fault(400, "'share_types' must be names or ids.")
    try:
        async with call.core.db.write() as conn:
            await uses.hold(conn, "share_types", await _share_type_ids(conn, call, types))
            ids = await _share_type_ids(conn, call, types)
            row = await rows.create(conn, name, is_public is None or bool(is_public), specs, ids)
    except rows.NameTaken:
        raise Fault(409, ShareGroupTypeExists(type_id=name).msg) from None
    return Reply({"share_group_type": _view(call, row)})


async def delete(call: Call) -> Reply:
    """Remove a type that no group is of."""
    try:
        async with call.core.db.write() as conn:
            row = await rows.get(conn, call.path["id"], call.ctx.scope)
            if row is None:
                raise Fault(404)
            if not call.ctx.is_admin:
                raise Fault(403)
            await rows.destroy(conn, row["id"])
    except rows.InUse:
        raise Fault(400, f"Target share group type with id {call.path['id']} is still in use.") from None
    return Reply()


async def list_access(call: Call) -> Reply:
    """The projects a private type was given to."""
    type_id = call.path["id"]
    async with call.core.db.read() as conn:
        row = await rows.get(conn, type_id, call.ctx.scope)
        if row is None:
            raise Fault(404, f"Share group type {type_id} not found.")
        if row["is_public"]:
            raise Fault(404, "Access list not available for public share group types.")
        projects = await rows.projects(conn, type_id)
    view = SHARE_GROUP_TYPE_ACCESS[call.version]
    shown = [view({"share_group_type_id": type_id, "project_id": one}, call.see) for one in projects]
    return Reply({"share_group_type_access": shown})
