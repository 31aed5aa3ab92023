"""``manila-manage``: the operator's commands, with the original's names and output."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import functools
import importlib.metadata
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import yaml

from cli import config, samples
from cli.main import parser
from db import migrate, service_rows
from db.connection import Conn, Database, DatabaseUnavailable
from generated.options import OPTIONS
from generated.settings import Settings
from services.policy import BadPolicy, Policy

SERVICE_LINE = "{0:<16} {1:<36} {2:<16} {3:<10} {4:<5} {5:<10}"
FORMATS = ("table", "json", "yaml")
GROUPS = {
    "db": ("the database's schema", {
        "sync": "bring the schema to the newest version", "version": "print the schema's version"}),
    "service": ("the services", {
        "list": "list the services and whether they live", "cleanup": "remove services that don't live"}),
    "host": ("the hosts", {"list": "list hosts and their zones"}),
    "config": ("the configuration", {"list": "print the options in force", "sample": "print a manila.conf"}),
    "policy": ("the policies", {"check": "read policy.yaml and say what is wrong", "sample": "print a policy.yaml"}),
    "version": ("this program", {"list": "print the version"}),
}  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    commands = parser(__doc__ or "")
    groups = commands.add_subparsers(dest="group", required=True)
    for group, (summary, actions) in GROUPS.items():
        inner = groups.add_parser(group, help=summary).add_subparsers(dest="command", required=True)
        for action, text in actions.items():
            made = inner.add_parser(action, help=text)
            if (group, action) == ("db", "sync"):
                made.add_argument("version", nargs="?", help="accepted as the original does; only the newest exists")
            elif (group, action) == ("service", "list"):
                made.add_argument("--format_output", default="table", help="table, json or yaml")
            elif (group, action) == ("host", "list"):
                made.add_argument("zone", nargs="?", help="only hosts of this zone")
    return commands


def main() -> int:
    """Run one command; 0 when it did what it says."""
    arguments = _parser().parse_args()
    try:
        settings = Settings() if arguments.command == "sample" else config.load(arguments.config_file)
        COMMANDS[arguments.group, arguments.command](settings, arguments)
    except (config.BadConfiguration, migrate.UnknownSchema, DatabaseUnavailable, BadPolicy, ValueError) as error:
        print(f"manila-manage: {error}", file=sys.stderr)
        return 1
    return 0


def _url(settings: Settings) -> str:
    if not settings.database.connection:
        raise ValueError("[database] connection is not set")
    return str(settings.database.connection)


def _with_database(settings: Settings, work: Callable[[Conn], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        database = Database(_url(settings), size=1, name="manila-manage")
        await database.open()
        try:
            async with database.write() as conn:
                return await work(conn)
        finally:
            await database.close()

    return asyncio.run(run())


def db_sync(settings: Settings, arguments: argparse.Namespace) -> None:
    """Create, adopt or upgrade the schema."""
    migrate.sync(_url(settings))


def db_version(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the revision of the adopted schema."""
    print(migrate.version(_url(settings)))


def _services(settings: Settings) -> list[dict[str, Any]]:
    down = settings.default.service_down_time
    return list(_with_database(settings, lambda conn: service_rows.all_services(conn, down)))


def service_list(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the services as a table, JSON or YAML."""
    shape = arguments.format_output
    if shape not in FORMATS:
        print("Invalid output format specified. Defaulting to table.")
        shape = "table"
    found = [
        {
            "binary": row["binary"],
            "host": str(row["host"]).partition(".")[0],
            "zone": row["zone"],
            "status": "disabled" if row["disabled"] else "enabled",
            "state": ":-)" if row["alive"] else "XXX",
            "updated_at": str(row["updated_at"]).replace("T", " ").removesuffix(".000000"),
        }
        for row in _services(settings)
    ]
    if shape == "json":
        print(json.dumps({"services": found}, indent=4))
    elif shape == "yaml":
        print(yaml.dump({"services": found}))
    else:
        print(SERVICE_LINE.format("Binary", "Host", "Zone", "Status", "State", "Updated at"))
        for one in found:
            print(SERVICE_LINE.format(*(str(value) for value in one.values())))


def service_cleanup(settings: Settings, arguments: argparse.Namespace) -> None:
    """Remove the services that don't report any more."""
    for row in _services(settings):
        if not row["alive"]:
            _with_database(settings, functools.partial(service_rows.remove, service=row["id"]))
            print(f"Cleaned up service {row['host']}")


def host_list(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print each host once, with its zone."""
    print(f"{'host':<25}\t{'zone':<15}")
    zones = {row["host"]: row["zone"] for row in _services(settings)}
    for host, zone in zones.items():
        if arguments.zone in (None, zone):
            print(f"{host:<25}\t{zone:<15}")


def config_list(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print ``option = value`` for the options of DEFAULT that have a value; secrets are hidden."""
    secret = {one.field for one in OPTIONS if one.secret}
    for name, value in sorted(dataclasses.asdict(settings.default).items()):
        if value is not None:
            shown = list(value) if isinstance(value, tuple) else value
            print(f"{name} = {'****' if name in secret else shown}")


def config_sample(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print a configuration file with every option."""
    print(samples.config())


def policy_check(settings: Settings, arguments: argparse.Namespace) -> None:
    """Read the policies as the services do. Raises BadPolicy."""
    Policy(settings)


def policy_sample(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print a policy file with every rule."""
    print(samples.policies())


def version_list(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the version of the program."""
    print(importlib.metadata.version("openkeel-manila"))


COMMANDS: dict[tuple[str, str], Callable[[Settings, argparse.Namespace], None]] = {
    ("db", "sync"): db_sync,
    ("db", "version"): db_version,
    ("service", "list"): service_list,
    ("service", "cleanup"): service_cleanup,
    ("host", "list"): host_list,
    ("config", "list"): config_list,
    ("config", "sample"): config_sample,
    ("policy", "check"): policy_check,
    ("policy", "sample"): policy_sample,
    ("version", "list"): version_list,
}

if __name__ == "__main__":
    sys.exit(main())
