"""What is removed in the background and was refused once: shares and snapshots of a back end."""

from __future__ import annotations

from db.connection import Conn, Row


async def shares_on(conn: Conn, host: str) -> list[Row]:
    """``share_id`` and ``instance_id`` of the share instances that a back end could not remove yet, oldest first."""
    return await conn.all(
        """
        SELECT i.share_id, i.id AS instance_id FROM share_instances i
        WHERE split_part(i.host, '#', 1) = %s AND i.status = 'error_deferred_deleting' AND i.deleted = 'False'
        ORDER BY i.created_at, i.id
        """,
        (host,),
    )


async def snapshots_on(conn: Conn, host: str) -> list[Row]:
    """``share_id``, ``snapshot_id`` and ``snapshot_instance_id`` of such snapshot instances, oldest first."""
    return await conn.all(
        """
        SELECT i.share_id, x.snapshot_id, x.id AS snapshot_instance_id
        FROM share_snapshot_instances x JOIN share_instances i ON i.id = x.share_instance_id
        WHERE split_part(i.host, '#', 1) = %s AND x.status = 'error_deferred_deleting' AND x.deleted = 'False'
        ORDER BY x.created_at, x.id
        """,
        (host,),
    )
