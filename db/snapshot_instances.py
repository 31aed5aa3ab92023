"""Snapshot instances, where clients mount them, and their removal."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import NOW, hold_snapshot, insert_many, soft_delete, update

_SELECT = """
    SELECT x.id, x.snapshot_id, x.created_at, x.updated_at, x.status, x.share_instance_id, x.progress,
           x.provider_location, h.share_id, s.project_id, s.user_id, s.is_public
    FROM share_snapshot_instances x
    LEFT JOIN share_instances h ON h.id = x.share_instance_id
    LEFT JOIN shares s ON s.id = h.share_id AND s.deleted = 'False'
    WHERE x.deleted = 'False'
"""
_LOCATION = """
    SELECT e.id, e.path, e.is_admin_only, e.share_snapshot_instance_id, e.created_at, e.updated_at
    FROM share_snapshot_instance_export_locations e
    WHERE e.share_snapshot_instance_id = ANY(%(instances)s) AND e.deleted = 'False'
"""


async def get(conn: Conn, instance_id: str) -> Row | None:
    """One live snapshot instance, with owner and publicity of its share."""
    return None if "\0" in instance_id else await conn.one(f"{_SELECT} AND x.id = %s", (instance_id,))


async def find(conn: Conn, snapshot_id: str | None = None) -> list[Row]:
    """All snapshot instances, or those of one snapshot; the one changed last comes last, as in the original."""
    return await conn.all(
        f"{_SELECT} AND (%(id)s::text IS NULL OR x.snapshot_id = %(id)s)"
        " ORDER BY coalesce(x.updated_at, x.created_at), x.id",
        {"id": snapshot_id},
    )


async def locations(conn: Conn, instance_ids: Sequence[str]) -> list[Row]:
    """Export locations of snapshot instances, oldest first."""
    return await conn.all(f"{_LOCATION} ORDER BY e.created_at, e.id", {"instances": list(instance_ids)})


async def location(conn: Conn, instance_ids: Sequence[str], location_id: str) -> Row | None:
    """One export location of these snapshot instances."""
    if "\0" in location_id:
        return None
    return await conn.one(f"{_LOCATION} AND e.id = %(id)s", {"instances": list(instance_ids), "id": location_id})


async def set_locations(conn: Conn, instance_id: str, given: Sequence[Row]) -> None:
    """Make ``given`` (``path``, ``is_admin_only``) the export locations of a snapshot instance."""
    await hold_snapshot(conn, instance_id)
    known = {row["path"]: row for row in await locations(conn, [instance_id])}
    gone = [row["id"] for path, row in known.items() if path not in {one["path"] for one in given}]
    if gone:
        await soft_delete(conn, "share_snapshot_instance_export_locations", {"id": gone})
    fresh = [one for one in given if one["path"] not in known]
    await insert_many(
        conn,
        "share_snapshot_instance_export_locations",
        [
            {
                "share_snapshot_instance_id": instance_id,
                "path": one["path"],
                "is_admin_only": bool(one["is_admin_only"]),
            }
            for one in fresh
        ],
    )


async def change(conn: Conn, instance_id: str, values: Row, expected: Sequence[str]) -> bool:
    """Change columns of a live snapshot instance that is in one of ``expected`` statuses; whether it was."""
    where = {"id": instance_id, "status": list(expected)}
    return bool(await update(conn, "share_snapshot_instances", where, values))


async def reset_status(conn: Conn, instance_id: str, status: str) -> bool:
    """Give a live snapshot instance a status whatever it has, an administrator's word; whether it was there."""
    return bool(await update(conn, "share_snapshot_instances", {"id": instance_id}, {"status": status}))


async def copied(conn: Conn, snapshot_id: str) -> bool:
    """Whether a share is being made of a snapshot at the moment."""
    row = await conn.one(
        """
        SELECT 1 AS yes FROM shares s JOIN share_instances i ON i.share_id = s.id AND i.deleted = 'False'
        WHERE s.snapshot_id = %s AND s.deleted = 'False' AND i.status IN ('creating', 'creating_from_snapshot') LIMIT 1
        """,
        (snapshot_id,),
    )
    return row is not None


async def remove(conn: Conn, instance_id: str) -> Row | None:
    """Remove a snapshot instance with its rules and export locations, and its snapshot with the last instance.

    Answers the snapshot's row (owner, size, share) if that went too, else None.
    """
    await hold_snapshot(conn, instance_id)
    await soft_delete(conn, "share_snapshot_instance_export_locations", {"share_snapshot_instance_id": instance_id})
    row = await conn.one(
        f"""
        UPDATE share_snapshot_instances SET status = 'deleted', deleted = id, deleted_at = {NOW}, updated_at = {NOW}
        WHERE id = %s AND deleted = 'False' RETURNING snapshot_id
        """,
        (instance_id,),
    )
    if row is None:
        return None
    gone = await conn.one(
        f"""
        UPDATE share_snapshots s SET deleted = s.id, deleted_at = {NOW}
        WHERE s.id = %s AND s.deleted = 'False' AND NOT EXISTS (
            SELECT 1 FROM share_snapshot_instances x WHERE x.snapshot_id = s.id AND x.deleted = 'False')
        RETURNING s.id, s.project_id, s.user_id, s.size, s.share_id
        """,
        (row["snapshot_id"],),
    )
    if gone is not None:
        await soft_delete(conn, "share_snapshot_metadata", {"share_snapshot_id": gone["id"]})
    return gone


async def share_type_of(conn: Conn, share_id: str) -> str | None:
    """Id of the share type of a share, even of one that is gone."""
    row = await conn.one(
        "SELECT share_type_id FROM share_instances WHERE share_id = %s ORDER BY deleted = 'False' DESC, created_at"
        " LIMIT 1",
        (share_id,),
    )
    return None if row is None else row["share_type_id"]
