"""The task queue: a table beside the rows it speaks of.

A task is enqueued in the transaction that changes its resource, claimed under a lease with a fencing token
(``attempts``), and run at least once. Tasks of one resource never overlap and keep their order.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

from psycopg import AsyncConnection, Error
from psycopg.errors import UniqueViolation

from db.connection import Conn, DatabaseUnavailable, Row

CHANNEL = "openkeel_task"
MAX_FAILURES = 20
"""Infrastructure errors of a task before it is given up; with the runner's back-off about an hour."""
WEIGHT_OF_A_DEATH = 4
"""How many of those errors the death of its worker counts for: a task that kills every worker ends after five."""

_ENQUEUE = """
    INSERT INTO openkeel_tasks (kind, queue, resource, payload, request_id, run_after)
    VALUES (%s, %s, %s, %s, %s, clock_timestamp() + %s * interval '1 second')
    RETURNING id, pg_notify('openkeel_task', queue)
"""

_CLAIM = """
    WITH candidate AS (
        SELECT t.id FROM openkeel_tasks t
        WHERE t.queue = ANY(%(queues)s)
          AND ((t.state = 'queued' AND t.run_after <= clock_timestamp())
               OR (t.state = 'running' AND t.lease_until < clock_timestamp()))
          AND (t.resource IS NULL OR NOT EXISTS (
               SELECT 1 FROM openkeel_tasks o
               WHERE o.resource = t.resource AND o.id < t.id AND o.state IN ('queued', 'running')))
          AND (t.resource IS NULL OR NOT EXISTS (
               SELECT 1 FROM openkeel_tasks r
               WHERE r.resource = t.resource AND r.id <> t.id AND r.state = 'running'))
        ORDER BY t.id
        LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED)
    UPDATE openkeel_tasks AS t
    SET state = 'running', attempts = t.attempts + 1,
        failures = t.failures + CASE t.state WHEN 'running' THEN %(death)s ELSE 0 END, lease_owner = %(owner)s,
        lease_until = clock_timestamp() + %(lease)s * interval '1 second',
        started_at = coalesce(t.started_at, clock_timestamp())
    FROM candidate WHERE t.id = candidate.id
    RETURNING t.id, t.kind, t.queue, t.resource, t.payload, t.attempts, t.failures, t.request_id,
              extract(epoch FROM clock_timestamp() - t.started_at)::float AS age
"""


async def enqueue(
    conn: Conn,
    kind: str,
    queue: str,
    payload: Row,
    resource: str | None = None,
    delay: float = 0,
    request_id: str | None = None,
) -> int:
    """Add a task in the caller's transaction; workers wake when it commits.

    Args:
        kind: the operation's name.
        queue: ``scheduler`` or a back end's host ``node1@alpha``.
        resource: tasks with the same text run one after the other, in this order.
        delay: seconds before the first run.
    """
    params = (kind, queue, resource, json.dumps(payload), request_id, delay)
    row = await conn.one(_ENQUEUE, params)
    assert row is not None
    return int(row["id"])


async def wake(conn: Conn, queue: str) -> None:
    """Tell the workers of a queue of tasks that were written otherwise; they hear of it when it commits."""
    await conn.run("SELECT pg_notify('openkeel_task', %s)", (queue,))


async def hasten(
    conn: Conn, kind: str, resource: str | None, match: Row, changes: Row, request_id: str | None = None
) -> bool:
    """Run the first waiting task of a kind now, with ``changes`` in its payload; whether there was one.

    Args:
        resource: of the task.
        match: what its payload must contain.
        request_id: of the request that asks for it again.
    """
    return bool(
        await conn.run(
            """
            UPDATE openkeel_tasks
            SET run_after = clock_timestamp(), payload = payload || %s::jsonb, request_id = coalesce(%s, request_id)
            WHERE id = (SELECT id FROM openkeel_tasks WHERE kind = %s AND resource = %s AND state = 'queued'
                          AND payload @> %s::jsonb
                        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING pg_notify('openkeel_task', queue)
            """,
            (json.dumps(changes), request_id, kind, resource, json.dumps(match)),
        )
    )


