"""Addresses of share servers, as a network plugin allocated them."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import NOW, columns, live
from generated.columns import COLUMNS

TABLE = "network_allocations"


async def of_server(conn: Conn, server_id: str) -> list[Row]:
    """A server's allocations, in the order they were made."""
    return await conn.all(
        f"""
        SELECT {columns("a", TABLE)} FROM {TABLE} a WHERE a.share_server_id = %s AND {live("a", TABLE)}
        ORDER BY a.created_at, a.ip_address
        """,
        (server_id,),
    )


async def used(conn: Conn, cidr: str) -> list[str]:
    """Addresses of one network that are taken."""
    rows = await conn.all(f"SELECT a.ip_address FROM {TABLE} a WHERE a.cidr = %s AND {live('a', TABLE)}", (cidr,))
    return [row["ip_address"] for row in rows]


async def lock(conn: Conn, cidr: str) -> None:
    """Wait for our turn to take addresses of a network; held until the transaction ends."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 31))", (cidr,))


async def save(conn: Conn, allocations: Sequence[Row]) -> None:
    """Write allocations; one that is there already (a repeated step) is left."""
    for one in allocations:
        names = [name for name in one if name in COLUMNS[TABLE]]
        await conn.run(
            f"""
            INSERT INTO {TABLE} ({", ".join(names)}, created_at, deleted)
            VALUES ({", ".join(f"%({name})s" for name in names)}, {NOW}, 'False')
            ON CONFLICT (id) DO UPDATE SET deleted = 'False', deleted_at = NULL
            """,
            {name: one[name] for name in names},
        )


async def remove(conn: Conn, ids: Sequence[str]) -> None:
    """Soft delete allocations."""
    await conn.run(
        f"UPDATE {TABLE} SET deleted = id, deleted_at = {NOW} WHERE id = ANY(%s) AND deleted = 'False'", (list(ids),)
    )


async def leaked(conn: Conn, host: str, held: Sequence[Row]) -> list[Row]:
    """Ports of servers of a back end that no row speaks of: ``port_id``, ``server_id``, its ``status``, ``ours``.

    Anybody can make a port that says to be of a server. Left out is one in a project or network that the server never
    was in, and one without the mark that ours have; a port whose id was once written down is of its server.

    A server that is being made or changed is left out, its ports are written as they come. So is one that this
    database never had: another service may make ports in the same network. ``ours`` is a port that nobody keeps on
    purpose: its server is there and did not keep it, or was removed lately. A server that was let go (unmanaged) keeps
    its ports, and its row says no more than that of a removed one: only the task that removed it tells them apart.
    Where ports have no mark, it is also one that takes the place of a port that was never written down.

    Args:
        held: ``port_id``, ``server_id``, ``project_id``, ``network_id`` and ``mark`` of all ports there are. ``mark``:
            the port has the mark of ours; None: ports have none.
    """
    return await conn.all(
        f"""
        WITH h AS (
            SELECT * FROM unnest(%(port_id)s::text[], %(server_id)s::text[], %(project_id)s::text[],
                                 %(network_id)s::text[], %(mark)s::boolean[])
                          AS t (port_id, server_id, project_id, network_id, mark)
        ), s AS (
            SELECT h.*, v.id, v.status, v.deleted,
                   EXISTS (SELECT 1 FROM {TABLE} a WHERE a.id = h.port_id AND a.share_server_id = v.id) AS written,
                   EXISTS (SELECT 1 FROM {TABLE} a JOIN share_network_subnets n ON n.id = a.share_network_subnet_id
                           WHERE a.share_server_id = v.id AND n.neutron_net_id = h.network_id) AS complete,
                   EXISTS (SELECT 1 FROM share_server_share_network_subnet_mappings p
                           JOIN share_network_subnets n ON n.id = p.share_network_subnet_id
                           JOIN share_networks w ON w.id = n.share_network_id
                           WHERE p.share_server_id = v.id AND n.neutron_net_id = h.network_id
                                 AND w.project_id = h.project_id) AS inside
            FROM h JOIN share_servers v ON v.id = h.server_id AND v.host = %(host)s
            WHERE NOT EXISTS (SELECT 1 FROM {TABLE} a WHERE a.id = h.port_id AND {live("a", TABLE)})
        )
        SELECT s.port_id, s.id AS server_id, s.status,
               (s.written OR coalesce(s.mark, NOT s.complete)) AND ({live("s", "share_servers")} OR (
                   EXISTS (SELECT 1 FROM openkeel_tasks t WHERE t.kind = 'server_delete' AND t.state = 'done'
                           AND t.payload->>'server_id' = s.id)
                   AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t WHERE t.kind = 'server_unmanage'
                                   AND t.payload->>'server_id' = s.id))) AS ours
        FROM s
        WHERE (NOT {live("s", "share_servers")} OR s.status IN ('active', 'inactive', 'error'))
          AND (s.written OR s.inside AND s.mark IS NOT FALSE)
        ORDER BY s.id, s.port_id
        """,
        {"host": host, **{name: [one[name] for one in held] for name in HELD}},
    )


HELD = ("port_id", "server_id", "project_id", "network_id", "mark")
"""What ``leaked`` is told of a port."""
