"""What waits for a connection: as long as the database is there, and no longer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from psycopg_pool import PoolTimeout

from db.connection import Database, DatabaseUnavailable

WAIT = 0.3


@contextlib.asynccontextmanager
async def pool(url: str) -> AsyncIterator[Database]:
    """One connection, for which one waits ``WAIT`` seconds."""
    db = Database(url, size=1, wait=WAIT)
    await db.open()
    try:
        yield db
    finally:
        await db.close()


async def _hold(db: Database, seconds: float) -> None:
    async with db.read():
        await asyncio.sleep(seconds)


async def test_a_busy_pool_is_waited_for(database_url: str) -> None:
    """Everybody has a turn, though the last one waits ten times as long as for a database that is away."""
    async with pool(database_url) as db:
        await asyncio.gather(*(_hold(db, WAIT / 3) for _ in range(30)))


async def test_a_connection_that_nobody_gives_back_is_not(database_url: str) -> None:
    async with pool(database_url) as db:
        held = asyncio.create_task(_hold(db, 20 * WAIT))
        await asyncio.sleep(0)
        with pytest.raises(DatabaseUnavailable):
            await _hold(db, 0)
        held.cancel()


async def test_a_connection_that_comes_back_broken_is_no_sign_of_life(database_url: str) -> None:
    async with pool(database_url) as db:
        await _hold(db, 0)
        seen = db._given_back
        with pytest.raises(DatabaseUnavailable):
            async with db.read() as conn:
                await conn.one("SELECT pg_terminate_backend(pg_backend_pid())")
        assert db._given_back == seen > 0


async def test_a_full_disk_is_a_database_that_is_away(database_url: str) -> None:
    """Clients are told to come again, and the connection stays good."""
    full = "DO $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$"
    async with pool(database_url) as db:
        for borrow in (db.read, db.write):
            with pytest.raises(DatabaseUnavailable, match="No space left"):
                async with borrow() as conn:
                    await conn.run(full)
            await _hold(db, 0)


async def test_a_database_that_does_not_answer_is_named_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Database("postgresql://u:hunter2@127.0.0.1:1/manila")

    async def late(*_: object, **__: object) -> None:
        raise PoolTimeout("pool initialization incomplete")

    monkeypatch.setattr(made._pool, "open", late)
    with pytest.raises(DatabaseUnavailable, match=r"no connection to the database of") as caught:
        await made.open()
    assert "hunter2" not in str(caught.value)
