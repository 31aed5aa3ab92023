"""Services: list, enable and disable."""

from __future__ import annotations

from db import services
from generated.errors import HostBinaryNotFound
from generated.microversions import DISABLED_REASON, ENSURING, ENSURING_FILTER
from generated.runtime import Fault, Row
from generated.views.services import SERVICE
from handlers.call import Call, Reply
from services import ensuring
from services.values import strict_bool

STATUSES = ("disabled", "enabled")
KEYS = ("host", "binary")
"""What names a service; an empty list is the name of none, as the original's database has it."""


def _boolean(text: str) -> bool | None:
    try:
        return strict_bool(text)
    except ValueError:
        return None


def _filters(call: Call) -> Row | None:
    """What the query asks for; None when nothing can match."""
    query = call.query.as_dict()
    filters: Row = {
        name: query[name] for name in ("host", "binary", "state", "topic", "availability_zone_id") if name in query
    }
    if query.get("zone"):
        filters["zone"] = query["zone"]
    if "disabled" in query:
        filters["disabled"] = _boolean(query["disabled"])
        if filters["disabled"] is None:
            raise Fault(400, "'disabled' must be a boolean.")
    if "ensuring" in query and (call.version >= ENSURING_FILTER or not query["ensuring"]):
        filters["ensuring"] = _boolean(query["ensuring"])
        if filters["ensuring"] is None:
            return None
    if query.get("status"):
        if query["status"] not in STATUSES:
            return None
        filters["disabled"] = query["status"] == "disabled"
    return filters


async def list(call: Call) -> Reply:
    """Services; an unknown status, zone or value of ``ensuring`` gives an empty list."""
    filters = _filters(call)
    if filters is None:
        return Reply({"services": []})
    async with call.core.db.read() as conn:
        rows = await services.list_all(conn, filters)
    view = SERVICE[call.version]
    for row in rows:
        row["status"] = "disabled" if row["disabled"] else "enabled"
    return Reply({"services": await call.shown(view, rows)})


def _reason(call: Call) -> str | None:
    """The reason given for disabling a service."""
    reason = call.body.get("disabled_reason")
    if not reason:
        return None
    if call.version < DISABLED_REASON:
        raise Fault(
            400,
            "'disabled_reason' option is not supported by this microversion. Use 2.83 or greater microversion to be "
            "able to set 'disabled_reason'.",
        )
    if not isinstance(reason, str) or not 1 <= len(reason.strip()) <= 255:
        raise Fault(400, "Disabled reason contains invalid characters or is too long")
    return reason.strip()


async def update(call: Call) -> Reply:
    """Enable or disable a service for scheduling; the URL says which."""
    verb = call.path["id"]
    if not isinstance(call.body, dict):
        raise Fault(400)
    if verb not in ("enable", "disable"):
        raise Fault(404)
    values: Row = {"disabled": verb == "disable"}
    reason = _reason(call) if verb == "disable" else None
    if reason is not None or (verb == "enable" and call.version >= DISABLED_REASON):
        values["disabled_reason"] = reason
    if not all(call.body.get(key, 0) == [] or isinstance(call.body.get(key, 0), str | None) for key in KEYS):
        raise Fault(400)
    host, binary = (call.body[key] for key in KEYS)
    if not call.ctx.is_admin:
        raise Fault(403)
    async with call.core.db.write() as conn:
        if [] in (host, binary) or not await services.switch(conn, host, binary, values):
            raise HostBinaryNotFound(host=host, binary=binary)
    body: Row = {"host": host, "binary": binary, "status": f"{verb}d"}
    if call.version >= DISABLED_REASON:
        body["disabled_reason"] = reason
    if call.version >= ENSURING:
        # always null in this answer; the list tells the truth
        body["ensuring"] = None
    return Reply(body)


async def ensure_shares(call: Call) -> Reply:
    """Let a back end export its shares again."""
    if not isinstance(call.body, dict):
        raise Fault(400)
    async with call.core.db.write() as conn:
        await ensuring.order(call.core, conn, call.ctx, call.body["ensure_shares"]["host"])
    return Reply()
