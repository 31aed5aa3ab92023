"""Room for new volumes on Longhorn's nodes. Pure functions of its objects and settings.

A replica fits a disk by two rules, both of Longhorn's scheduler: what is promised with it stays below the disk's size
without its reserve, times the over-provisioning percentage; and the disk has more free than the least percentage. The
first gives the room of a disk, the second says whether the disk has any. Replicas of one volume are on different nodes,
so the room for volumes is not the disks' sum divided by the replicas: a node can hold no more than one of each volume.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from drivers.kubernetes.api import Object
from generated.errors import ShareBackendException

PROVISIONER: Final = "driver.longhorn.io"
NAMESPACE: Final = "longhorn-system"
OVER: Final = "storage-over-provisioning-percentage"
LEAST: Final = "storage-minimal-available-percentage"
REPLICAS: Final = "default-replica-count"
DEGRADED: Final = "allow-volume-creation-with-degraded-availability"
SHARED_NODES: Final = "replica-soft-anti-affinity"
FAULTED, REMOUNT = "faulted", "remount"
COPIED: Final = ("completed", "copy-completed-awaiting-healthy")
"""States of a clone whose data is there; in the second further replicas are still built from it."""
ATTEMPTS: Final = 10
"""Times that Longhorn tries a clone."""
CLAIM_NOTES: Final = ("volume", "volume.beta")
DEFAULTS: Final = {OVER: "100", LEAST: "25", REPLICAS: "3", DEGRADED: "true", SHARED_NODES: "false"}
"""Settings that matter here, with Longhorn's own defaults."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a storage class asks of the nodes. ``engine``: ``v1`` or ``v2``."""

    replicas: int
    engine: str
    node_tags: frozenset[str]
    disk_tags: frozenset[str]
    shared_nodes: bool


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes that one node's disks have for replicas: in all, now, and the most that one replica may have."""

    total: float
    free: float
    largest: float


def provisions(claim: Object) -> bool:
    """Whether a claim's volume is Longhorn's."""
    annotations = claim["metadata"].get("annotations") or {}
    return any(annotations.get(f"{one}.kubernetes.io/storage-provisioner") == PROVISIONER for one in CLAIM_NOTES)


def trouble(volume: Object | None, since: str) -> str:
    """What is wrong with the mount of a volume that was made at ``since`` (a time of Kubernetes); empty: nothing.

    Longhorn asks for a new mount when its engine came back after a failure: the old one answers with errors.
    """
    status = (volume or {}).get("status") or {}
    if status.get("robustness") == FAULTED:
        return FAULTED
    asked = status.get("remountRequestedAt")
    if asked and datetime.datetime.fromisoformat(asked) > datetime.datetime.fromisoformat(since):
        return REMOUNT
    return ""


def copied(volume: Object | None) -> bool:
    """Whether a volume that was filled from a snapshot or a backup has all of its data.

    It is bound as soon as it exists, and can't be attached by a pod before its data is there.

    Raises:
        ShareBackendException: Longhorn does not try any more.
    """
    spec, status = (volume or {}).get("spec") or {}, (volume or {}).get("status") or {}
    if spec.get("fromBackup"):
        if failure := _condition(status, "Restore", "RestoreFailure"):
            raise ShareBackendException(msg=f"Longhorn did not restore the backup: {failure}")
        return bool(status.get("restoreInitiated")) and status.get("restoreRequired") is False
    clone = status.get("cloneStatus") or {}
    if clone.get("state") == "failed" and int(clone.get("attemptCount") or 0) >= ATTEMPTS:
        raise ShareBackendException(msg=f"Longhorn did not copy the snapshot, after {ATTEMPTS} attempts")
    return bool(spec.get("dataSource")) and clone.get("state") in COPIED


def linked(volume: Object | None) -> bool:
    """Whether a volume shares blocks with the one that it was cloned from, for ever."""
    return ((volume or {}).get("spec") or {}).get("cloneMode") == "linked-clone"


def _condition(status: Object, kind: str, reason: str) -> str:
    """What a condition says if it has this reason; else nothing."""
    for one in status.get("conditions") or []:
        if one.get("type") == kind and one.get("reason") == reason:
            return str(one.get("message") or reason)
    return ""


