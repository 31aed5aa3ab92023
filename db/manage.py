"""What taking over shares, snapshots and share servers that exist on a back end reads and writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db.connection import Conn, Row
from db.share_servers import MAPPINGS
from db.write import NOW, insert, insert_many, live, new_id

MANAGED_AT = "__managed_at"
"""Metadata key of when a share or snapshot was taken over."""


async def share_service(conn: Conn, host: str, down_time: float) -> Row | None:
    """The share service of a host: ``id``, ``state``, ``disabled``; ``up`` says that it reported in ``down_time`` s."""
    if "\0" in host:
        return None
    return await conn.one(
        f"""
        SELECT s.id, s.state, s.disabled,
               coalesce(s.updated_at, s.created_at) >= {NOW} - %s * interval '1 second' AS up
        FROM services s WHERE s.host = %s AND s."binary" = 'manila-share' AND s.deleted = 0
        """,
        (down_time, host),
    )


async def knows_export(conn: Conn, path: str, host: str, server_id: str | None) -> bool:
    """Whether a share instance of this host has, or ever had, this export path; on a server if that is given."""
    row = await conn.one(
        """
        SELECT 1 AS yes FROM share_instances i
        JOIN share_instance_export_locations e ON e.share_instance_id = i.id
        JOIN shares s ON s.id = i.share_id AND NOT s.is_soft_deleted
        WHERE e.path = %(path)s AND (i.host = %(host)s OR starts_with(i.host, %(host)s || '#'))
          AND i.deleted = 'False' AND (%(server)s::text IS NULL OR i.share_server_id = %(server)s) LIMIT 1
        """,
        {"path": path, "host": host, "server": server_id},
    )
    return row is not None


async def insert_share(conn: Conn, share: Row, instance: Row, path: str) -> str:
    """Write a share that is being taken over, with its instance and the path it was named by; the share's id."""
    row = await insert(conn, "shares", {"id": new_id(), "is_public": False, "is_soft_deleted": False, **share})
    made = await insert(
        conn,
        "share_instances",
        {"share_id": row["id"], "access_rules_status": "active", "cast_rules_to_readonly": False, **instance},
    )
    await conn.run(
        f"""
        INSERT INTO share_instance_export_locations
               (uuid, path, share_instance_id, is_admin_only, created_at, updated_at, deleted)
        VALUES (%s, %s, %s, false, {NOW}, {NOW}, 0)
        """,
        (new_id(), path, made["id"]),
    )
    await conn.run(f"UPDATE share_instances SET scheduled_at = {NOW} WHERE id = %s", (made["id"],))
    return str(row["id"])


async def set_size(conn: Conn, share_id: str, size: int) -> None:
    """Size of a share in GiB; 0 says that it was never counted."""
    await conn.run(
        f"UPDATE shares SET size = %s, updated_at = {NOW} WHERE id = %s AND deleted = 'False'", (size, share_id)
    )


async def start_unmanaging(conn: Conn, instance_id: str, status: str, expected: Sequence[str]) -> bool:
    """The instance is being forgotten; whether it was in one of the expected statuses."""
    return bool(
        await conn.run(
            f"""
            UPDATE share_instances SET status = %s, terminated_at = {NOW}, updated_at = {NOW}
            WHERE id = %s AND deleted = 'False' AND status = ANY(%s)
            """,
            (status, instance_id, list(expected)),
        )
    )


async def keep_server(conn: Conn, server_id: str) -> None:
    """A server from which a share was let go is not removed by itself any more."""
    await conn.run(
        f"""
        UPDATE share_servers SET is_auto_deletable = false, updated_at = {NOW}
        WHERE id = %s AND is_auto_deletable AND deleted = 'False'
        """,
        (server_id,),
    )


# ---- snapshots


async def snapshot_at(conn: Conn, share_id: str, location: str) -> str | None:
    """Id of the share's snapshot that has this provider location."""
    row = await conn.one(
        """
        SELECT s.id FROM share_snapshots s
        JOIN share_snapshot_instances x ON x.snapshot_id = s.id AND x.deleted = 'False'
        WHERE s.share_id = %s AND s.deleted = 'False' AND x.provider_location = %s LIMIT 1
        """,
        (share_id, location),
    )
    return None if row is None else str(row["id"])


async def insert_snapshot(conn: Conn, values: Row, instance: Row, metadata: Mapping[str, str]) -> str:
    """Write a snapshot that is being taken over; its id."""
    row = await insert(conn, "share_snapshots", values)
    await insert(
        conn,
        "share_snapshot_instances",
        {"snapshot_id": row["id"], "status": "manage_starting", "progress": "0%", **instance},
    )
    await insert_many(
        conn,
        "share_snapshot_metadata",
        [{"share_snapshot_id": row["id"], "key": key, "value": value} for key, value in metadata.items()],
    )
    return str(row["id"])


