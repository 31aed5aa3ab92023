"""Volumes and snapshots that outlive their objects: who removes a claim, or its whole namespace, loses no file by that.

Where the storage's class says ``Delete``, a volume goes with its claim and the storage's snapshot with its
VolumeSnapshot. So what a row stands for is told to stay, with a note of what its class has said; that holds again
from the moment in which the row's own removal begins. A volume that lost its claim gets it back, under its old name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drivers.kubernetes import labels
from drivers.kubernetes.api import CLAIM, SNAPSHOT_CONTENT, VOLUME, Cluster, Kind, Object, Refused
from generated.errors import ShareBackendException

POLICY: Final = f"{labels.PREFIX}/reclaim-policy"
"""Annotation of what is kept: the policy that it had before."""
RETAIN: Final = "Retain"
PROVISIONED: Final = "pv.kubernetes.io/provisioned-by"
PROVISIONER: Final = "volume.kubernetes.io/storage-provisioner"
"""Annotations by which Kubernetes names the CSI driver of a volume and of a claim."""
LEAVES: Final = "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted"
"""Annotation by which the snapshot controller says that a content's VolumeSnapshot goes."""


class Kept:
    """Objects without a namespace, each of which belongs to one in ``namespace``. Every call may be repeated.

    Args:
        kind: of the objects.
        policy: the field of their spec that says whether they stay.
        owner: the field of their spec that names whose they are.
    """

    def __init__(self, cluster: Cluster, namespace: str, kind: Kind, policy: str, owner: str) -> None:
        self._cluster, self._namespace = cluster, namespace
        self._kind, self._policy, self._owner = kind, policy, owner

    async def keep(self, name: str, own: Mapping[str, str]) -> None:
        """Have an object stay, whatever becomes of whose it is. It takes over these labels."""
        found = await self._cluster.get(self._kind, name) if name else None
        if found is None:
            return
        policy, before = found["spec"].get(self._policy), noted(found)
        if before and policy == RETAIN and own.items() <= (found["metadata"].get("labels") or {}).items():
            return
        metadata: Object = {"labels": dict(own), "annotations": {POLICY: before or policy}}
        await self._cluster.merge(self._kind, name, None, {"metadata": metadata, "spec": {self._policy: RETAIN}})

    async def let_go(self, own: Mapping[str, str], owner: str = "") -> list[str]:
        """From now on what has these labels goes with whose it is, where the class said so; the names.

        Args:
            owner: only what belongs to the object of this name.
        """
        gone = []
        for one in await self.of(own):
            if owner in ("", one["spec"][self._owner]["name"]):
                changes: Object = {"metadata": {"annotations": {POLICY: None}}, "spec": {self._policy: noted(one)}}
                await self._cluster.merge(self._kind, one["metadata"]["name"], None, changes)
                gone.append(str(one["metadata"]["name"]))
        return gone

    async def of(self, own: Mapping[str, str]) -> list[Object]:
        """What is kept and has these labels."""
        found = await self._cluster.every(self._kind, None, own)
        return [one for one in found if noted(one) and not labels.leaving(one) and self._ours(one)]

    def _ours(self, found: Object) -> bool:
        return bool((found["spec"].get(self._owner) or {}).get("namespace") == self._namespace)

    async def relabel(self, own: Mapping[str, str], new: Mapping[str, str]) -> None:
        """Other values of some labels for what is kept and has these."""
        for one in await self.of(own):
            changes = {"metadata": {"labels": dict(new)}}
            await self._cluster.merge(self._kind, one["metadata"]["name"], None, changes)


