"""Outcomes of checks that back ends are asked for: one small JSON object per resource and kind of check."""

from __future__ import annotations

import json
from typing import Any

from db.connection import Conn
from db.write import NOW

TABLE = "async_operation_data"


async def get(conn: Conn, entity_id: str, key: str) -> dict[str, Any] | None:
    """The object kept under ``key``, or None."""
    row = await conn.one(
        f"SELECT value FROM {TABLE} WHERE entity_uuid = %s AND key = %s AND deleted = 0", (entity_id, key)
    )
    return None if row is None else dict(json.loads(row["value"]))


async def put(conn: Conn, entity_id: str, key: str, value: dict[str, Any]) -> None:
    """Keep an object; the row of a deleted one is used again."""
    await conn.run(
        f"""
        INSERT INTO {TABLE} (entity_uuid, key, value, created_at, deleted) VALUES (%s, %s, %s, {NOW}, 0)
        ON CONFLICT (entity_uuid, key) DO UPDATE
        SET value = excluded.value, updated_at = {NOW}, deleted = 0, deleted_at = NULL
        """,
        (entity_id, key, json.dumps(value)),
    )


async def remove(conn: Conn, entity_id: str, key: str) -> None:
    """Forget what is kept under ``key``."""
    await conn.run(
        f"UPDATE {TABLE} SET deleted = 1, deleted_at = {NOW} WHERE entity_uuid = %s AND key = %s", (entity_id, key)
    )
