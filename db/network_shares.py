"""Shares of a share network or share server, as the checks before a change of the network look at them."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import NOW, live


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


async def servers_of(conn: Conn, network_id: str, host: str) -> list[Row]:
    """Live share servers of a network on one back end, oldest first: ``id`` and ``status``."""
    return await conn.all(
        f"""
        SELECT DISTINCT v.id, v.status, v.created_at FROM share_servers v
        JOIN share_server_share_network_subnet_mappings p ON p.share_server_id = v.id AND p.deleted = 0
        JOIN share_network_subnets t ON t.id = p.share_network_subnet_id AND {live("t", "share_network_subnets")}
        WHERE t.share_network_id = %s AND v.host = %s AND {live("v", "share_servers")} ORDER BY v.created_at, v.id
        """,
        (network_id, host),
    )


async def instances_on(conn: Conn, server_id: str) -> list[str]:
    """Ids of the share instances on a server, oldest first."""
    rows = await conn.all(
        f"""
        SELECT i.id FROM share_instances i
        WHERE i.share_server_id = %s AND {live("i", "share_instances")} ORDER BY i.created_at, i.id
        """,
        (server_id,),
    )
    return [row["id"] for row in rows]


async def finish(conn: Conn, network_id: str) -> None:
    """Make a network active again when none of its servers is being changed any more."""
    await conn.run(
        f"""
        UPDATE share_networks AS n SET status = 'active', updated_at = {NOW}
        WHERE n.id = %(id)s AND n.status = 'network_change' AND NOT EXISTS (
            SELECT 1 FROM share_servers v
            JOIN share_server_share_network_subnet_mappings p ON p.share_server_id = v.id AND p.deleted = 0
            JOIN share_network_subnets t ON t.id = p.share_network_subnet_id
            WHERE t.share_network_id = %(id)s AND v.status = 'network_change' AND {live("v", "share_servers")})
        """,
        {"id": network_id},
    )
