"""Access rules as a resource of their own."""

from __future__ import annotations

from db import access as rows
from generated.errors import InvalidInput, InvalidShareAccessLevel, InvalidShareAccessType, NotFound
from generated.microversions import ACCESS_RULE_LOCKS
from generated.runtime import Fault
from generated.views import access as views
from handlers.call import Call, Reply
from services import access, share_facts
from services.access_input import KINDS, LEVELS, check_client
from services.literals import metadata_filter


async def list(call: Call) -> Reply:
    """The rules of the share that the query names."""
    query = call.query.as_dict()
    share_id = query.pop("share_id", None)
    if share_id is None:
        raise Fault(400, "The field 'share_id' has to be specified.")
    metadata = metadata_filter(query["metadata"]) if "metadata" in query else None
    if call.version >= ACCESS_RULE_LOCKS:
        _check_filters(query)
    async with call.core.db.read() as conn:
        try:
            share_facts.require_owner(call.ctx, await rows.share(conn, share_id))
        except NotFound:
            raise Fault(400, f"Share {share_id} not found.") from None
        call.ctx.enforce("share:access_get_all")
        found = await rows.of_share(conn, share_id, query, metadata)
    view, see = views.SHARE_ACCESS_RULE_SUMMARY[call.version], call.see
    by_client = "access_to" in query or "access_key" in query
    shown = [(rule, access.shown(call.ctx, rule)) for rule in found]
    return Reply({"access_list": [view(seen, see) for rule, seen in shown if seen is rule or not by_client]})


def _check_filters(query: dict[str, str]) -> None:
    kind, client, level = query.get("access_type"), query.get("access_to"), query.get("access_level")
    try:
        if kind and kind not in KINDS:
            raise InvalidShareAccessType(type=kind)
        if client and not kind:
            raise InvalidInput(reason="'access_type' parameter must be provided when specifying 'access_to'.")
        if kind and client:
            check_client(kind, client, ceph=True, ipv6=True)
        if level and level not in LEVELS:
            raise InvalidShareAccessLevel(level=level)
    except (InvalidShareAccessLevel, InvalidShareAccessType) as error:
        raise Fault(400, error.msg) from error


async def show(call: Call) -> Reply:
    """One rule."""
    async with call.core.db.read() as conn:
        try:
            rule, _ = await access.visible(conn, call.ctx, call.path["id"])
        except NotFound:
            raise _unknown(call.path["id"]) from None
    return Reply({"access": views.SHARE_ACCESS_RULE[call.version](access.shown(call.ctx, rule), call.see)})


async def update(call: Call) -> Reply:
    """Change a rule's level in place."""
    data = call.body.get("update_access") if isinstance(call.body, dict) else None
    if not isinstance(data, dict):
        raise Fault(400)
    level = data.get("access_level")
    if not level:
        raise Fault(400, "Invalid input. Missing 'access_level' in update request.")
    if level not in LEVELS:
        raise Fault(400, f"Invalid or unsupported share access level: {level}.")
    async with call.core.db.write() as conn:
        try:
            rule = access.shown(call.ctx, await access.change_level(conn, call.ctx, call.path["id"], level))
        except NotFound:
            raise _unknown(call.path["id"]) from None
    return Reply({"access": views.SHARE_ACCESS_RULE[call.version](rule, call.see)})


def _unknown(access_id: str) -> Fault:
    return Fault(404, f"Share access rule {access_id} not found.")
