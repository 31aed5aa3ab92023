"""Encryption keys in use: which share instance or share server refers to which key.

A project's quota of keys counts different keys, each as long as something of the project refers to it.
"""

from __future__ import annotations

from db import quotas
from db.connection import Conn
from db.write import NOW, insert

TABLE = "encryption_refs"


async def refer(
    conn: Conn, key_ref: str, project_id: str, *, instance_id: str | None = None, server_id: str | None = None
) -> None:
    """Write that an instance or a server uses a key; its quota has been taken."""
    await insert(
        conn,
        TABLE,
        {
            "encryption_key_ref": key_ref,
            "project_id": project_id,
            "share_instance_id": instance_id,
            "share_server_id": server_id,
        },
    )


async def drop(conn: Conn, *, instance_id: str | None = None, server_id: str | None = None) -> None:
    """An instance or a server uses its key no longer; the quota of a key that nothing uses any more is given back."""
    rows = await conn.all(
        f"""
        UPDATE {TABLE} SET deleted = id, deleted_at = {NOW}
        WHERE (share_instance_id = %s OR share_server_id = %s) AND deleted = 'False'
        RETURNING encryption_key_ref, project_id
        """,
        (instance_id, server_id),
    )
    for row in rows:
        await quotas.lock(conn, row["project_id"])
        used = await conn.one(
            f"SELECT 1 AS yes FROM {TABLE} WHERE encryption_key_ref = %s AND project_id = %s AND deleted = 'False'",
            (row["encryption_key_ref"], row["project_id"]),
        )
        if used is None:
            await _give_back(conn, row["project_id"])


async def _give_back(conn: Conn, project_id: str) -> None:
    """One key less. Nobody knows any more whose it was, nor for which type of share."""
    for level in ("share_type_id IS NULL", "share_type_id IS NOT NULL"):
        await conn.run(
            f"""
            UPDATE quota_usages SET in_use = in_use - 1, updated_at = {NOW}
            WHERE id = (SELECT id FROM quota_usages
                        WHERE project_id = %s AND resource = 'encryption_keys' AND in_use > 0 AND deleted = 0
                          AND {level} ORDER BY in_use DESC, id LIMIT 1)
            """,
            (project_id,),
        )
