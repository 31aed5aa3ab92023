"""Where shares without servers are not as their rows say, and which objects no row stands for. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from drivers.kubernetes.api import CLAIM, DEPLOYMENT, SNAPSHOT, Kind, Object
from drivers.kubernetes.labels import SHARE, label, leaving
from drivers.kubernetes.labels import SNAPSHOT as OF_SNAPSHOT
from drivers.reconciling import Broken, Rows
from drivers.rwx import objects, rules
from generated.runtime import Row

KINDS: Final[Mapping[str, Kind]] = {one.name: one for one in (DEPLOYMENT, SNAPSHOT, CLAIM)}
"""In the order in which they may be removed."""
SETTLED: Final = ("active", "error")


@dataclass(frozen=True, slots=True)
class Seen:
    """Objects of the back end by kind's name and name, and Longhorn's share managers by volume."""

    objects: Mapping[str, Mapping[str, Object]]
    managers: Mapping[str, Object]

    def find(self, kind: Kind, name: str) -> Object | None:
        """An object that stays."""
        found = self.objects[kind.name].get(name)
        return None if found is None or leaving(found) else found


def about(found: Object) -> str:
    """The id of the row that an object stands for."""
    return label(found, OF_SNAPSHOT) or label(found, SHARE)


def broken(seen: Seen, rows: Rows) -> Iterator[Broken]:
    """What has a row and is not there, or not as it should be."""
    for share in rows.shares:
        if why := share_fault(seen, share):
            yield Broken("share", share["id"], why)
    for snapshot in rows.snapshots:
        if seen.find(SNAPSHOT, objects.snapshot_name(snapshot["id"])) is None:
            yield Broken("snapshot", snapshot["id"], "it is gone")


def share_fault(seen: Seen, share: Row) -> str:
    """What is wrong with a share; nothing, while a task works on its rules."""
    claim = seen.find(CLAIM, objects.claim_name(share["id"]))
    if claim is None:
        return "its volume is gone"
    known = share.get("access_rules") or []
    if any(rule["state"] not in SETTLED for rule in known):
        return ""
    is_open, _ = rules.judged([rule for rule in known if rule["state"] != "error"])
    keeper = seen.find(DEPLOYMENT, objects.keeper_name(share["id"]))
    replicas = int(keeper["spec"].get("replicas", 1)) if keeper is not None else 0
    if bool(replicas) != is_open:
        return "it is closed" if is_open else "it is open"
    place = objects.served(seen.managers.get(claim["spec"].get("volumeName", "")))
    told = [one["path"] for one in share.get("export_locations") or []]
    return "it is served elsewhere" if is_open and place is not None and place not in told else ""
