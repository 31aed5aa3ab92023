"""Capability reports, and what placement needs to know of every pool at the moment of decision."""

from __future__ import annotations

import json
from typing import Any

from db.connection import Conn, Row

_PLACEMENT_LOCK = 23


async def save(conn: Conn, host: str, capabilities: dict[str, Any], reported_at: str | None = None) -> bool:
    """Keep a back end's report unless a newer one is there.

    Args:
        host: ``node1@alpha``.
        reported_at: when the statistics were gathered (a time PostgreSQL reads, with zone); None: now.

    Returns:
        Whether it was kept.
    """
    kept = bool(
        await conn.run(
            """
            INSERT INTO openkeel_reports AS r (host, reported_at, capabilities)
            VALUES (%s, coalesce(%s::timestamptz, clock_timestamp()), %s)
            ON CONFLICT (host) DO UPDATE
            SET reported_at = excluded.reported_at, capabilities = excluded.capabilities
            WHERE excluded.reported_at >= r.reported_at
            """,
            (host, reported_at, json.dumps(capabilities)),
        )
    )
    if kept:
        await conn.run(
            """
            DELETE FROM openkeel_placements p USING openkeel_reports r
            WHERE r.host = %(host)s AND p.host = %(host)s AND p.placed_at <= r.reported_at
            """,
            {"host": host},
        )
    return kept


async def forget(conn: Conn, host: str) -> None:
    """Remove the report of a back end that can no longer serve."""
    await conn.run("DELETE FROM openkeel_reports WHERE host = %s", (host,))


_BACKENDS = """
    SELECT s.id AS service_id, s.host, s.disabled, s.availability_zone_id AS zone_id, z.name AS zone, r.capabilities,
           (r.reported_at AT TIME ZONE 'utc')::timestamp AS reported_at,
           coalesce(p.pools, '{}'::jsonb) AS placed
    FROM services s
    JOIN openkeel_reports r ON r.host = s.host
    LEFT JOIN availability_zones z ON z.id = s.availability_zone_id
    LEFT JOIN LATERAL (
        SELECT jsonb_object_agg(pool, jsonb_build_object('consumed', consumed, 'provisioned', provisioned)) AS pools
        FROM (
            SELECT pool, sum(consumed) AS consumed, sum(provisioned) AS provisioned FROM (
                SELECT c.pool, c.gib AS consumed, 0 AS provisioned FROM openkeel_placements c WHERE c.host = s.host
                UNION ALL
                SELECT i.host, 0, h.size FROM share_instances i JOIN shares h ON h.id = i.share_id
                WHERE r.capabilities @? '$.**.thin_provisioning ? (@ == true)'
                  AND starts_with(i.host, s.host || '#') AND i.deleted = 'False') AS each
            GROUP BY pool) AS sums) AS p ON true
    WHERE s.deleted = 0 AND s.topic = 'manila-share' AND (NOT s.disabled OR %(disabled)s)
      AND coalesce(s.updated_at, s.created_at)
          > timezone('utc', clock_timestamp()) - %(down)s * interval '1 second'
    ORDER BY s.id
"""


async def backends(conn: Conn, service_down_time: float, *, disabled: bool = False) -> list[Row]:
    """Every back end that is up and has reported, in the order of its registration.

    Args:
        service_down_time: seconds without a sign of life after which a service counts as down.
        disabled: take disabled services too.

    Returns:
        Rows ``service_id``, ``host``, ``disabled``, ``zone_id``, ``zone``, ``capabilities`` (the report),
        ``reported_at`` and ``placed``: pool's host -> ``{"consumed", "provisioned"}``, sizes in GiB placed since the
        report and in all; the latter only for back ends with thin pools, since only they need it.
    """
    return await conn.all(_BACKENDS, {"down": min(service_down_time, 1e9), "disabled": disabled})


async def lock_placement(conn: Conn) -> None:
    """Wait for our turn to place; held until the transaction ends, so that two decisions never see the same room."""
    await conn.run("SELECT pg_advisory_xact_lock(%s)", (_PLACEMENT_LOCK,))


async def reserve(conn: Conn, host: str, gib: int) -> None:
    """Take ``gib`` GiB of a pool's room (``node1@alpha#pool``) until the next report of its back end."""
    await conn.run(
        """
        INSERT INTO openkeel_placements (host, pool, gib)
        VALUES (split_part(%(pool)s::text, '#', 1), %(pool)s::text, %(gib)s)
        """,
        {"pool": host, "gib": gib},
    )


async def place(conn: Conn, instance_id: str, host: str) -> int:
    """Write a decision: the instance is on this pool's host (with its zone) from now; its size counts at once.

    Returns:
        0 when the instance is gone.
    """
    return await conn.run(
        """
        WITH placed AS (
            INSERT INTO openkeel_placements (host, pool, gib)
            SELECT split_part(%(host)s::text, '#', 1), %(host)s::text, h.size
            FROM share_instances o JOIN shares h ON h.id = o.share_id WHERE o.id = %(id)s AND o.deleted = 'False')
        UPDATE share_instances AS i
        SET host = %(host)s::text, scheduled_at = timezone('utc', clock_timestamp()),
            updated_at = timezone('utc', clock_timestamp()),
            availability_zone_id = coalesce(
                (SELECT s.availability_zone_id FROM services s
                 WHERE s.host = split_part(%(host)s::text, '#', 1) AND s.topic = 'manila-share' AND s.deleted = 0
                 LIMIT 1),
                i.availability_zone_id)
        WHERE i.id = %(id)s AND i.deleted = 'False'
        """,
        {"id": instance_id, "host": host},
    )
