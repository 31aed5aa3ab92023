"""Resource locks: rows that forbid an action on a share or hide an access rule's client."""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import columns, insert, soft_delete, update
from generated.columns import COLUMNS

LOCKS = "resource_locks"
SORT_KEYS = COLUMNS[LOCKS]


async def get(conn: Conn, lock_id: str, project_id: str | None) -> Row | None:
    """A lock; ``project_id`` is its reader's project, None for an administrator."""
    return await conn.one(
        f"""
        SELECT {columns("l", LOCKS)} FROM {LOCKS} l
        WHERE l.id = %(id)s AND l.deleted = 'False' AND (%(project)s::text IS NULL OR l.project_id = %(project)s)
        """,
        {"id": lock_id, "project": project_id},
    )


async def hold(conn: Conn, kind: str, resource_id: str) -> None:
    """Wait until nobody else removes or locks the share, or the share of the access rule; held until our end.

    Whoever removes a share or a rule takes the share's row first and looks for locks after, so of a removal and a lock
    that are asked for at once, one sees the other.

    Args:
        kind: ``share`` or ``access_rule``.
    """
    which = "%s" if kind == "share" else "(SELECT a.share_id FROM share_access_map a WHERE a.id = %s)"
    await conn.run(f"SELECT 1 FROM shares WHERE id = {which} AND deleted = 'False' FOR NO KEY UPDATE", (resource_id,))


async def is_hidden(conn: Conn, resource_id: str) -> bool:
    """Whether somebody locked the visibility of a resource."""
    row = await conn.one(
        f"""
        SELECT 1 AS yes FROM {LOCKS}
        WHERE resource_id = %s AND resource_action = 'show' AND deleted = 'False' LIMIT 1
        """,
        (resource_id,),
    )
    return row is not None


async def create(conn: Conn, values: Row) -> Row:
    """Make a lock."""
    return await insert(conn, LOCKS, values)


async def change(conn: Conn, lock_id: str, values: Row) -> bool:
    """Change reason or action of a lock."""
    return bool(await update(conn, LOCKS, {"id": lock_id}, values))


async def remove(conn: Conn, lock_id: str) -> bool:
    """Remove a lock; False when it is gone."""
    return bool(await soft_delete(conn, LOCKS, {"id": lock_id}))
