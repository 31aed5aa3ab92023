"""Long work in slices: others run between two slices, and of several long ones, one slice goes on in a round."""

from __future__ import annotations

import asyncio

from db.connection import Database
from db.turns import SLICE, each


async def test_others_run_between_slices_of_all_long_work() -> None:
    done = 0

    def make(row: int) -> int:
        nonlocal done
        done += 1
        return row * 2

    works = [asyncio.create_task(each(make, range(10 * SLICE))) for _ in range(20)]
    await asyncio.sleep(0)
    most, rounds = 0, 0
    while not all(one.done() for one in works):
        before = done
        await asyncio.sleep(0)
        most, rounds = max(most, done - before), rounds + 1
    assert most <= 2 * SLICE, "one slice in a round of the loop, or two where a work ends"
    assert rounds >= 180
    assert [await one for one in works] == [[row * 2 for row in range(10 * SLICE)]] * 20


async def test_rows_come_whole_and_in_order(db: Database) -> None:
    for number in (0, 1, SLICE, SLICE + 1, 1000):
        async with db.read() as conn:
            rows = await conn.all("SELECT n FROM generate_series(1, %s) n", (number,))
        assert [row["n"] for row in rows] == list(range(1, number + 1))
