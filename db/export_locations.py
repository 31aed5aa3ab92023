"""Export locations of shares and share instances, with their metadata."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from db import metadata
from db.connection import Conn, Row
from db.write import NOW, hold_share, new_id

_SELECT = """
    SELECT e.id AS key, e.uuid AS id, e.path, e.is_admin_only, e.share_instance_id, e.created_at, e.updated_at,
           (SELECT json_object_agg(m.key, m.value) FROM share_instance_export_locations_metadata m
            WHERE m.export_location_id = e.id AND m.deleted = 0) AS metadata
    FROM share_instance_export_locations e
    JOIN share_instances i ON i.id = e.share_instance_id AND i.deleted = 'False'
    WHERE e.deleted = 0
"""
_TRUE = ("1", "t", "true", "on", "y", "yes")
_PRIMARY_ONLY = "AND (i.replica_state IS NULL OR i.replica_state = 'active')"


def _text(value: object) -> str:
    """A driver's value as metadata; booleans in PostgreSQL's spelling."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(row: Row) -> Row:
    """``preferred`` is kept as metadata and shown as a field of its own."""
    items = row["metadata"] or {}
    row["preferred"] = str(items.pop("preferred", "")).strip().lower() in _TRUE
    row["metadata"] = items
    return row


async def of_share(conn: Conn, share_id: str, *, admin_only: bool, primary_only: bool) -> list[Row]:
    """Locations of a share's instances, but not of one that a migration moves it to.

    Args:
        admin_only: also those that only administrators see.
        primary_only: leave those of secondary replicas out.
    """
    rows = await conn.all(
        f"{_SELECT} AND i.share_id = %s AND i.status <> 'migrating_to' {_PRIMARY_ONLY if primary_only else ''}"
        f" {'' if admin_only else 'AND NOT e.is_admin_only'} ORDER BY e.updated_at, e.id",
        (share_id,),
    )
    return [_shown(row) for row in rows]


async def of_instance(conn: Conn, instance_id: str) -> list[Row]:
    """Locations of one share instance."""
    rows = await conn.all(f"{_SELECT} AND i.id = %s ORDER BY e.updated_at, e.id", (instance_id,))
    return [_shown(row) for row in rows]


async def get(
    conn: Conn, location_id: str, *, share_id: str | None = None, instance_id: str | None = None,
    primary_only: bool = False,
) -> Row | None:  # fmt: skip
    """One location, of the given share or instance; ``key`` is its integer key."""
    if "\0" in location_id:
        return None
    of_share = "AND i.share_id = %(share)s" if share_id is not None else ""
    of_instance = "AND i.id = %(instance)s" if instance_id is not None else ""
    row = await conn.one(
        f"{_SELECT} AND e.uuid = %(id)s {of_share} {of_instance} {_PRIMARY_ONLY if primary_only else ''}",
        {"id": location_id, "share": share_id, "instance": instance_id},
    )
    return None if row is None else _shown(row)


async def write(conn: Conn, instance_id: str, wanted: Sequence[Row]) -> None:
    """Make the locations of an instance those a driver answered: the rest goes, those that stay keep their ids.

    Keys of each: ``path``, ``is_admin_only``, ``preferred`` (bool) and ``metadata``.
    """
    await hold_share(conn, instance_id)
    current = {row["path"]: row["key"] for row in await of_instance(conn, instance_id)}
    await remove(conn, instance_id, set(current) - {one["path"] for one in wanted})
    for place, one in enumerate(wanted):
        key = current.get(one["path"])
        moment = f"{NOW} + %(place)s * interval '1 microsecond'"  # the order of the list is kept as the order of times
        if key is None:
            row = await conn.one(
                f"""
                INSERT INTO share_instance_export_locations
                       (uuid, path, share_instance_id, is_admin_only, created_at, updated_at, deleted)
                VALUES (%(uuid)s, %(path)s, %(instance)s, %(admin)s, {NOW}, {moment}, 0) RETURNING id
                """,
                {
                    "uuid": new_id(), "path": one["path"], "instance": instance_id, "place": place,
                    "admin": bool(one.get("is_admin_only", False)),
                },
            )  # fmt: skip
            assert row is not None
            key = row["id"]
        else:
            await conn.run(
                f"UPDATE share_instance_export_locations SET updated_at = {moment} WHERE id = %(key)s",
                {"key": key, "place": place},
            )
        items = {str(name): _text(value) for name, value in (one.get("metadata") or {}).items()}
        if "preferred" in one:
            items["preferred"] = _text(bool(one["preferred"]))
        await metadata.put(conn, metadata.EXPORT_LOCATION, key, items)


async def remove(conn: Conn, instance_id: str, paths: Iterable[str] | None = None) -> None:
    """Remove locations of an instance (None: all) with their metadata."""
    wanted = None if paths is None else list(paths)
    if wanted == []:
        return
    await conn.run(
        f"""
        WITH gone AS (
            UPDATE share_instance_export_locations SET deleted = id, deleted_at = {NOW}
            WHERE share_instance_id = %(instance)s AND deleted = 0
              AND (%(paths)s::text[] IS NULL OR path = ANY(%(paths)s::text[])) RETURNING id)
        UPDATE share_instance_export_locations_metadata SET deleted = id, deleted_at = {NOW}
        WHERE deleted = 0 AND export_location_id IN (SELECT id FROM gone)
        """,
        {"instance": instance_id, "paths": wanted},
    )
