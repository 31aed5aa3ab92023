"""``manila-manage``: the operator's commands, with the original's names, output and exit statuses."""

from __future__ import annotations

import argparse
import contextlib
import sys

from cli import config, embedded, pipes
from cli.commands import backends, database, files, logs, programs, services, shares, work
from cli.commands.base import Command, Refused
from cli.main import REFUSALS as OF_SERVICES
from cli.main import parser, sentence
from generated.settings import Settings

GROUPS = {
    "backend": "what back ends hold",
    "config": "the configuration",
    "db": "the database",
    "ganesha": "the NFS server of embedded back ends",
    "host": "the hosts",
    "logs": "log files",
    "policy": "the policies",
    "service": "the services",
    "share": "shares whose back end changed",
    "share_server": "share servers",
    "task": "the workers' tasks",
    "version": "this program",
}
WITHOUT_DATABASE = ("config", "ganesha", "logs", "policy", "version")
COMMANDS: dict[tuple[str, str], Command] = {
    (one.group, one.name): one
    for module in (backends, database, files, logs, programs, services, shares, work)
    for one in module.COMMANDS
}
REFUSALS = (Refused, *OF_SERVICES)
"""What ends a command with a line and status 1 instead of a trace."""


def _parser() -> argparse.ArgumentParser:
    commands = parser(__doc__ or "")
    commands.prog = "manila-manage"
    groups = commands.add_subparsers(dest="category", required=True)
    inner = {
        name: groups.add_parser(name, help=text).add_subparsers(dest="action", required=True)
        for name, text in GROUPS.items()
    }
    for one in sorted(COMMANDS.values(), key=lambda command: command.name):
        made = inner[one.group].add_parser(one.name, help=one.help)
        for argument in one.arguments:
            made.add_argument(*argument.flags, **argument.options)
    return commands


def main() -> int:
    """Run one command; 0 when it did what it says, 2 when it was not understood."""
    return pipes.until_closed(_run)


def _run() -> int:
    if len(sys.argv) < 2:
        print(f"\nOpenStack manila version: {files.version()}\n")
        print(f"{sys.argv[0]} category action [<args>]")
        print("Available categories:", *(f"\t{name}" for name in GROUPS), sep="\n")
        return 2
    arguments = _parser().parse_args()
    try:
        bare = arguments.action == "sample" or arguments.category == "ganesha"
        settings = Settings() if bare else config.load(arguments.config_file)
        alone = arguments.category in WITHOUT_DATABASE
        with contextlib.nullcontext(settings) if alone else embedded.database(settings, migrated=False) as complete:
            return COMMANDS[arguments.category, arguments.action].run(complete, arguments) or 0
    except BrokenPipeError:
        raise
    except REFUSALS as error:
        print(f"manila-manage: {sentence(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
