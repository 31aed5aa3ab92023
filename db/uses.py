"""Rows that others refer to: who writes a reference holds the row, who removes the row takes it for itself.

A type, a network, a snapshot or a server may be removed only while nothing uses it. A request that looks at the row
and then writes what uses it would let both through: the removal sees no use yet, the use sees no removal yet. So

- who writes a reference calls ``hold`` before it reads the row: users don't wait for each other, a removal waits;
- who removes the row calls ``take`` before it counts the uses: it waits for users at work, users that come wait for it.

Both read afterwards, by later statements: one of the two sees the other and answers as if it had been asked second.
Whoever has read without holding, for speed, holds at the end and raises ``conflicts.Stale`` if that was in vain.
The order among several of them is that of ``db.order``; rows of one table are held in one call.
"""

from __future__ import annotations

from collections.abc import Iterable

from db.connection import Conn

MOVES = ("share_migrate_place", "share_migrate", "share_migrate_host", "server_migrate")
"""Kinds of work that will put something somewhere and has no row there yet; the payload says where."""


def _storable(ids: Iterable[str | None]) -> list[str]:
    return sorted({one for one in ids if one and "\0" not in one})


async def hold(conn: Conn, table: str, ids: Iterable[str | None]) -> set[str]:
    """Keep rows from being removed or changed until the transaction ends; ids of those that are not deleted.

    Args:
        table: one with text ids and soft deletion.
        ids: None and unknown ids are passed over.
    """
    wanted = _storable(ids)
    if not wanted:
        return set()
    sql = f"SELECT id FROM {table} WHERE id = ANY(%s) AND deleted = 'False' ORDER BY id FOR SHARE"
    return {str(row["id"]) for row in await conn.all(sql, (wanted,))}


async def hold_networks_of(conn: Conn, share_id: str, *more: str | None) -> None:
    """``hold`` for the networks that a share is in, and more."""
    if "\0" in share_id:
        return
    await conn.run(
        """
        SELECT 1 FROM share_networks WHERE deleted = 'False' AND (id = ANY(%s) OR id IN (
            SELECT share_network_id FROM share_instances WHERE share_id = %s AND deleted = 'False'))
        ORDER BY id FOR SHARE
        """,
        (_storable(more), share_id),
    )


async def take(conn: Conn, table: str, ident: str) -> bool:
    """Wait until nobody holds a row, and let nobody have it until the transaction ends; whether it is not deleted."""
    if "\0" in ident:
        return False
    sql = f"SELECT id FROM {table} WHERE id = %s AND deleted = 'False' FOR UPDATE"
    return await conn.one(sql, (ident,)) is not None


async def awaited(conn: Conn, key: str, ident: str) -> int:
    """How many moves are under way to what has this id, and have no row there yet.

    Args:
        key: of the payload: ``share_network_id``, ``share_type_id``.
    """
    row = await conn.one(
        """
        SELECT count(*) AS n FROM openkeel_tasks
        WHERE state IN ('queued', 'running') AND kind = ANY(%s) AND payload->>%s = %s
        """,
        (list(MOVES), key, ident),
    )
    return 0 if row is None else int(row["n"])
