"""Bring a database to this project's schema, or adopt one that the original made.

The adopted tables stand under the original's version table at ``afc3b5e1f406``; our own tables have another version
table, so that the original can be started on the same database again.
"""

from __future__ import annotations

import pathlib

import sqlalchemy
from alembic import command, context
from alembic.config import Config
from alembic.runtime.migration import MigrationContext

from db.connection import UnknownSchema, libpq

HERE = pathlib.Path(__file__).parent / "migrations"
BASELINE = "afc3b5e1f406"
ADVISORY_LOCK = 0x6D616E696C61


def sqlalchemy_url(url: str) -> sqlalchemy.URL:
    """A libpq or SQLAlchemy URL as one for the psycopg driver. Raises WrongDatabase: it is not PostgreSQL's."""
    parsed = sqlalchemy.make_url(libpq(url))
    return parsed.set(drivername="postgresql+psycopg")


def run_environment(version_table: str) -> None:
    """The body of both Alembic environments: run on the connection that ``sync`` hands over."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, version_table=version_table)
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


def sync(url: str, revision: str | None = None) -> None:
    """Create or adopt the schema, then apply our own migrations. Safe to call from several processes at once.

    Args:
        revision: of the original; only the newest exists here.

    Raises:
        WrongDatabase: the URL is not PostgreSQL's.
        UnknownSchema: the original's tables stand at another revision than stable/2026.2's, or ``revision`` is another.
    """
    _known(revision)
    engine = sqlalchemy.create_engine(sqlalchemy_url(url))
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
            found = _revision(connection, "alembic_version")
            if found not in (None, BASELINE):
                raise UnknownSchema(
                    f"the database is at revision {found}; bring it to {BASELINE} with the original's manila-manage"
                )
            command.upgrade(_config("original", connection), "head")
            command.upgrade(_config("own", connection), "head")
    finally:
        engine.dispose()


def stamp(url: str, revision: str | None = None) -> None:
    """Note that the original's tables stand at a revision, without looking at them.

    Raises:
        UnknownSchema: ``revision`` is not the newest.
    """
    _known(revision)
    engine = sqlalchemy.create_engine(sqlalchemy_url(url))
    try:
        with engine.begin() as connection:
            command.stamp(_config("original", connection), "head", purge=True)
    finally:
        engine.dispose()


def version(url: str) -> str | None:
    """The revision of the adopted schema, as the original's ``manila-manage db version`` prints it."""
    engine = sqlalchemy.create_engine(sqlalchemy_url(url))
    try:
        with engine.connect() as connection:
            return _revision(connection, "alembic_version")
    finally:
        engine.dispose()
