"""Share transfers: offers of a share to another project, taken with a key.

The key itself is never kept: ``salt`` and ``crypt_hash`` (HMAC-SHA256 of the key under the salt) are the original's, so
that offers made by it can be taken here.
"""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import NOW, columns, insert

TABLE = "transfers"
_SELECT = f"SELECT {columns('t', TABLE)} FROM {TABLE} t WHERE t.deleted = 'False'"


async def create(conn: Conn, values: Row, seconds: float) -> Row:
    """Insert an offer that ends after so many seconds."""
    row = await insert(conn, TABLE, {"resource_type": "share", "accepted": False, **values})
    found = await conn.one(
        f"UPDATE {TABLE} SET expires_at = created_at + %s * interval '1 second' WHERE id = %s RETURNING expires_at",
        (seconds, row["id"]),
    )
    return {**row, **(found or {})}


async def get(conn: Conn, transfer_id: str, project_id: str | None = None) -> Row | None:
    """A live offer; with ``project_id`` only if that project owns the share."""
    if "\0" in transfer_id:
        return None
    return await conn.one(
        f"""
        {_SELECT} AND t.id = %(id)s AND (%(project)s::text IS NULL OR EXISTS (
            SELECT 1 FROM shares s WHERE s.id = t.resource_id AND s.project_id = %(project)s))
        """,
        {"id": transfer_id, "project": project_id},
    )


async def expired(conn: Conn, *, ahead: bool = False) -> list[str]:
    """Ids of the offers whose time is over; with ``ahead`` of all."""
    rows = await conn.all(
        f"SELECT id FROM {TABLE} WHERE deleted = 'False' AND (%s OR expires_at <= {NOW}) ORDER BY expires_at, id",
        (ahead,),
    )
    return [row["id"] for row in rows]


async def remove(conn: Conn, transfer_id: str) -> None:
    """Take an offer back."""
    await conn.run(
        f"UPDATE {TABLE} SET deleted = id, deleted_at = {NOW}, updated_at = {NOW} WHERE id = %s AND deleted = 'False'",
        (transfer_id,),
    )


async def accept(conn: Conn, transfer_id: str, project_id: str) -> None:
    """The offer was taken by a project."""
    await conn.run(
        f"""
        UPDATE {TABLE} SET deleted = id, deleted_at = {NOW}, updated_at = {NOW}, accepted = true,
               destination_project_id = %s
        WHERE id = %s AND deleted = 'False'
        """,
        (project_id, transfer_id),
    )


async def reopen(conn: Conn, transfer_id: str) -> None:
    """The back end refused: the offer stands again."""
    await conn.run(
        f"""
        UPDATE {TABLE} SET deleted = 'False', deleted_at = NULL, updated_at = {NOW}, accepted = false,
               destination_project_id = NULL
        WHERE id = %s AND accepted
        """,
        (transfer_id,),
    )


# ---- owners


async def snapshot_owners(conn: Conn, share_id: str) -> list[Row]:
    """Who owns the share's live snapshots: ``project_id``, ``user_id``, ``number`` and ``gigabytes`` of each owner."""
    return await conn.all(
        """
        SELECT project_id, user_id, count(*)::int AS number, coalesce(sum(size), 0)::int AS gigabytes
        FROM share_snapshots WHERE share_id = %s AND deleted = 'False' GROUP BY project_id, user_id
        ORDER BY project_id, user_id
        """,
        (share_id,),
    )


async def hold_snapshots(conn: Conn, share_id: str) -> None:
    """Keep other writers of a share's snapshots waiting until the transaction ends."""
    await conn.run("SELECT 1 FROM share_snapshots WHERE share_id = %s ORDER BY id FOR NO KEY UPDATE", (share_id,))


async def give(conn: Conn, share_id: str, project_id: str, user_id: str) -> None:
    """A share and its snapshots belong to somebody else from now."""
    for table, key in (("shares", "id"), ("share_snapshots", "share_id")):
        await conn.run(
            f"""
            UPDATE {table} SET project_id = %s, user_id = %s, updated_at = {NOW}
            WHERE {key} = %s AND deleted = 'False'
            """,
            (project_id, user_id, share_id),
        )
