"""A VolumeSnapshot that somebody removed: brought back while the cluster still has what it stood for.

Where the snapshot class deletes, the storage's snapshot goes with the object, and nothing can bring it back. Where it
retains, a VolumeSnapshotContent stays that names the storage's snapshot; a new pair of objects is made for it.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.kubernetes.api import SNAPSHOT as VOLUME_SNAPSHOT
from drivers.kubernetes.api import SNAPSHOT_CONTENT, Cluster, Object
from drivers.kubernetes.claims import Claims
from drivers.kubernetes.keeping import POLICY, RETAIN, noted
from drivers.kubernetes.labels import ROLE, SNAPSHOT, leaving, metadata
from drivers.kubernetes.options import StorageOptions
from generated.errors import SnapshotResourceNotFound


async def revive(options: StorageOptions, cluster: Cluster, name: str, own: Mapping[str, str]) -> None:
    """Make sure that a snapshot instance has its VolumeSnapshot.

    Args:
        name: of the object.
        own: its labels, that of the instance's id among them.

    Raises:
        SnapshotResourceNotFound: neither it nor its content is there.
        Foreign: somebody else's has its name.
    """
    kept = Claims(options, cluster)
    if await kept.snapshot_of({label: own[label] for label in (ROLE, SNAPSHOT)}) is not None:
        return
    present = await cluster.get(VOLUME_SNAPSHOT, name, options.kubernetes_namespace)
    if present is not None and not leaving(present):
        # it has lost its labels only: a second content beside its own would leave it with none
        kept_as = await _kept_as(cluster, present, own)
        await cluster.claimed(VOLUME_SNAPSHOT, present, {**kept_as, **own}, proven=bool(kept_as))
        return
    content = await _content(options, cluster, name)
    if content is None:
        raise SnapshotResourceNotFound(name=own[SNAPSHOT])
    again = _again(options, content, name, own)
    await cluster.create(SNAPSHOT_CONTENT, again)
    spec: Object = {"source": {"volumeSnapshotContentName": again["metadata"]["name"]}}
    if options.kubernetes_snapshot_class:
        spec["volumeSnapshotClassName"] = options.kubernetes_snapshot_class
    await kept.take({"metadata": metadata(name, options.kubernetes_namespace, dict(own)), "spec": spec})
    if content["metadata"]["name"] != again["metadata"]["name"]:
        # it retains, so only the object goes
        await cluster.delete(SNAPSHOT_CONTENT, content["metadata"]["name"])


async def _kept_as(cluster: Cluster, snapshot: Object, own: Mapping[str, str]) -> dict[str, str]:
    """The labels that the content of a VolumeSnapshot has, if it says that it is the one with ``own``; else none."""
    name = (snapshot.get("status") or {}).get("boundVolumeSnapshotContentName")
    content = await cluster.get(SNAPSHOT_CONTENT, name) if name else None
    if content is None or content["spec"]["volumeSnapshotRef"].get("uid") != snapshot["metadata"]["uid"]:
        return {}
    there: dict[str, str] = content["metadata"].get("labels") or {}
    return there if all(there.get(label) == own[label] for label in (ROLE, SNAPSHOT)) else {}


async def _content(options: StorageOptions, cluster: Cluster, name: str) -> Object | None:
    """What still stands for the storage's snapshot."""
    for one in await cluster.every(SNAPSHOT_CONTENT):
        of = one["spec"].get("volumeSnapshotRef") or {}
        handle = (one.get("status") or {}).get("snapshotHandle") or one["spec"]["source"].get("snapshotHandle")
        ours = (of.get("namespace"), of.get("name")) == (options.kubernetes_namespace, name)
        stays = one["spec"].get("deletionPolicy") == "Retain" and "deletionTimestamp" not in one["metadata"]
        if ours and stays and handle:
            return one
    return None


def _again(options: StorageOptions, content: Object, name: str, own: Mapping[str, str]) -> Object:
    spec, status = content["spec"], content.get("status") or {}
    return {
        "metadata": {
            "name": f"again-{own[SNAPSHOT]}",
            "labels": dict(own),
            "annotations": {POLICY: noted(content) or RETAIN},
        },
        "spec": {
            "deletionPolicy": "Retain",
            "driver": spec["driver"],
            "source": {"snapshotHandle": status.get("snapshotHandle") or spec["source"]["snapshotHandle"]},
            "sourceVolumeMode": spec.get("sourceVolumeMode", "Filesystem"),
            "volumeSnapshotClassName": spec.get("volumeSnapshotClassName"),
            "volumeSnapshotRef": {"name": name, "namespace": options.kubernetes_namespace},
        },
    }