def wanted(parameters: Mapping[str, str], settings: Mapping[str, str]) -> Wanted:
    """What the class with these parameters asks for; settings stand in for what it does not say."""
    engine = parameters.get("dataEngine") or "v1"
    shared = parameters.get("replicaSoftAntiAffinity", "ignored")
    return Wanted(
        replicas=max(1, int(parameters.get("numberOfReplicas") or _number(settings, REPLICAS, engine))),
        engine=engine,
        node_tags=_tags(parameters.get("nodeSelector", "")),
        disk_tags=_tags(parameters.get("diskSelector", "")),
        shared_nodes=(settings.get(SHARED_NODES, "false") if shared == "ignored" else shared) in ("true", "enabled"),
    )


def rooms(nodes: Sequence[Object], asked: Wanted, settings: Mapping[str, str]) -> list[Room]:
    """What each node has that takes replicas of such volumes."""
    over = _number(settings, OVER, asked.engine) / 100
    least = _number(settings, LEAST, asked.engine) / 100
    found = []
    for node in nodes:
        disks = _disks(node, asked)
        if not disks:
            continue
        whole = [(seen["storageMaximum"] - kept) * over for kept, seen in disks]
        free = [
            max(0.0, size - seen["storageScheduled"])
            if seen["storageAvailable"] > seen["storageMaximum"] * least
            else 0.0
            for size, (_, seen) in zip(whole, disks, strict=True)
        ]
        found.append(Room(sum(whole), sum(free), max(free)))
    return found


def placed(rooms_: Sequence[float], asked: Wanted, settings: Mapping[str, str]) -> float:
    """Bytes of volumes whose replicas fit into these rooms, one room a node."""
    replicas = asked.replicas
    if settings.get(DEGRADED, "true") == "true":
        # one placed replica is enough for a volume, the others follow when there are nodes for them
        replicas = min(replicas, len(rooms_)) or 1
    if asked.shared_nodes:
        return sum(rooms_) / asked.replicas
    if not rooms_ or len(rooms_) < replicas:
        return 0.0
    return _spread(sorted(rooms_), replicas)


def _spread(ordered: Sequence[float], replicas: int) -> float:
    """The most volumes with one replica on each of ``replicas`` nodes.

    Each of the j biggest rooms takes one replica of every volume at most; the others share the rest.
    """
    return min(sum(ordered[: len(ordered) - j]) / (replicas - j) for j in range(replicas))


def _disks(node: Object, asked: Wanted) -> list[tuple[float, dict[str, float]]]:
    """Reserve and state of the node's disks that take such replicas; bytes."""
    spec, status = node.get("spec") or {}, node.get("status") or {}
    if not spec.get("allowScheduling", True) or not _holds(status, "Ready") or not _holds(status, "Schedulable"):
        return []
    if not asked.node_tags <= set(spec.get("tags") or ()):
        return []
    kind = "block" if asked.engine == "v2" else "filesystem"
    found = []
    for name, disk in (spec.get("disks") or {}).items():
        seen = (status.get("diskStatus") or {}).get(name) or {}
        fits = disk.get("allowScheduling") and not disk.get("evictionRequested")
        fits = fits and disk.get("diskType", "filesystem") == kind and asked.disk_tags <= set(disk.get("tags") or ())
        if fits and _holds(seen, "Ready") and _holds(seen, "Schedulable"):
            sizes = {key: float(seen.get(key, 0)) for key in ("storageMaximum", "storageAvailable", "storageScheduled")}
            found.append((float(disk.get("storageReserved", 0)), sizes))
    return found


def _holds(status: Object, condition: str) -> bool:
    conditions = status.get("conditions") or []
    return any(one.get("type") == condition and one.get("status") == "True" for one in conditions)


def _tags(text: str) -> frozenset[str]:
    return frozenset(one.strip() for one in text.split(",") if one.strip())


def _number(settings: Mapping[str, str], name: str, engine: str) -> int:
    """A number setting; newer releases keep one for each engine, as JSON."""
    value: Any = settings.get(name, DEFAULTS[name])
    try:
        document = json.loads(value)
    except ValueError:
        return int(DEFAULTS[name])
    chosen = document.get(engine, DEFAULTS[name]) if isinstance(document, dict) else document
    return int(chosen)
