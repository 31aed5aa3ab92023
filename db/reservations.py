"""Reservations that the original left behind: here quota is taken at once, there between two steps of a request."""

from __future__ import annotations

from db.connection import Conn
from db.write import NOW


async def expire(conn: Conn, ahead: float = 0) -> int:
    """End the reservations that expire within ``ahead`` seconds and free what they held; how many there were."""
    row = await conn.one(
        f"""
        WITH ended AS (
            UPDATE reservations SET deleted = id, deleted_at = {NOW}
            WHERE deleted = 0 AND expire < {NOW} + %s * interval '1 second' RETURNING usage_id, delta),
        held AS (
            SELECT usage_id, sum(delta) AS delta FROM ended WHERE delta > 0 GROUP BY usage_id),
        freed AS (
            UPDATE quota_usages u SET reserved = greatest(0, u.reserved - h.delta), updated_at = {NOW}
            FROM held h WHERE u.id = h.usage_id RETURNING u.id)
        SELECT count(*)::int AS n FROM ended
        """,
        (ahead,),
    )
    return int(row["n"]) if row else 0
