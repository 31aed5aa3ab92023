"""Connections to PostgreSQL: pooled, with timestamps as the API's text and a hook that counts statements."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import orjson
import psycopg
from psycopg.adapt import Loader
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from db import conflicts
from db.turns import SLICE, Gate, turn

Row = dict[str, Any]
Params = Mapping[str, Any] | Sequence[Any]

STATEMENT_TIMEOUT_MS = 30_000
LOCK_TIMEOUT_MS = 10_000
IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
PLANS = "-c enable_bitmapscan=off -c random_page_cost=1.1"
"""Lists are read in the order of an index. A plan kept for any project takes a large one for one of middle size,
and would rather fetch all its rows and sort them; without bitmaps the order comes for nothing."""
OPEN_SECONDS, OPEN_PAUSE = 10.0, 0.2
"""Seconds to try to make the first connection, and between two tries."""
TRANSIENT = ("53", "57P03")
"""What a server says that is full, or starting: the same user may be let in later."""
LISTS = 8
"""Lists whose rows are in memory at a time."""
PATIENCE = 30.0
"""Seconds to wait at most for a connection of a pool that is busy."""


class DatabaseUnavailable(Exception):
    """No connection could be had, or it was lost; the work of the open transaction is undone."""


class WrongDatabase(Exception):
    """The URL is of another database than PostgreSQL; the text says so, without the URL's password."""


class UnknownSchema(Exception):
    """The database stands at a revision of the original that can't be adopted."""


class NotReadable(Exception):
    """The database answers, and does not let this user read or change what is asked of it; the text says why."""


UNREADABLE = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.InsufficientPrivilege)
"""What a statement meets where ``manila-manage db sync`` was not run, or was run by another user of the database."""
EXHAUSTED = "53"
"""Class of PostgreSQL's errors for what it has no more of, such as room on its disk; the same may succeed later."""
CONFLICTS = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected, conflicts.Stale)
"""A transaction was the victim of a conflict, for PostgreSQL or for us; it is undone, and may be run again at once."""
LOST = (DatabaseUnavailable, psycopg.OperationalError)
"""What a caller meets when the database is away, or stopped one statement: the same may succeed later."""


WRITTEN = "special characters of user and password are written as %XX"
SCHEMES = ("postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg2")
"""Libpq's and SQLAlchemy's names of PostgreSQL, with the drivers that operators of the original have."""


def libpq(url: str) -> str:
    """A libpq or SQLAlchemy URL as libpq reads it; a connection string of words stays as it is.

    Raises:
        WrongDatabase: it is of another database.
    """
    scheme, found, rest = url.partition("://")
    if not found or " " in scheme or "=" in scheme:
        return url
    if scheme not in SCHEMES:
        raise WrongDatabase(
            f"[database] connection is of {scheme}: only PostgreSQL can be used here (postgresql://USER:PASSWORD@HOST/NAME)"
        )
    if re.split("[/?]", rest)[0].count("@") > 1:  # the library would take what follows the first one for the host
        raise WrongDatabase(f"[database] connection can't be read: {WRITTEN}")
    return f"postgresql://{rest}"


def reason(error: Exception, url: str = "") -> str:
    """What PostgreSQL or its library says of a connection to ``url``, in one line; never a part of the password."""
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        return error.diag.message_primary
    if isinstance(error, psycopg.ProgrammingError):
        # the library quotes the part that it does not understand, which may be one of the password
        return f"its text can't be read; {WRITTEN}"
    text = " ".join(str(error).split())
    password = url.partition("://")[2].rpartition("@")[0].partition(":")[2]
    for part in re.split("[@:/?#]", password):
        text = text.replace(part, "***") if part else text
    return text


def unreachable(error: Exception, url: str = "") -> DatabaseUnavailable:
    """The exception for a connection that can't be had; its text names the option and the reason in one line."""
    return DatabaseUnavailable(f"no connection to the database of [database] connection: {reason(error, url)}")


def unreadable(error: Exception) -> NotReadable:
    """The exception for one of ``UNREADABLE``; its text names the reason and the next step in one line."""
    return NotReadable(
        f"the database of [database] connection can't be used: {reason(error)}; was `manila-manage db sync` run, "
        "and as this user of the database?"
    )


class UnusableValue(Exception):
    """A parameter that the database cannot take: text with a NUL, a number outside its column's range."""


class TimestampText(Loader):
    """``timestamp`` to ``2026-01-31T12:00:00.000000``: PostgreSQL leaves out trailing zeros and writes a blank."""

    def load(self, data: bytes | bytearray | memoryview) -> str:
        text = bytes(data).decode()
        text = text[:10] + "T" + text[11:]
        return text + ".000000" if len(text) == 19 else text.ljust(26, "0")


class Json(Loader):
    """``json``, which statements make of rows; ``jsonb``, which is stored, may hold numbers of any size."""

    def load(self, data: bytes | bytearray | memoryview) -> Any:
        return orjson.loads(data)


