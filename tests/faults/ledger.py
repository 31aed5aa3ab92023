"""What the dummy back ends hold, as their drivers were told: a file of lines that every worker of a test writes to.

A step that runs twice may make the same thing twice, which is one thing; what a driver was told to make and nobody has
a row of is a leftover, and a row that no driver knows is a loss.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from drivers.base import ShareDriver

Found = Iterable[tuple[str, Any]]
Tell = Callable[..., Found]
"""What a call was about: kind and id of each thing."""


def _one(kind: str, place: int = 0) -> Tell:
    return lambda *given: [(kind, given[place]["id"])]


def _snapshots(place: int) -> Tell:
    return lambda *given: [("snapshot", one["id"]) for one in given[place]]


def _moved(source: Any, destination: Any, snapshots: Any, mappings: Any, *rest: Any) -> Found:
    return [("share", destination["id"]), *(("snapshot", one["id"]) for one in mappings.values())]


def _left(source: Any, destination: Any, snapshots: Any, mappings: Any, *rest: Any) -> Found:
    return [("share", source["id"]), *(("snapshot", one["id"]) for one in snapshots)]


MADE: dict[str, Tell] = {
    "create_share": _one("share"),
    "create_share_from_snapshot": _one("share"),
    "create_replica": _one("share", 1),
    "create_snapshot": _one("snapshot"),
    "create_replicated_snapshot": _snapshots(1),
    "update_replicated_snapshot": _one("snapshot", 3),
    "create_backup": _one("backup", 1),
    "setup_server": lambda info, *rest: [("server", info[0]["server_id"])],
    "manage_existing": _one("share"),
    "manage_existing_snapshot": _one("snapshot"),
    "manage_server": _one("server"),
    "migration_complete": _moved,
}
"""Entry point -> what is there after it has succeeded; for setting up servers, from its beginning."""
GONE: dict[str, Tell] = {
    "delete_share": _one("share"),
    "delete_replica": _one("share", 2),
    "delete_snapshot": _one("snapshot"),
    "delete_replicated_snapshot": _snapshots(1),
    "delete_backup": _one("backup"),
    "teardown_server": lambda details, *rest: [("server", details.get("server_id"))],
    "unmanage": _one("share"),
    "unmanage_snapshot": _one("snapshot"),
    "unmanage_server": lambda details, *rest: [("server", details.get("server_id"))],
    "migration_complete": _left,
}
ROWS = {
    "share": "SELECT i.id, i.status FROM share_instances i JOIN shares s ON s.id = i.share_id"
    " WHERE i.deleted = 'False' AND s.deleted = 'False'",
    "snapshot": "SELECT id, status FROM share_snapshot_instances WHERE deleted = 'False'",
    "server": "SELECT id, status FROM share_servers WHERE deleted = 'False'",
    "backup": "SELECT id, status FROM share_backups WHERE deleted = 'False' AND topic = 'manila-share'",
}
"""Kind -> the rows that stand for it."""


def keep(driver: ShareDriver, file: pathlib.Path) -> None:
    """Write down what a driver is told from now on."""
    for name in MADE.keys() | GONE.keys():
        original = getattr(driver, name)
        setattr(driver, name, _kept(original, file, name))


def _kept(original: Callable[..., Any], file: pathlib.Path, name: str) -> Callable[..., Any]:
    @functools.wraps(original)
    async def told(*args: Any, **kwargs: Any) -> Any:
        answer = await original(*args, **kwargs)
        lines = [["made", *one] for one in (MADE[name](*args) if name in MADE else ())]
        lines += [["gone", *one] for one in (GONE[name](*args) if name in GONE else ())]
        with file.open("a") as out:
            out.write("".join(json.dumps(line) + "\n" for line in lines))
        return answer

    return told


def held(file: pathlib.Path) -> dict[str, set[str]]:
    """Kind -> ids of what the back ends hold."""
    found: dict[str, set[str]] = {kind: set() for kind in ROWS}
    for done, kind, ident in _lines(file):
        if done == "made":
            found[kind].add(ident)
        else:
            found[kind].discard(ident)
    return found


def _lines(file: pathlib.Path) -> Iterator[tuple[str, str, str]]:
    if file.exists():
        for line in file.read_text().splitlines():
            done, kind, ident = json.loads(line)
            yield done, kind, ident


def differences(file: pathlib.Path, rows: dict[str, dict[str, str]], *, losses: bool = True) -> list[str]:
    """What back ends hold without a row, and rows that are well and that no back end knows.

    Args:
        rows: kind -> id -> status.
    """
    found = []
    for kind, have in held(file).items():
        found += [f"a {kind} is left in a back end: {ident}" for ident in sorted(have - rows[kind].keys())]
        well = {ident for ident, status in rows[kind].items() if status in ("available", "active")}
        found += [f"no back end knows a {kind}: {ident}" for ident in sorted(well - have) if losses]
    return found
