"""Availability zones: each is there because a service is in it."""

from __future__ import annotations

from db.connection import Conn, Row


async def served(conn: Conn) -> list[Row]:
    """Zones with at least one enabled service, up or not."""
    return await conn.all(
        """
        SELECT z.id, z.name, z.created_at, z.updated_at FROM availability_zones z
        WHERE z.deleted = 'False'
          AND EXISTS (SELECT 1 FROM services s WHERE s.availability_zone_id = z.id AND s.deleted = 0 AND NOT s.disabled)
        ORDER BY z.name
        """
    )


async def find(conn: Conn, name_or_id: str) -> Row | None:
    """A zone by its id or its name."""
    return await conn.one(
        "SELECT id, name FROM availability_zones WHERE deleted = 'False' AND (id = %(it)s OR name = %(it)s) LIMIT 1",
        {"it": name_or_id},
    )


async def names(conn: Conn) -> dict[str, str]:
    """Id -> name of every zone."""
    rows = await conn.all("SELECT id, name FROM availability_zones WHERE deleted = 'False'")
    return {row["id"]: row["name"] for row in rows}


async def of_host(conn: Conn, host: str) -> str | None:
    """Id of the zone that a back end's service is in (``node1@alpha``, a pool may follow)."""
    row = await conn.one(
        "SELECT availability_zone_id FROM services"
        " WHERE host = split_part(%s, '#', 1) AND topic = 'manila-share' AND deleted = 0 LIMIT 1",
        (host,),
    )
    return None if row is None else row["availability_zone_id"]
