"""QoS types: named sets of specs for back ends."""

from __future__ import annotations

from collections.abc import Mapping

import psycopg

from db import uses
from db.conflicts import Stale
from db.connection import Conn, Row
from db.keyset import Place, behind, ordered
from db.write import columns, insert, insert_many, live, lock, soft_delete, update
from generated.columns import COLUMNS

SPECS = "qos_type_specs"
SORT_KEYS = COLUMNS["qos_types"]
FILTERS = {
    "id": "q.id = %(id)s",
    "name": "q.name = %(name)s",
    "description": "q.description = %(description)s",
    "name~": "q.name LIKE '%%' || %(name~)s || '%%'",
    "description~": "q.description LIKE '%%' || %(description~)s || '%%'",
}


class NameTaken(Exception):
    """Another QoS type has that name."""


class InUse(Exception):
    """Shares are of that type."""


_SELECT = f"""
    SELECT {columns("q", "qos_types")},
           coalesce((SELECT json_object_agg(s.key, s.value) FROM {SPECS} s
                     WHERE s.qos_type_id = q.id AND {live("s", SPECS)}), '{{}}') AS specs
    FROM qos_types q
    WHERE {live("q", "qos_types")}
"""


async def list_page(
    conn: Conn,
    filters: Mapping[str, str],
    sort_key: str,
    descending: bool,
    limit: int,
    offset: int,
    marker: str | None = None,
) -> list[Row]:
    """A page of types.

    ``filters`` has keys of ``FILTERS``; ``sort_key`` is one of ``SORT_KEYS``; ``marker`` is the id of the last type of
    the page before, an unknown one is ignored.
    """
    assert sort_key in SORT_KEYS
    conditions = " ".join(f"AND {FILTERS[name]}" for name in filters)
    params: Row = {**filters, "limit": limit, "offset": offset}
    place = None
    if marker is not None:
        known = f"SELECT q.{sort_key} AS v FROM qos_types q WHERE q.id = %s AND {live('q', 'qos_types')}"
        row = await conn.one(known, (marker,))
        place = None if row is None else Place(row["v"], marker)
    if place is not None:
        params |= place.params
    later = " OR ".join(f"({one})" for one in behind(f"q.{sort_key}", "q.id", place, descending=descending))
    order = ordered(f"q.{sort_key}", "q.id", descending=descending)
    return await conn.all(f"{_SELECT} {conditions} AND ({later}) {order} LIMIT %(limit)s OFFSET %(offset)s", params)


async def get(conn: Conn, type_id: str) -> Row | None:
    """A type by id."""
    return await conn.one(f"{_SELECT} AND q.id = %s", (type_id,))


async def by_name(conn: Conn, name: str) -> Row | None:
    """A type by name."""
    return await conn.one(f"{_SELECT} AND q.name = %s", (name,))


async def create(conn: Conn, name: str, description: str | None, specs: Mapping[str, str]) -> Row:
    """Make a type. Raises NameTaken."""
    try:
        row = await insert(conn, "qos_types", {"name": name, "description": description})
    except psycopg.errors.UniqueViolation:
        raise NameTaken(name) from None
    await insert_many(conn, SPECS, [{"qos_type_id": row["id"], "key": key, "value": specs[key]} for key in specs])
    return {**row, "specs": dict(specs)}


async def describe(conn: Conn, type_id: str, description: str | None) -> bool:
    """Change the description; False when there is no such type."""
    return bool(await update(conn, "qos_types", {"id": type_id}, {"description": description}))


async def destroy(conn: Conn, type_id: str) -> None:
    """Remove a type with its specs. Raises InUse."""
    if not await uses.take(conn, "qos_types", type_id):
        raise Stale(type_id)
    if await conn.one(
        "SELECT 1 AS yes FROM share_instances WHERE qos_type_id = %s AND deleted = 'False' LIMIT 1", (type_id,)
    ):
        raise InUse(type_id)
    await soft_delete(conn, SPECS, {"qos_type_id": type_id})
    await soft_delete(conn, "qos_types", {"id": type_id})


async def set_specs(conn: Conn, type_id: str, specs: Mapping[str, str]) -> None:
    """Add or change specs of a type."""
    await lock(conn, "qos_types", type_id)
    for key, value in specs.items():
        where = {"qos_type_id": type_id, "key": key}
        if not await update(conn, SPECS, where, {"value": value}):
            await insert(conn, SPECS, {**where, "value": value})


async def remove_spec(conn: Conn, type_id: str, key: str) -> bool:
    """Remove a spec; False when there is none of that key."""
    return bool(await soft_delete(conn, SPECS, {"qos_type_id": type_id, "key": key}))
