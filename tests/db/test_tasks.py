"""The task queue: order per resource, leases, fencing, waking."""

from __future__ import annotations

import asyncio

from db import tasks
from db.connection import Database


async def _enqueue(db: Database, kind: str, resource: str | None = None, delay: float = 0, queue: str = "q") -> int:
    async with db.write() as conn:
        return await tasks.enqueue(conn, kind, queue, {"kind": kind}, resource, delay)


async def _claim(db: Database, owner: str, limit: int = 10, lease: float = 30.0) -> list[str]:
    async with db.read() as conn:
        return sorted(row["kind"] for row in await tasks.claim(conn, owner, ["q"], limit, lease))


async def test_a_task_rolled_back_with_its_rows_never_was(db: Database) -> None:
    try:
        async with db.write() as conn:
            await tasks.enqueue(conn, "lost", "q", {})
            raise RuntimeError
    except RuntimeError:
        pass
    assert await _claim(db, "w") == []


async def test_tasks_of_one_resource_run_one_by_one_in_order(db: Database) -> None:
    for kind in ("first", "second"):
        await _enqueue(db, kind, "share-1")
    await _enqueue(db, "other", "share-2")
    assert await _claim(db, "w") == ["first", "other"]
    assert await _claim(db, "w") == []


async def test_a_planned_task_blocks_its_resource_but_not_others(db: Database) -> None:
    await _enqueue(db, "later", "share-1", delay=60)
    await _enqueue(db, "after", "share-1")
    await _enqueue(db, "free", "share-2")
    assert await _claim(db, "w") == ["free"]
    async with db.read() as conn:
        assert 59 > (await tasks.seconds_to_next(conn, ["q"]) or 0.0) >= 0.0
        assert await tasks.pending(conn) == 2


async def test_an_expired_lease_is_taken_over_and_fences_the_first_owner(db: Database) -> None:
    await _enqueue(db, "job", "share-1")
    async with db.read() as conn:
        (mine,) = await tasks.claim(conn, "slow", ["q"], 1, 0.0)
        await asyncio.sleep(0.01)
        (taken,) = await tasks.claim(conn, "fast", ["q"], 1, 30.0)
        assert taken["id"] == mine["id"] and taken["attempts"] == 2
        assert not await tasks.finish(conn, mine, "slow")
        assert not await tasks.still_ours(conn, mine, "slow")
        assert await tasks.extend_leases(conn, "slow", [mine["id"]], 30) == set()
        assert await tasks.finish(conn, taken, "fast")
        assert await tasks.pending(conn) == 0


async def test_one_owner_with_two_runs_is_told_apart_by_its_attempts(db: Database) -> None:
    await _enqueue(db, "job")
    async with db.read() as conn:
        (first,) = await tasks.claim(conn, "w", ["q"], 1, 0.0)
        await asyncio.sleep(0.01)
        (second,) = await tasks.claim(conn, "w", ["q"], 1, 30.0)
        assert not await tasks.finish(conn, first, "w")
        assert await tasks.finish(conn, second, "w")


async def test_many_claimers_share_the_work_and_never_overlap(db: Database) -> None:
    for number in range(40):
        await _enqueue(db, f"t{number:02}", f"r{number % 5}")
    seen: list[str] = []
    running: set[str] = set()

    async def claimer(owner: str) -> None:
        import psycopg

        while True:
            async with db.read() as conn:
                try:
                    rows = await tasks.claim(conn, owner, ["q"], 2, 30.0)
                except psycopg.errors.UniqueViolation:
                    continue
                if not rows and not await tasks.pending(conn):
                    return
                for row in rows:
                    assert row["resource"] not in running
                    running.add(row["resource"])
                    await asyncio.sleep(0.001)
                    running.discard(row["resource"])
                    seen.append(row["kind"])
                    assert await tasks.finish(conn, row, owner)

    await asyncio.gather(*(claimer(f"w{n}") for n in range(4)))
    assert sorted(seen) == [f"t{number:02}" for number in range(40)]
    for resource in range(5):
        mine = [kind for kind in seen if int(kind[1:]) % 5 == resource]
        assert mine == sorted(mine)


async def test_release_hands_back_without_counting_the_attempt(db: Database) -> None:
    await _enqueue(db, "job")
    async with db.read() as conn:
        (row,) = await tasks.claim(conn, "w", ["q"], 1, 30.0)
        assert await tasks.release(conn, "w") == 1
        (again,) = await tasks.claim(conn, "v", ["q"], 1, 30.0)
        assert again["attempts"] == row["attempts"] == 1
