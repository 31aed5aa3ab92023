"""Turns: so many at work at once, so many of one party, and nobody waits behind another party's crowd."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass


class Busy(Exception):
    """Too many wait already, or the wait took too long."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """``most`` at work in all, ``each`` of one party; ``waiting`` in all and ``waiting_each`` of one party; ``seconds``
    that one waits at most. With ``newest_first`` a party's newest waiter is next and its oldest is sent away for a new
    one, so that a flood delays what comes after it by nothing.
    """

    most: int
    each: int
    waiting: int
    waiting_each: int
    seconds: float
    newest_first: bool = False


class Turns:
    """Who is at work and who waits, by party. Parties take turns; within one the order of ``Bounds`` holds.

    ``beside_crowd`` is called when one begins while others of another party wait.
    """

    def __init__(self, bounds: Bounds, beside_crowd: Callable[[], None] = lambda: None) -> None:
        self._bounds, self._beside_crowd = bounds, beside_crowd
        self._working: dict[Hashable, int] = {}
        self._total = 0
        self._queues: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()
        self._waiting = 0

    async def enter(self, party: Hashable) -> None:
        """Wait for a turn. Each return is answered by one ``rest`` and then one ``leave``. Raises Busy."""
        bounds, own = self._bounds, self._working.get(party, 0)
        if self._total < bounds.most and own < bounds.each and party not in self._queues:
            self._begin(party)
            return
        self._make_room(party)
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(party, deque()).append(mine)
        self._waiting += 1
        self._next()
        try:
            async with asyncio.timeout(bounds.seconds):
                await mine
        except BaseException as error:
            self._give_up(party, mine)
            if isinstance(error, TimeoutError):
                raise Busy from None
            raise

    def rest(self) -> None:
        """The work is done, and others may begin; the party's own share is taken until ``leave``."""
        self._total -= 1
        self._next()

    def leave(self, party: Hashable) -> None:
        """The party may begin another."""
        left = self._working[party] - 1
        if left:
            self._working[party] = left
        else:
            del self._working[party]
        self._next()

    def _begin(self, party: Hashable) -> None:
        if self._queues and (party not in self._queues or len(self._queues) > 1):
            self._beside_crowd()
        self._working[party] = self._working.get(party, 0) + 1
        self._total += 1

    def _next(self) -> None:
        """Let those begin who can: the party first whose turn is longest ago."""
        bounds = self._bounds
        while self._queues and self._total < bounds.most:
            party = next((one for one in self._queues if self._working.get(one, 0) < bounds.each), None)
            if party is None:
                return
            queue = self._queues[party]
            chosen = queue.pop() if bounds.newest_first else queue.popleft()
            self._waiting -= 1
            self._queues.move_to_end(party)
            if not queue:
                del self._queues[party]
            if not chosen.done():
                self._begin(party)
                chosen.set_result(None)

    def _make_room(self, party: Hashable) -> None:
        """A place to wait in: the party's own, or that of the party with the most. Raises Busy for the newcomer."""
        bounds = self._bounds
        crowd: Hashable = party
        if len(self._queues.get(party, ())) < bounds.waiting_each:
            if self._waiting < bounds.waiting:
                return
            crowd = max(self._queues, key=lambda one: len(self._queues[one]))
        if not bounds.newest_first and (crowd == party or len(self._queues[crowd]) <= 1):
            raise Busy
        queue = self._queues[crowd]
        away = queue.popleft() if bounds.newest_first else queue.pop()
        self._waiting -= 1
        if not queue:
            del self._queues[crowd]
        if not away.done():
            away.set_exception(Busy())

    def _give_up(self, party: Hashable, mine: asyncio.Future[None]) -> None:
        queue = self._queues.get(party)
        if queue is not None and mine in queue:
            queue.remove(mine)
            self._waiting -= 1
            if not queue:
                del self._queues[party]
        elif mine.done() and not mine.cancelled() and mine.exception() is None:
            self.rest()  # its turn had come
            self.leave(party)
