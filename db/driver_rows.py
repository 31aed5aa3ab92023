"""Rows as a driver is given them; the keys are those that ``drivers.base`` promises."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import columns, live

_SHARES = f"""
    SELECT {columns("i", "share_instances")}, s.size, s.share_proto, s.snapshot_id, s.project_id, s.user_id,
           s.display_name, s.is_public, s.task_state, s.share_group_id, s.source_share_group_snapshot_member_id,
           s.snapshot_support, s.replication_type,
           az.name AS availability_zone,
           coalesce((SELECT json_agg(json_build_object('path', e.path, 'is_admin_only', e.is_admin_only) ORDER BY e.id)
                     FROM share_instance_export_locations e
                     WHERE e.share_instance_id = i.id AND {live("e", "share_instance_export_locations")}), '[]')
               AS export_locations,
           coalesce((SELECT json_object_agg(x.spec_key, x.spec_value) FROM share_type_extra_specs x
                     WHERE x.share_type_id = i.share_type_id AND {live("x", "share_type_extra_specs")}), '{{}}')
               AS extra_specs,
           coalesce((SELECT json_object_agg(m.key, m.value) FROM share_metadata m
                     WHERE m.share_id = s.id AND {live("m", "share_metadata")}), '{{}}') AS metadata
    FROM share_instances i
    JOIN shares s ON s.id = i.share_id
    LEFT JOIN availability_zones az ON az.id = i.availability_zone_id
    WHERE {live("i", "share_instances")} AND {live("s", "shares")}
"""

_SERVERS = f"""
    SELECT {columns("v", "share_servers")},
           coalesce((SELECT json_object_agg(d.key, d.value) FROM share_server_backend_details d
                     WHERE d.share_server_id = v.id AND {live("d", "share_server_backend_details")}), '{{}}')
               AS backend_details,
           coalesce((SELECT json_agg(p.share_network_subnet_id) FROM share_server_share_network_subnet_mappings p
                     WHERE p.share_server_id = v.id
                       AND {live("p", "share_server_share_network_subnet_mappings")}), '[]') AS share_network_subnet_ids
    FROM share_servers v
    WHERE {live("v", "share_servers")}
"""

_RULES = f"""
    SELECT a.id, a.share_id, a.access_type, a.access_to, a.access_level, a.access_key, m.state,
           m.id AS mapping_id, m.share_instance_id
    FROM share_instance_access_map m
    JOIN share_access_map a ON a.id = m.access_id
    WHERE {live("m", "share_instance_access_map")} AND {live("a", "share_access_map")}
"""

_SNAPSHOTS = f"""
    SELECT {columns("n", "share_snapshot_instances")}, s.share_id, s.size, s.share_size, s.share_proto,
           s.display_name, s.project_id, s.user_id
    FROM share_snapshot_instances n
    JOIN share_snapshots s ON s.id = n.snapshot_id
    WHERE {live("n", "share_snapshot_instances")} AND {live("s", "share_snapshots")}
"""


async def share(conn: Conn, instance_id: str) -> Row | None:
    """The share instance ``instance_id``."""
    return await conn.one(f"{_SHARES} AND i.id = %s", (instance_id,))


async def shares(conn: Conn, instance_ids: Sequence[str]) -> dict[str, Row]:
    """Share instances by id."""
    return {row["id"]: row for row in await conn.all(f"{_SHARES} AND i.id = ANY(%s)", (list(instance_ids),))}


async def shares_of_group(conn: Conn, group_id: str) -> list[Row]:
    """The instances of a share group's shares, oldest first."""
    return await conn.all(f"{_SHARES} AND s.share_group_id = %s ORDER BY s.created_at, i.id", (group_id,))


async def shares_on(conn: Conn, host: str, statuses: Sequence[str] | None = None) -> list[Row]:
    """Share instances on a back end's host (any pool of it) in one of ``statuses`` (None: any), oldest first."""
    return await conn.all(
        f"""
        {_SHARES} AND split_part(i.host, '#', 1) = %(host)s AND (%(any)s OR i.status = ANY(%(statuses)s))
        ORDER BY i.created_at, i.id
        """,
        {"host": host, "any": statuses is None, "statuses": list(statuses or ())},
    )


async def server(conn: Conn, server_id: str | None) -> Row | None:
    """The share server ``server_id``; None for a share without one."""
    return None if server_id is None else await conn.one(f"{_SERVERS} AND v.id = %s", (server_id,))


async def share_on_server(conn: Conn, instance_id: str | None) -> tuple[Row | None, Row | None]:
    """A share instance and the server it is on."""
    found = None if instance_id is None else await share(conn, instance_id)
    return found, None if found is None else await server(conn, found["share_server_id"])


async def servers(conn: Conn, server_ids: Sequence[str]) -> dict[str, Row]:
    """Share servers by id."""
    rows = await conn.all(f"{_SERVERS} AND v.id = ANY(%s)", (list(server_ids),))
    return {row["id"]: row for row in rows}


async def rules(conn: Conn, instance_ids: Sequence[str]) -> dict[str, list[Row]]:
    """The access rules of share instances, by instance, oldest first."""
    rows = await conn.all(
        f"{_RULES} AND m.share_instance_id = ANY(%s) ORDER BY a.created_at, a.id", (list(instance_ids),)
    )
    found: dict[str, list[Row]] = {one: [] for one in instance_ids}
    for row in rows:
        found[row["share_instance_id"]].append(row)
    return found


async def snapshot(conn: Conn, instance_id: str) -> Row | None:
    """The snapshot instance ``instance_id``, with its share instance under ``share``."""
    row = await conn.one(f"{_SNAPSHOTS} AND n.id = %s", (instance_id,))
    if row is not None:
        row["share"] = await share(conn, row["share_instance_id"])
    return row


async def replicas(conn: Conn, share_id: str) -> list[Row]:
    """The replicas of a share, oldest first, each with its server under ``share_server``."""
    rows = await conn.all(
        f"{_SHARES} AND s.id = %s AND i.replica_state IS NOT NULL ORDER BY i.created_at, i.id", (share_id,)
    )
    known = await servers(conn, [row["share_server_id"] for row in rows if row["share_server_id"]])
    for row in rows:
        row["share_server"] = known.get(row["share_server_id"])
    return rows


async def replica_snapshots(conn: Conn, *, snapshot_id: str | None = None, replica_id: str | None = None) -> list[Row]:
    """The instances of one snapshot, or those on one replica, oldest first, each with its share instance."""
    rows = await conn.all(
        f"""
        {_SNAPSHOTS} AND (%(snapshot)s::text IS NULL OR n.snapshot_id = %(snapshot)s)
          AND (%(replica)s::text IS NULL OR n.share_instance_id = %(replica)s) ORDER BY n.created_at, n.id
        """,
        {"snapshot": snapshot_id, "replica": replica_id},
    )
    ids = list({row["share_instance_id"] for row in rows})
    found = {one["id"]: one for one in await conn.all(f"{_SHARES} AND i.id = ANY(%s)", (ids,))}
    for row in rows:
        row["share"] = found.get(row["share_instance_id"])
    return rows
