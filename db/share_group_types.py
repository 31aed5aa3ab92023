"""Share group types with their specs, share types and the projects that may use them.

``visible_to`` is the project that asks, None an administrator, as in ``db.share_types``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import psycopg

from db import uses
from db.conflicts import Stale
from db.connection import Conn, Row
from db.write import NOW, insert, insert_many, live, lock, soft_delete, update

SPECS, PROJECTS = "share_group_type_specs", "share_group_type_projects"
MAPPINGS = "share_group_type_share_type_mappings"


class NameTaken(Exception):
    """Another share group type has that name."""


class InUse(Exception):
    """Share groups are of that type."""


_SELECT = f"""
    SELECT t.id, t.name, t.is_public,
           coalesce((SELECT json_object_agg(s.spec_key, s.spec_value) FROM {SPECS} s
                     WHERE s.share_group_type_id = t.id AND {live("s", SPECS)}), '{{}}') AS group_specs,
           coalesce((SELECT json_agg(m.share_type_id ORDER BY m.created_at, m.id) FROM {MAPPINGS} m
                     WHERE m.share_group_type_id = t.id AND {live("m", MAPPINGS)}), '[]') AS share_types
    FROM share_group_types t
    WHERE {live("t", "share_group_types")}
"""
_GRANTED = f"""EXISTS (SELECT 1 FROM {PROJECTS} p WHERE p.share_group_type_id = t.id
                       AND {live("p", PROJECTS)} AND p.project_id = %(project)s)"""
_VISIBLE = f"AND (%(admin)s OR t.is_public OR {_GRANTED})"


async def list_all(conn: Conn, is_public: bool | None, project_id: str | None, admin: bool) -> list[Row]:
    """Types by name; the arguments are those of ``db.share_types.list_all``."""
    condition = {None: "", True: f"AND (t.is_public OR {_GRANTED})", False: "AND NOT t.is_public"}[is_public]
    params = {"project": project_id, "admin": admin}
    return await conn.all(f"{_SELECT} {_VISIBLE} {condition} ORDER BY t.name", params)


async def get(conn: Conn, type_id: str, visible_to: str | None) -> Row | None:
    """A type by id."""
    params = {"project": visible_to, "admin": visible_to is None, "id": type_id}
    return await conn.one(f"{_SELECT} {_VISIBLE} AND t.id = %(id)s", params)


async def by_name(conn: Conn, name: str) -> Row | None:
    """A type by name, whoever asks."""
    return await conn.one(f"{_SELECT} AND t.name = %(name)s", {"name": name})


async def create(
    conn: Conn, name: str, is_public: bool, specs: Mapping[str, str], share_type_ids: Sequence[str]
) -> Row:
    """Make a type. Raises NameTaken."""
    try:
        row = await insert(conn, "share_group_types", {"name": name, "is_public": is_public})
    except psycopg.errors.UniqueViolation:
        raise NameTaken(name) from None
    await insert_many(
        conn, SPECS, [{"share_group_type_id": row["id"], "spec_key": key, "spec_value": specs[key]} for key in specs]
    )
    await insert_many(
        conn, MAPPINGS, [{"share_group_type_id": row["id"], "share_type_id": one} for one in share_type_ids]
    )
    return {**row, "group_specs": dict(specs), "share_types": list(share_type_ids)}


async def destroy(conn: Conn, type_id: str) -> None:
    """Remove a type with all that belongs to it. Raises InUse."""
    if not await uses.take(conn, "share_group_types", type_id):
        raise Stale(type_id)
    if await conn.one(
        "SELECT 1 AS yes FROM share_groups WHERE share_group_type_id = %s AND deleted = 'False' LIMIT 1", (type_id,)
    ):
        raise InUse(type_id)
    for table in (SPECS, MAPPINGS, PROJECTS):
        await soft_delete(conn, table, {"share_group_type_id": type_id})
    await soft_delete(conn, "share_group_types", {"id": type_id})


async def projects(conn: Conn, type_id: str) -> list[str]:
    """The projects a private type was given to."""
    rows = await conn.all(
        f"SELECT p.project_id FROM {PROJECTS} p WHERE p.share_group_type_id = %s AND {live('p', PROJECTS)} ORDER BY id",
        (type_id,),
    )
    return [row["project_id"] for row in rows]


async def grant(conn: Conn, type_id: str, project_id: str) -> bool:
    """Let a project use a type; False when it may already."""
    return bool(
        await conn.run(
            f"""
            INSERT INTO {PROJECTS} (share_group_type_id, project_id, deleted, created_at)
            VALUES (%s, %s, 0, {NOW}) ON CONFLICT DO NOTHING
            """,
            (type_id, project_id),
        )
    )


async def revoke(conn: Conn, type_id: str, project_id: str) -> bool:
    """Undo ``grant``; False when there was none."""
    return bool(await soft_delete(conn, PROJECTS, {"share_group_type_id": type_id, "project_id": project_id}))


async def set_specs(conn: Conn, type_id: str, specs: Mapping[str, str]) -> None:
    """Add or change specs of a type."""
    await lock(conn, "share_group_types", type_id)
    for key, value in specs.items():
        where = {"share_group_type_id": type_id, "spec_key": key}
        if not await update(conn, SPECS, where, {"spec_value": value}):
            await insert(conn, SPECS, {**where, "spec_value": value})


async def remove_spec(conn: Conn, type_id: str, key: str) -> bool:
    """Remove a spec; False when there is none of that key."""
    return bool(await soft_delete(conn, SPECS, {"share_group_type_id": type_id, "spec_key": key}))
