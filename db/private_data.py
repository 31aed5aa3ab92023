"""What drivers keep between their calls: key/value pairs of an entity, in the original's table."""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn
from db.write import NOW

TABLE = "drivers_private_data"


async def get(conn: Conn, entity_id: str) -> dict[str, str]:
    """All pairs of an entity."""
    rows = await conn.all(f"SELECT key, value FROM {TABLE} WHERE entity_uuid = %s AND deleted = 0", (entity_id,))
    return {row["key"]: row["value"] for row in rows}


async def put(conn: Conn, entity_id: str, items: Mapping[str, str]) -> None:
    """Set pairs; the others stay. The original's table has no key, so writers of one entity wait for each other."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 37))", (entity_id,))
    for key, value in items.items():
        known = await conn.run(
            f"UPDATE {TABLE} SET value = %s, updated_at = {NOW} WHERE entity_uuid = %s AND key = %s AND deleted = 0",
            (value, entity_id, key),
        )
        if not known:
            await conn.run(
                f"INSERT INTO {TABLE} (entity_uuid, key, value, created_at, deleted) VALUES (%s, %s, %s, {NOW}, 0)",
                (entity_id, key, value),
            )


async def remove(conn: Conn, entity_id: str) -> None:
    """Remove all pairs of an entity."""
    await conn.run(f"DELETE FROM {TABLE} WHERE entity_uuid = %s", (entity_id,))
