"""Parties take turns: a crowd delays itself."""

from __future__ import annotations

import asyncio

import pytest

from api.fair import Bounds, Busy, Turns


def bounds(most: int = 4, each: int = 2, waiting: int = 100, waiting_each: int = 50, newest: bool = False) -> Bounds:
    return Bounds(most, each, waiting, waiting_each, 60.0, newest)


class Office:
    """Work that is done when it is told so; who came, in order."""

    def __init__(self, turns: Turns) -> None:
        self.turns, self.begun = turns, list[str]()
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, name: str) -> None:
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._work(name))
        await asyncio.sleep(0)

    async def _work(self, name: str) -> None:
        await self.turns.enter(name[0])
        self.begun.append(name)
        await self.ends[name].wait()
        self.turns.rest()
        self.turns.leave(name[0])

    async def end(self, *names: str) -> None:
        for name in names:
            self.ends[name].set()
        for _ in range(5):
            await asyncio.sleep(0)


async def test_a_crowd_waits_for_itself_and_others_do_not() -> None:
    office = Office(Turns(bounds()))
    for number in range(10):
        await office.come(f"a{number}")
    assert office.begun == ["a0", "a1"]
    await office.come("b0")
    assert office.begun == ["a0", "a1", "b0"]
    await office.end("a1")
    assert office.begun[3:] == ["a2"]


async def test_parties_take_turns_where_all_is_taken() -> None:
    office = Office(Turns(bounds(most=1, each=1)))
    for name in ("a0", "a1", "a2", "b0", "c0", "b1"):
        await office.come(name)
    for name in ("a0", "b0", "a1", "c0", "b1", "a2"):
        assert office.begun[-1] == name
        await office.end(name)
    assert (office.turns._total, office.turns._working, office.turns._waiting) == (0, {}, 0)


async def test_the_party_with_most_loses_its_newest_when_no_place_is_left() -> None:
    office = Office(Turns(bounds(most=1, each=1, waiting=3, waiting_each=3)))
    for name in ("x", "a0", "a1", "a2", "b0"):
        await office.come(name)
    with pytest.raises(Busy):
        await office.tasks["a2"]
    await office.come("a3")
    with pytest.raises(Busy):
        await office.tasks["a3"]
    await office.end("x", "a0", "b0", "a1")
    assert office.begun == ["x", "a0", "b0", "a1"]


async def test_newest_first_a_flood_delays_nobody_after_it() -> None:
    office = Office(Turns(bounds(most=1, each=2, waiting=3, waiting_each=3, newest=True)))
    for name in ("a0", "a1", "a2", "a3", "a4", "ag"):
        await office.come(name)
    for name in ("a1", "a2"):
        with pytest.raises(Busy):
            await office.tasks[name]
    await office.end("a0")
    assert office.begun == ["a0", "ag"]
    await office.end("ag", "a4", "a3")
    assert office.begun == ["a0", "ag", "a4", "a3"]


async def test_who_goes_away_leaves_no_place_taken() -> None:
    office = Office(Turns(bounds(most=1, each=1)))
    for name in ("a0", "a1", "a2"):
        await office.come(name)
    office.tasks["a1"].cancel()
    await office.end("a0")
    assert office.begun == ["a0", "a2"]
    await office.end("a2")
    assert (office.turns._total, office.turns._working, office.turns._waiting) == (0, {}, 0)


async def test_a_wait_has_an_end() -> None:
    turns = Turns(Bounds(1, 1, 10, 10, 0.01))
    await turns.enter("a")
    with pytest.raises(Busy):
        await turns.enter("b")
    turns.rest()
    turns.leave("a")
    await turns.enter("b")


async def test_it_is_told_who_begins_beside_the_crowd_of_another() -> None:
    pressed: list[None] = []
    turns = Turns(bounds(most=10), lambda: pressed.append(None))
    for party in ("a", "a", "b"):
        await turns.enter(party)
    crowd = [asyncio.create_task(turns.enter("a")) for _ in range(2)]
    await asyncio.sleep(0)
    assert not pressed, "nobody asked beside those that wait"
    await turns.enter("b")
    assert len(pressed) == 1
    for _ in crowd:
        turns.rest()
        turns.leave("a")
    await asyncio.gather(*crowd)
    assert len(pressed) == 1, "it is not pressed for itself"
