"""Services as administrators see them: list and switch. What processes write is in ``db.heartbeats``."""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import update

FILTERS = {
    "host": "s.host = %(host)s",
    "binary": "s.binary = %(binary)s",
    "state": "s.state = %(state)s",
    "topic": "s.topic = %(topic)s",
    "availability_zone_id": "s.availability_zone_id = %(availability_zone_id)s",
    "zone": "(z.name = %(zone)s OR z.id = %(zone)s)",
    "disabled": "s.disabled = %(disabled)s",
    "ensuring": "s.ensuring = %(ensuring)s",
}
"""What a list can be narrowed by; ``disabled`` and ``ensuring`` are booleans, ``zone`` is an id or a name."""


async def list_all(conn: Conn, filters: Row) -> list[Row]:
    """Services that match all ``filters`` (keys of ``FILTERS``), with the name of their zone."""
    conditions = ["s.deleted = 0", *(FILTERS[name] for name in filters)]
    return await conn.all(
        f"""
        SELECT s.id, s.binary, s.host, s.topic, s.state, s.disabled, s.disabled_reason, s.ensuring, s.updated_at,
               z.name AS zone
        FROM services s LEFT JOIN availability_zones z ON z.id = s.availability_zone_id
        WHERE {" AND ".join(conditions)} ORDER BY s.id
        """,
        filters,
    )


async def switch(conn: Conn, host: str | None, binary: str | None, values: Row) -> bool:
    """Change a service; False when there is none of that host and binary."""
    return bool(await update(conn, "services", {"host": host, "binary": binary}, values))