async def set_snapshot_size(conn: Conn, snapshot_id: str, size: int) -> None:
    """Size of a snapshot in GiB."""
    await conn.run(
        f"UPDATE share_snapshots SET size = %s, updated_at = {NOW} WHERE id = %s AND deleted = 'False'",
        (size, snapshot_id),
    )


async def snapshot_counts(conn: Conn, instance_id: str) -> bool:
    """Whether a snapshot counts against the quota: not one whose take-over failed."""
    row = await conn.one(
        f"""
        SELECT x.progress = '0%%' AND EXISTS (
                   SELECT 1 FROM share_snapshot_metadata m WHERE m.share_snapshot_id = x.snapshot_id
                   AND m.key = '{MANAGED_AT}' AND m.deleted = 'False') AS failed
        FROM share_snapshot_instances x WHERE x.id = %s
        """,
        (instance_id,),
    )
    return row is None or not row["failed"]


# ---- share servers


async def servers_like(conn: Conn, identifier: str) -> list[str]:
    """Identifiers of live servers that could be the same as this one.

    Part of one another, with hyphens and underscores exchanged; the nearest kind of likeness that is found counts.
    """
    forms = [identifier, identifier.replace("-", "_"), identifier.replace("_", "-")]
    rows = await conn.all(
        f"""
        SELECT v.identifier, f.place FROM share_servers v
        CROSS JOIN LATERAL (
            SELECT min(CASE WHEN v.identifier LIKE '%%' || g.form THEN g.place
                            WHEN g.form LIKE '%%' || v.identifier || '%%' THEN 3 + g.place END) AS place
            FROM unnest(%s::text[]) WITH ORDINALITY AS g(form, place)) f
        WHERE f.place IS NOT NULL AND {live("v", "share_servers")} ORDER BY f.place, v.created_at, v.id
        """,
        (forms,),
    )
    return [row["identifier"] for row in rows if row["place"] == rows[0]["place"]]


async def insert_server(conn: Conn, values: Row, subnet_id: str) -> str:
    """Write a share server that is being taken over; its id."""
    row = await insert(
        conn, "share_servers", {"status": "manage_starting", "is_auto_deletable": False, "id": new_id(), **values}
    )
    await insert(conn, MAPPINGS, {"share_server_id": row["id"], "share_network_subnet_id": subnet_id})
    await conn.run(f"UPDATE share_servers SET updated_at = {NOW} WHERE id = %s", (row["id"],))
    return str(row["id"])


async def holder_of(conn: Conn, allocation_id: str) -> str | None:
    """Id of the share server that has this port; None when nobody has."""
    row = await conn.one(
        "SELECT share_server_id FROM network_allocations WHERE id = %s AND deleted = 'False'", (allocation_id,)
    )
    return None if row is None else row["share_server_id"]


async def adopt(conn: Conn, allocations: Sequence[Row]) -> None:
    """Write ports that exist already; one that another server had before is this one's from now."""
    for one in allocations:
        names = list(one)
        changes = ", ".join(f"{name} = %({name})s" for name in names if name != "id")
        await conn.run(
            f"""
            INSERT INTO network_allocations ({", ".join(names)}, created_at, deleted)
            VALUES ({", ".join(f"%({name})s" for name in names)}, {NOW}, 'False')
            ON CONFLICT (id) DO UPDATE SET {changes}, deleted = 'False', deleted_at = NULL, updated_at = {NOW}
            """,
            one,
        )


async def subnets_beside(conn: Conn, subnet_id: str) -> list[str]:
    """Ids of the subnets of the same network and zone as a live one, itself included; empty when there is none."""
    if "\0" in subnet_id:
        return []
    rows = await conn.all(
        """
        SELECT o.id FROM share_network_subnets s JOIN share_network_subnets o
             ON o.share_network_id = s.share_network_id AND o.deleted = 'False'
            AND o.availability_zone_id IS NOT DISTINCT FROM s.availability_zone_id
        WHERE s.id = %s AND s.deleted = 'False' ORDER BY o.id = s.id DESC, o.created_at, o.id
        """,
        (subnet_id,),
    )
    return [row["id"] for row in rows]


async def network_of_subnet(conn: Conn, subnet_id: str) -> Row | None:
    """The live network of a subnet: ``id``, ``status``, ``project_id``."""
    return await conn.one(
        """
        SELECT n.id, n.status, n.project_id FROM share_network_subnets s
        JOIN share_networks n ON n.id = s.share_network_id
        WHERE s.id = %s AND n.deleted = 'False'
        """,
        (subnet_id,),
    )


async def default_subnets(conn: Conn, network_id: str) -> list[str]:
    """Ids of the subnets of a network that serve every zone."""
    rows = await conn.all(
        """
        SELECT s.id FROM share_network_subnets s JOIN share_networks n ON n.id = s.share_network_id
        WHERE s.share_network_id = %s AND s.availability_zone_id IS NULL AND s.deleted = 'False'
          AND n.deleted = 'False' ORDER BY s.created_at, s.id
        """,
        (network_id,),
    )
    return [row["id"] for row in rows]
