"""Share instances as the API shows them."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.keyset import Place, behind, joined, ordered
from db.turns import each
from db.write import update as change
from generated.columns import COLUMNS

_COLUMNS = ", ".join(f"i.{name}" for name in COLUMNS["share_instances"] if name not in ("deleted", "deleted_at"))
_EXPORTS = """
    (SELECT json_agg(e.path ORDER BY e.updated_at) FROM share_instance_export_locations e
     WHERE e.share_instance_id = i.id AND e.deleted = 0) AS export_locations
"""
_ZONE = "LEFT JOIN availability_zones az ON az.id = i.availability_zone_id AND az.deleted = 'False'"
_SELECT = f"""
    SELECT {_COLUMNS}, az.name AS availability_zone, s.project_id, s.user_id, s.is_public, {_EXPORTS}
    FROM share_instances i
    JOIN shares s ON s.id = i.share_id
    {_ZONE}
    WHERE i.deleted = 'False'
"""
_ORDER = ordered("i.created_at", "i.id", descending=False)


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


async def find(conn: Conn, filters: Row, *, limit: int | None = None, marker: str | Place | None = None) -> list[Row]:
    """Instances that match, oldest first; ``v`` is the text of what a row is sorted by.

    Filters: ``export_location_id``, ``export_location_path``, ``instance_ids``, ``host`` (a back end includes its
    pools), ``share_server_id``, ``status``, ``encryption_key_ref``, ``is_soft_deleted`` (default: False). An empty
    value filters nothing. ``marker``: the last one of the page before, by its id or its place; an id that is not among
    those that match is no marker.
    """
    parts = ["i.deleted = 'False'", "s.is_soft_deleted" if filters.get("is_soft_deleted") else "NOT s.is_soft_deleted"]
    for key, column in (("export_location_id", "uuid"), ("export_location_path", "path")):
        if filters.get(key):
            parts.append(
                "EXISTS (SELECT 1 FROM share_instance_export_locations e WHERE e.share_instance_id = i.id"
                f" AND e.deleted = 0 AND e.{column} = %({key})s)"
            )
    if filters.get("host"):
        parts.append("(i.host = %(host)s OR starts_with(i.host, %(host)s || '#'))")
    parts += [f"i.{key} = %({key})s" for key in ("share_server_id", "status", "encryption_key_ref") if filters.get(key)]
    source = "FROM share_instances i JOIN shares s ON s.id = i.share_id WHERE " + " AND ".join(parts)
    place = marker if isinstance(marker, Place) else None
    if isinstance(marker, str) and marker:
        known = f"SELECT i.created_at AS v {source} AND i.id = %(marker)s"
        row = await conn.one(known, {**filters, "marker": marker})
        place = None if row is None else Place(row["v"], marker)
    ranges = [
        f"SELECT i.*, s.project_id, s.user_id, s.is_public, i.created_at AS v {source} AND {later}"
        for later in behind("i.created_at", "i.id", place, descending=False)
    ]
    rows = await conn.all(
        f"""
        WITH page AS MATERIALIZED ({joined(ranges, _ORDER, limit)})
        SELECT {_COLUMNS}, az.name AS availability_zone, i.project_id, i.user_id, i.is_public, i.v::text, {_EXPORTS}
        FROM page i {_ZONE} {_ORDER}
        """,
        filters if place is None else {**filters, **place.params},
    )
    return await each(_shown, rows)


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