class Conn:
    """One connection; parameters are psycopg's ``%s`` or ``%(name)s``."""

    __slots__ = ("_count", "pg")

    def __init__(self, pg: psycopg.AsyncConnection[Row], count: Callable[[str], None] | None) -> None:
        self.pg = pg
        self._count = count

    async def _execute(self, sql: str, params: Params) -> psycopg.AsyncCursor[Row]:
        if self._count is not None:
            self._count(sql)
        try:
            return await self.pg.execute(sql, params or None)
        except psycopg.DataError as error:
            raise UnusableValue(str(error)) from error

    async def all(self, sql: str, params: Params = ()) -> list[Row]:
        """Every row of a query."""
        cursor = await self._execute(sql, params)
        if cursor.rowcount <= SLICE:
            return await cursor.fetchall()
        rows: list[Row] = []
        while part := await cursor.fetchmany(SLICE):
            rows += part
            await turn()
        return rows

    async def one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row, or None."""
        cursor = await self._execute(sql, params)
        return await cursor.fetchone()

    async def run(self, sql: str, params: Params = ()) -> int:
        """Execute a statement; the number of rows it touched."""
        cursor = await self._execute(sql, params)
        return cursor.rowcount


async def _prepare(pg: psycopg.AsyncConnection[Any]) -> None:
    await pg.set_autocommit(True)
    pg.adapters.register_loader("timestamp", TimestampText)
    pg.adapters.register_loader("json", Json)
    pg.prepare_threshold = 2


class Database:
    """A pool of connections.

    Args:
        url: a libpq connection string or URL, or SQLAlchemy's of PostgreSQL.
        size: connections kept at most.
        name: shown as ``application_name`` to the database's operator.
        wait: seconds to wait for a connection while none is given back in good health. One that is says that the
            database is there and only busy: the wait goes on, up to ``PATIENCE``.
    """

    def __init__(self, url: str, *, size: int = 10, name: str = "manila", wait: float = 2.0) -> None:
        self.url, self.wait = libpq(url), wait
        self._given_back = 0.0
        self._lists, self._large = Gate(), asyncio.Semaphore(LISTS)
        self.on_statement: Callable[[str], None] | None = None
        """Called with each statement's text; the tests count with it."""
        options = (
            f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS}"
            f" -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_TIMEOUT_MS} -c timezone=UTC {PLANS}"
        )
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Row]] = AsyncConnectionPool(
            self.url,
            min_size=1,
            max_size=size,
            open=False,
            configure=_prepare,
            kwargs={"row_factory": dict_row, "application_name": name, "options": options, "connect_timeout": 5},
        )

    async def open(self, seconds: float | None = None) -> None:
        """Connect.

        Args:
            seconds: to wait for a server that can't be reached or is starting, None for ``OPEN_SECONDS``. One that
                refuses user, password or the database's name is not asked twice.

        Raises:
            DatabaseUnavailable: there is no connection to be had; the text has the reason.
        """
        await self._tried(time.monotonic() + (OPEN_SECONDS if seconds is None else seconds))
        try:
            await self._pool.open(wait=True, timeout=OPEN_SECONDS)
        except PoolTimeout as error:
            await self._pool.close()
            raise unreachable(error) from error

    async def _tried(self, deadline: float) -> None:
        """One connection, since a pool does not say why it has none, and asks again whatever the reason is."""
        while True:
            try:
                made = await psycopg.AsyncConnection.connect(self.url, connect_timeout=5)
            except psycopg.Error as error:
                lasting = error.sqlstate is not None and not error.sqlstate.startswith(TRANSIENT)
                lasting |= isinstance(error, psycopg.ProgrammingError)
                if lasting or time.monotonic() + OPEN_PAUSE > deadline:
                    raise unreachable(error, self.url) from error
            else:
                await made.close()
                return
            await asyncio.sleep(OPEN_PAUSE)

    async def close(self) -> None:
        await self._pool.close()

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[Conn]:
        """A connection in autocommit: each statement sees what is committed when it starts."""
        async with self._borrow() as pg:
            yield Conn(pg, self.on_statement)

    @contextlib.asynccontextmanager
    async def listing(self, party: str, held: contextlib.AsyncExitStack) -> AsyncIterator[Conn]:
        """As ``read``, for lists, which may keep the database busy and fill the memory.

        Of each party one list at a time is read, and of all ``LISTS`` at a time are in memory, until ``held`` ends.
        """
        async with self._lists.of(party):
            await held.enter_async_context(self._large)
            async with self.read() as conn:
                yield conn

    def single(self) -> contextlib.AbstractAsyncContextManager[Conn]:
        """A connection for one statement that writes and needs no transaction around it."""
        return self.read()

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[Conn]:
        """A transaction: committed at the end of the block, rolled back when it raises."""
        async with self._transaction() as pg:
            yield Conn(pg, self.on_statement)

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[psycopg.AsyncConnection[Row]]:
        async with self._borrow() as pg:
            async with pg.transaction():
                yield pg
            conflicts.committed()

    @contextlib.asynccontextmanager
    async def _borrow(self) -> AsyncIterator[psycopg.AsyncConnection[Row]]:
        pg = await self._checkout()
        try:
            yield pg
        except psycopg.OperationalError as error:
            if pg.closed or pg.broken or (error.sqlstate or "").startswith(EXHAUSTED):
                raise DatabaseUnavailable(str(error)) from error
            raise
        finally:
            if not (pg.closed or pg.broken):
                self._given_back = time.monotonic()
            await self._pool.putconn(pg)

    async def _checkout(self) -> psycopg.AsyncConnection[Row]:
        begin = time.monotonic()
        while True:
            asked = time.monotonic()
            try:
                return await self._pool.getconn(timeout=self.wait)
            except (PoolTimeout, psycopg.OperationalError) as error:
                if self._given_back < asked or time.monotonic() - begin > PATIENCE:
                    raise DatabaseUnavailable(str(error)) from error
