"""Exports that are ordered anew when a back end starts: one task a share, whatever their number in a few statements."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from db import ensure, tasks
from db.connection import Database
from services.work import ShareEnsure

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]
HOST = "node1@alpha"


async def _shares(db: Database, count: int, status: str = "available", host: str = f"{HOST}#pool") -> None:
    async with db.write() as conn:
        await conn.run(
            """
            WITH made AS (
                INSERT INTO shares (id, project_id, user_id, size, is_soft_deleted, deleted,
                                    snapshot_inherit_share_access_support, created_at)
                SELECT gen_random_uuid()::text, 'p', 'u', 1, false, 'False', false, now()
                FROM generate_series(1, %s) RETURNING id)
            INSERT INTO share_instances (id, share_id, host, status, cast_rules_to_readonly, deleted, created_at)
            SELECT gen_random_uuid()::text, id, %s, %s, false, 'False', now() FROM made
            """,
            (count, host, status),
        )


async def test_a_task_is_what_the_worker_reads(db: Database) -> None:
    await _shares(db, 3)
    await _shares(db, 1, status="error")
    await _shares(db, 1, host="node1@beta#pool")
    async with db.write() as conn:
        assert await ensure.order(conn, HOST, ("available",), "req-1") == 3
        assert await ensure.order(conn, HOST, ("available",)) == 0, "they wait already"
    async with db.single() as conn:
        claimed = await tasks.claim(conn, "me", [HOST], 10, 60)
        known = {row["id"]: row["share_id"] for row in await conn.all("SELECT id, share_id FROM share_instances")}
    assert len(claimed) == 3
    for task in claimed:
        job = ShareEnsure.read(task["payload"])
        assert (task["kind"], task["resource"]) == (ShareEnsure.KIND, job.resource)
        assert task["payload"] == job.payload and known[job.instance_id] == job.share_id
        assert (task["queue"], task["request_id"]) == (HOST, "req-1")


async def test_many_shares_are_ordered_at_once(db: Database, statements: Statements) -> None:
    await _shares(db, 10_000)
    with statements() as seen:
        async with db.write() as conn:
            begun = time.monotonic()
            assert await ensure.order(conn, HOST, ("available",)) == 10_000
            taken = time.monotonic() - begun
    assert len(seen) == 2
    print(f"10 000 exports were ordered in {taken:.2f} s")
    assert taken < 20, "one statement a share took longer than that"