async def claim(conn: Conn, owner: str, queues: Sequence[str], limit: int, lease: float) -> list[Row]:
    """Take up to ``limit`` ready tasks for ``lease`` seconds. Call it in a transaction of its own.

    Their ``age``: seconds since their first run began.
    """
    params = {"queues": list(queues), "owner": owner, "limit": limit, "lease": lease, "death": WEIGHT_OF_A_DEATH}
    while True:
        try:
            return await conn.all(_CLAIM, params)
        except UniqueViolation:
            await asyncio.sleep(0.002)  # another worker took a task of the same resource in the same instant


async def notices(url: str) -> AsyncIterator[str]:
    """The queues in which tasks were left, as they are left; the first item, empty, says that listening has begun.

    Raises:
        DatabaseUnavailable: the connection could not be had, or is lost.
    """
    try:
        async with await AsyncConnection.connect(url, autocommit=True) as conn:
            await conn.execute(f"LISTEN {CHANNEL}".encode())
            yield ""
            async for notice in conn.notifies():
                yield notice.payload
    except (Error, OSError) as error:
        raise DatabaseUnavailable(str(error)) from error


async def extend_leases(conn: Conn, owner: str, ids: Sequence[int], lease: float) -> set[int]:
    """Renew leases; the ids that are still ours. The others were taken over by another worker."""
    rows = await conn.all(
        """
        UPDATE openkeel_tasks SET lease_until = clock_timestamp() + %s * interval '1 second'
        WHERE lease_owner = %s AND state = 'running' AND id = ANY(%s) RETURNING id
        """,
        (lease, owner, list(ids)),
    )
    return {row["id"] for row in rows}


async def still_ours(conn: Conn, task: Row, owner: str) -> bool:
    """Whether the fencing token still holds; locks the task's row until the transaction ends."""
    row = await conn.one(
        "SELECT 1 AS yes FROM openkeel_tasks WHERE id = %s AND lease_owner = %s AND attempts = %s FOR UPDATE",
        (task["id"], owner, task["attempts"]),
    )
    return row is not None


async def remember(conn: Conn, task: Row, changes: Row) -> None:
    """Change the payload for the runs to come; in a transaction that has looked whether the task is still ours."""
    await conn.run(
        "UPDATE openkeel_tasks SET payload = payload || %s::jsonb WHERE id = %s", (json.dumps(changes), task["id"])
    )


async def finish(conn: Conn, task: Row, owner: str, error: str | None = None, *, refused: bool = False) -> Row | None:
    """End a task, and wake the worker of the next one of its resource, which may stand in another queue.

    Args:
        error: why it has failed, if it has.
        refused: the error is an answer to the request: it is kept, and the task counts as done.

    None when another worker owns the task now (then nothing is changed); else what it holds ``ahead``, or None.
    """
    rows = await conn.all(
        """
        WITH ended AS (
            UPDATE openkeel_tasks
            SET state = %s, finished_at = clock_timestamp(), lease_owner = NULL, lease_until = NULL, last_error = %s
            WHERE id = %s AND lease_owner = %s AND attempts = %s
            RETURNING id, resource, queue, payload)
        SELECT e.id, e.payload -> 'ahead' AS ahead, pg_notify('openkeel_task', e.queue),
               (SELECT pg_notify('openkeel_task', n.queue) FROM openkeel_tasks n
                WHERE n.resource = e.resource AND n.state = 'queued' AND n.id <> e.id
                ORDER BY n.id LIMIT 1)
        FROM ended e
        """,
        ("failed" if error and not refused else "done", error, task["id"], owner, task["attempts"]),
    )
    return rows[0] if rows else None


