"""What the commands share: their description, and the database that the configuration names."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from db.connection import Conn, Database
from generated.settings import Settings

T = TypeVar("T")
Run = Callable[[Settings, argparse.Namespace], int | None]


class Refused(Exception):
    """The command can't do what was asked; the text says why."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a command: its flags and what argparse is told of it."""

    flags: tuple[str, ...]
    options: dict[str, Any]


def argument(*flags: str, **options: Any) -> Argument:
    """An argument in argparse's words."""
    return Argument(flags, options)


@dataclass(frozen=True, slots=True)
class Command:
    """``manila-manage GROUP NAME``. ``run`` returns the exit status, None for 0."""

    group: str
    name: str
    help: str
    run: Run
    arguments: tuple[Argument, ...] = ()


def url(settings: Settings) -> str:
    """The database's URL. Raises Refused when none is configured."""
    if not settings.database.connection:
        raise Refused("[database] connection is not set")
    return str(settings.database.connection)


def with_database(settings: Settings, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run something that needs the database. Raises DatabaseUnavailable."""

    async def run() -> T:
        database = Database(url(settings), size=1, name="manila-manage")
        await database.open(seconds=0.0)  # whoever has typed a command sees the reason at once
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


def in_transaction(settings: Settings, work: Callable[[Conn], Awaitable[T]]) -> T:
    """Run something in one transaction."""

    async def run(database: Database) -> T:
        async with database.write() as conn:
            return await work(conn)

    return with_database(settings, run)
