"""A VolumeSnapshot that somebody removed: brought back while the cluster still has what it stood for.

Where the snapshot class deletes, the storage's snapshot goes with the object, and nothing can bring it back. Where it
retains, a VolumeSnapshotContent stays that names the storage's snapshot; a new pair of objects is made for it.
"""

from __future__ import annotations

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import SNAPSHOT_CONTENT, Cluster, Object
from drivers.kubernetes.claims import Claims
from drivers.kubernetes.keeping import POLICY, RETAIN, noted
from generated.errors import SnapshotResourceNotFound


async def revive(options: KubernetesOptions, cluster: Cluster, snapshot: str) -> None:
    """Make sure that a snapshot instance has its VolumeSnapshot.

    Raises:
        SnapshotResourceNotFound: neither it nor its content is there.
    """
    kept = Claims(options, cluster)
    if await kept.snapshot_of({names.ROLE: "snapshot", names.SNAPSHOT: snapshot}) is not None:
        return
    content = await _content(options, cluster, names.snapshot(snapshot))
    if content is None:
        raise SnapshotResourceNotFound(name=snapshot)
    own = names.labels(options.share_backend_name, "snapshot", **{names.SNAPSHOT: snapshot})
    again = _again(options, content, snapshot, own)
    await cluster.create(SNAPSHOT_CONTENT, again)
    wanted = {
        "metadata": names.metadata(names.snapshot(snapshot), options.kubernetes_namespace, own),
        "spec": {
            "volumeSnapshotClassName": options.kubernetes_snapshot_class,
            "source": {"volumeSnapshotContentName": again["metadata"]["name"]},
        },
    }
    await kept.take(wanted)
    if content["metadata"]["name"] != again["metadata"]["name"]:
        # it retains, so only the object goes
        await cluster.delete(SNAPSHOT_CONTENT, content["metadata"]["name"])


async def _content(options: KubernetesOptions, cluster: Cluster, name: str) -> Object | None:
    """What still stands for the storage's snapshot."""
    for one in await cluster.every(SNAPSHOT_CONTENT):
        of = one["spec"].get("volumeSnapshotRef") or {}
        handle = (one.get("status") or {}).get("snapshotHandle") or one["spec"]["source"].get("snapshotHandle")
        ours = (of.get("namespace"), of.get("name")) == (options.kubernetes_namespace, name)
        stays = one["spec"].get("deletionPolicy") == "Retain" and "deletionTimestamp" not in one["metadata"]
        if ours and stays and handle:
            return one
    return None


def _again(options: KubernetesOptions, content: Object, snapshot: str, own: dict[str, str]) -> Object:
    spec, status = content["spec"], content.get("status") or {}
    name = names.snapshot(snapshot)
    return {
        "metadata": {
            "name": f"again-{snapshot}",
            "labels": own,
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
