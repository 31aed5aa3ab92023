"""User messages as their owners read them; ``db.messages`` writes them."""

from __future__ import annotations

from db.connection import Conn, Row
from db.write import columns, soft_delete
from generated.columns import COLUMNS

SORT_KEYS = COLUMNS["messages"]
FILTERS = (
    "request_id",
    "resource_type",
    "resource_id",
    "action_id",
    "detail_id",
    "message_level",
    "created_since",
    "created_before",
)
_OWN = "m.deleted = 'False' AND (%(project)s::text IS NULL OR m.project_id = %(project)s)"


async def get(conn: Conn, message_id: str, project_id: str | None) -> Row | None:
    """A message; ``project_id`` is its reader's project, None for an administrator."""
    return await conn.one(
        f"SELECT {columns('m', 'messages')} FROM messages m WHERE {_OWN} AND m.id = %(id)s",
        {"project": project_id, "id": message_id},
    )


async def remove(conn: Conn, message_id: str) -> bool:
    """Remove a message; False when it is gone already."""
    return bool(await soft_delete(conn, "messages", {"id": message_id}))
