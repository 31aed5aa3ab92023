"""Claims and snapshots of a namespace: made, grown and removed, each waited for to its end."""

from __future__ import annotations

import contextlib
import datetime
import re
import time
from collections.abc import Awaitable, Callable
from typing import Final

from drivers.kubernetes import labels
from drivers.kubernetes.api import CLAIM, POD, SNAPSHOT, Cluster, Kind, Late, Object, Refused, strange
from drivers.kubernetes.options import StorageOptions, classes
from drivers.kubernetes.sizes import GIB, bytes_of
from generated.errors import ShareBackendException

Nudge = Callable[[], Awaitable[None]]
_LOOKS: Final = 5
_PASSES: Final = 30.0
"""Seconds that a complaint about a snapshot must stand."""
_FORBIDDEN: Final = 403
LONGHORN_REFUSES: Final = re.compile(
    r"validator\.longhorn\.io.*(cannot schedule|insufficient|sufficient physical space|no space|not enough)", re.S
)
QUOTA_REFUSES: Final = re.compile(r"exceeded quota: ")
COMPLAINED: Final = f"{labels.PREFIX}/complained-since"
"""Annotation of a snapshot that is asked about now and then: when a complaint was seen that has stood since."""
_GIVE_UP: Final = 5.0
"""Seconds that the removal of a claim that nobody has used may take."""


async def _nothing() -> None:
    return None


