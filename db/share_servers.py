"""Share servers: the rows that the API shows, and what the worker asks and writes while it makes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from db.connection import Conn, Row
from db.write import NOW, columns, insert, insert_many, live, lock, soft_delete, update

MAPPINGS = "share_server_share_network_subnet_mappings"
DETAILS = "share_server_backend_details"

_NETWORK = f"""
    LEFT JOIN LATERAL (
        SELECT n.id, n.name, n.project_id FROM {MAPPINGS} p
        JOIN share_network_subnets s ON s.id = p.share_network_subnet_id AND {live("s", "share_network_subnets")}
        JOIN share_networks n ON n.id = s.share_network_id
        WHERE p.share_server_id = v.id AND {live("p", MAPPINGS)}
        ORDER BY p.id LIMIT 1) AS network ON true
"""

_VIEW = f"""
    SELECT {columns("v", "share_servers")}, network.id AS share_network_id,
           coalesce(network.project_id, '') AS project_id,
           coalesce(nullif(network.name, ''), network.id, '') AS share_network_name,
           coalesce((SELECT json_object_agg(d.key, d.value) FROM {DETAILS} d
                     WHERE d.share_server_id = v.id AND {live("d", DETAILS)}), '{{}}') AS backend_details,
           coalesce((SELECT json_agg(p.share_network_subnet_id ORDER BY p.id) FROM {MAPPINGS} p
                     WHERE p.share_server_id = v.id AND {live("p", MAPPINGS)}), '[]') AS share_network_subnet_ids
    FROM share_servers v {_NETWORK}
    WHERE {live("v", "share_servers")}
"""

COLUMN_FILTERS = (
    "id",
    "deleted",
    "host",
    "is_auto_deletable",
    "identifier",
    "task_state",
    "source_share_server_id",
    "status",
    "security_service_update_support",
    "network_allocation_update_support",
    "encryption_key_ref",
)
"""Filters of the list that are columns, compared as text."""

_OTHER_FILTERS = {
    "project_id": "network.project_id = %(f_project_id)s",
    "share_network_id": "network.id = %(f_share_network_id)s",
    "share_network": "(network.id = %(f_share_network)s OR network.name = %(f_share_network)s)",
    "share_network_subnet_id": f"""EXISTS (
        SELECT 1 FROM {MAPPINGS} m WHERE m.share_server_id = v.id AND {live("m", MAPPINGS)}
        AND m.share_network_subnet_id = %(f_share_network_subnet_id)s)""",
}
FILTERS = (*COLUMN_FILTERS, *_OTHER_FILTERS)


async def get(conn: Conn, server_id: str) -> Row | None:
    """The server with details, subnet ids and its share network; one statement."""
    return await conn.one(f"{_VIEW} AND v.id = %s", (server_id,))


async def list_all(conn: Conn, filters: Mapping[str, Any]) -> list[Row]:
    """Servers that meet every filter (names of ``FILTERS``), those changed last at the end; one statement."""
    parts, params = [], {}
    for name, value in filters.items():
        params[f"f_{name}"] = value
        parts.append(f"AND v.{name} = %(f_{name})s" if name in COLUMN_FILTERS else f"AND {_OTHER_FILTERS[name]}")
    return await conn.all(f"{_VIEW} {' '.join(parts)} ORDER BY coalesce(v.updated_at, v.created_at), v.id", params)


async def in_use(conn: Conn, server_id: str) -> tuple[int, int]:
    """How many share instances and share groups are on the server."""
    row = await conn.one(
        f"""
        SELECT (SELECT count(*) FROM share_instances i
                WHERE i.share_server_id = %(id)s AND {live("i", "share_instances")}) AS instances,
               (SELECT count(*) FROM share_groups g
                WHERE g.share_server_id = %(id)s AND {live("g", "share_groups")}) AS groups
        """,
        {"id": server_id},
    )
    assert row is not None
    return int(row["instances"]), int(row["groups"])


async def lock_subnet(conn: Conn, subnet_id: str | None) -> None:
    """Wait for our turn to choose, make or remove servers on a subnet; held until the transaction ends."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 29))", (str(subnet_id),))


