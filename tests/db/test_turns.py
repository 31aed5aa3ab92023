"""Long work in slices: others run between two slices, and of several long ones, one slice goes on in a round."""

from __future__ import annotations

import asyncio

from db.connection import Database
from db.turns import SLICE, SPACE, Gate, each, press


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


async def test_beside_a_crowd_there_is_room_between_slices() -> None:
    loop = asyncio.get_running_loop()
    press(0.2)
    begin = loop.time()
    works = [asyncio.create_task(each(str, range(10 * SLICE))) for _ in range(4)]
    await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
    assert loop.time() - begin > 30 * SPACE
    await asyncio.gather(*works)
    await asyncio.sleep(max(0.0, begin + 0.2 - loop.time()))
    begin = loop.time()
    await asyncio.gather(*(each(str, range(10 * SLICE)) for _ in range(4)))
    assert loop.time() - begin < 40 * SPACE, "afterwards there is none"


async def test_of_a_party_one_has_the_gate() -> None:
    gate, seen = Gate(), list[str]()

    async def one(party: str) -> None:
        async with gate.of(party):
            seen.append(f"{party} in")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            seen.append(f"{party} out")

    await asyncio.gather(one("a"), one("a"), one("b"))
    assert seen == ["a in", "b in", "a out", "b out", "a in", "a out"]
    waiting = [asyncio.create_task(one("a")) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert seen[6:] == ["a in", "a out"] * 2 and not gate._locks
