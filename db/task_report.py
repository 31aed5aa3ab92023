"""Tasks as an operator looks at them."""

from __future__ import annotations

from db.connection import Conn, Row

LIMIT = 500


async def listed(conn: Conn, *, failed: bool = False, about: str | None = None) -> list[Row]:
    """Tasks that wait or run, the oldest first, or the newest of those given up.

    Args:
        about: an id that a value of the payload must be.

    ``age`` is in seconds, since the task was left; ``due`` until it may run, negative when it could.
    """
    states = ["failed"] if failed else ["queued", "running"]
    return await conn.all(
        f"""
        SELECT id, kind, queue, resource, state, attempts, failures, request_id, lease_owner, last_error, payload,
               extract(epoch FROM clock_timestamp() - created_at)::float AS age,
               extract(epoch FROM run_after - clock_timestamp())::float AS due
        FROM openkeel_tasks
        WHERE state = ANY(%(states)s)
          AND (%(about)s::text IS NULL OR EXISTS (
               SELECT 1 FROM jsonb_each_text(payload) AS p (key, value) WHERE p.value = %(about)s))
        ORDER BY id {"DESC" if failed else "ASC"} LIMIT {LIMIT}
        """,
        {"states": states, "about": about},
    )


async def run_now(conn: Conn, ident: int) -> bool:
    """Let a waiting task run at once, as if it had met no error yet; whether it waited."""
    return bool(
        await conn.run(
            """
            UPDATE openkeel_tasks SET run_after = clock_timestamp(), failures = 0
            WHERE id = %s AND state = 'queued' RETURNING pg_notify('openkeel_task', queue)
            """,
            (ident,),
        )
    )


async def figures(conn: Conn) -> list[Row]:
    """For each queue: tasks ``waiting`` (due now), ``running`` and ``failed`` (kept for some days), and the age of the
    oldest that waits or runs, in seconds."""
    return await conn.all(
        """
        SELECT queue,
               count(*) FILTER (WHERE state = 'queued' AND run_after <= clock_timestamp())::int AS waiting,
               count(*) FILTER (WHERE state = 'running')::int AS running,
               count(*) FILTER (WHERE state = 'failed')::int AS failed,
               coalesce(extract(epoch FROM clock_timestamp()
                   - min(created_at) FILTER (WHERE state IN ('queued', 'running')))::float, 0) AS oldest
        FROM openkeel_tasks WHERE state <> 'done' GROUP BY queue ORDER BY queue
        """
    )
