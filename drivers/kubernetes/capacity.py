"""Room of a storage class: from Longhorn's nodes where it is Longhorn's, else from what its CSI driver reports.

Longhorn's own CSI report counts over-provisioning only and no replicas; so its nodes are asked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from drivers.kubernetes import labels, longhorn
from drivers.kubernetes.api import (
    CAPACITY,
    CLAIM,
    LONGHORN_NODE,
    LONGHORN_SETTING,
    STORAGE_CLASS,
    Cluster,
    Object,
)
from drivers.kubernetes.claims import class_of, requested
from drivers.kubernetes.options import StorageOptions, classes
from drivers.kubernetes.sizes import GIB, bytes_of
from drivers.room import Capacity
from generated.errors import ShareBackendException

UNKNOWN: Final = float("inf")
"""Room of storage that reports nothing: the scheduler takes it for unknown."""


async def measured(
    options: StorageOptions,
    cluster: Cluster,
    roles: Collection[str] = ("share", "restore", "former"),
    claims: list[Object] | None = None,
) -> dict[str, Capacity]:
    """Room in GiB of each storage class.

    Args:
        roles: of the claims that take up what shares were promised: theirs, and those of volumes that they are to have
            or had.
        claims: these; None: those of the back end's namespace.
    """
    if claims is None:
        own = {labels.BACKEND: options.share_backend_name}
        claims = await cluster.every(CLAIM, options.kubernetes_namespace, own)
    claims = [one for one in claims if labels.label(one, labels.ROLE) in roles]
    return {name: await _room(cluster, name, claims) for name in classes(options)}


async def _room(cluster: Cluster, name: str, claims: list[Object]) -> Capacity:
    found = await cluster.get(STORAGE_CLASS, name)
    if found is None:
        raise ShareBackendException(msg=f"the cluster has no storage class {name}")
    promised = sum(requested(one) for one in claims if class_of(one) == name) / GIB
    if found["provisioner"] == longhorn.PROVISIONER:
        return await _longhorn(cluster, found.get("parameters") or {}, promised)
    return _reported(await cluster.every(CAPACITY), name, promised)


def _reported(reports: list[Object], name: str, promised: float) -> Capacity:
    """From the CSI driver's reports of the class, one for each part of the cluster that its volumes are bound to."""
    known = [bytes_of(one["capacity"]) for one in reports if one["storageClassName"] == name and "capacity" in one]
    if not known:
        return Capacity(UNKNOWN, UNKNOWN, promised)
    free = sum(known) / GIB
    return Capacity(free + promised, free, promised)


async def _longhorn(cluster: Cluster, parameters: dict[str, str], promised: float) -> Capacity:
    settings = dict(longhorn.DEFAULTS)
    for name in settings:
        found = await cluster.get(LONGHORN_SETTING, name, longhorn.NAMESPACE)
        if found is not None and found.get("value"):
            settings[name] = str(found["value"])
    asked = longhorn.wanted(parameters, settings)
    rooms = longhorn.rooms(await cluster.every(LONGHORN_NODE, longhorn.NAMESPACE), asked, settings)
    total = longhorn.placed([one.total for one in rooms], asked, settings)
    free = longhorn.placed([one.free for one in rooms], asked, settings)
    return Capacity(total / GIB, min(total, free) / GIB, promised)
