"""Metadata of export locations."""

from __future__ import annotations

from collections.abc import Callable

from db import export_locations
from db import metadata as table
from db.connection import Conn
from generated.runtime import Fault, Json, Row
from handlers.call import Call, Reply
from handlers.share_export_locations import share_of
from services import metadata as rules


async def _key(call: Call, conn: Conn, check: Callable[[], object] | None = None, *, to_change: bool = False) -> int:
    """The integer key of the location of the path.

    ``check`` looks at the body.

    Raises:
        Fault, PolicyNotAuthorized: as ``share_of``; 404 when the location is not of this share; what ``check`` raises.
    """
    share = await share_of(call, conn, to_change=to_change)
    row: Row | None = await export_locations.get(conn, call.path["resource_id"], share_id=share["id"])
    if row is None:
        raise Fault(404, "Share_export_location not found.")
    if check is not None:
        check()
    return int(row["key"])


def _given(call: Call) -> dict[str, Json]:
    """The object ``metadata`` of the body. Raises Fault 400 when it is something else."""
    if not isinstance(call.body, dict) or not isinstance(call.body.get("metadata"), dict):
        raise Fault(400)
    found: dict[str, Json] = call.body["metadata"]
    return found


def _protected(call: Call, items: dict[str, Json]) -> tuple[str, ...]:
    return rules.protected(
        call.ctx,
        call.core.settings.default.admin_only_el_metadata,
        "share_export_location:update_admin_only_metadata",
        items,
    )


async def list(call: Call) -> Reply:
    """All metadata of a location."""
    async with call.core.db.read() as conn:
        return Reply({"metadata": await table.get(conn, table.EXPORT_LOCATION, await _key(call, conn))})


async def create(call: Call) -> Reply:
    """Add items; the answer holds all of them."""
    items = _given(call)
    _protected(call, items)
    async with call.core.db.write() as conn:
        key = await _key(call, conn, lambda: rules.check_items(items), to_change=True)
        await rules.add(conn, table.EXPORT_LOCATION, key, items)
        return Reply({"metadata": await table.get(conn, table.EXPORT_LOCATION, key)})


async def update_all(call: Call) -> Reply:
    """Replace the metadata; keys of administrators stay."""
    items = _given(call)
    protected = _protected(call, items)
    async with call.core.db.write() as conn:
        key = await _key(call, conn, lambda: rules.check_items(items), to_change=True)
        return Reply({"metadata": await rules.replace(conn, table.EXPORT_LOCATION, key, items, protected)})


async def update_item(call: Call) -> Reply:
    """Set one item."""
    _protected(call, _given(call))
    async with call.core.db.write() as conn:
        key = await _key(call, conn, lambda: rules.body_item(call.body, call.path["key"]), to_change=True)
        item = rules.body_item(call.body, call.path["key"])
        await rules.add(conn, table.EXPORT_LOCATION, key, item)
    return Reply({"metadata": item})


async def show_item(call: Call) -> Reply:
    """One item."""
    async with call.core.db.read() as conn:
        key = await _key(call, conn)
        return Reply({"meta": await rules.show(conn, table.EXPORT_LOCATION, key, call.path["key"])})


async def delete_item(call: Call) -> Reply:
    """Remove one item."""
    async with call.core.db.write() as conn:
        key = await _key(call, conn, to_change=True)
        await rules.drop(conn, table.EXPORT_LOCATION, key, call.path["key"])
    return Reply()
