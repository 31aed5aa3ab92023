"""One program, several names: what the entry points share."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import pathlib
import sys

from cli import config, log, service
from db import migrate
from db.embedded import EmbeddedPostgres
from generated.settings import Settings


def parser(description: str) -> argparse.ArgumentParser:
    """A parser with the option that every program has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--config-file", action="append", type=pathlib.Path, help="manila.conf; may be repeated")
    return made


def start(description: str, *roles: str) -> int:
    """The body of a program that serves roles: read the configuration, then run until told to stop."""
    arguments = parser(description).parse_args()
    try:
        settings = config.load(arguments.config_file)
        log.set_up(settings.openkeel)
        return _with_database(settings, roles)
    except (config.BadConfiguration, OSError, ValueError) as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 1


def _with_database(settings: Settings, roles: tuple[str, ...]) -> int:
    """Run on the configured database, or on an embedded one when there is none."""
    folder = settings.openkeel.embedded_database
    if settings.database.connection or not folder:
        asyncio.run(service.run(settings, roles))
        return 0
    postgres = EmbeddedPostgres(pathlib.Path(folder))
    try:
        url = postgres.url_of("manila") if postgres.exists("manila") else postgres.create("manila")
        migrate.sync(url)
        database = dataclasses.replace(settings.database, connection=url)
        asyncio.run(service.run(dataclasses.replace(settings, database=database), roles))
    finally:
        postgres.stop()
    return 0
