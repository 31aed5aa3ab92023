"""Share network subnets."""

from __future__ import annotations

from collections.abc import Sequence

from db import uses
from db.connection import Conn, Row
from db.write import NOW, columns, insert, live, soft_delete, update

TABLE = "share_network_subnets"
METADATA = "share_network_subnet_metadata"

VIEW = f"""
    SELECT {columns("s", TABLE)}, z.name AS availability_zone, n.name AS share_network_name,
           s.availability_zone_id IS NULL AS is_default,
           coalesce((SELECT json_object_agg(m.key, m.value) FROM {METADATA} m
                     WHERE m.share_network_subnet_id = s.id AND {live("m", METADATA)}), '{{}}') AS metadata
    FROM {TABLE} s
    JOIN share_networks n ON n.id = s.share_network_id
    LEFT JOIN availability_zones z ON z.id = s.availability_zone_id
    WHERE {live("s", TABLE)}
"""


async def get(conn: Conn, network_id: str, subnet_id: str) -> Row | None:
    """A subnet within its network; None when it belongs to another."""
    return await conn.one(f"{VIEW} AND s.share_network_id = %s AND s.id = %s", (network_id, subnet_id))


async def of_network(conn: Conn, network_id: str) -> list[Row]:
    """A network's subnets, the one that changed last at the end."""
    order = "ORDER BY coalesce(s.updated_at, s.created_at), s.id"
    return await conn.all(f"{VIEW} AND s.share_network_id = %s {order}", (network_id,))


async def in_zone(conn: Conn, network_id: str, zone_id: str | None, *, fall_back: bool = False) -> list[Row]:
    """Subnets for a zone; None means those that serve every zone, which ``fall_back`` takes when a zone has none."""
    rows = await of_network(conn, network_id)
    found = [row for row in rows if row["availability_zone_id"] == zone_id]
    return found or ([row for row in rows if row["is_default"]] if fall_back else [])


async def of_server(conn: Conn, server_id: str) -> list[Row]:
    """A share server's live subnets, in the order it was put on them."""
    return await conn.all(
        f"""
        WITH v AS ({VIEW})
        SELECT v.* FROM share_server_share_network_subnet_mappings p JOIN v ON v.id = p.share_network_subnet_id
        WHERE p.share_server_id = %s AND p.deleted = 0 ORDER BY p.id
        """,
        (server_id,),
    )


async def servers_on(conn: Conn, subnet_ids: Sequence[str]) -> list[Row]:
    """Live share servers of subnets: ``id``, ``host``, ``status``, ``is_auto_deletable``, ``subnet_id``, oldest first.

    ``instances`` and ``groups`` say how many share instances and groups are on each.
    """
    return await conn.all(
        f"""
        SELECT v.id, v.host, v.status, v.is_auto_deletable, p.share_network_subnet_id AS subnet_id,
               (SELECT count(*) FROM share_instances i
                WHERE i.share_server_id = v.id AND {live("i", "share_instances")}) AS instances,
               (SELECT count(*) FROM share_groups g
                WHERE g.share_server_id = v.id AND {live("g", "share_groups")}) AS groups
        FROM share_servers v
        JOIN share_server_share_network_subnet_mappings p ON p.share_server_id = v.id AND p.deleted = 0
        WHERE p.share_network_subnet_id = ANY(%s) AND {live("v", "share_servers")}
        ORDER BY v.created_at, v.id
        """,
        (list(subnet_ids),),
    )


async def coming(conn: Conn, network_id: str, zone_id: str | None) -> Row:
    """What will get a share server on a network, in a zone or in any, and has none yet: ``instances``, ``groups``."""
    row = await conn.one(
        f"""
        SELECT (SELECT count(*) FROM share_instances i
                WHERE i.share_network_id = %(network)s AND i.share_server_id IS NULL
                      AND i.status IN ('creating', 'migrating_to') AND {_zone("i")}
                      AND {live("i", "share_instances")}) AS instances,
               (SELECT count(*) FROM share_groups g
                WHERE g.share_network_id = %(network)s AND g.share_server_id IS NULL AND g.status = 'creating'
                      AND {_zone("g")} AND {live("g", "share_groups")}) AS groups
        """,
        {"network": network_id, "zone": zone_id},
    )
    assert row is not None
    return {**row, "instances": row["instances"] + await uses.awaited(conn, "share_network_id", network_id)}


def _zone(alias: str) -> str:
    return f"(%(zone)s::text IS NULL OR coalesce({alias}.availability_zone_id, %(zone)s) = %(zone)s)"


async def create(conn: Conn, values: Row) -> Row:
    """Insert a subnet."""
    return await insert(conn, TABLE, values)


async def hold_network(conn: Conn, server_id: str) -> None:
    """Keep other writers of a server's share network waiting until the transaction ends (``db.order``)."""
    await conn.run(
        """
        SELECT 1 FROM share_networks WHERE id IN (
            SELECT s.share_network_id FROM share_network_subnets s
            JOIN share_server_share_network_subnet_mappings p ON p.share_network_subnet_id = s.id AND p.deleted = 0
            WHERE p.share_server_id = %s)
        ORDER BY id FOR NO KEY UPDATE
        """,
        (server_id,),
    )


async def describe(conn: Conn, subnet_id: str, values: Row) -> None:
    """Change columns: Neutron ids, or what the network plugin learned. Nothing to change leaves ``updated_at``."""
    if not values:
        return
    await update(conn, TABLE, {"id": subnet_id}, values)


async def remove(conn: Conn, subnet_ids: Sequence[str]) -> None:
    """Soft delete subnets with their metadata."""
    await conn.run(
        f"""
        UPDATE {METADATA} SET deleted = id::text, deleted_at = {NOW}
        WHERE share_network_subnet_id = ANY(%s) AND deleted = 'False'
        """,
        (list(subnet_ids),),
    )
    await soft_delete(conn, TABLE, {"id": list(subnet_ids)})
