"""Whether volumes of a storage class can be served. A class never changes: one look, at the start, will do."""

from __future__ import annotations

import logging
from typing import Final

from drivers.kubernetes import longhorn
from drivers.kubernetes.api import STORAGE_CLASS, Cluster, Object
from generated.errors import ShareBackendException

log = logging.getLogger(__name__)
LATER: Final = "WaitForFirstConsumer"
FILE_SYSTEM: Final = ("csi.storage.k8s.io/fstype", "fsType", "fstype")
"""Parameters by which a class names its file system."""


async def check(cluster: Cluster, name: str, *, shared: bool = False) -> Object:
    """The class; what may go wrong with its volumes is logged.

    Args:
        shared: its volumes are for many nodes, and Longhorn's own NFS server mounts them.

    Raises:
        ShareBackendException: it is not there, or its volumes could not be served.
    """
    found = await cluster.get(STORAGE_CLASS, name)
    if found is None:
        raise ShareBackendException(msg=f"the cluster has no {STORAGE_CLASS.name} {name}")
    if trouble := unfit(found):
        raise ShareBackendException(msg=f"{STORAGE_CLASS.name} {name}: {trouble}")
    for doubt in [*doubts(found), *(shared_doubts(found) if shared else ())]:
        log.warning("%s %s: %s", STORAGE_CLASS.name, name, doubt)
    return found


def unfit(found: Object) -> str:
    """Why no volume of a class can be served; empty: it can.

    A pod is made only for a claim that is bound, on the node of its gateway; so a claim that waits for its first pod
    to be scheduled would wait for ever, and a volume that is chosen for one node could not follow its gateway.
    """
    if found.get("volumeBindingMode") == LATER:
        return f"volumeBindingMode must be Immediate, not {LATER}: its claims are bound before any pod is made"
    return ""


def shared_doubts(found: Object) -> list[str]:
    """What will fail where Longhorn's share managers mount the volumes: they mount XFS without ``nouuid``."""
    parameters = found.get("parameters") or {}
    if "xfs" not in (parameters.get(one) for one in FILE_SYSTEM):
        return []
    return [
        "XFS: a share made from a snapshot is not served on the node of the share that it comes from, since both have"
        " one UUID; use a class with csi.storage.k8s.io/fstype: ext4"
    ]


def doubts(found: Object) -> list[str]:
    """What will fail unless the storage takes care of it by itself."""
    said = []
    if not found.get("allowVolumeExpansion"):
        said.append("without allowVolumeExpansion no share can be extended")
    parameters = found.get("parameters") or {}
    is_xfs = "xfs" in (parameters.get(one) for one in FILE_SYSTEM)
    # Longhorn mounts XFS with it by itself
    if is_xfs and found["provisioner"] != longhorn.PROVISIONER and "nouuid" not in (found.get("mountOptions") or []):
        said.append(
            "XFS without the mount option nouuid: unless its driver gives each copy a UUID of its own, a share made"
            " from a snapshot and a mounted snapshot do not mount on the node of the share they come from"
        )
    return said
