"""Ports that no allocation speaks of: what the looks at a network service have found, one row a port."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row


async def see(conn: Conn, host: str, found: Sequence[Row]) -> None:
    """Note what a look at a back end's ports has found; what was found before and is not any more is forgotten.

    Args:
        found: rows of ``db.network_allocations.leaked``.
    """
    ports = [row["port_id"] for row in found]
    await conn.run("DELETE FROM openkeel_ports_left WHERE host = %s AND port_id <> ALL(%s)", (host, ports))
    await conn.run(
        """
        INSERT INTO openkeel_ports_left (port_id, host, server_id, ours)
        SELECT f.port_id, %(host)s, f.server_id, f.ours
        FROM unnest(%(ports)s::text[], %(servers)s::text[], %(ours)s::boolean[]) AS f (port_id, server_id, ours)
        ORDER BY f.port_id
        ON CONFLICT (port_id) DO UPDATE SET ours = EXCLUDED.ours, sightings = openkeel_ports_left.sightings + 1
        """,
        {
            "host": host,
            "ports": ports,
            "servers": [row["server_id"] for row in found],
            "ours": [row["ours"] for row in found],
        },
    )


async def ripe(conn: Conn, host: str, age: float) -> list[Row]:
    """Ports that are certainly ours and were found twice, first ``age`` seconds ago: ``port_id``, ``server_id``."""
    return await conn.all(
        """
        SELECT port_id, server_id FROM openkeel_ports_left
        WHERE host = %s AND ours AND sightings > 1 AND first_seen <= clock_timestamp() - %s * interval '1 second'
        ORDER BY port_id
        """,
        (host, age),
    )


async def forget(conn: Conn, port_id: str) -> None:
    """A port is gone."""
    await conn.run("DELETE FROM openkeel_ports_left WHERE port_id = %s", (port_id,))


async def figures(conn: Conn) -> list[Row]:
    """How many ports are left over: ``host``, ``ours``, ``number``."""
    return await conn.all(
        "SELECT host, ours, count(*) AS number FROM openkeel_ports_left GROUP BY host, ours ORDER BY host, ours"
    )
