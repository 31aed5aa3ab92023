"""One program, several names: what the entry points share."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import pathlib
import socket
import sys

import uvloop

from api.handlers import MissingHandler
from cli import config, embedded, log, processes, service
from db.connection import (
    LOST,
    UNREADABLE,
    DatabaseUnavailable,
    NotReadable,
    UnknownSchema,
    WrongDatabase,
    unreachable,
    unreadable,
)
from generated.errors import BadConfigurationException
from generated.settings import Settings
from services.policy import BadPolicy

REFUSALS = (
    config.BadConfiguration, BadConfigurationException, BadPolicy, DatabaseUnavailable, UnknownSchema,
    WrongDatabase, NotReadable, *UNREADABLE, *LOST, MissingHandler, OSError, ValueError,
)  # fmt: skip
"""What stops a start with a line instead of a trace."""


def sentence(error: Exception) -> str:
    """What is said of one of ``REFUSALS``."""
    if isinstance(error, UNREADABLE):
        return str(unreadable(error))
    if isinstance(error, LOST) and not isinstance(error, DatabaseUnavailable):
        return str(unreachable(error))
    return str(error)


def parser(description: str) -> argparse.ArgumentParser:
    """A parser with the option that every program has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--config-file", action="append", type=pathlib.Path, help="manila.conf; may be repeated")
    made.add_argument(
        "--config-dir", dest="config_file", action="append", type=pathlib.Path, metavar="CONFIG_DIR",
        help="folder whose *.conf are read in their order, after the files named before; may be repeated",
    )  # fmt: skip
    return made


def start(description: str, *roles: str) -> int:
    """The body of a program that serves roles: read the configuration, then run until told to stop."""
    options = parser(description)
    options.add_argument("--socket", type=int, help=argparse.SUPPRESS)
    arguments = options.parse_args()
    try:
        settings = config.load(arguments.config_file)
        log.set_up(settings.openkeel, settings.default)
        with embedded.database(settings, migrated=True) as complete:
            _serve(complete, roles, arguments)
    except REFUSALS as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {sentence(error)}", file=sys.stderr)
        return 1
    return 0


def _serve(settings: Settings, roles: tuple[str, ...], arguments: argparse.Namespace) -> None:
    if arguments.socket is not None:
        own = dataclasses.replace(settings.openkeel, metrics_port=0)
        inherited = socket.socket(fileno=arguments.socket)
        _run(service.run(dataclasses.replace(settings, openkeel=own), roles, inherited))
    elif roles == ("api",) and settings.default.osapi_share_workers > 1:
        files = [item for file in arguments.config_file or () for item in ("--config-file", str(file))]
        extra = {embedded.DATABASE: str(settings.database.connection)} if settings.openkeel.embedded_database else {}
        _run(processes.serve(settings, files, extra))
    else:
        _run(service.run(settings, roles))


def _run(work: object) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work)  # type: ignore[arg-type]
