"""Lists of any length: read, shown and sent a part at a time, so that none is in memory as a whole."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence

from db.keyset import Place
from db.turns import SLICE, turn
from generated.runtime import Row
from handlers.call import Call

LONG = 1000
"""Rows that are read at a time. A list of fewer is answered as a whole."""


class Long:
    """The items of a list that goes on behind its first ``LONG`` rows.

    Args:
        first: these rows.
        rest: at most so many rows behind one; none at the end.
        most: how many rows there are to be in all, None for all there are.
        show: makes what the answer holds from a row.
        end: what the document has behind the list, by the number of rows and the last of them.
    """

    def __init__(
        self, first: Sequence[Row], rest: Rest, most: int | None, show: Callable[[Row], Row],
        end: Callable[[int, Row], Row],
    ) -> None:  # fmt: skip
        self._rows, self._rest, self._most, self._show, self._end = first, rest, most, show, end
        self.after: Row = {}
        """What the document has behind the list, once all was read."""

    async def pages(self, encode: Callable[[list[Row]], bytes]) -> AsyncGenerator[bytes]:
        """The items as ``encode`` writes them, without the brackets of a list.

        Rows are in memory while a page is made; while the client reads it there are only its bytes, which the
        connection counts.
        """
        number, last, page = 0, self._rows[-1], b""
        while True:
            async with self._rest.place(begun=number > 0):
                left = LONG if self._most is None else min(LONG, self._most - number)
                rows = self._rows if not number else await self._rest(last, left) if left > 0 else ()
                if not rows:
                    break
                page = await self._written(rows, encode)
                number, last = number + len(rows), rows[-1]
                self._rows = rows = ()
            yield page
        self.after = self._end(number, last)

    async def _written(self, rows: Sequence[Row], encode: Callable[[list[Row]], bytes]) -> bytes:
        slices = []
        for at in range(0, len(rows), SLICE):
            slices.append(encode([self._show(row) for row in rows[at : at + SLICE]])[1:-1])
            await turn()
        return b",".join(slices)


def first(limit: int | None) -> int:
    """How many rows of a list are read first: with fewer than ``LONG`` it ends there."""
    return LONG if limit is None else min(limit, LONG)


def goes_on(rows: Sequence[Row], limit: int | None) -> bool:
    """Whether there may be more behind the first rows of a list."""
    return len(rows) == LONG and (limit is None or limit > LONG)


class Rest:
    """The rows of a list behind its first ones, a part at a time.

    Args:
        find: rows by ``limit`` and ``marker``, or by ``of``.
        ids: of the rows by ``limit`` and ``marker``: what has no index in its order is sorted once, and followed by
            these. None for what has one.
    """

    def __init__(
        self, call: Call, find: Callable[..., Awaitable[list[Row]]], ids: Callable[..., Awaitable[str]] | None
    ) -> None:
        self._call, self._find, self._ids = call, find, ids
        self._left: Iterator[str] | None = None

    @contextlib.asynccontextmanager
    async def place(self, *, begun: bool) -> AsyncIterator[None]:
        """A place among the lists at work; the request has it until the answer is ``begun``."""
        if not begun:
            yield
            return
        async with contextlib.AsyncExitStack() as self._call.held:
            yield

    async def __call__(self, last: Row, number: int) -> list[Row]:
        """At most so many rows behind one."""
        place = Place(last["v"], last["id"])
        async with self._call.listing() as conn:
            if self._ids is None:
                return await self._find(conn, limit=number, marker=place)
            if self._left is None:
                text = await self._ids(conn, limit=None, marker=place)
                self._left = (one[0] for one in re.finditer(r"\S+", text))
            while chosen := list(itertools.islice(self._left, number)):
                if rows := await self._find(conn, of=chosen):
                    return rows
        return []
