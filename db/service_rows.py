"""The services table as ``manila-manage service list`` shows it."""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import NOW, soft_delete


async def all_services(conn: Conn, down_time: float) -> list[Row]:
    """``id``, ``binary``, ``host``, ``zone``, ``disabled``, ``alive`` and ``updated_at`` of each service, by id."""
    return await conn.all(
        f"""
        SELECT s.id, s.binary, s.host, z.name AS zone, s.disabled, s.updated_at,
               coalesce(s.updated_at, s.created_at) >= {NOW} - %s * interval '1 second' AND s.state = 'up' AS alive
        FROM services s LEFT JOIN availability_zones z ON z.id = s.availability_zone_id
        WHERE s.deleted = 0 ORDER BY s.id
        """,
        (down_time,),
    )


async def remove(conn: Conn, service: int) -> None:
    """Take a service out of the list."""
    await soft_delete(conn, "services", {"id": service})