class KeptVolumes(Kept):
    """The volumes of claims."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        super().__init__(cluster, namespace, VOLUME, "persistentVolumeReclaimPolicy", "claimRef")

    async def keep_of(self, claim: Object) -> None:
        """Keep the volume of a bound claim."""
        await self.keep(claim["spec"].get("volumeName", ""), claim["metadata"].get("labels") or {})

    async def there(self, own: Mapping[str, str]) -> list[Object]:
        """Volumes that are kept, and those that were let go of and whose claim has stayed: somebody was cut short."""
        found = {one["metadata"]["name"]: one for one in await self.of(own)}
        for claim in await self._cluster.every(CLAIM, self._namespace, own):
            name = claim["spec"].get("volumeName", "")
            if name and name not in found and not labels.leaving(claim):
                volume = await self._cluster.get(VOLUME, name)
                found |= {} if volume is None else {name: volume}
        return list(found.values())

    async def keep_all(self, own: Mapping[str, str], roles: tuple[str, ...]) -> None:
        """Keep what is not kept yet, as of a release that did not do that, or not any more: somebody has changed it."""
        found = [one for one in await self.of(own) if one["spec"].get(self._policy) == RETAIN]
        kept = {one["metadata"]["name"] for one in found}
        for claim in await self._cluster.every(CLAIM, self._namespace, own):
            wanted = labels.label(claim, labels.ROLE) in roles and not labels.leaving(claim)
            if wanted and claim["spec"].get("volumeName") not in kept:
                await self.keep_of(claim)

    async def mark(self, own: Mapping[str, str]) -> None:
        """Have the claims that kept volumes are bound to found by their labels again, which somebody may have taken."""
        for volume in await self.of(own):
            whose = volume["spec"]["claimRef"]
            present = await self._cluster.get(CLAIM, whose["name"], self._namespace)
            if present is not None and present["metadata"]["uid"] == whose.get("uid"):
                await self._cluster.claimed(CLAIM, present, _own(volume), proven=True)

    async def again(self, own: Mapping[str, str]) -> Object | None:
        """Bring back the claim of a kept volume, of several that with the highest incarnation.

        Returns:
            the claim, which may not be bound yet; None when no volume with these labels is kept.

        Raises:
            ShareBackendException: the claim that was removed is not gone yet, since something uses it; or one that is
                not ours has its name.
        """
        while known := sorted(await self.of(own), key=incarnation):
            volume = known[-1]
            name = volume["spec"]["claimRef"]["name"]
            present = await self._cluster.get(CLAIM, name, self._namespace)
            if present is not None and labels.leaving(present):
                raise ShareBackendException(msg=f"claim {name} is being removed, and comes back when nothing uses it")
            if present is not None:
                # the volume says whose it is, even if somebody took its labels
                proven = present["metadata"]["uid"] == volume["spec"]["claimRef"].get("uid")
                return await self._cluster.claimed(CLAIM, present, _own(volume), proven=proven)
            if await self._freed(volume):
                return await self._cluster.create(CLAIM, _claim(volume, self._namespace))
        return None

    async def _freed(self, volume: Object) -> bool:
        """Whether a volume waits for the next claim of its claim's name now, and for no other.

        False when it was changed since it was seen: somebody else may have brought its claim back, and a volume that is
        freed under a claim that is bound to it makes Kubernetes hold that claim for lost.
        """
        if "uid" not in volume["spec"]["claimRef"]:
            return True
        seen = {"resourceVersion": volume["metadata"]["resourceVersion"]}
        changes = {"metadata": seen, "spec": {"claimRef": {"uid": None, "resourceVersion": None}}}
        try:
            return await self._cluster.merge(VOLUME, volume["metadata"]["name"], None, changes) is not None
        except Refused as error:
            if error.status != 409:
                raise
            return False


class KeptSnapshots(Kept):
    """The contents of VolumeSnapshots."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        super().__init__(cluster, namespace, SNAPSHOT_CONTENT, "deletionPolicy", "volumeSnapshotRef")

    async def keep_of(self, snapshot: Object) -> None:
        """Keep the content of a snapshot that can be used."""
        content = (snapshot.get("status") or {}).get("boundVolumeSnapshotContentName", "")
        await self.keep(content, snapshot["metadata"].get("labels") or {})

    async def remove(self, own: Mapping[str, str]) -> None:
        """Remove contents that no VolumeSnapshot stands before any more, as their class says."""
        for name in await self.let_go(own):
            await self._cluster.merge(SNAPSHOT_CONTENT, name, None, {"metadata": {"annotations": {LEAVES: "yes"}}})
            await self._cluster.delete(SNAPSHOT_CONTENT, name)


def incarnation(found: Object) -> int:
    """Which of a share's claims a claim or its volume is."""
    return int(labels.label(found, labels.INCARNATION) or 0)


def noted(found: Object) -> str:
    """The policy that something kept had before; empty when it is not kept."""
    return str((found["metadata"].get("annotations") or {}).get(POLICY, ""))


def _own(volume: Object) -> dict[str, str]:
    """Labels of the claim that a volume has or had."""
    known, ours = volume["metadata"]["labels"], f"{labels.PREFIX}/"
    return {key: value for key, value in known.items() if key == labels.MANAGED or key.startswith(ours)}


def _claim(volume: Object, namespace: str) -> Object:
    """The claim that a volume had."""
    metadata, spec = volume["metadata"], volume["spec"]
    notes = {PROVISIONER: driver} if (driver := (metadata.get("annotations") or {}).get(PROVISIONED)) else None
    wanted = {
        "accessModes": spec["accessModes"],
        "storageClassName": spec.get("storageClassName", ""),
        "volumeName": metadata["name"],
        "resources": {"requests": {"storage": spec["capacity"]["storage"]}},
    }
    return {"metadata": labels.metadata(spec["claimRef"]["name"], namespace, _own(volume), notes), "spec": wanted}
