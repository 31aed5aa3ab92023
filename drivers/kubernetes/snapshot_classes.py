"""Whether a back end's snapshot class can be used. A class never changes: one look, at the start, will do."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from drivers.kubernetes import longhorn
from drivers.kubernetes.api import SNAPSHOT_CLASS, Cluster, Object
from generated.errors import ShareBackendException

log = logging.getLogger(__name__)
IN_TREE: Final = "kubernetes.io/"
"""How provisioners begin that Kubernetes hands on to a CSI driver of another name."""
INSIDE, AWAY = "snap", "bak"
"""Longhorn's types of snapshots: beside the volume, and in the backup target."""


async def check(cluster: Cluster, option: str, name: str, storage: Iterable[Object], kind: str = INSIDE) -> None:
    """Verify that a class is there and fits; what may go wrong with its snapshots is logged.

    Args:
        option: that names it.
        name: empty: the back end makes no such snapshots, and nothing is asked.
        storage: the back end's storage classes.
        kind: what Longhorn's must be.

    Raises:
        ShareBackendException: it is not there, or of another CSI driver than every storage class.
    """
    if not name:
        return
    found = await cluster.get(SNAPSHOT_CLASS, name)
    if found is None:
        why = f"the cluster has no {SNAPSHOT_CLASS.name} {name} ({option})"
        raise ShareBackendException(msg=f"{why}: make it, or leave the option empty, which goes without such snapshots")
    strange = sorted({str(one["provisioner"]) for one in storage if not _same(one, found)})
    if strange and not any(_same(one, found) for one in storage):
        why = f"it is of the driver {found['driver']}, the volumes are of {', '.join(strange)}"
        raise ShareBackendException(msg=f"{SNAPSHOT_CLASS.name} {name} ({option}): {why}")
    if strange:
        log.warning("%s %s: no snapshots of volumes of %s", SNAPSHOT_CLASS.name, name, ", ".join(strange))
    if doubt := doubtful(found, kind):
        log.warning("%s %s: %s", SNAPSHOT_CLASS.name, name, doubt)


def _same(storage: Object, found: Object) -> bool:
    provisioner = str(storage["provisioner"])
    return provisioner.startswith(IN_TREE) or provisioner == found["driver"]


def doubtful(found: Object, kind: str) -> str:
    """What Longhorn makes of its snapshots unless the class says otherwise; empty: it does."""
    said = (found.get("parameters") or {}).get("type")
    if found["driver"] != longhorn.PROVISIONER or said == kind:
        return ""
    if kind == INSIDE:
        return f"without the parameter type: {INSIDE} each snapshot is a backup, and goes to the backup target"
    return f"without the parameter type: {AWAY} a backup is a snapshot beside its volume, and is lost with it"