async def on_subnet(conn: Conn, host: str, subnet_id: str, statuses: Sequence[str]) -> list[Row]:
    """Servers of a back end on a subnet in one of ``statuses``, oldest first, with what is on them.

    Extra keys: ``shares`` (number of share instances) and ``gigabytes`` (their sizes and those of their snapshots).
    """
    return await conn.all(
        f"""
        SELECT {columns("v", "share_servers")},
               (SELECT count(*) FROM share_instances i
                WHERE i.share_server_id = v.id AND {live("i", "share_instances")}) AS shares,
               (SELECT coalesce(sum(h.size), 0)::bigint FROM share_instances i JOIN shares h ON h.id = i.share_id
                WHERE i.share_server_id = v.id AND {live("i", "share_instances")})
               + (SELECT coalesce(sum(c.size), 0)::bigint FROM share_instances i
                  JOIN share_snapshot_instances x ON x.share_instance_id = i.id
                       AND {live("x", "share_snapshot_instances")}
                  JOIN share_snapshots c ON c.id = x.snapshot_id AND {live("c", "share_snapshots")}
                  WHERE i.share_server_id = v.id AND {live("i", "share_instances")}) AS gigabytes
        FROM share_servers v JOIN {MAPPINGS} p ON p.share_server_id = v.id AND {live("p", MAPPINGS)}
        WHERE v.host = %s AND p.share_network_subnet_id = %s AND v.status = ANY(%s) AND {live("v", "share_servers")}
        ORDER BY v.created_at, v.id
        """,
        (host, subnet_id, list(statuses)),
    )


async def create(conn: Conn, values: Row, subnet_ids: Sequence[str]) -> Row:
    """Insert a server on its subnets."""
    row = await insert(conn, "share_servers", {"is_auto_deletable": True, **values})
    await insert_many(
        conn, MAPPINGS, [{"share_server_id": row["id"], "share_network_subnet_id": one} for one in subnet_ids]
    )
    return row


async def put_on(conn: Conn, server_ids: Sequence[str], subnet_id: str) -> None:
    """Put servers on a further subnet."""
    await insert_many(
        conn, MAPPINGS, [{"share_server_id": one, "share_network_subnet_id": subnet_id} for one in server_ids]
    )


async def set_status(conn: Conn, server_id: str, status: str, **values: Any) -> int:
    """Change a live server's status and other columns; 0 when it is gone."""
    return await update(conn, "share_servers", {"id": server_id}, {"status": status, **values})


async def set_details(conn: Conn, server_id: str, details: Mapping[str, Any]) -> None:
    """Write backend details; keys that are there already get the new value."""
    if not details:
        return
    await lock(conn, "share_servers", server_id)
    await soft_delete(conn, DETAILS, {"share_server_id": server_id, "key": list(details)})
    rows = [{"share_server_id": server_id, "key": key, "value": str(value)} for key, value in details.items()]
    await insert_many(conn, DETAILS, rows)


async def remove(conn: Conn, server_id: str) -> None:
    """Soft delete a server with its details and its place on subnets."""
    await lock(conn, "share_servers", server_id)
    await soft_delete(conn, MAPPINGS, {"share_server_id": server_id})
    await soft_delete(conn, DETAILS, {"share_server_id": server_id})
    await conn.run(
        f"UPDATE share_servers SET status = 'deleted', deleted = id, deleted_at = {NOW} WHERE id = %s", (server_id,)
    )


async def unused(conn: Conn, host: str, older_than: float) -> list[Row]:
    """Servers that may be removed: nothing on them, not in transition, unchanged for ``older_than`` seconds.

    One that was never changed since it was made, such as by a process that died, has no ``updated_at``.
    """
    return await conn.all(
        f"""
        SELECT v.id, v.host FROM share_servers v
        WHERE v.host = %s AND v.is_auto_deletable AND v.status IN ('inactive', 'active', 'error')
          AND {live("v", "share_servers")}
          AND coalesce(v.updated_at, v.created_at, {NOW}) <= {NOW} - %s * interval '1 second'
          AND NOT EXISTS (SELECT 1 FROM share_instances i
                          WHERE i.share_server_id = v.id AND {live("i", "share_instances")})
          AND NOT EXISTS (SELECT 1 FROM share_groups g
                          WHERE g.share_server_id = v.id AND {live("g", "share_groups")})
        ORDER BY v.created_at, v.id
        """,
        (host, older_than),
    )


async def set_capabilities(conn: Conn, server_ids: Sequence[str], values: Row) -> int:
    """Change what live servers are said to support; how many there were.

    Args:
        values: ``security_service_update_support``, ``network_allocation_update_support``.
    """
    return await update(conn, "share_servers", {"id": list(server_ids)}, values)
