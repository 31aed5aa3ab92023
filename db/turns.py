"""Long work in slices: the event loop turns to others in between."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeVar

SLICE = 40
"""Rows that are worked on at a time: some tenths of a millisecond."""
SPACE = 0.001
"""Seconds between two slices while others ask beside a crowd."""
Given = TypeVar("Given")
Made = TypeVar("Made")
_PRESSED: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, float] = weakref.WeakKeyDictionary()
_WAITING: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, deque[asyncio.Future[None]]] = (
    weakref.WeakKeyDictionary()
)


def press(seconds: float) -> None:
    """For so long others ask beside a crowd: between two slices of long work there is ``SPACE``.

    Then it takes a third of the time at most, and what else runs on the processors, the database first, has the rest.
    """
    loop = asyncio.get_running_loop()
    _PRESSED[loop] = loop.time() + seconds


async def turn() -> None:
    """Let others run. Of all that wait here, one goes on in each round of the loop, in the order of their coming."""
    loop = asyncio.get_running_loop()
    waiting = _WAITING.setdefault(loop, deque())
    mine: asyncio.Future[None] = loop.create_future()
    waiting.append(mine)
    if len(waiting) == 1:
        _next(loop, waiting)
    await mine


def _release(loop: asyncio.AbstractEventLoop, waiting: deque[asyncio.Future[None]]) -> None:
    first = waiting.popleft()
    if not first.done():
        first.set_result(None)
    if waiting:
        _next(loop, waiting)


def _next(loop: asyncio.AbstractEventLoop, waiting: deque[asyncio.Future[None]]) -> None:
    if _PRESSED.get(loop, 0.0) > loop.time():
        loop.call_later(SPACE, _release, loop, waiting)
    else:
        loop.call_soon(_release, loop, waiting)


class Gate:
    """One of each party at a time; others of that party wait in the order of their coming."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @contextlib.asynccontextmanager
    async def of(self, party: str) -> AsyncIterator[None]:
        lock, users = self._locks.get(party) or (asyncio.Lock(), 0)
        self._locks[party] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            users = self._locks[party][1] - 1
            if users:
                self._locks[party] = lock, users
            else:
                del self._locks[party]


async def each(make: Callable[[Given], Made], rows: Sequence[Given]) -> list[Made]:
    """``make`` of every row."""
    if len(rows) <= SLICE:
        return [make(row) for row in rows]
    made: list[Made] = []
    for at in range(0, len(rows), SLICE):
        made += [make(row) for row in rows[at : at + SLICE]]
        await turn()
    return made
