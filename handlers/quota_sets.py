"""Quota sets: the limits of a project, of one user in it, or of one share type in it."""

from __future__ import annotations

from typing import Any

from db import quota_sets as rows
from db import quotas as usage_rows
from db import share_types, uses
from db.conflicts import Stale
from db.connection import Conn
from generated.errors import InvalidInput
from generated.microversions import SHARE_TYPE_QUOTAS
from generated.runtime import Fault, Row
from generated.views import quotas as views
from handlers.call import Call, Reply
from services import quotas
from services.capabilities import read_bool

NOT_LIMITS = ("tenant_id", "id", "force", "share_type")
"""Keys of an update that are no limits."""

NEWER: tuple[tuple[range, tuple[str, ...], str], ...] = (
    (range(0, 7), ("share_groups", "share_group_snapshots"), "2.40"),
    (range(0, 7), ("share_replicas", "replica_gigabytes"), "2.53"),
    (range(39, 40), ("share_groups", "share_group_snapshots"), "2.40"),
    (range(40, 53), ("share_replicas", "replica_gigabytes"), "2.53"),
    (range(53, 62), ("per_share_gigabytes",), "2.62"),
    (range(62, 80), ("backups", "backup_gigabytes"), "2.80"),
    (range(80, 90), ("encryption_keys",), "2.90"),
)
"""Versions, the keys refused there, and the version that has them; elsewhere a key too new is accepted, as ever."""


async def show(call: Call) -> Reply:
    """The limits."""
    return await _shown(call, detail=False)


async def detail(call: Call) -> Reply:
    """The limits with what is used and reserved."""
    return await _shown(call, detail=True)


async def defaults(call: Call) -> Reply:
    """The limits of a project for which nothing is set; anybody's project may be named."""
    async with call.core.db.read() as conn:
        limits = await quotas.defaults(conn, call.core)
    return Reply({"quota_set": views.QUOTA_SET[call.version]({**limits, "id": call.path["id"]}, call.see)})


async def update(call: Call) -> Reply:
    """Set limits. A limit below what is used needs ``force``."""
    _refuse_share_type(call)
    for versions, keys, since in NEWER:
        if call.version in versions:
            _refuse_newer(_body(call, whole=True), keys, since)
    _allowed(call, "quota_set:update")
    values = _body(call)
    user, name = _scope(call)
    if all(values.get(key) is None for key in quotas.RESOURCES):
        raise Fault(400, "Must supply at least one quota field to update.")
    _exclusive(user, name)
    project = call.path["id"]
    async with call.core.db.write() as conn:
        type_id = await _share_type_id(conn, call, name)
        if name and values.get("share_groups", values.get("share_group_snapshots")):
            raise Fault(400, "Share type quotas cannot constrain share groups and share group snapshots.")
        _own_project(call)
        wanted, force = _wanted(values, type_id)
        if type_id is not None and not await uses.hold(conn, "share_types", [type_id]):
            raise Stale(type_id)
        await usage_rows.lock(conn, project)
        limits = await quotas.limits_for(conn, call.core, project, user, type_id)
        usage = await usage_rows.usage(conn, project, user, type_id)
        level = limits.user if user else limits.share_type if type_id else limits.project
        sums = await rows.user_sums(conn, project)
        bounds = quotas.settable(limits, usage, sums, narrower=bool(user or type_id))
        for key, value in wanted.items():
            if not force:
                _not_below_usage(key, value, level[key], usage.get(key))
            _within(value, *bounds[key], force)
        if not call.ctx.is_admin:
            raise Fault(403)
        await rows.set_limits(conn, project, wanted, user, type_id)
    view = views.QUOTA_SET_UPDATED[call.version]({**level, **wanted}, call.see)
    return Reply({"quota_set": _for_type(view, type_id)})


async def delete(call: Call) -> Reply:
    """Back to the defaults; for a user or a share type: to the project's limits."""
    _refuse_share_type(call)
    _allowed(call, "quota_set:delete")
    user, name = _scope(call)
    _exclusive(user, name)
    _own_project(call)
    if not call.ctx.is_admin:
        raise Fault(403)
    async with call.core.db.write() as conn:
        # a user decides even when the type's name is unknown: both together were refused above
        type_id = await _share_type_id(conn, call, name)
        await rows.forget(conn, call.path["id"], user, type_id)
    return Reply()


