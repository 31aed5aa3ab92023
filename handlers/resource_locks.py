"""Resource locks: an action on a share, or the sight of an access rule's client, that is not allowed for a while."""

from __future__ import annotations

from db import access, pages
from db import resource_locks as rows
from db import shares as share_rows
from db.connection import Conn
from generated.errors import InvalidInput, NotAuthorized, NotFound, ResourceLockNotFound
from generated.runtime import Fault, Row
from generated.views.resource_locks import RESOURCE_LOCK
from handlers.call import Call, Reply
from handlers.paging import limit_and_offset, listed, naive_time
from services import locks
from services.values import is_uuid_like, strict_bool

ACTIONS = {"share": ("delete",), "access_rule": ("show", "delete")}
TYPES = tuple(ACTIONS)
FILTERS = (
    "id", "user_id", "resource_id", "resource_type", "lock_context", "resource_action", "lock_reason", "lock_reason~",
)  # fmt: skip
TIMES = ("created_since", "created_before")
MAX_REASON = 1023


def _listed_project(call: Call) -> str | None:
    """The project whose locks are listed; None is all."""
    query = call.query
    everybody = bool(query.get("all_projects") or query.get("all_tenants"))
    if everybody and not call.ctx.allows("resource_lock:get_all_projects"):
        return call.ctx.project_id or ""
    asked = query.get("project_id")
    if asked is None:
        return None if everybody else call.ctx.project_id or ""
    if not call.ctx.is_admin and asked != call.ctx.project_id:
        raise NotAuthorized()
    return asked


def _filters(call: Call) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in call.query.as_dict().items():
        if name in TIMES:
            found[name] = naive_time(name, value)
        elif name in FILTERS:
            found[name] = value
    return found


async def list(call: Call) -> Reply:
    """Locks of a project, or of all for those who may."""
    limit, offset = limit_and_offset(call)
    sort_key = call.query.get("sort_key") or "created_at"
    descending = call.query.get("sort_dir", "desc") == "desc"
    page = pages.Page(sort_key, descending, limit, offset, call.query.get("marker"), _filters(call))
    with_count = strict_bool(call.query.get("with_count") or False)
    project = _listed_project(call)
    if sort_key not in rows.SORT_KEYS:
        raise InvalidInput(reason=f"Invalid sort key {sort_key}")
    async with call.core.db.read() as conn:
        found = await pages.rows(conn, rows.LOCKS, page, project)
        count = await pages.count(conn, rows.LOCKS, page, project) if with_count else 0
    view = RESOURCE_LOCK[call.version]
    return listed(call, "resource_locks", await call.shown(view, found), found, count=count or None)


async def _found(conn: Conn, call: Call) -> Row:
    row = await rows.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404, ResourceLockNotFound(lock_id=call.path["id"]).msg)
    return row


async def show(call: Call) -> Reply:
    """One lock."""
    async with call.core.db.read() as conn:
        row = await _found(conn, call)
    return Reply({"resource_lock": RESOURCE_LOCK[call.version](row, call.see)})


def _require_handling(call: Call, lock: Row, rule: str) -> None:
    call.ctx.enforce(rule, lock)
    if not locks.may_handle(call.ctx, lock):
        raise NotAuthorized("Resource lock cannot be manipulated by user. Please contact the administrator.")


async def delete(call: Call) -> Reply:
    """Lift a lock."""
    async with call.core.db.write() as conn:
        row = await _found(conn, call)
        _require_handling(call, row, "resource_lock:delete")
        await rows.remove(conn, row["id"])
    return Reply()


def _checked(given: Row, resource_type: str) -> str:
    """The action of a create or update, allowed for its kind of resource."""
    if len(given.get("lock_reason") or "") > MAX_REASON:
        raise Fault(400, "'lock_reason' can contain a maximum of 1023 characters.")
    if resource_type not in ACTIONS:
        raise Fault(400, f"'resource_type' is required and must be one of {TYPES}")
    action = given.get("resource_action") or "delete"
    if action not in ACTIONS[resource_type]:
        raise Fault(400, f"'resource_action' can only be one of {[*ACTIONS[resource_type]]}")
    return str(action)


async def _resource(conn: Conn, call: Call, resource_type: str, resource_id: str) -> Row | None:
    """What a lock is for, with ``project_id``; None when it isn't there or the requester may not know of it.

    Whom the rules let lock another project's things, as services (Nova locks the shares that it mounts), knows of them.
    """
    rule: Row | None = None
    if resource_type == "access_rule":
        rule = await access.get(conn, resource_id)
        if rule is None:
            return None
    share = await share_rows.get(conn, resource_id if rule is None else rule["share_id"])
    if share is None:
        return None
    own = call.ctx.is_admin or share["project_id"] == call.ctx.project_id
    own = own or call.ctx.allows("resource_lock:create", {"project_id": share["project_id"]})
    if not own and not (rule is None and share["is_public"]):
        return None
    return share if rule is None else {**rule, "project_id": share["project_id"]}


async def create(call: Call) -> Reply:
    """Lock an action on a share or an access rule."""
    given = call.body["resource_lock"]
    kind, resource_id = given.get("resource_type", "share"), given.get("resource_id") or ""
    action = _checked(given, kind)
    if not is_uuid_like(resource_id):
        raise Fault(400, "Resource ID is required and must be in uuid format.")
    async with call.core.db.write() as conn:
        await rows.hold(conn, kind, resource_id)
        hidden = action == "show" and await rows.is_hidden(conn, resource_id)
        resource = await _resource(conn, call, kind, resource_id)
        if resource is None:
            raise Fault(400, "No such resource found.")
        if hidden:
            raise Fault(409)
        call.ctx.enforce("resource_lock:create", resource)
        try:
            locks.require_lockable(resource, kind, action)
        except InvalidInput as error:
            raise Fault(409, error.msg) from None
        row = await rows.create(
            conn,
            {
                "lock_context": locks.lock_context(call.ctx),
                "user_id": call.ctx.user_id,
                "project_id": call.ctx.project_id,
                "resource_id": resource_id,
                "resource_type": kind,
                "resource_action": action,
                "lock_reason": given.get("lock_reason"),
            },
        )
    return Reply({"resource_lock": RESOURCE_LOCK[call.version](row, call.see)})


async def update(call: Call) -> Reply:
    """Change the reason of a lock, or its action."""
    async with call.core.db.write() as conn:
        row = await _found(conn, call)
        given = call.body["resource_lock"]
        if given.get("resource_action", "") is None:
            raise Fault(
                400, "Invalid input for field/attribute resource_action. Value: None. None is not of type 'string'"
            )
        _checked(given, row["resource_type"])
        if given.keys() - {"resource_action", "lock_reason"}:
            raise Fault(400, "Only 'resource_action' and 'lock_reason' can be updated.")
        _require_handling(call, row, "resource_lock:update")
        action = given.get("resource_action")
        if action:
            await rows.hold(conn, row["resource_type"], row["resource_id"])
            if action == "show" != row["resource_action"]:
                # whether or not there is one: a lock is never turned into one of visibility
                raise InvalidInput(reason="The resource already has a visibility lock.")
            resource = await _resource(conn, call, row["resource_type"], row["resource_id"])
            if resource is None:
                raise NotFound
            locks.require_lockable(resource, row["resource_type"], action)
        changes = {name: value for name, value in given.items() if name == "lock_reason" or value}
        if any(row[name] != value for name, value in changes.items()):
            await rows.change(conn, row["id"], changes)
            row = await _found(conn, call)
    return Reply({"resource_lock": RESOURCE_LOCK[call.version](row, call.see)})
