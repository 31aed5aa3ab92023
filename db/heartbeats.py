"""The ``services`` rows that processes write about themselves: registration and heartbeat."""

from __future__ import annotations

from db.connection import Conn
from db.write import NOW, new_id

_ZONE = f"""
    INSERT INTO availability_zones (id, name, created_at, deleted)
    VALUES (%(id)s, %(name)s, {NOW}, 'False')
    ON CONFLICT DO NOTHING
"""


async def zone_id(conn: Conn, name: str) -> str:
    """Id of the availability zone ``name``, made at need; services that start together agree on one row."""
    row = await conn.one("SELECT id FROM availability_zones WHERE name = %s AND deleted = 'False'", (name,))
    if row is None:
        await conn.run(_ZONE, {"id": new_id(), "name": name})
        row = await conn.one("SELECT id FROM availability_zones WHERE name = %s AND deleted = 'False'", (name,))
    assert row is not None
    return str(row["id"])


async def register(conn: Conn, binary: str, topic: str, host: str, zone: str) -> int:
    """Find or make the row of a service; returns its id."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 11))", (f"{binary}:{host}",))
    row = await conn.one(
        "SELECT id FROM services AS s WHERE s.binary = %s AND host = %s AND deleted = 0", (binary, host)
    )
    if row is None:
        row = await conn.one(
            f"""
            INSERT INTO services ("binary", topic, host, report_count, disabled, availability_zone_id, state, ensuring,
                                  created_at, deleted)
            VALUES (%s, %s, %s, 0, false, %s, 'down', false, {NOW}, 0) RETURNING id
            """,
            (binary, topic, host, await zone_id(conn, zone)),
        )
    assert row is not None
    return int(row["id"])


async def beat(conn: Conn, service_id: int) -> None:
    """A sign of life: the time is the database's."""
    await conn.run(
        f"UPDATE services SET report_count = report_count + 1, state = 'up', updated_at = {NOW} WHERE id = %s",
        (service_id,),
    )


async def stopped(conn: Conn, service_id: int) -> None:
    """The service ended on purpose."""
    await conn.run(f"UPDATE services SET state = 'stopped', updated_at = {NOW} WHERE id = %s", (service_id,))


async def mark_down(conn: Conn, service_down_time: float) -> int:
    """Mark services without a sign of life for ``service_down_time`` seconds."""
    return await conn.run(
        f"""
        UPDATE services SET state = 'down'
        WHERE deleted = 0 AND state = 'up' AND coalesce(updated_at, created_at) < {NOW} - %s * interval '1 second'
        """,
        (service_down_time,),
    )
