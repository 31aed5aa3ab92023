"""Metadata of shares."""

from __future__ import annotations

from collections.abc import Sequence

from db import metadata as table
from db import shares
from db.connection import Conn
from generated.errors import NotFound, PolicyNotAuthorized
from generated.runtime import Fault, Json, Row
from handlers.call import Call, Reply
from services import driver_metadata
from services import metadata as rules

_ADMIN_RULE = "share:update_admin_only_metadata"


async def find(call: Call, conn: Conn, *, to_change: bool = False, to_set: bool = False) -> Row:
    """The share of the path; ``to_set`` says that items are written, which has another text for a missing share.

    Raises:
        Fault, NotFound: 404, there is none or the requester may not see it.
        PolicyNotAuthorized: 403, a public share of others would be changed.
    """
    share = await shares.get(conn, call.path["resource_id"])
    if share is None or (not share["is_public"] and not call.ctx.allows("share:get", share)):
        raise NotFound if to_set else Fault(404, "Share not found.")
    to_change = to_change or to_set
    if share["is_public"] and to_change:
        call.ctx.enforce("share:get", share)
    return share


def _object(call: Call, name: str) -> dict[str, Json]:
    if not call.has(name) or not isinstance(call.body[name], dict):
        raise Fault(400, rules.MALFORMED)
    found: dict[str, Json] = call.body[name]
    return found


def _protected(call: Call, items: dict[str, Json]) -> tuple[str, ...]:
    return rules.protected(call.ctx, call.core.settings.default.admin_only_metadata, _ADMIN_RULE, items)


async def list(call: Call) -> Reply:
    """All metadata of a share."""
    async with call.core.db.read() as conn:
        share = await find(call, conn)
    return Reply({"metadata": share["metadata"]})


async def create(call: Call) -> Reply:
    """Add items; the answer holds all of them."""
    items = _object(call, "metadata")
    _protected(call, items)
    async with call.core.db.write() as conn:
        share = await find(call, conn, to_set=True)
        rules.check_items(items)
        await rules.add(conn, table.SHARE, share["id"], items)
        result = {**share["metadata"], **items}
        await driver_metadata.of_share(call.core, conn, call.ctx, share, result)
    return Reply({"metadata": result})


async def update_all(call: Call) -> Reply:
    """Replace the metadata; keys of administrators stay."""
    items = _object(call, "metadata")
    protected = _protected(call, items)
    async with call.core.db.write() as conn:
        share = await find(call, conn, to_set=True)
        rules.check_items(items)
        result = await rules.replace(conn, table.SHARE, share["id"], items, protected)
        await driver_metadata.of_share(call.core, conn, call.ctx, share, result)
    return Reply({"metadata": result})


async def update_item(call: Call) -> Reply:
    """Set one item. The body has it twice, under ``meta`` and ``metadata``, as the original asks for."""
    _object(call, "meta")
    if not call.has("metadata"):
        raise Fault(400, rules.MALFORMED)
    items = call.body["metadata"]
    if isinstance(items, dict):
        _protected(call, items)
    elif not isinstance(items, Sequence):
        raise Fault(400)
    async with call.core.db.write() as conn:
        share = await find(call, conn, to_set=True)
        if not isinstance(items, dict):
            raise Fault(400)
        item = rules.body_item(call.body, call.path["key"])
        await rules.add(conn, table.SHARE, share["id"], item)
        await driver_metadata.of_share(call.core, conn, call.ctx, share, item)
    return Reply({"metadata": item})


async def show_item(call: Call) -> Reply:
    """One item."""
    async with call.core.db.read() as conn:
        share = await find(call, conn)
        item = await rules.show(conn, table.SHARE, share["id"], call.path["key"])
    return Reply({"meta": item})


async def delete_item(call: Call) -> Reply:
    """Remove one item."""
    key = call.path["key"]
    if key in call.core.settings.default.admin_only_metadata and not call.ctx.allows(_ADMIN_RULE):
        raise PolicyNotAuthorized(action=_ADMIN_RULE)
    async with call.core.db.write() as conn:
        share = await find(call, conn, to_change=True)
        await rules.drop(conn, table.SHARE, share["id"], key)
    return Reply()
