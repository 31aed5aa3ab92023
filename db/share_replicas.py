"""Replicas: instances of shares whose type is replicated, the active one included."""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import columns, live

_SELECT = f"""
    SELECT {columns("i", "share_instances")}, z.name AS availability_zone,
           coalesce((SELECT json_object_agg(m.key, m.value) FROM share_instance_metadata m
                     WHERE m.share_instance_id = i.id AND {live("m", "share_instance_metadata")}), '{{}}') AS metadata
    FROM share_instances i
    JOIN shares s ON s.id = i.share_id
    LEFT JOIN availability_zones z ON z.id = i.availability_zone_id
    WHERE i.deleted = 'False' AND i.replica_state IS NOT NULL
      AND (%(project)s::text IS NULL OR s.project_id = %(project)s)
"""


async def list_all(conn: Conn, project_id: str | None, share_id: str | None) -> list[Row]:
    """Replicas, of one share if given. ``project_id`` is the reader's project, None for an administrator."""
    condition = "AND i.share_id = %(share)s" if share_id else ""
    params = {"project": project_id, "share": share_id}
    return await conn.all(f"{_SELECT} {condition} ORDER BY i.created_at, i.id", params)


async def get(conn: Conn, replica_id: str, project_id: str | None) -> Row | None:
    """One replica."""
    return await conn.one(f"{_SELECT} AND i.id = %(id)s", {"project": project_id, "id": replica_id})
