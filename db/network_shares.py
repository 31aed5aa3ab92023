"""Shares of a share network or share server, as the checks before a change of the network look at them."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import live


async def shares_of(conn: Conn, *, network_id: str | None = None, server_ids: Sequence[str] = ()) -> list[Row]:
    """Shares of a network or of servers: ``id``, ``status``, ``access_rules_status``, ``task_state``, ``deleted_soon``.

    ``deleted_soon`` says that a share is in the recycle bin.
    """
    return await conn.all(
        f"""
        SELECT DISTINCT ON (h.id) h.id, i.status, i.access_rules_status, h.task_state,
               coalesce(h.is_soft_deleted, false) AS deleted_soon
        FROM share_instances i JOIN shares h ON h.id = i.share_id
        WHERE {live("i", "share_instances")} AND {live("h", "shares")}
          AND (i.share_network_id = %s OR i.share_server_id = ANY(%s))
        ORDER BY h.id, i.created_at
        """,
        (network_id, list(server_ids)),
    )