async def _shown(call: Call, detail: bool) -> Reply:
    _refuse_share_type(call)
    _allowed(call, "quota_set:show")
    _own_project(call)
    user, name = _scope(call)
    project = call.path["id"]
    async with call.core.db.read() as conn:
        type_id = await _share_type_id(conn, call, name)
        _exclusive(user, name)
        limits = await quotas.limits_for(conn, call.core, project, user, type_id)
        row: Row = dict(limits.user if user else limits.share_type if type_id else limits.project)
        if detail:
            row = quotas.with_usage(row, await usage_rows.usage(conn, project, user, type_id))
    view = (views.QUOTA_SET_DETAIL if detail else views.QUOTA_SET)[call.version]
    return Reply({"quota_set": _for_type(view({**row, "id": project}, call.see), type_id)})


def _for_type(view: Row, type_id: str | None) -> Row:
    return {key: value for key, value in view.items() if key not in quotas.NOT_PER_SHARE_TYPE} if type_id else view


def _first(call: Call, name: str) -> str | None:
    """The first value that is not empty: quota sets read the query their own way."""
    return next((value for value in call.query.all(name) if value), None)


def _scope(call: Call) -> tuple[str | None, str | None]:
    return _first(call, "user_id"), _first(call, "share_type")


def _exclusive(user: str | None, share_type: str | None) -> None:
    if user and share_type:
        raise Fault(400, "'user_id' and 'share_type' values are mutually exclusive")


def _refuse_share_type(call: Call) -> None:
    if call.version < SHARE_TYPE_QUOTAS and _first(call, "share_type"):
        raise Fault(
            400,
            "'share_type' key is not supported by this microversion. Use 2.39 or greater microversion to be able to "
            "use 'share_type' quotas.",
        )


def _own_project(call: Call) -> None:
    if not call.ctx.is_admin and call.ctx.project_id != call.path["id"]:
        raise Fault(403)


def _allowed(call: Call, rule: str) -> None:
    if not call.ctx.allows(rule):
        raise Fault(403)


def _body(call: Call, *, whole: bool = False) -> Row:
    """What is said of the quota set; with ``whole`` the body itself where it doesn't say which. Raises Fault 400."""
    if call.body is None:
        raise Fault(400)
    values = call.body.get("quota_set", call.body if whole else {}) if isinstance(call.body, dict) else None
    if not isinstance(values, dict):
        raise Fault(400, "'quota_set' must be an object.")
    return values


def _refuse_newer(values: Row, keys: tuple[str, ...], since: str) -> None:
    for key in keys:
        if values.get(key):
            raise Fault(
                400,
                f"'{key}' key is not supported by this microversion. Use {since} or greater microversion to be able "
                f"to use '{key}' quotas.",
            )


async def _share_type_id(conn: Conn, call: Call, name: str | None) -> str | None:
    if not name:
        return None
    found = await share_types.by_name_or_id(conn, name, call.ctx.scope)
    if found is None:
        raise Fault(404, f"Share type with name or id '{name}' not found.")
    return str(found["id"])


def _integer(key: str, value: Any) -> int:
    try:
        return int(value)
    except (ValueError, TypeError, OverflowError):
        raise Fault(400, f"Quota '{value}' for {key} should be integer.") from None


def _wanted(values: Row, type_id: str | None) -> tuple[dict[str, int], bool]:
    """The limits to set, and whether usage is to be overlooked."""
    wrong: list[str] = []
    wanted: dict[str, int] = {}
    force = False
    for key, value in values.items():
        if key == "share_networks" and type_id:
            raise Fault(
                400, "'share_networks' quota cannot be set for share type. It can be set only for project or user."
            )
        if key == "force":
            force = read_bool(value)
        elif key in NOT_LIMITS:
            continue
        elif key not in quotas.RESOURCES:
            wrong.append(key)
        elif value or value == 0:
            wanted[key] = _integer(key, value)
    if wrong:
        raise Fault(400, f"Bad key(s) {','.join(wrong)} in quota_set.")
    return wanted, force


def _not_below_usage(key: str, value: int, limit: int, usage: Row | None) -> None:
    if value < 0 or limit < 0 or usage is None:
        return
    used = usage["in_use"] + usage["reserved"]
    if used > value:
        raise Fault(400, f"Quota value {value} for {key} is smaller than already used and reserved {used}.")


def _within(value: int, lowest: int, highest: int, force: bool) -> None:
    if value < -1:
        raise Fault(400, "Quota limit must be -1 or greater.")
    if not force and value < lowest and not (highest == -1 and value == -1):
        raise Fault(400, f"Quota limit must be greater than {lowest}.")
    if not force and highest != -1 and value > highest:
        raise Fault(400, f"Quota limit must be less than {highest}.")
    if value > quotas.MAX_LIMIT:
        raise InvalidInput(reason=f"Quota limit should not exceed {quotas.MAX_LIMIT}")
