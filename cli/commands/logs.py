"""``manila-manage logs``: errors in the service's own files, and what the machine's log says of it."""

from __future__ import annotations

import argparse
import pathlib

from cli.commands.base import Command, Refused, argument
from generated.settings import Settings

SYSTEM = (pathlib.Path("/var/log/syslog"), pathlib.Path("/var/log/messages"))


def errors(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the errors in the files of ``log_dir``, the newest first."""
    folder, found = settings.default.log_dir, 0
    for file in sorted(pathlib.Path(folder).glob("*.log")) if folder else ():
        lines = file.read_text(errors="replace").splitlines()
        bad = [(number, line.strip()) for number, line in enumerate(lines, 1) if " ERROR " in line]
        if bad:
            print(f"{file}:-")
        for number, line in reversed(bad):
            print(f"Line {number} : {line}")
        found += len(bad)
    if not found:
        print("No errors in logfiles!")


def syslog(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the newest lines of the machine's log that name the service."""
    file = next((one for one in SYSTEM if one.exists()), None)
    if file is None:
        raise Refused("Unable to find system log file!")
    lines = [line.strip() for line in file.read_text(errors="replace").splitlines() if "manila" in line]
    print(f"Last {arguments.num_entries} manila syslog entries:-")
    for line in list(reversed(lines))[: max(0, arguments.num_entries)]:
        print(line)
    if not lines:
        print("No manila entries in syslog!")


NUMBER = argument("num_entries", nargs="?", type=int, default=10, help="lines at most (default: %(default)d)")
COMMANDS = (
    Command("logs", "errors", "print the errors in the files of log_dir", errors),
    Command("logs", "syslog", "print the newest lines of the machine's log that name manila", syslog, (NUMBER,)),
)
