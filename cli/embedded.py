"""The database of a program: the configured one, or an embedded one that runs while programs use it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
from collections.abc import Iterator

from db.embedded import EmbeddedPostgres
from generated.settings import Settings

DATABASE = "MANILA_EMBEDDED_DATABASE"
"""Environment variable: URL of the embedded database that a parent process keeps."""
NAME = "manila"


@contextlib.contextmanager
def database(settings: Settings, *, migrated: bool) -> Iterator[Settings]:
    """The settings with a database for the time of the block.

    Args:
        migrated: whether an embedded one is brought to the newest schema.

    Raises:
        DatabaseUnavailable: the embedded server does not start.
    """
    folder = settings.openkeel.embedded_database
    if settings.database.connection or not folder:
        yield settings
        return
    if kept := os.environ.get(DATABASE):
        yield _connected(settings, kept)
        return
    postgres = EmbeddedPostgres(pathlib.Path(folder))
    try:
        url = postgres.url_of(NAME) if postgres.exists(NAME) else postgres.create(NAME)
        if migrated:
            from db import migrate  # what applies migrations is large, and only an embedded database needs it here

            migrate.sync(url)
        yield _connected(settings, url)
    finally:
        postgres.stop()


def _connected(settings: Settings, url: str) -> Settings:
    return dataclasses.replace(settings, database=dataclasses.replace(settings.database, connection=url))
