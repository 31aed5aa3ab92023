"""``manila-manage service`` and ``host``: which services there are, and whether they live."""

from __future__ import annotations

import argparse
import functools
import json
from typing import Any

import yaml

from cli.commands.base import Command, argument, in_transaction
from db import service_rows
from generated.settings import Settings

LINE = "{0:<16} {1:<36} {2:<16} {3:<10} {4:<5} {5:<10}"
FORMATS = ("table", "json", "yaml")


def _services(settings: Settings) -> list[dict[str, Any]]:
    down = settings.default.service_down_time
    return list(in_transaction(settings, lambda conn: service_rows.all_services(conn, down)))


def show(settings: Settings, arguments: argparse.Namespace) -> None:
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
        print(LINE.format("Binary", "Host", "Zone", "Status", "State", "Updated at"))
        for one in found:
            print(LINE.format(*(str(value) for value in one.values())))


def cleanup(settings: Settings, arguments: argparse.Namespace) -> None:
    """Remove the services that don't report any more."""
    for row in _services(settings):
        if not row["alive"]:
            in_transaction(settings, functools.partial(service_rows.remove, service=row["id"]))
            print(f"Cleaned up service {row['host']}")


def hosts(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print each host once, with its zone."""
    print(f"{'host':<25}\t{'zone':<15}")
    zones: dict[str, str] = {}
    for row in _services(settings):
        if arguments.zone in (None, row["zone"]):
            zones.setdefault(row["host"], str(row["zone"]))
    for host, zone in zones.items():
        print(f"{host:<25}\t{zone:<15}")


COMMANDS = (
    Command(
        "service", "list", "list the services and whether they live", show,
        (argument("--format_output", default="table", help="table, json or yaml"),),
    ),
    Command("service", "cleanup", "remove services that don't live", cleanup),
    Command(
        "host", "list", "list hosts and their zones", hosts,
        (argument("zone", nargs="?", default=None, help="only hosts of this zone (default: %(default)s)"),),
    ),
)  # fmt: skip
