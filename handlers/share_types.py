"""Share types: list, show, create, update, delete, and the projects a private one is given to."""

from __future__ import annotations

import ast
from typing import Any

from db import share_types as rows
from db.connection import Conn
from generated.errors import InvalidExtraSpec, InvalidShareType, ShareTypeExists, ShareTypeInUse, ShareTypeNotFound
from generated.microversions import SNAPSHOT_SUPPORT_OPTIONAL, TYPE_DESCRIPTIONS, TYPE_FILTERS
from generated.runtime import Fault, Json, Row
from generated.views.share_types import SHARE_TYPE, SHARE_TYPE_ACCESS
from handlers import notices
from handlers.call import Call, Reply
from services import notifications, share_types
from services.values import kept_text, strict_bool

MAX_TEXT = 255
NUMBERS = (share_types.DHSS, *share_types.SIZES)
"""Extra specs that a new type may say as numbers (the first: 0 or 1)."""
_SEQUENCES: tuple[type, ...] = (str, type([]))
NOT_BOOLEAN = "share_type_access:is_public has a non-boolean value."
EMPTY: tuple[object, ...] = ([], {})
"""What is no text and yet empty: the original minds a missing type before it."""


def _view(call: Call, row: Row, required: Row | None = None) -> Json:
    default = call.core.settings.default.default_share_type
    shown = {
        **row,
        "extra_specs": share_types.shown_specs(row["extra_specs"], call.ctx, call.version),
        "required_extra_specs": share_types.required_of(row["extra_specs"]) if required is None else required,
        "os-share-type-access:is_public": row["is_public"],
        "share_type_access:is_public": row["is_public"],
        "is_default": default is not None and default == row["name"],
    }
    return SHARE_TYPE[call.version](shown, call.see)


def _one(call: Call, row: Row, required: Row | None = None) -> Reply:
    view = _view(call, row, required)
    return Reply({"volume_type": view, "share_type": view})


def is_public_filter(call: Call) -> bool | None:
    """None is all."""
    asked = call.query.get("is_public")
    if not call.ctx.is_admin or asked is None:
        return True
    if asked.lower() == "all":
        return None
    try:
        return strict_bool(asked)
    except ValueError:
        raise Fault(400, f"Invalid is_public filter [{asked}]") from None


def _specs_filter(call: Call) -> Row:
    text = call.query.get("extra_specs")
    if not text:
        return {}
    if call.version < TYPE_FILTERS:
        raise Fault(
            400,
            "Filter by 'extra_specs' is not supported by this microversion. Use 2.43 or greater microversion to be "
            "able to use filter search by 'extra_specs.",
        )
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = text
    if isinstance(value, dict):
        return share_types.sanitized(value)
    raise Fault(400, "'extra_specs' must be a dictionary." if isinstance(value, str) else None)


def _matches(specs: Row, wanted: Row) -> bool:
    zones = wanted.get(share_types.AVAILABILITY_ZONES)
    of_type = specs.get(share_types.AVAILABILITY_ZONES)
    if zones and of_type and not set(zones.split(",")) <= set(of_type.split(",")):
        return False
    others = [(key, value) for key, value in wanted.items() if key != share_types.AVAILABILITY_ZONES]
    # the original compares the first key alone, and its clients have seen that for years
    return all(specs.get(key) == value for key, value in others[:1])


async def list(call: Call) -> Reply:
    """Types the requester may use; an administrator may ask for private ones."""
    is_public = is_public_filter(call)
    wanted = _specs_filter(call)
    async with call.core.db.read() as conn:
        found = await rows.list_all(conn, is_public, call.ctx.project_id, call.ctx.is_admin)
    views = [_view(call, row) for row in found if _matches(row["extra_specs"], wanted)]
    return Reply({"volume_types": views, "share_types": views})


async def show(call: Call) -> Reply:
    """One type."""
    async with call.core.db.read() as conn:
        row = await rows.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, "Share type not found.")
    return _one(call, row)


