"""``manila-manage backend``: what back ends hold that no row stands for. The original has no such commands."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys

from cli.commands.base import Command, Refused, argument, with_database
from db.connection import Database
from drivers.reconciling import Findings, Orphan
from generated.settings import Settings
from services.core import Core
from services.policy import Policy
from worker import backends
from worker.operation import Backend
from worker.private_data import DatabaseStorage
from worker.tasks.reconcile import compare

VOLUME = "PersistentVolumeClaim"
LINE = "{0:<22} {1:<46} {2:>9} {3:<7} {4}"
FAULT = "{0:<14} {1:<38} {2}"


def orphans(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print the objects without a row of a back end, or of all that can be compared. Raises Refused."""
    found = with_database(settings, lambda db: _look(settings, db, arguments.backend))
    if arguments.json:
        rows = [{"host": host, **dataclasses.asdict(one)} for host, one in _orphans(found)]
        print(json.dumps({"orphans": rows}, indent=4))
        return
    print(LINE.format("Kind", "Name", "Age (s)", "Proven", "Why"))
    for _, one in _orphans(found):
        print(LINE.format(one.kind, one.name, round(one.age), "yes" if one.proven else "no", one.why))


def release(settings: Settings, arguments: argparse.Namespace) -> None:
    """Note that a volume without a row may be taken over as a share. Raises Refused: it is none."""
    with_database(settings, lambda db: _release(settings, db, arguments.backend, arguments.id))


async def _release(settings: Settings, db: Database, name: str | None, ident: str) -> None:
    found = await _look(settings, db, name)
    hosts = {host for host, one in _orphans(found) if one.about == ident and one.kind == VOLUME}
    if len(hosts) != 1:
        raise Refused(f"no back end here holds a volume of {ident} that no row stands for; see `backend orphans`")
    (backend,) = [one for one in _chosen(settings, name) if one.host in hosts]
    backend.driver.private_storage = DatabaseStorage(db)
    await backend.driver.unmanage_with_server({"id": ident})


def broken(settings: Settings, arguments: argparse.Namespace) -> None:
    """Print what is not as its row says, and which gateways wait for their node to be fenced. Raises Refused."""
    found = with_database(settings, lambda db: _look(settings, db, arguments.backend))
    print(FAULT.format("Kind", "Id", "Why"))
    for one in found.values():
        for fault in one.broken:
            print(FAULT.format(fault.kind, fault.id, fault.why))
        for wait in one.waiting:
            print(FAULT.format("share_server", wait.server_id, wait.why))


def _orphans(found: dict[str, Findings]) -> list[tuple[str, Orphan]]:
    return [(host, one) for host, findings in found.items() for one in findings.orphans]


async def _look(settings: Settings, db: Database, name: str | None) -> dict[str, Findings]:
    """One look at each back end, by host; nothing that has a row is touched."""
    found: dict[str, Findings] = {}
    core = Core(db, settings, Policy(settings))
    for backend in _chosen(settings, name):
        backend.driver.private_storage = DatabaseStorage(db)
        try:
            await backend.driver.prepare_to_inspect()
            found[backend.host] = (await compare(core, backend))[0]
        except NotImplementedError:
            continue
    if not found:
        raise Refused("no back end here can be compared with the database: only those on Kubernetes can")
    return found


def _chosen(settings: Settings, name: str | None) -> list[Backend]:
    known, unusable = backends.build_each(settings)
    chosen = [one for one in known if name in (None, one.name)]
    for one in unusable:
        if name in (one.name, None) and not chosen:
            raise Refused(one.why)
        if name is None:
            print(f"{one.name} is left out: {one.why}", file=sys.stderr)
    if not chosen:
        raise Refused(f"enabled_share_backends does not name {name}")
    return chosen


_WHICH = argument("--backend", metavar="NAME", help="Only this back end.")
COMMANDS = (
    Command(
        "backend",
        "orphans",
        "What a back end holds that no row stands for.",
        orphans,
        (_WHICH, argument("--json", action="store_true")),
    ),
    Command(
        "backend",
        "release",
        "Let go of a volume that no row stands for, so that it can be adopted as a share.",
        release,
        (argument("id", metavar="ID", help="Of the share instance that it was, as `orphans` names it."), _WHICH),
    ),
    Command("backend", "broken", "What is not as its row says.", broken, (_WHICH,)),
)
