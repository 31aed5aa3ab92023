"""Volumes filled from snapshots: whether the copy is whole, and what still needs the volume that it is made from.

A storage may bind a claim long before it has copied anything into it, and may keep snapshots inside of the volume they
were taken of. So ``Bound`` and ``readyToUse`` prove nothing: what is known of a copy is noted on its claim.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Final

from drivers.kubernetes import labels, longhorn
from drivers.kubernetes.api import CLAIM, LONGHORN_VOLUME, SNAPSHOT, SNAPSHOT_CONTENT, VOLUME, Cluster, Object
from drivers.kubernetes.claims import restore_size
from generated.errors import ShareBackendException

WHOLE: Final = f"{labels.PREFIX}/copied"
"""Annotation of a claim that is filled from a snapshot: since when its copy is proven whole."""
LINKED: Final = f"{labels.PREFIX}/linked"
"""Annotation of such a claim: its volume shares blocks with its source for ever."""
SOURCE: Final = f"{labels.PREFIX}/copied-from"
"""Annotation: the storage's handle of the volume that has the data; of a claim that is filled, of a content."""
_LONGHORN_HANDLE: Final = re.compile(r"(?P<kind>snap|bak|bi)://(?P<volume>[^/]+)/")


def notes(place: str) -> dict[str, str]:
    """Annotations of a claim that is filled from a snapshot which lives in the volume with this handle, if any."""
    return {SOURCE: place} if place else {}


def is_whole(claim: Object) -> bool:
    """Whether a claim has all of its data: it was not filled from anything, or its copy is proven whole."""
    return not claim["spec"].get("dataSource") or WHOLE in _notes(claim)


def age(found: Object) -> float:
    """Seconds since an object was made, by the clock of the API server."""
    made = datetime.datetime.fromisoformat(found["metadata"]["creationTimestamp"])
    return (datetime.datetime.now(datetime.UTC) - made).total_seconds()


def check_age(claim: Object, seconds: int) -> None:
    """Raise ShareBackendException when a copy that is not whole had ``kubernetes_copy_timeout`` seconds."""
    if age(claim) > seconds:
        name, option = claim["metadata"]["name"], f"kubernetes_copy_timeout is {seconds} s"
        raise ShareBackendException(msg=f"the copy {name} is not whole by now: {option}")


async def told(cluster: Cluster, claim: Object) -> bool | None:
    """What the storage says of the copy in a bound claim; None: it says nothing, and a mount has to prove it.

    Raises:
        ShareBackendException: the copy has failed for good.
    """
    if not longhorn.provisions(claim):
        return None
    volume = await cluster.get(LONGHORN_VOLUME, claim["spec"].get("volumeName", ""), longhorn.NAMESPACE)
    whole = longhorn.copied(volume)
    if whole and longhorn.linked(volume):
        await _note(cluster, claim, {LINKED: "yes"})
    return whole