def claim(
    options: StorageOptions,
    name: str,
    size: str,
    own: dict[str, str],
    snapshot: str | None = None,
    *,
    mode: str = "ReadWriteOnce",
    storage_class: str | None = None,
    notes: dict[str, str] | None = None,
) -> Object:
    """A claim of ``size`` (a quantity), filled from the VolumeSnapshot ``snapshot`` if one is named.

    Args:
        own: its labels.
        mode: who may mount it; ``ReadWriteOnce``: one node at a time.
        storage_class: None: the first of the back end.
        notes: its annotations.
    """
    spec: Object = {
        "accessModes": [mode],
        "storageClassName": storage_class or classes(options)[0],
        "resources": {"requests": {"storage": size}},
    }
    if snapshot:
        spec["dataSource"] = {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": snapshot}
    return {"metadata": labels.metadata(name, options.kubernetes_namespace, own, notes), "spec": spec}


def snapshot(
    options: StorageOptions, name: str, source: str, own: dict[str, str], snapshot_class: str | None = None
) -> Object:
    """A snapshot of the claim ``source``; ``snapshot_class``: another one than that of the back end.

    Raises:
        ShareBackendException: the back end has none.
    """
    chosen = snapshot_class or options.kubernetes_snapshot_class
    if not chosen:
        raise ShareBackendException(msg="kubernetes_snapshot_class is empty: this back end takes no snapshots")
    spec = {"volumeSnapshotClassName": chosen, "source": {"persistentVolumeClaimName": source}}
    return {"metadata": labels.metadata(name, options.kubernetes_namespace, own), "spec": spec}


class Claims:
    """The claims and snapshots of one back end. Every call may be repeated."""

    def __init__(self, options: StorageOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._namespace = options.kubernetes_namespace

    async def make(self, wanted: Object) -> Object:
        """Make a claim and wait until it is bound; one that is there is waited for in the same way. The claim then.

        Raises:
            ShareBackendException: it is not; with Kubernetes' complaint. Nothing is left then.
        """
        try:
            await self._cluster.create(CLAIM, wanted)  # one that is not ours is not waited for, nor given up
        except Refused as error:
            raise roomless(error, f"for claim {wanted['metadata']['name']}") or error from error
        return await self.settle(wanted["metadata"]["name"])

    async def settle(self, name: str, seconds: float | None = None) -> Object:
        """Wait until a claim that is there is bound, whoever made it, and when; the claim then.

        Args:
            seconds: None: as long as the back end says.

        Raises:
            ShareBackendException: it is not; with Kubernetes' complaint. The claim is gone then, unless it ever was
                bound: what was may hold data.
        """
        try:
            return await self.ready(name, seconds)
        except ShareBackendException:
            await self._give_up(name)
            raise

    async def ready(self, name: str, seconds: float | None = None) -> Object:
        """Wait until a claim is bound; the claim then.

        Raises:
            ShareBackendException: it is not; with Kubernetes' complaint. The claim stays.
        """
        seconds = self._options.kubernetes_bind_timeout if seconds is None else seconds
        try:
            what = f"claim {name} is bound"
            return await self._cluster.until(CLAIM, name, self._namespace, bound, seconds, what) or {}
        except Late as error:
            complaints = await self._cluster.warnings(self._namespace, CLAIM.name, name)
            raise ShareBackendException(msg="; ".join([str(error), *complaints[-1:]])) from error

    async def _give_up(self, name: str) -> None:
        """Remove a claim that is not bound at the very moment of its removal, and wait until it is gone."""
        for _ in range(_LOOKS):
            found = await self._cluster.get(CLAIM, name, self._namespace)
            if found is None or not pending(found):
                return
            meta = found["metadata"]
            if not labels.leaving(found):
                as_seen = {"uid": meta["uid"], "version": meta["resourceVersion"]}
                await self._cluster.delete(CLAIM, name, self._namespace, **as_seen)
            with contextlib.suppress(Late):
                await self._cluster.until(CLAIM, name, self._namespace, gone, _GIVE_UP, f"claim {name} is gone")
                return

    async def forget(self, name: str) -> None:
        """Remove a claim and wait until it is gone, so that its room is there again.

        Raises:
            ShareBackendException: it is not; with what keeps it.
        """
        await self._remove(CLAIM, name, f"claim {name}")

    async def grow(self, found: Object, size: int, nudge: Nudge = _nothing) -> None:
        """Grow a claim to ``size`` GiB, and wait until the file system that clients see has grown.

        Args:
            nudge: what hurries whoever grows the file system; called each second.

        Raises:
            ShareBackendException: the storage refuses, or does not come to an end.
        """
        name, wanted = found["metadata"]["name"], size * GIB
        if requested(found) < wanted:
            request = {"spec": {"resources": {"requests": {"storage": f"{size}Gi"}}}}
            try:
                await self._cluster.merge(CLAIM, name, self._namespace, request)
            except Refused as error:
                raise roomless(error, f"to grow claim {name} to {size} GiB") or error from error

        def grown(one: Object | None) -> bool:
            return one is not None and capacity(one) >= wanted

        deadline = time.monotonic() + self._options.kubernetes_expand_timeout
        while True:
            try:
                await self._cluster.until(CLAIM, name, self._namespace, grown, 1.0, f"claim {name} has grown")
                return
            except Late as late:
                if time.monotonic() > deadline:
                    complaints = await self._cluster.warnings(self._namespace, CLAIM.name, name)
                    raise ShareBackendException(msg="; ".join([str(late), *complaints[-1:]])) from late
            await nudge()

    async def take(self, wanted: Object) -> Object:
        """Make a snapshot and wait until it can be used; the snapshot then.

        The snapshotter tries again when the storage refuses, and takes its complaint back when it succeeds; so a
        complaint counts when it has stood for a while.

        Raises:
            ShareBackendException: it can't be used; with what the storage complains of.
        """
        name, seconds = wanted["metadata"]["name"], self._options.kubernetes_bind_timeout
        await self._cluster.create(SNAPSHOT, wanted)
        what, end = f"snapshot {name} can be used", time.monotonic() + seconds
        found = await self._cluster.until(SNAPSHOT, name, self._namespace, _answered, seconds, what)
        if not _ready(found):
            left = max(0.0, min(_PASSES, end - time.monotonic()))
            try:
                found = await self._cluster.until(SNAPSHOT, name, self._namespace, _ready, left, what)
            except Late as late:
                usable(late.last)  # raises what is complained of
                raise
        return found or {}

    async def taken(self, found: Object) -> bool:
        """Whether a snapshot can be used, for who asks now and then; since when it is complained of is noted on it.

        Raises:
            ShareBackendException: it has been complained of for a while, at each look.
        """
        since = (found["metadata"].get("annotations") or {}).get(COMPLAINED)
        complained = _answered(found) and not _ready(found)
        now = datetime.datetime.now(datetime.UTC)
        if complained == (since is None):
            noted = {"metadata": {"annotations": {COMPLAINED: now.isoformat() if complained else None}}}
            await self._cluster.merge(SNAPSHOT, found["metadata"]["name"], self._namespace, noted)
        elif since is not None and (now - datetime.datetime.fromisoformat(since)).total_seconds() >= _PASSES:
            return usable(found)
        return _ready(found)

    async def forget_snapshot(self, name: str) -> None:
        """Remove a snapshot and wait until it is gone. Raises ShareBackendException, with what keeps it."""
        await self._remove(SNAPSHOT, name, f"snapshot {name}")

    async def end_pod(self, name: str, what: str) -> None:
        """Remove a pod at once, and wait until it is gone; only for one that nothing is lost with."""
        await self._remove(POD, name, what, 0)

    async def _remove(self, kind: Kind, name: str, what: str, grace: int | None = None) -> None:
        """Remove an object unless it is somebody else's, and wait until just that one is gone."""
        found = await self._cluster.get(kind, name, self._namespace)
        if found is None or not self.is_ours(found):
            return
        uid = found["metadata"]["uid"]
        await self._cluster.delete(kind, name, self._namespace, grace=grace)

        def is_gone(now: Object | None) -> bool:
            return now is None or bool(now["metadata"]["uid"] != uid)

        seconds = self._options.kubernetes_start_timeout
        try:
            await self._cluster.until(kind, name, self._namespace, is_gone, seconds, f"{what} is gone")
        except Late as late:
            keeps = ", ".join(((late.last or {}).get("metadata") or {}).get("finalizers") or [])
            raise ShareBackendException(msg=f"{late}; it is kept by: {keeps or 'nothing that it tells'}") from late

    def is_ours(self, found: Object) -> bool:
        """Whether an object is this back end's, as its labels say or, where it has lost them, its owner."""
        own = {labels.MANAGED: labels.MANAGER, labels.BACKEND: self._options.share_backend_name}
        return not strange(found, own) or self._cluster.owns(found)

    async def live(self, own: dict[str, str]) -> list[Object]:
        """The claims with these labels, those apart that are being removed."""
        found = await self._cluster.every(CLAIM, self._namespace, own)
        return [one for one in found if not labels.leaving(one)]

    async def snapshot_of(self, own: dict[str, str]) -> Object | None:
        """The snapshot with these labels; None when there is none, or it is being removed."""
        found = await self._cluster.every(SNAPSHOT, self._namespace, own)
        return next((one for one in found if not labels.leaving(one)), None)


def roomless(error: Refused, what: str) -> ShareBackendException | None:
    """What a refusal for want of room says; None: it was refused for something else.

    Longhorn's webhook refuses to grow a claim whose replicas have no room, a namespace's quota to make or grow one.
    """
    reason = str(error)
    if error.status != _FORBIDDEN or not (LONGHORN_REFUSES.search(reason) or QUOTA_REFUSES.search(reason)):
        return None
    who = "a ResourceQuota of the namespace" if QUOTA_REFUSES.search(reason) else "the storage"
    return ShareBackendException(msg=f"{who} has no room {what}: {reason}")


def requested(found: Object) -> int:
    """Bytes that a claim asks for."""
    return bytes_of(found["spec"]["resources"]["requests"]["storage"])


def class_of(found: Object | None) -> str | None:
    """The storage class of a claim."""
    return None if found is None else found["spec"].get("storageClassName")


def capacity(found: Object) -> int:
    """Bytes that a claim has; 0 while it is not bound."""
    return bytes_of((found.get("status") or {}).get("capacity", {}).get("storage", "0"))


def restore_size(found: Object, otherwise: str) -> str:
    """Size of a claim that is filled from a snapshot: that of its source, since some storage takes no other."""
    return str((found.get("status") or {}).get("restoreSize") or otherwise)


def bound(found: Object | None) -> bool:
    """Whether a claim has its volume, and keeps it. Raises ShareBackendException when it has lost it."""
    phase = ((found or {}).get("status") or {}).get("phase")
    if found is not None and phase == "Lost":
        raise ShareBackendException(msg=f"claim {found['metadata']['name']} has lost its volume")
    return found is not None and not labels.leaving(found) and bool(phase == "Bound")


def pending(found: Object) -> bool:
    """Whether a claim was never bound: nobody has written to it."""
    return bool((found.get("status") or {}).get("phase", "Pending") == "Pending")


def usable(found: Object | None) -> bool:
    """Whether a snapshot is there to be used. Raises ShareBackendException when it failed."""
    status = (found or {}).get("status") or {}
    if _ready(found):
        return True
    if error := (status.get("error") or {}).get("message"):
        raise ShareBackendException(msg=f"the snapshot failed: {error}")
    return False


def _ready(found: Object | None) -> bool:
    return bool(((found or {}).get("status") or {}).get("readyToUse"))


def _answered(found: Object | None) -> bool:
    """Whether a snapshot can be used, or something was complained of."""
    return _ready(found) or bool(((found or {}).get("status") or {}).get("error"))


def gone(found: Object | None) -> bool:
    """Whether nothing is there."""
    return found is None
