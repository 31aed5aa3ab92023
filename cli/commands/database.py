"""``manila-manage db``: the schema, and removing what was deleted long ago."""

from __future__ import annotations

import argparse

from cli.commands.base import Command, Refused, argument, url, with_database
from db import migrate, purge
from generated.settings import Settings


def sync(settings: Settings, arguments: argparse.Namespace) -> None:
    """Create, adopt or upgrade the schema."""
    migrate.sync(url(settings), arguments.version)


def version(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the revision of the adopted schema."""
    print(migrate.version(url(settings)))


def stamp(settings: Settings, arguments: argparse.Namespace) -> None:
    """Note that the adopted schema stands at a revision, without changing it."""
    migrate.stamp(url(settings), arguments.version)


def downgrade(settings: Settings, arguments: argparse.Namespace) -> None:
    """Refused: the schema is the original's, and its own manila-manage takes it back."""
    raise Refused("the schema can't be downgraded; the original's manila-manage does it on the same database")


def remove(settings: Settings, arguments: argparse.Namespace) -> int | None:
    """Remove soft-deleted rows for good."""
    age = int(arguments.age_in_days)
    if age < 0:
        print("Must supply a non-negative value for age.")
        return 1
    with_database(settings, lambda database: purge.purge(database, age))
    return None


REVISION = argument("version", nargs="?", default=None, help="a revision; only the newest exists")
COMMANDS = (
    Command("db", "sync", "bring the schema to the newest version", sync, (REVISION,)),
    Command("db", "version", "print the schema's version", version),
    Command("db", "stamp", "set the noted version of the schema, change nothing", stamp, (REVISION,)),
    Command("db", "downgrade", "not offered: use the original's", downgrade, (REVISION,)),
    Command(
        "db", "purge", "remove what was soft-deleted at least so many days ago", remove,
        (argument("age_in_days", type=int, default=0, nargs="?", help="days, 0 is everything (default: %(default)d)"),),
    ),
)  # fmt: skip
