"""``manila-manage task``: what the workers have to do, do, and could not do. The original has no such commands."""

from __future__ import annotations

import argparse
import json

from cli.commands.base import Command, Refused, argument, in_transaction
from db import task_report
from generated.settings import Settings

LINE = "{0:<8} {1:<24} {2:<28} {3:<8} {4:>9} {5:>6} {6}"
WIDTH = 100
"""Characters of an error that the table shows; JSON has all of it."""


def show(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print tasks, the oldest first: those that wait or run, or with ``--failed`` those that were given up."""
    rows = in_transaction(
        settings, lambda conn: task_report.listed(conn, failed=arguments.failed, about=arguments.about)
    )
    if arguments.json:
        print(json.dumps({"tasks": rows}, indent=4))
        return
    print(LINE.format("Id", "Kind", "Queue", "State", "Age (s)", "Errors", "About, last error"))
    for row in rows:
        about = f"{row['resource'] or '-'} {row['last_error'] or ''}".strip()[:WIDTH]
        print(
            LINE.format(row["id"], row["kind"], row["queue"], row["state"], round(row["age"]), row["failures"], about)
        )


def retry(settings: Settings, arguments: argparse.Namespace) -> None:
    """Let a task that waits for its next attempt run now, with its count of errors at 0. Raises Refused."""
    if not in_transaction(settings, lambda conn: task_report.run_now(conn, arguments.id)):
        raise Refused(f"task {arguments.id} does not wait; one that was given up has ended with its resource in error")


COMMANDS = (
    Command(
        "task",
        "list",
        "What workers have to do, the oldest first.",
        show,
        (
            argument("--failed", action="store_true", help="Those that were given up, in the last days."),
            argument("--about", metavar="ID", help="Only those whose payload names this id."),
            argument("--json", action="store_true"),
        ),
    ),
    Command("task", "retry", "Run a waiting task now.", retry, (argument("id", type=int),)),
)
