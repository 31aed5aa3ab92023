"""Work that PostgreSQL undid for the sake of somebody else's is done again, as long as nothing of it was written."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TypeVar

import structlog

LOG = structlog.get_logger("db")
T = TypeVar("T")
ATTEMPTS = 4
"""How often work is done at most."""
LONGEST_PAUSE = 0.05
"""Seconds before the second attempt, at most; twice as many before each further one."""


class Stale(Exception):
    """What the work has read is not so any more; read again, it answers as if it had been asked after the change."""


_commits: ContextVar[list[None] | None] = ContextVar("commits", default=None)


def committed() -> None:
    """Note that a transaction of the work under way was committed: it can't be done again as a whole."""
    if (seen := _commits.get()) is not None:
        seen.append(None)


async def again(do: Callable[[], Awaitable[T]], conflicts: tuple[type[Exception], ...]) -> T:
    """What ``do`` gives, which is called again after one of ``conflicts`` (``db.connection.CONFLICTS``).

    Raises what ``do`` raises, and the conflict itself after ``ATTEMPTS`` or when a transaction was committed before it.
    """
    attempt = 0
    while True:
        attempt += 1
        seen: list[None] = []
        token = _commits.set(seen)
        try:
            return await do()
        except conflicts as error:
            if seen or attempt >= ATTEMPTS:
                raise
            LOG.info("a conflict in the database, done again", attempt=attempt, error=repr(error))
        finally:
            _commits.reset(token)
        await asyncio.sleep(random.uniform(0, LONGEST_PAUSE * 2 ** (attempt - 1)))
