"""Share networks, as the API shows them: with their subnets, and the support flags of their servers."""

from __future__ import annotations

from collections.abc import Mapping

from db import uses
from db.connection import Conn, Row
from db.security_services import LINKS
from db.subnets import METADATA
from db.write import columns, insert, live, soft_delete, update

TABLE = "share_networks"

_SUBNETS = f"""
    SELECT json_agg(json_build_object(
        'id', t.id, 'neutron_net_id', t.neutron_net_id, 'neutron_subnet_id', t.neutron_subnet_id,
        'network_type', t.network_type, 'cidr', t.cidr, 'segmentation_id', t.segmentation_id, 'gateway', t.gateway,
        'mtu', t.mtu, 'ip_version', t.ip_version, 'share_network_id', t.share_network_id,
        'availability_zone_id', t.availability_zone_id, 'availability_zone', z.name,
        'is_default', t.availability_zone_id IS NULL,
        'created_at', to_char(t.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        'updated_at', to_char(t.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
        'metadata', coalesce((SELECT json_object_agg(m.key, m.value) FROM {METADATA} m
                              WHERE m.share_network_subnet_id = t.id AND {live("m", METADATA)}), '{{}}')
        ) ORDER BY coalesce(t.updated_at, t.created_at), t.id)
    FROM share_network_subnets t LEFT JOIN availability_zones z ON z.id = t.availability_zone_id
    WHERE t.share_network_id = n.id AND {live("t", "share_network_subnets")}
"""

_SERVERS = f"""
    SELECT bool_and(v.security_service_update_support) AS security, bool_and(v.network_allocation_update_support)
           AS allocation, count(*) AS servers
    FROM share_network_subnets t
    JOIN share_server_share_network_subnet_mappings p ON p.share_network_subnet_id = t.id AND p.deleted = 0
    JOIN share_servers v ON v.id = p.share_server_id AND {live("v", "share_servers")}
    WHERE t.share_network_id = n.id AND {live("t", "share_network_subnets")}
"""

_VIEW = f"""
    SELECT {columns("n", TABLE)}, coalesce(subnets.list, '[]') AS share_network_subnets,
           coalesce(servers.security, true) AS security_service_update_support,
           coalesce(servers.allocation, true) AS network_allocation_update_support,
           servers.servers AS servers
    FROM {TABLE} n
    LEFT JOIN LATERAL ({_SUBNETS}) AS subnets(list) ON true
    LEFT JOIN LATERAL ({_SERVERS}) AS servers ON true
    WHERE {live("n", TABLE)}
"""


async def get(conn: Conn, network_id: str, project_id: str | None) -> Row | None:
    """A network of a project (None: of any); ``servers`` is the number of its share servers. One statement."""
    return await conn.one(
        f"{_VIEW} AND n.id = %(id)s AND (%(project)s::text IS NULL OR n.project_id = %(project)s)",
        {"id": network_id, "project": project_id},
    )


async def list_all(conn: Conn, project_id: str | None, filters: Mapping[str, str]) -> list[Row]:
    """Networks of a project (None: of all), those changed last at the end; one statement.

    Args:
        filters: ``created_since`` and ``created_before`` (dates), ``security_service_id``.
    """
    parts = {
        "created_since": "AND n.created_at >= %(created_since)s::timestamp",
        "created_before": "AND n.created_at <= %(created_before)s::timestamp",
        "security_service_id": f"""AND EXISTS (SELECT 1 FROM {LINKS} l WHERE l.share_network_id = n.id
                                   AND l.security_service_id = %(security_service_id)s AND {live("l", LINKS)})""",
    }
    wanted = " ".join(text for name, text in parts.items() if name in filters)
    return await conn.all(
        f"""
        {_VIEW} AND (%(project)s::text IS NULL OR n.project_id = %(project)s) {wanted}
        ORDER BY coalesce(n.updated_at, n.created_at), n.id
        """,
        {"project": project_id, **filters},
    )


async def owner_of(conn: Conn, network_id: str) -> Row | None:
    """A live network's own row, whoever owns it."""
    sql = f"SELECT {columns('n', TABLE)} FROM {TABLE} n WHERE n.id = %s AND {live('n', TABLE)}"
    return await conn.one(sql, (network_id,))


async def project_of(conn: Conn, network_id: str | None) -> str | None:
    """The project of a live network."""
    row = None if network_id is None else await owner_of(conn, network_id)
    return None if row is None else str(row["project_id"])


async def lock(conn: Conn, network_id: str) -> bool:
    """Wait for our turn to change a network, what is in it or who uses it; whether it is there (``db.uses.take``)."""
    return await uses.take(conn, TABLE, network_id)


async def in_use(conn: Conn, network_id: str) -> tuple[int, int]:
    """How many share instances and share groups are in the network; a share on its way there counts."""
    row = await conn.one(
        f"""
        SELECT (SELECT count(*) FROM share_instances i
                WHERE i.share_network_id = %(id)s AND {live("i", "share_instances")}) AS instances,
               (SELECT count(*) FROM share_groups g
                WHERE g.share_network_id = %(id)s AND {live("g", "share_groups")}) AS groups
        """,
        {"id": network_id},
    )
    assert row is not None
    return int(row["instances"]) + await uses.awaited(conn, "share_network_id", network_id), int(row["groups"])


async def create(conn: Conn, values: Row) -> Row:
    """Insert a network."""
    return await insert(conn, TABLE, {"status": "active", **values})


async def change(conn: Conn, network_id: str, values: Row) -> None:
    """Change columns of a network; nothing to change leaves ``updated_at``."""
    if not values:
        return
    await update(conn, TABLE, {"id": network_id}, values)


async def remove(conn: Conn, network_id: str) -> None:
    """Soft delete a network; its subnets are removed apart."""
    await soft_delete(conn, TABLE, {"id": network_id})
