"""Cluster-wide turns of periodic tasks: one process runs a task, and no sooner than its interval after the last run."""

from __future__ import annotations

from db.connection import Conn, Row


async def take_turn(conn: Conn, name: str, owner: str, interval: float, lease: float) -> bool:
    """Whether it is our turn to run the periodic task ``name`` now.

    Args:
        interval: seconds between two runs in the whole cluster.
        lease: seconds after which a run that never ended counts as dead.
    """
    row = await conn.one(
        """
        INSERT INTO openkeel_leases AS l (name, owner, lease_until, last_run)
        VALUES (%(name)s, %(owner)s, clock_timestamp() + %(lease)s * interval '1 second', clock_timestamp())
        ON CONFLICT (name) DO UPDATE
        SET owner = excluded.owner, lease_until = excluded.lease_until, last_run = excluded.last_run
        WHERE (l.lease_until IS NULL OR l.lease_until < clock_timestamp())
          AND l.last_run + %(interval)s * interval '1 second' <= clock_timestamp()
        RETURNING name
        """,
        {"name": name, "owner": owner, "interval": interval, "lease": lease},
    )
    return row is not None


async def renew(conn: Conn, name: str, owner: str, lease: float) -> None:
    """The owner of a turn still works: its lease lasts for ``lease`` seconds from now."""
    await conn.run(
        """
        UPDATE openkeel_leases SET lease_until = clock_timestamp() + %s * interval '1 second'
        WHERE name = %s AND owner = %s
        """,
        (lease, name, owner),
    )


async def end_turn(conn: Conn, name: str, owner: str) -> None:
    """Give the turn back; the next one is due an interval after this one's start."""
    await conn.run(
        "UPDATE openkeel_leases SET lease_until = NULL, owner = NULL WHERE name = %s AND owner = %s", (name, owner)
    )


async def hold(conn: Conn, name: str, owner: str, lease: float) -> bool:
    """Take or renew the lease ``name`` for ``lease`` seconds; False while another owner holds it."""
    row = await conn.one(
        """
        INSERT INTO openkeel_leases AS l (name, owner, lease_until, last_run)
        VALUES (%(name)s, %(owner)s, clock_timestamp() + %(lease)s * interval '1 second', clock_timestamp())
        ON CONFLICT (name) DO UPDATE
        SET owner = excluded.owner, lease_until = excluded.lease_until, last_run = excluded.last_run
        WHERE l.owner = excluded.owner OR l.lease_until IS NULL OR l.lease_until < clock_timestamp()
        RETURNING name
        """,
        {"name": name, "owner": owner, "lease": lease},
    )
    return row is not None


async def ran(conn: Conn, name: str, seconds: float, error: str | None) -> None:
    """Note how a run of a periodic task ended: how long it took, and what failed."""
    await conn.run(
        """
        UPDATE openkeel_leases
        SET runs = runs + 1, failures = failures + %s, last_seconds = %s, last_error = %s WHERE name = %s
        """,
        (int(error is not None), seconds, error, name),
    )


async def turns(conn: Conn) -> list[Row]:
    """Every periodic task of the cluster: name, seconds since its last start, runs, failures, last duration."""
    return await conn.all(
        """
        SELECT name, extract(epoch FROM last_run)::float AS started, runs, failures, last_seconds,
               coalesce(lease_until > clock_timestamp(), false) AS running
        FROM openkeel_leases ORDER BY name
        """
    )
