"""User messages: written, and removed when they expire. Reading them is the API's."""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import NOW, new_id

_INSERT = f"""
    INSERT INTO messages (id, project_id, request_id, resource_type, resource_id, action_id, detail_id, message_level,
                          created_at, expires_at, deleted)
    VALUES (%(id)s, %(project_id)s, %(request_id)s, %(resource_type)s, %(resource_id)s, %(action_id)s, %(detail_id)s,
            %(level)s, {NOW}, {NOW} + %(ttl)s * interval '1 second', 'False')
"""


async def create(conn: Conn, values: Row, ttl: float) -> None:
    """Write a message that expires after ``ttl`` seconds.

    Args:
        values: project_id, request_id, resource_type, resource_id, action_id, detail_id, level.
    """
    await conn.run(_INSERT, {"id": new_id(), "ttl": ttl, **values})


async def delete_expired(conn: Conn, ahead: float = 0) -> int:
    """Remove messages for good that expire within the next ``ahead`` seconds; 0: that have expired."""
    return await conn.run(f"DELETE FROM messages WHERE expires_at < {NOW} + %s * interval '1 second'", (ahead,))