async def default(call: Call) -> Reply:
    """The type of a share whose creator names none."""
    async with call.core.db.read() as conn:
        row = await share_types.default(conn, call.core, call.ctx)
    if row is None:
        raise Fault(404, "Default share type not found")
    return _one(call, row)


def _given(call: Call) -> Row:
    """The type of a create or update, under either name."""
    for key in ("share_type", "volume_type"):
        if isinstance(call.body, dict) and isinstance(call.body.get(key), dict):
            given: Row = call.body[key]
            return given
    raise Fault(400)


def _text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise Fault(400, f"'{name}' must be a string.")


def _stored_specs(specs: Row) -> dict[str, str]:
    """Extra specs as the database keeps them, a number as text. Raises Fault 400 for what it cannot keep."""
    for key, value in specs.items():
        good = isinstance(value, str | bool) or (isinstance(value, int) and key in NUMBERS)
        if not good or len(key) > MAX_TEXT or len(str(value)) > MAX_TEXT:
            raise Fault(400, f"Invalid extra_spec: {key}: {value}")
    return {key: str(value) for key, value in specs.items()}


def _given_specs(call: Call, given: Row) -> Row:
    """The extra specs of a create; up to 2.23 every type has ``snapshot_support``."""
    specs: Any = given.get("extra_specs", {})
    if call.version >= SNAPSHOT_SUPPORT_OPTIONAL:
        # anything that holds no keys is taken for specs that lack the required ones
        specs = {} if specs is None or isinstance(specs, _SEQUENCES) else specs
    elif isinstance(specs, dict):
        specs = {share_types.SNAPSHOT_SUPPORT: True, **specs}
    if not isinstance(specs, dict):
        raise Fault(400)
    return specs


def _checked(specs: Row) -> dict[str, str]:
    """Extra specs as they are stored."""
    share_types.check_required(specs)
    try:
        share_types.check_optional(specs)
    except InvalidExtraSpec as error:
        raise InvalidShareType(reason=error.msg) from None
    return _stored_specs(share_types.sanitized(specs))


async def _tell(call: Call, conn: Conn, event: str, share_type: Row) -> None:
    await notices.info(call, conn, "shareType", f"share_type.{event}", {"share_types": share_type})


async def _tell_refused(call: Call, event: str, payload: Row) -> None:
    await notices.error(call, "shareType", f"share_type.{event}", payload)


async def create(call: Call) -> Reply:
    """Make a type."""
    given = _given(call)
    name, description = given.get("name"), given.get("description")
    if not description:
        description = kept_text(description)
    if description and call.version < TYPE_DESCRIPTIONS:
        raise Fault(
            400,
            "'description' key is not supported by this microversion. Use 2.41 or greater microversion to be able to "
            "use 'description' in share type.",
        )
    is_public = given.get("os-share-type-access:is_public", given.get("share_type_access:is_public", True))
    if name == [] or (name and not isinstance(name, str | int | float | dict)):
        raise Fault(400, "Invalid share type: the share type's name parameter was badly formatted.")
    if not isinstance(name, str | None) or not isinstance(description, str | None):
        raise Fault(400)
    if not name or len(name) > MAX_TEXT or (description and len(description) > MAX_TEXT):
        raise Fault(400, "Type name or description is not valid.")
    specs = _given_specs(call, given)
    stored = _checked(specs)
    if is_public not in (True, False, None):
        raise Fault(400, NOT_BOOLEAN)
    try:
        async with call.core.db.write() as conn:
            row = await rows.create(conn, name, description, is_public is None or bool(is_public), stored)
            await _tell(call, conn, "create", notifications.share_type(row, share_types.required_of(stored)))
    except rows.NameTaken:
        taken = ShareTypeExists(id=name)
        await _tell_refused(call, "create", {"share_types": given, "error_message": taken.msg})
        raise Fault(409, taken.msg) from None
    # this answer shows the required specs as they were sent, a list or show as they are stored
    return _one(call, row, share_types.check_required(specs))