async def mark(cluster: Cluster, claim: Object) -> None:
    """Note that the copy in a claim is proven whole."""
    await _note(cluster, claim, {WHOLE: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")})


async def _note(cluster: Cluster, claim: Object, notes: Mapping[str, str]) -> None:
    metadata = claim["metadata"]
    if any(_notes(claim).get(name) is None for name in notes):
        change = {"metadata": {"annotations": dict(notes)}}
        await cluster.merge(CLAIM, metadata["name"], metadata.get("namespace"), change)


async def size_of(cluster: Cluster, snapshot: Object, otherwise: str) -> str:
    """Size of a claim that is filled from a VolumeSnapshot, a quantity: some storage takes no other.

    Longhorn takes the present size of the volume that the snapshot lives in, others that of the snapshot.
    """
    name = snapshot["spec"]["source"].get("persistentVolumeClaimName")
    namespace = snapshot["metadata"].get("namespace")
    claim = await cluster.get(CLAIM, name, namespace) if name and await source_of(cluster, snapshot) else None
    present = ((claim or {}).get("status") or {}).get("capacity") or {}
    if claim is not None and longhorn.provisions(claim) and present.get("storage"):
        return str(present["storage"])
    return restore_size(snapshot, otherwise)


async def source_of(cluster: Cluster, snapshot: Object) -> str:
    """Handle of the volume in which a VolumeSnapshot lives; empty: it outlives the volume, or nothing tells."""
    name = (snapshot.get("status") or {}).get("boundVolumeSnapshotContentName")
    content = await cluster.get(SNAPSHOT_CONTENT, name) if name else None
    return (lives_in(content) if content is not None else None) or ""


def lives_in(content: Object) -> str | None:
    """Handle of the volume in which the snapshot of a content lives; empty: it outlives it. None: nothing tells."""
    source = content["spec"].get("source") or {}
    handle = (content.get("status") or {}).get("snapshotHandle") or source.get("snapshotHandle") or ""
    if content["spec"].get("driver") == longhorn.PROVISIONER and (found := _LONGHORN_HANDLE.match(handle)):
        if found["kind"] != "snap":
            # it is read from the volume until the backup target has all of it
            is_taken = (content.get("status") or {}).get("readyToUse")
            return "" if is_taken else str(source.get("volumeHandle") or found["volume"])
        return found["volume"]
    return source.get("volumeHandle") or _notes(content).get(SOURCE)


class Dependents:
    """Looks for what would be lost, or never be whole, without a volume.

    Args:
        namespace: of the volume's claim.
        away: the snapshot class of backups, whose snapshots outlive their volume once they are taken; empty: none.
    """

    def __init__(self, cluster: Cluster, namespace: str, away: str = "") -> None:
        self._cluster, self._namespace, self._away = cluster, namespace, away

    async def of_claim(self, claim: Object) -> list[str]:
        """Those of a claim's volume, in words; none where it has no volume."""
        name = claim["spec"].get("volumeName")
        volume = await self._cluster.get(VOLUME, name) if name else None
        return [] if volume is None else await self.of(volume)

    async def of(self, volume: Object, share: str = "") -> list[str]:
        """Those of a volume, in words; without the copies that are to be a volume of ``share``."""
        return [*await self._snapshots(volume), *await self._copies(volume, share)]

    async def _snapshots(self, volume: Object) -> list[str]:
        driver, handle = _place(volume)
        share, claim = labels.label(volume, labels.SHARE), (volume["spec"].get("claimRef") or {}).get("name")
        found = []
        for one in await self._cluster.every(SNAPSHOT_CONTENT):
            where = lives_in(one)
            unknown = where is None and share != "" and labels.label(one, labels.SHARE) == share
            if one["spec"].get("driver") != driver or not (where == handle or unknown) or await self._outlives(one):
                continue
            of = one["spec"].get("volumeSnapshotRef") or {}
            found.append(f"snapshot {of.get('name') or one['metadata']['name']}")
        for one in await self._cluster.every(SNAPSHOT, self._namespace):
            source = one["spec"]["source"].get("persistentVolumeClaimName")
            # one that has no content yet; a volume without a handle is known by its claim's name only
            if source == claim and not (handle and (one.get("status") or {}).get("boundVolumeSnapshotContentName")):
                found.append(f"snapshot {one['metadata']['name']}")
        return found

    async def _outlives(self, content: Object) -> bool:
        """Whether a content is that of a backup which is taken."""
        if not self._away or content["spec"].get("volumeSnapshotClassName") != self._away:
            return False
        of = content["spec"].get("volumeSnapshotRef") or {}
        snapshot = await self._cluster.get(SNAPSHOT, of.get("name", ""), of.get("namespace"))
        is_backup = snapshot is not None and labels.label(snapshot, labels.ROLE) == "backup"
        return is_backup and bool(((snapshot or {}).get("status") or {}).get("readyToUse"))

    async def _copies(self, volume: Object, share: str) -> list[str]:
        _, handle = _place(volume)
        known = await self._cluster.every(CLAIM, self._namespace)
        others = (one for one in known if not share or labels.label(one, labels.SHARE) != share)
        return [f"copy {one['metadata']['name']}" for one in others if handle and _needs(one, handle)]

    async def copies_of(self, snapshot: str, own: Mapping[str, str] | None = None) -> list[str]:
        """Claims that are filled from a VolumeSnapshot and not proven whole, in words.

        Args:
            own: their labels; None: those that say where they are copied from. Older releases made others, and noted
                nothing when they were whole.
        """
        found = []
        for one in await self._cluster.every(CLAIM, self._namespace, own):
            filled = (one["spec"].get("dataSource") or {}).get("name") == snapshot and (own or SOURCE in _notes(one))
            if filled and not is_whole(one) and not labels.leaving(one):
                found.append(f"copy {one['metadata']['name']}")
        return found


def _needs(claim: Object, handle: str) -> bool:
    """Whether the copy in a claim needs the volume that it is made from."""
    notes = _notes(claim)
    return notes.get(SOURCE) == handle and not labels.leaving(claim) and (WHOLE not in notes or LINKED in notes)


def _place(volume: Object) -> tuple[str, str]:
    """CSI driver and handle of a volume."""
    csi = volume["spec"].get("csi") or {}
    return str(csi.get("driver", "")), str(csi.get("volumeHandle", ""))


def _notes(found: Object) -> Mapping[str, str]:
    return found["metadata"].get("annotations") or {}
