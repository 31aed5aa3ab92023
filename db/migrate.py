"""Bring a database to this project's schema, or adopt one that the original made.

The adopted tables stand under the original's version table at ``afc3b5e1f406``; our own tables have another version
table, so that the original can be started on the same database again.
"""

from __future__ import annotations

import contextlib
import pathlib
import time
from collections.abc import Iterator

import psycopg
import sqlalchemy
from alembic import command, context
from alembic.config import Config
from alembic.runtime.migration import MigrationContext

from db.connection import UNREADABLE, UnknownSchema, libpq, unreachable, unreadable

HERE = pathlib.Path(__file__).parent / "migrations"
BASELINE = "afc3b5e1f406"
ADVISORY_LOCK = 0x6D616E696C61
LOCK_PAUSE = 0.2
"""Seconds between two tries to be the one that changes the schema."""
CONNECT_SECONDS = 10


@contextlib.contextmanager
def engine(url: str) -> Iterator[sqlalchemy.Engine]:
    """SQLAlchemy over psycopg on a libpq or SQLAlchemy URL, or a connection string of words, for the time of the block.

    Raises:
        WrongDatabase: the URL is not PostgreSQL's.
        DatabaseUnavailable: there is no connection, or it was lost.
        NotReadable: the user of the database may not do what is asked.
    """
    text = libpq(url)  # SQLAlchemy's own parser takes fewer forms, and quotes the password where it fails
    made = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(text, connect_timeout=CONNECT_SECONDS)
    )
    try:
        yield made
    except sqlalchemy.exc.DBAPIError as error:
        cause = error.orig
        if isinstance(cause, UNREADABLE):
            raise unreadable(cause) from error
        if isinstance(cause, psycopg.Error) and (isinstance(cause, psycopg.OperationalError) or not cause.sqlstate):
            raise unreachable(cause, text) from error
        raise
    finally:
        made.dispose()


def run_environment(version_table: str) -> None:
    """The body of both Alembic environments: run on the connection that ``sync`` hands over."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, version_table=version_table, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


def _config(part: str, connection: sqlalchemy.Connection) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(HERE / part))
    config.set_main_option("path_separator", "os")
    return config


def _revision(connection: sqlalchemy.Connection, table: str) -> str | None:
    return MigrationContext.configure(connection, opts={"version_table": table}).get_current_revision()


def _known(revision: str | None) -> None:
    """Raise UnknownSchema for a revision that is neither the newest nor a name of it."""
    if revision not in (None, "head", "heads", BASELINE):
        raise UnknownSchema(f"Can't locate revision identified by '{revision}'")


def sync(url: str, revision: str | None = None, *, own: str = "head") -> None:
    """Create or adopt the schema, then apply our own migrations. Safe to call from several processes at once.

    Args:
        revision: of the original; only the newest exists here.
        own: the last of our own migrations to apply.

    Raises:
        WrongDatabase: the URL is not PostgreSQL's.
        UnknownSchema: the original's tables stand at another revision than stable/2026.2's, or ``revision`` is another.
        DatabaseUnavailable, NotReadable: as ``engine``.
    """
    _known(revision)
    with engine(url) as database, _alone(database):
        with database.connect() as connection:
            found = _revision(connection, "alembic_version")
        if found not in (None, BASELINE):
            raise UnknownSchema(
                f"the database is at revision {found}; bring it to {BASELINE} with the original's manila-manage"
            )
        for part, last in (("original", "head"), ("own", own)):
            with database.connect() as connection:
                command.upgrade(_config(part, connection), last)
                connection.commit()


@contextlib.contextmanager
def _alone(database: sqlalchemy.Engine) -> Iterator[None]:
    """Wait until no other process changes the schema, and keep others waiting.

    Making an index beside writers waits for everybody who looks at the database as it was before. So nobody waits
    inside a statement here, and the one that takes the lock has no parameters, with which it would be kept open.
    """
    with database.connect() as connection:
        while not connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({ADVISORY_LOCK})").scalar():
            connection.rollback()
            time.sleep(LOCK_PAUSE)
        yield


def back(url: str, own: str) -> None:
    """Undo our own migrations down to one of them; the original's tables stay as they are."""
    with engine(url) as database, _alone(database), database.connect() as connection:
        command.downgrade(_config("own", connection), own)
        connection.commit()


def stamp(url: str, revision: str | None = None) -> None:
    """Note that the original's tables stand at a revision, without looking at them.

    Raises:
        UnknownSchema: ``revision`` is not the newest.
        DatabaseUnavailable, NotReadable: as ``engine``.
    """
    _known(revision)
    with engine(url) as database, database.begin() as connection:
        command.stamp(_config("original", connection), "head", purge=True)


def version(url: str) -> str | None:
    """The revision of the adopted schema, as the original's ``manila-manage db version`` prints it.

    Raises:
        DatabaseUnavailable, NotReadable: as ``engine``.
    """
    with engine(url) as database, database.connect() as connection:
        return _revision(connection, "alembic_version")