def _changes(given: Row) -> Row:
    name, description = given.get("name"), given.get("description")
    is_public = given.get("share_type_access:is_public")
    if is_public is not None:
        try:
            is_public = strict_bool(is_public)
        except ValueError:
            raise Fault(400, NOT_BOOLEAN) from None
    _text("name", name)
    if name is not None and not name.strip():
        raise Fault(400, "Share type name cannot be empty.")
    if name is not None and len(name) > MAX_TEXT:
        raise Fault(400, "Share type name cannot be greater than 255 characters in length.")
    if description and isinstance(description, (int, float)):
        raise Fault(400)
    if isinstance(description, (int, float)):
        description = None  # the original takes a zero for nothing given
    if description not in EMPTY:
        _text("description", description)
    if description and len(description) > MAX_TEXT:
        raise Fault(400, "Share type description cannot be greater than 255 characters in length.")
    if name is None and description is None and is_public is None:
        raise Fault(400, "Specify share type name, description, share_type_access:is_public or a combination thereof.")
    changes: Row = {}
    if name is not None:
        changes["name"] = name
    if description is not None:
        changes["description"] = description or None
    if is_public is not None:
        changes["is_public"] = is_public
    return changes


async def update(call: Call) -> Reply:
    """Rename a type, describe it anew, or make it public or private."""
    given = _given(call)
    changes = _changes(given)
    type_id = call.path["id"]
    try:
        async with call.core.db.write() as conn:
            if given.get("description") in EMPTY and await rows.get(conn, type_id, call.ctx.scope) is not None:
                _text("description", given["description"])
            await rows.change(conn, type_id, changes)
            row = await rows.get(conn, type_id, call.ctx.scope)
            if row is not None:
                required = share_types.required_of(row["extra_specs"])
                await _tell(call, conn, "update", notifications.share_type(row, required))
    except rows.NameTaken:
        taken = ShareTypeExists(id=changes["name"])
        await _tell_refused(call, "update", {"share_type": given, "error_message": repr(taken)})
        raise Fault(409, taken.msg) from None
    if row is None:
        unknown = ShareTypeNotFound(share_type_id=type_id)
        await _tell_refused(call, "update", {"id": type_id, "error_message": repr(unknown)})
        raise unknown
    return _one(call, row)


async def delete(call: Call) -> Reply:
    """Remove a type that nothing uses, with its quotas."""
    type_id = call.path["id"]
    try:
        async with call.core.db.write() as conn:
            row = await rows.get(conn, type_id, call.ctx.scope)
            if row is not None and not call.ctx.is_admin:
                raise Fault(403)
            if row is not None:
                await rows.destroy(conn, row["id"])
                await _tell(call, conn, "delete", notifications.share_type(row))
    except rows.InUse:
        used = ShareTypeInUse(share_type_id=type_id)
        await _tell_refused(call, "delete", {"id": type_id, "error_message": used.msg})
        raise Fault(400, "Target share type is still in use.") from None
    if row is None:
        unknown = ShareTypeNotFound(share_type_id=type_id)
        await _tell_refused(call, "delete", {"id": type_id, "error_message": unknown.msg})
        raise Fault(404)
    return Reply()


async def list_access(call: Call) -> Reply:
    """The projects a private type was given to."""
    type_id = call.path["id"]
    async with call.core.db.read() as conn:
        row = await rows.get(conn, type_id, call.ctx.scope)
        if row is None:
            raise Fault(404, f"Share type {type_id} not found.")
        if row["is_public"]:
            raise Fault(404, "Access list not available for public share types.")
        projects = await rows.projects(conn, type_id)
    view = SHARE_TYPE_ACCESS[call.version]
    return Reply(
        {"share_type_access": [view({"share_type_id": type_id, "project_id": one}, call.see) for one in projects]}
    )


os_list_access = list_access
