"""Deadlocks: the request that PostgreSQL chose as the victim is done again, as a whole, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from structlog.testing import capture_logs

from db import conflicts, purge
from db.connection import CONFLICTS, Database
from tests.db.test_purge import OLD, fill, left
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import Stage, stage_over

NOTICED_AFTER = 3
"""Seconds after which PostgreSQL looks whether a request that waits is in a deadlock."""


@pytest.fixture
async def stage(database_url: str) -> AsyncIterator[Stage]:
    """A service whose requests are the victims of deadlocks: the test's own transaction looks later than they."""
    name = psycopg.conninfo.conninfo_to_dict(database_url)["dbname"]
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as admin:
        await admin.execute(f"ALTER DATABASE \"{name}\" SET deadlock_timeout = '{NOTICED_AFTER}s'")
    db = Database(database_url, size=8, name="requests")
    await db.open()
    try:
        async for one in stage_over(db):
            yield one
    finally:
        await db.close()


async def test_a_request_in_a_deadlock_is_done_again(stage: Stage, database_url: str) -> None:
    share = await stage.share()
    with capture_logs() as seen:
        async with await psycopg.AsyncConnection.connect(database_url) as other:
            await other.execute("SET deadlock_timeout = '60s'")
            await other.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 7))", (TENANT_A,))
            path = f"/v2/shares/{share['id']}/action"
            asking = asyncio.ensure_future(stage.ask("member-a", "POST", path, {"extend": {"new_size": 2}}))
            async with asyncio.timeout(20):
                while not await _waits(stage.core.db):
                    await asyncio.sleep(0.01)
            # the request holds the share and waits for the quota, this transaction the other way round
            await other.execute("SELECT 1 FROM shares WHERE id = %s FOR UPDATE", (share["id"],))
            await other.commit()
        answer = await asking
    assert answer.status == 202, answer.json
    assert [line["attempt"] for line in seen if line["event"] == "a conflict in the database, done again"] == [1]
    async with stage.core.db.read() as conn:
        orders = await conn.all("SELECT 1 AS one FROM openkeel_tasks WHERE kind LIKE 'share_extend%'")
    assert len(orders) == 1
    await stage.work()
    assert (await stage.usage(TENANT_A))["gigabytes"] == 2


async def _waits(db: Database) -> bool:
    async with db.read() as conn:
        row = await conn.one("SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    return bool(row and row["n"])


async def test_a_conflict_that_stays_ends(db: Database) -> None:
    runs: list[int] = []

    async def always() -> None:
        runs.append(1)
        async with db.write():
            raise psycopg.errors.DeadlockDetected("again")

    with pytest.raises(psycopg.errors.DeadlockDetected):
        await conflicts.again(always, CONFLICTS)
    assert len(runs) == conflicts.ATTEMPTS


async def test_what_was_written_is_not_done_twice(db: Database) -> None:
    runs: list[int] = []

    async def half() -> None:
        runs.append(1)
        async with db.write() as conn:
            await conn.run("SELECT 1")
        async with db.write():
            raise psycopg.errors.SerializationFailure("late")

    with pytest.raises(psycopg.errors.SerializationFailure):
        await conflicts.again(half, CONFLICTS)
    assert len(runs) == 1


async def test_a_purge_takes_as_many_batches_as_it_needs(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purge, "BATCH", 2)
    async with db.write() as conn:
        for tag in range(1, 6):
            await fill(conn, tag, OLD)
        await conn.run("UPDATE share_metadata SET deleted = 0, deleted_at = NULL")
    removed = await purge.purge(db, 0)
    assert removed["shares"] == removed["share_metadata"] == 5
    async with db.read() as conn:
        assert await left(conn) == set()
