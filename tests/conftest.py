"""Fixtures for all tests: a real PostgreSQL, one migrated database per test, and a counter of statements."""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from db import migrate
from db.connection import Database
from db.embedded import EmbeddedPostgres
from tests.locks import Watched

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """An embedded PostgreSQL with a migrated database named ``template``."""
    folder = pathlib.Path(tmp_path_factory.mktemp("pg"))
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    server = EmbeddedPostgres(folder / "data", durable=False)
    migrate.sync(server.create("template"))
    yield server
    server.stop()


@pytest.fixture
def database_url(postgres: EmbeddedPostgres) -> str:
    """URL of a fresh, migrated, empty database."""
    return postgres.create(f"test_{os.getpid()}_{next(_numbers)}", "template")


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    """An open pool over a fresh database; whoever takes locks in another order than ``db.order`` fails the test."""
    # a loaded machine lets a crowd of requests wait longer for a connection than a service would
    database = Watched(database_url, size=8, name="tests", wait=60.0)
    await database.open()
    try:
        yield database
    finally:
        await database.close()
    assert not database.disorder


@pytest.fixture
def statements(db: Database) -> Callable[[], contextlib.AbstractContextManager[list[str]]]:
    """``with statements() as seen:`` collects the SQL statements sent meanwhile."""

    @contextlib.contextmanager
    def collect() -> Iterator[list[str]]:
        seen: list[str] = []
        db.on_statement = seen.append
        try:
            yield seen
        finally:
            db.on_statement = None

    return collect
