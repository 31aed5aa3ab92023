"""Share instances as the API shows them."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import update as change
from generated.columns import COLUMNS

_COLUMNS = ", ".join(f"i.{name}" for name in COLUMNS["share_instances"] if name not in ("deleted", "deleted_at"))
_SELECT = f"""
    SELECT {_COLUMNS}, az.name AS availability_zone, s.project_id, s.user_id, s.is_public,
           (SELECT json_agg(e.path ORDER BY e.updated_at) FROM share_instance_export_locations e
            WHERE e.share_instance_id = i.id AND e.deleted = 0) AS export_locations
    FROM share_instances i
    JOIN shares s ON s.id = i.share_id
    LEFT JOIN availability_zones az ON az.id = i.availability_zone_id AND az.deleted = 'False'
    WHERE i.deleted = 'False'
"""


def _shown(row: Row) -> Row:
    row["export_locations"] = row["export_locations"] or []
    row["export_location"] = row["export_locations"][0] if row["export_locations"] else None
    return row


async def get(conn: Conn, instance_id: str) -> Row | None:
    """One live instance, with owner and publicity of its share."""
    if "\0" in instance_id:
        return None
    row = await conn.one(f"{_SELECT} AND i.id = %s", (instance_id,))
    return None if row is None else _shown(row)


async def of_share(conn: Conn, share_id: str) -> list[Row]:
    """The instances of a share, oldest first."""
    rows = await conn.all(f"{_SELECT} AND i.share_id = %s ORDER BY i.created_at, i.id", (share_id,))
    return [_shown(row) for row in rows]


async def find(conn: Conn, filters: Row) -> list[Row]:
    """Instances that match.

    Filters: ``export_location_id``, ``export_location_path``, ``instance_ids``, ``host`` (a back end includes its
    pools), ``share_server_id``, ``status``, ``encryption_key_ref``, ``is_soft_deleted`` (default: False). An empty
    value filters nothing.
    """
    parts = ["s.is_soft_deleted" if filters.get("is_soft_deleted") else "NOT s.is_soft_deleted"]
    for key, column in (("export_location_id", "uuid"), ("export_location_path", "path")):
        if filters.get(key):
            parts.append(
                "EXISTS (SELECT 1 FROM share_instance_export_locations e WHERE e.share_instance_id = i.id"
                f" AND e.deleted = 0 AND e.{column} = %({key})s)"
            )
    if filters.get("host"):
        parts.append("(i.host = %(host)s OR starts_with(i.host, %(host)s || '#'))")
    parts += [f"i.{key} = %({key})s" for key in ("share_server_id", "status", "encryption_key_ref") if filters.get(key)]
    rows = await conn.all(f"{_SELECT} AND {' AND '.join(parts)} ORDER BY i.created_at, i.id", filters)
    return [_shown(row) for row in rows]


async def update(conn: Conn, instance_id: str, values: Row) -> int:
    """Change columns of a live instance; how many there were."""
    return await change(conn, "share_instances", {"id": instance_id}, values)


async def owners(conn: Conn, instance_ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The share and the project of each share instance, or snapshot instance, that there is."""
    rows = await conn.all(
        """
        SELECT i.id, i.share_id, coalesce(s.project_id, '') AS project_id
        FROM share_instances i JOIN shares s ON s.id = i.share_id WHERE i.id = ANY(%(ids)s)
        UNION ALL
        SELECT i.id, p.share_id, coalesce(p.project_id, '')
        FROM share_snapshot_instances i JOIN share_snapshots p ON p.id = i.snapshot_id WHERE i.id = ANY(%(ids)s)
        """,
        {"ids": list(instance_ids)},
    )
    return {row["id"]: (row["share_id"], row["project_id"]) for row in rows}
