"""Share types with their extra specs and the projects that may use them.

``visible_to`` is the project that asks: it sees public types and those it was given. None, an administrator, sees all.
"""

from __future__ import annotations

from collections.abc import Mapping

import psycopg

from db import quota_sets, uses
from db.conflicts import Stale
from db.connection import Conn, Row
from db.write import NOW, insert, insert_many, lock, soft_delete, update


class NameTaken(Exception):
    """Another share type has that name."""


class InUse(Exception):
    """Shares or share group types are of that type."""


_SELECT = """
    SELECT t.id, t.name, t.description, t.is_public, t.created_at, t.updated_at,
           coalesce((SELECT json_object_agg(e.spec_key, e.spec_value ORDER BY e.id) FROM share_type_extra_specs e
                     WHERE e.share_type_id = t.id AND e.deleted = 0), '{}') AS extra_specs
    FROM share_types t
    WHERE t.deleted = 'False'
"""

_GRANTED = """EXISTS (SELECT 1 FROM share_type_projects p
                      WHERE p.share_type_id = t.id AND p.deleted = 0 AND p.project_id = %(project)s)"""

_VISIBLE = f"AND (%(admin)s OR t.is_public OR {_GRANTED})"


def _viewer(visible_to: str | None) -> Row:
    return {"project": visible_to, "admin": visible_to is None}


async def get(conn: Conn, type_id: str, visible_to: str | None = None) -> Row | None:
    """A type by id."""
    return await conn.one(f"{_SELECT} {_VISIBLE} AND t.id = %(id)s", {**_viewer(visible_to), "id": type_id})


async def by_name(conn: Conn, name: str, visible_to: str | None = None) -> Row | None:
    """A type by name."""
    return await conn.one(f"{_SELECT} {_VISIBLE} AND t.name = %(name)s", {**_viewer(visible_to), "name": name})


async def by_name_or_id(conn: Conn, name_or_id: str, visible_to: str | None = None) -> Row | None:
    """A type by id or, if none has that id, by name."""
    return await conn.one(
        f"{_SELECT} {_VISIBLE} AND (t.id = %(it)s OR t.name = %(it)s) ORDER BY t.id <> %(it)s LIMIT 1",
        {**_viewer(visible_to), "it": name_or_id},
    )


async def list_all(conn: Conn, is_public: bool | None, project_id: str | None, admin: bool) -> list[Row]:
    """Types by name.

    Args:
        is_public: only such types; True includes those given to ``project_id``; None is all.
        admin: types of every project can be seen.
    """
    condition = {
        None: "",
        True: f"AND (t.is_public OR {_GRANTED})",
        False: "AND NOT t.is_public",
    }[is_public]
    params = {"project": project_id, "admin": admin}
    return await conn.all(f"{_SELECT} {_VISIBLE} {condition} ORDER BY t.name", params)


async def create(
    conn: Conn, name: str, description: str | None, is_public: bool, extra_specs: Mapping[str, str]
) -> Row:
    """Make a type. Raises NameTaken."""
    try:
        row = await insert(conn, "share_types", {"name": name, "description": description, "is_public": is_public})
    except psycopg.errors.UniqueViolation:
        raise NameTaken(name) from None
    specs = [{"share_type_id": row["id"], "spec_key": key, "spec_value": extra_specs[key]} for key in extra_specs]
    await insert_many(conn, "share_type_extra_specs", specs)
    return {**row, "extra_specs": dict(extra_specs)}


async def change(conn: Conn, type_id: str, values: Row) -> bool:
    """Change name, description or visibility; False when there is no such type. Raises NameTaken."""
    try:
        return bool(await update(conn, "share_types", {"id": type_id}, values))
    except psycopg.errors.UniqueViolation:
        raise NameTaken(values.get("name")) from None


async def destroy(conn: Conn, type_id: str) -> None:
    """Remove a type with its extra specs, grants and quotas. Raises InUse."""
    if not await uses.take(conn, "share_types", type_id):
        raise Stale(type_id)
    used = await conn.one(
        """
        SELECT EXISTS (SELECT 1 FROM share_instances WHERE share_type_id = %(id)s AND deleted = 'False')
            OR EXISTS (SELECT 1 FROM share_group_type_share_type_mappings
                       WHERE share_type_id = %(id)s AND deleted = 'False') AS yes
        """,
        {"id": type_id},
    )
    if (used is not None and used["yes"]) or await uses.awaited(conn, "share_type_id", type_id):
        raise InUse(type_id)
    for table in ("share_type_extra_specs", "share_type_projects"):
        await soft_delete(conn, table, {"share_type_id": type_id})
    await soft_delete(conn, "share_types", {"id": type_id})
    await quota_sets.forget_share_type(conn, type_id)


async def projects(conn: Conn, type_id: str) -> list[str]:
    """The projects a private type was given to."""
    rows = await conn.all(
        "SELECT project_id FROM share_type_projects WHERE share_type_id = %s AND deleted = 0 ORDER BY id", (type_id,)
    )
    return [row["project_id"] for row in rows]


async def grant(conn: Conn, type_id: str, project_id: str) -> bool:
    """Let a project use a type; False when it may already."""
    return bool(
        await conn.run(
            f"""
            INSERT INTO share_type_projects (share_type_id, project_id, deleted, created_at)
            VALUES (%s, %s, 0, {NOW}) ON CONFLICT DO NOTHING
            """,
            (type_id, project_id),
        )
    )


async def revoke(conn: Conn, type_id: str, project_id: str) -> bool:
    """Undo ``grant``; False when there was none."""
    return bool(await soft_delete(conn, "share_type_projects", {"share_type_id": type_id, "project_id": project_id}))


async def set_specs(conn: Conn, type_id: str, extra_specs: Mapping[str, str]) -> None:
    """Add or change extra specs of a type."""
    await lock(conn, "share_types", type_id)
    for key, value in extra_specs.items():
        where = {"share_type_id": type_id, "spec_key": key}
        if not await update(conn, "share_type_extra_specs", where, {"spec_value": value}):
            await insert(conn, "share_type_extra_specs", {**where, "spec_value": value})


async def remove_spec(conn: Conn, type_id: str, key: str) -> bool:
    """Remove an extra spec; False when there is none of that key."""
    return bool(await soft_delete(conn, "share_type_extra_specs", {"share_type_id": type_id, "spec_key": key}))