async def postpone(conn: Conn, task: Row, owner: str, error: str, delay: float, *, failed: bool = False) -> None:
    """Hand a task back for another run after ``delay`` seconds; ``failed`` counts it as an infrastructure error."""
    await conn.run(
        """
        UPDATE openkeel_tasks
        SET state = 'queued', lease_owner = NULL, lease_until = NULL, last_error = %s,
            failures = failures + %s, run_after = clock_timestamp() + %s * interval '1 second'
        WHERE id = %s AND lease_owner = %s AND attempts = %s
        """,
        (error[:2000], int(failed), delay, task["id"], owner, task["attempts"]),
    )


async def release(conn: Conn, owner: str) -> int:
    """Hand every task of a worker that stops back at once."""
    return await conn.run(
        """
        UPDATE openkeel_tasks SET state = 'queued', lease_owner = NULL, lease_until = NULL, attempts = attempts - 1
        WHERE lease_owner = %s AND state = 'running'
        """,
        (owner,),
    )


async def waits(conn: Conn, kind: str, resource: str | None) -> bool:
    """Whether a task of this kind and resource is queued or running."""
    row = await conn.one(
        """
        SELECT 1 AS yes FROM openkeel_tasks
        WHERE kind = %s AND resource = %s AND state IN ('queued', 'running') LIMIT 1
        """,
        (kind, resource),
    )
    return row is not None


async def later(conn: Conn, task: Row, kinds: Sequence[str], whose: str = "instance_id") -> bool:
    """Whether a task of one of these kinds waits behind ``task`` for the same share instance (a newer request).

    Args:
        whose: what both payloads must say alike.
    """
    row = await conn.one(
        """
        SELECT 1 AS yes FROM openkeel_tasks
        WHERE resource = %s AND id > %s AND kind = ANY(%s) AND state IN ('queued', 'running')
          AND payload ->> %s = %s LIMIT 1
        """,
        (task["resource"], task["id"], list(kinds), whose, task["payload"][whose]),
    )
    return row is not None


async def running(conn: Conn, queue: str) -> bool:
    """Whether a living worker runs a task of this queue."""
    row = await conn.one(
        """
        SELECT 1 AS yes FROM openkeel_tasks
        WHERE queue = %s AND state = 'running' AND lease_until >= clock_timestamp() LIMIT 1
        """,
        (queue,),
    )
    return row is not None


async def pending(conn: Conn) -> int:
    """Tasks that are running or due now; work planned for later does not count."""
    row = await conn.one(
        """
        SELECT count(*) AS n FROM openkeel_tasks
        WHERE state = 'running' OR (state = 'queued' AND run_after <= clock_timestamp())
        """
    )
    assert row is not None
    return int(row["n"])


async def since(conn: Conn, ident: int) -> list[Row]:
    """Tasks after the task ``ident``, in their order, in whatever state."""
    return await conn.all(
        "SELECT id, kind, queue, payload, state, last_error FROM openkeel_tasks WHERE id > %s ORDER BY id", (ident,)
    )


async def seconds_to_next(conn: Conn, queues: Sequence[str]) -> float | None:
    """Seconds until the next planned task of these queues is due; None when there is none."""
    row = await conn.one(
        """
        SELECT extract(epoch FROM min(run_after) - clock_timestamp())::float AS s FROM openkeel_tasks
        WHERE state = 'queued' AND queue = ANY(%s)
        """,
        (list(queues),),
    )
    return None if row is None or row["s"] is None else max(0.0, float(row["s"]))


async def purge_done(conn: Conn, older_than: float, batch: int = 1000) -> int:
    """Remove finished tasks older than ``older_than`` seconds, at most ``batch`` of them."""
    return await conn.run(
        """
        DELETE FROM openkeel_tasks WHERE id IN (
            SELECT id FROM openkeel_tasks WHERE state IN ('done', 'failed')
              AND finished_at < clock_timestamp() - %s * interval '1 second' LIMIT %s)
        """,
        (older_than, batch),
    )
