"""``manila-manage``: the operator's commands, with the original's names and output."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import sys

from cli import config
from cli.main import parser
from db import migrate, service_rows
from db.connection import Database, DatabaseUnavailable
from generated.settings import Settings

SERVICE_LINE = "%-16s %-36s %-16s %-10s %-5s %-10s"


def main() -> int:
    """Run one command; 0 when it did what it says."""
    commands = parser(__doc__ or "")
    groups = commands.add_subparsers(dest="group", required=True)
    db = groups.add_parser("db", help="the database's schema").add_subparsers(dest="command", required=True)
    sync = db.add_parser("sync", help="bring the schema to the newest version")
    sync.add_argument("version", nargs="?", help="accepted as the original does; only the newest exists")
    db.add_parser("version", help="print the schema's version")
    service = groups.add_parser("service", help="the services").add_subparsers(dest="command", required=True)
    service.add_parser("list", help="list the services and whether they live")
    conf = groups.add_parser("config", help="the configuration").add_subparsers(dest="command", required=True)
    shown = conf.add_parser("list", help="print the options in force")
    shown.add_argument("param", nargs="?", help="one option of DEFAULT")
    arguments = commands.parse_args()
    try:
        settings = config.load(arguments.config_file)
        return COMMANDS[arguments.group, arguments.command](settings, arguments)
    except (config.BadConfiguration, migrate.UnknownSchema, DatabaseUnavailable, ValueError) as error:
        print(f"manila-manage: {error}", file=sys.stderr)
        return 1


def _url(settings: Settings) -> str:
    if not settings.database.connection:
        raise ValueError("[database] connection is not set")
    return str(settings.database.connection)


def db_sync(settings: Settings, arguments: argparse.Namespace) -> int:
    """Create, adopt or upgrade the schema."""
    migrate.sync(_url(settings))
    return 0


def db_version(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print the revision of the adopted schema."""
    print(migrate.version(_url(settings)))
    return 0


def service_list(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print a line for each service."""

    async def rows() -> list[dict[str, object]]:
        database = Database(_url(settings), size=1, name="manila-manage")
        await database.open()
        try:
            async with database.read() as conn:
                return await service_rows.all_services(conn, settings.default.service_down_time)
        finally:
            await database.close()

    print(SERVICE_LINE % ("Binary", "Host", "Zone", "Status", "State", "Updated At"))
    for row in asyncio.run(rows()):
        status = "disabled" if row["disabled"] else "enabled"
        state = ":-)" if row["alive"] else "XXX"
        updated = str(row["updated_at"] or "None").replace("T", " ")
        print(SERVICE_LINE % (row["binary"], str(row["host"]).partition(".")[0], row["zone"], status, state, updated))
    return 0


def config_list(settings: Settings, arguments: argparse.Namespace) -> int:
    """Print ``option = value`` for the options of DEFAULT, or the one named."""
    values = dataclasses.asdict(settings.default)
    names = [arguments.param] if arguments.param else sorted(values)
    for name in names:
        if name not in values:
            raise ValueError(f"no option is named {name}")
        print(f"{name} = {values[name]}")
    return 0


COMMANDS = {
    ("db", "sync"): db_sync,
    ("db", "version"): db_version,
    ("service", "list"): service_list,
    ("config", "list"): config_list,
}

if __name__ == "__main__":
    sys.exit(main())
