"""Room of a storage class: from Longhorn's nodes where it is Longhorn's, else from what its CSI driver reports.

Longhorn's own CSI report counts over-provisioning only and no replicas; so its nodes are asked.
"""

from __future__ import annotations

from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.api import (
    CAPACITY,
    CLAIM,
    LONGHORN_NODE,
    LONGHORN_SETTING,
    STORAGE_CLASS,
    Cluster,
    Object,
)
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.sizes import GIB, bytes_of
from drivers.ganesha.ports import Capacity
from generated.errors import ShareBackendException

LONGHORN: Final = "driver.longhorn.io"
LONGHORN_NAMESPACE: Final = "longhorn-system"
_DEFAULTS: Final = {
    "storage-over-provisioning-percentage": 100,
    "storage-minimal-available-percentage": 25,
    "default-replica-count": 3,
}
UNKNOWN: Final = Capacity(float("inf"), float("inf"), 0.0)
"""Of storage that reports nothing: the scheduler takes it for unknown."""


async def measured(options: KubernetesOptions, cluster: Cluster) -> Capacity:
    """Room in GiB."""
    found = await cluster.get(STORAGE_CLASS, options.kubernetes_storage_class)
    if found is None:
        raise ShareBackendException(msg=f"the cluster has no storage class {options.kubernetes_storage_class}")
    promised = await _promised(options, cluster)
    if found["provisioner"] == LONGHORN:
        return await _longhorn(cluster, found.get("parameters") or {}, promised)
    reports = [
        one
        for one in await cluster.every(CAPACITY, options.kubernetes_namespace)
        if one["storageClassName"] == options.kubernetes_storage_class and "capacity" in one
    ]
    if not reports:
        return Capacity(UNKNOWN.total, UNKNOWN.free, promised)
    free = sum(bytes_of(one["capacity"]) for one in reports) / GIB
    return Capacity(free + promised, free, promised)


async def _promised(options: KubernetesOptions, cluster: Cluster) -> float:
    own = {names.ROLE: "share", names.BACKEND: options.share_backend_name}
    claims = await cluster.every(CLAIM, options.kubernetes_namespace, own)
    return sum(bytes_of(one["spec"]["resources"]["requests"]["storage"]) for one in claims) / GIB


async def _longhorn(cluster: Cluster, parameters: dict[str, str], promised: float) -> Capacity:
    known = dict(_DEFAULTS)
    for name in known:
        setting = await cluster.get(LONGHORN_SETTING, name, LONGHORN_NAMESPACE)
        if setting is not None and str(setting.get("value", "")).isdigit():
            known[name] = int(setting["value"])
    replicas = int(parameters.get("numberOfReplicas") or known["default-replica-count"])
    nodes = await cluster.every(LONGHORN_NODE, LONGHORN_NAMESPACE)
    disks = [disk for node in nodes for disk in usable(node)]
    over = known["storage-over-provisioning-percentage"] / 100
    total = sum((disk["storageMaximum"] - disk["storageReserved"]) * over for disk in disks)
    scheduled = sum(disk["storageScheduled"] for disk in disks)
    return Capacity(total / replicas / GIB, max(0.0, total - scheduled) / replicas / GIB, promised)


def usable(node: Object) -> list[dict[str, int]]:
    """The disks of a Longhorn node that take replicas: ``storageMaximum``, ``-Reserved``, ``-Scheduled`` in bytes."""
    spec, status = node.get("spec", {}), node.get("status", {})
    if not spec.get("allowScheduling", True) or not _holds(status, "Ready") or not _holds(status, "Schedulable"):
        return []
    found = []
    for name, wanted in (spec.get("disks") or {}).items():
        seen = (status.get("diskStatus") or {}).get(name, {})
        if wanted.get("allowScheduling") and _holds(seen, "Ready") and _holds(seen, "Schedulable"):
            found.append(
                {
                    "storageMaximum": int(seen.get("storageMaximum", 0)),
                    "storageReserved": int(wanted.get("storageReserved", 0)),
                    "storageScheduled": int(seen.get("storageScheduled", 0)),
                }
            )
    return found


def _holds(status: Object, condition: str) -> bool:
    conditions = status.get("conditions") or []
    return any(one.get("type") == condition and one.get("status") == "True" for one in conditions)
