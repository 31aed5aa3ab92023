"""Volumes as claims: one for each share, snapshots of them, and a holder pod that has one mounted on its node."""

from __future__ import annotations

import json
import time
from typing import Final

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.api import CLAIM, POD, SNAPSHOT, Cluster, Kind, Late, Object, Refused
from drivers.ganesha.kubernetes.capacity import measured
from drivers.ganesha.kubernetes.gateways import ready
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.kubernetes.sizes import GIB, bytes_of
from drivers.ganesha.ports import Capacity
from generated.errors import ShareBackendException, ShareResourceNotFound, SnapshotResourceNotFound

NUDGE: Final = f"{names.PREFIX}/grown"
"""Annotation of a holder: a change makes its kubelet grow the file system now, not at its next look."""


class KubernetesVolumes:
    """The port ``Volumes`` on a cluster."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, shares: Shares) -> None:
        self._options, self._cluster, self._shares = options, cluster, shares
        self._namespace = options.kubernetes_namespace

    async def setup(self) -> None:
        """Nothing: the cluster brings its storage."""

    async def create(self, name: str, size: int) -> None:
        """A claim, bound. Raises ShareBackendException with Kubernetes' complaint; nothing is left then."""
        if await self._claim_of(name) is None:
            await self._claim(manifests.claim(self._options, names.claim(name), f"{size}Gi", self._own(name)))

    async def create_from_snapshot(self, name: str, snapshot: str, size: int) -> None:
        """A claim filled from a snapshot, with the size its source has now: some storage takes no other."""
        found = await self._snapshot_of(snapshot)
        if found is None:
            raise SnapshotResourceNotFound(name=snapshot)
        if await self._claim_of(name) is None:
            await self._claim(self._copy(name, found, size, 0))

    def _own(self, name: str, incarnation: int = 0) -> dict[str, str]:
        more = {names.SHARE: name, names.INCARNATION: str(incarnation)}
        return names.labels(self._options.share_backend_name, "share", **more)

    def _copy(self, name: str, snapshot: Object, size: int, incarnation: int) -> Object:
        restored = str(snapshot.get("status", {}).get("restoreSize") or f"{size}Gi")
        own, source = self._own(name, incarnation), snapshot["metadata"]["name"]
        return manifests.claim(self._options, names.claim(name, incarnation), restored, own, source)

    async def _claims(self, name: str) -> list[Object]:
        """The claims of a share that are not being removed, the present one last."""
        own = {names.ROLE: "share", names.SHARE: name}
        found = await self._cluster.every(CLAIM, self._namespace, own)
        live = [one for one in found if "deletionTimestamp" not in one["metadata"]]
        return sorted(live, key=_incarnation)

    async def _claim_of(self, name: str) -> Object | None:
        claims = await self._claims(name)
        return claims[-1] if claims else None

    async def _found(self, name: str) -> Object:
        found = await self._claim_of(name)
        if found is None:
            raise ShareResourceNotFound(share_id=name)
        return found

    async def _claim(self, wanted: Object) -> None:
        """Make a claim and wait until it is bound."""
        name, seconds = wanted["metadata"]["name"], self._options.kubernetes_bind_timeout
        try:
            await self._cluster.create(CLAIM, wanted)
            await self._cluster.until(CLAIM, name, self._namespace, bound, seconds, f"claim {name} is bound")
        except (Late, Refused) as error:
            complaints = await self._cluster.warnings(self._namespace, CLAIM.name, name)
            await self._cluster.delete(CLAIM, name, self._namespace)
            raise ShareBackendException(msg="; ".join([str(error), *complaints[-1:]])) from error

    async def attach(self, name: str, server_id: str) -> str:
        """Have the volume mounted on the gateway's node and bound into the gateway's folder.

        Raises:
            ShareResourceNotFound: there is no such claim.
        """
        claim = (await self._found(name))["metadata"]["name"]
        await self._hold(name, server_id, claim, await self._node_of(server_id))
        await self._shares.mount(name, server_id, claim)
        return f"{manifests.SHARES}/{name}"

    async def _node_of(self, server_id: str) -> str:
        pod = await self._cluster.until(
            POD,
            names.gateway_pod(server_id),
            self._namespace,
            ready,
            self._options.kubernetes_start_timeout,
            f"gateway {server_id} serves",
        )
        return str((pod or {})["spec"]["nodeName"])

    async def _hold(self, name: str, server_id: str, claim: str, node: str) -> None:
        """A holder on the node; one that is elsewhere, has ended, or holds an older claim is replaced."""
        holder = names.holder(name)
        present = await self._cluster.get(POD, holder, self._namespace)
        if present is not None and not _holds(present, claim, node):
            await self._release(name)
            present = None
        if present is None:
            more = {names.SHARE: name, names.SERVER: server_id}
            own = names.labels(self._options.share_backend_name, "holder", **more)
            await self._cluster.create(POD, manifests.holder(self._options, name, claim, node, own))
        seconds, what = self._options.kubernetes_start_timeout, f"volume of share {name} is mounted on {node}"
        try:
            await self._cluster.until(POD, holder, self._namespace, running, seconds, what)
        except Late as late:
            complaints = await self._cluster.warnings(self._namespace, POD.name, holder)
            raise ShareBackendException(msg="; ".join([str(late), *complaints[-2:]])) from late

    async def _release(self, name: str) -> None:
        holder, seconds = names.holder(name), self._options.kubernetes_start_timeout
        await self._cluster.delete(POD, holder, self._namespace, grace=0)
        await self._cluster.until(POD, holder, self._namespace, _gone, seconds, f"holder of share {name} is gone")

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        """Owner and mode of the root folder, set by the gateway's agent before the first export."""
        await self._shares.prepare(name, uid, gid, mode)

    async def detach(self, name: str) -> None:
        """Unbind it from the gateway's folder, then let the holder go: a mounted volume can't be unstaged."""
        await self._shares.unmount(name)
        await self._release(name)

    async def delete(self, name: str) -> None:
        """Remove the claim and wait until it is gone, so that its room is there again."""
        own = {names.ROLE: "share", names.SHARE: name}
        for one in await self._cluster.every(CLAIM, self._namespace, own):
            await self._forget(one["metadata"]["name"])

    async def _forget(self, claim: str) -> None:
        seconds = self._options.kubernetes_start_timeout
        await self._cluster.delete(CLAIM, claim, self._namespace)
        await self._cluster.until(CLAIM, claim, self._namespace, _gone, seconds, f"claim {claim} is gone")

    async def extend(self, name: str, size: int) -> None:
        """Grow the claim, and wait until the file system a client sees has grown.

        Raises:
            ShareBackendException: the storage refuses, or does not come to an end.
        """
        found = await self._found(name)
        claim, wanted = found["metadata"]["name"], size * GIB
        if bytes_of(found["spec"]["resources"]["requests"]["storage"]) < wanted:
            request = {"spec": {"resources": {"requests": {"storage": f"{size}Gi"}}}}
            await self._cluster.merge(CLAIM, claim, self._namespace, request)

        def grown(one: Object | None) -> bool:
            return one is not None and bytes_of(one.get("status", {}).get("capacity", {}).get("storage", "0")) >= wanted

        deadline = time.monotonic() + self._options.kubernetes_expand_timeout
        while True:
            try:
                await self._cluster.until(CLAIM, claim, self._namespace, grown, 1.0, f"claim {claim} has grown")
                return
            except Late as late:
                if time.monotonic() > deadline:
                    complaints = await self._cluster.warnings(self._namespace, CLAIM.name, claim)
                    raise ShareBackendException(msg="; ".join([str(late), *complaints[-1:]])) from late
            nudge = {"metadata": {"annotations": {NUDGE: json.dumps([size, round(time.time(), 1)])}}}
            await self._cluster.merge(POD, names.holder(name), self._namespace, nudge)

    async def snapshot(self, name: str, snapshot: str) -> None:
        """Take a snapshot and wait until it can be used."""
        own = names.labels(
            self._options.share_backend_name, "snapshot", **{names.SHARE: name, names.SNAPSHOT: snapshot}
        )
        source = (await self._found(name))["metadata"]["name"]
        wanted = manifests.snapshot(self._options, names.snapshot(snapshot), source, own)
        await self._cluster.create(SNAPSHOT, wanted)
        seconds, what = self._options.kubernetes_bind_timeout, f"snapshot {snapshot} can be used"
        await self._cluster.until(SNAPSHOT, names.snapshot(snapshot), self._namespace, _usable, seconds, what)

    async def delete_snapshot(self, snapshot: str) -> None:
        """Remove a snapshot and wait until it is gone."""
        found, seconds = await self._snapshot_of(snapshot), self._options.kubernetes_start_timeout
        if found is None:
            return
        own = found["metadata"]["name"]
        await self._cluster.delete(SNAPSHOT, own, self._namespace)
        await self._cluster.until(SNAPSHOT, own, self._namespace, _gone, seconds, f"snapshot {snapshot} is gone")

    async def attach_snapshot(self, snapshot: str, server_id: str) -> str:
        """A claim filled from the snapshot, held and bound as a share's is; the gateway exports it read-only."""
        found = await self._snapshot_of(snapshot)
        if found is None:
            raise SnapshotResourceNotFound(name=snapshot)
        view = names.view(snapshot)
        own = names.labels(self._options.share_backend_name, "view", **{names.SNAPSHOT: snapshot})
        size = str(found.get("status", {}).get("restoreSize") or "1Gi")
        await self._claim(manifests.claim(self._options, view, size, own, found["metadata"]["name"]))
        await self._hold(snapshot, server_id, view, await self._node_of(server_id))
        await self._shares.mount(snapshot, server_id, view)
        return f"{manifests.SHARES}/{snapshot}"

    async def detach_snapshot(self, snapshot: str) -> None:
        """Unbind the view and remove its claim."""
        await self.detach(snapshot)
        await self._forget(names.view(snapshot))

    async def used(self, name: str) -> float | None:
        """As the gateway's agent has seen it last."""
        status = ((await self._shares.get(name)) or {}).get("status") or {}
        return status["usedBytes"] / GIB if status.get("mounted") and "usedBytes" in status else None

    async def restore(self, name: str, snapshot: str) -> None:
        """Swap the volume: the share gets a new claim, filled from the snapshot; then the old one goes."""
        source = await self._snapshot_of(snapshot)
        if source is None:
            raise SnapshotResourceNotFound(name=snapshot)
        claims = await self._claims(name)
        if not claims:
            raise ShareResourceNotFound(share_id=name)
        # two claims are a swap that was cut short: the newer one is whole only if it is bound
        if len(claims) == 1:
            present = claims[-1]
            size = bytes_of(present["spec"]["resources"]["requests"]["storage"]) // GIB
            await self._claim(self._copy(name, source, size, _incarnation(present) + 1))
        else:
            await self._claim(claims[-1])
        for old in (await self._claims(name))[:-1]:
            await self._forget(old["metadata"]["name"])

    async def size(self, name: str) -> int | None:
        """What the claim has, GiB."""
        found = await self._claim_of(name)
        return None if found is None else bytes_of(found["status"]["capacity"]["storage"]) // GIB

    async def rename(self, name: str, new: str) -> None:
        """Claims are known by their label."""
        for one in await self._claims(name):
            await self._relabel(CLAIM, one, names.SHARE, new)

    async def rename_snapshot(self, name: str, new: str) -> None:
        """Snapshots are known by their label, too."""
        found = await self._snapshot_of(name)
        if found is not None:
            await self._relabel(SNAPSHOT, found, names.SNAPSHOT, new)
        elif await self._snapshot_of(new) is None:
            raise SnapshotResourceNotFound(name=name)

    async def _relabel(self, kind: Kind, found: Object, label: str, new: str) -> None:
        change = {"metadata": {"labels": {label: new}}}
        await self._cluster.merge(kind, found["metadata"]["name"], self._namespace, change)

    async def _snapshot_of(self, name: str) -> Object | None:
        own = {names.ROLE: "snapshot", names.SNAPSHOT: name}
        found = await self._cluster.every(SNAPSHOT, self._namespace, own)
        live = [one for one in found if "deletionTimestamp" not in one["metadata"]]
        return live[0] if live else None

    async def capacity(self) -> Capacity:
        """Room of the storage class."""
        return await measured(self._options, self._cluster)


def bound(claim: Object | None) -> bool:
    """Whether a claim has its volume."""
    return claim is not None and claim.get("status", {}).get("phase") == "Bound"


def running(pod: Object | None) -> bool:
    """Whether a pod runs and stays."""
    return (
        pod is not None
        and "deletionTimestamp" not in pod["metadata"]
        and pod.get("status", {}).get("phase") == "Running"
    )


def _incarnation(claim: Object) -> int:
    return int(claim["metadata"]["labels"].get(names.INCARNATION, 0))


def _holds(pod: Object, claim: str, node: str) -> bool:
    ended = pod.get("status", {}).get("phase") in ("Failed", "Succeeded")
    held = {
        one["persistentVolumeClaim"]["claimName"] for one in pod["spec"]["volumes"] if "persistentVolumeClaim" in one
    }
    there = pod["spec"].get("nodeName") == node and claim in held
    return there and not ended and "deletionTimestamp" not in pod["metadata"]


def _usable(snapshot: Object | None) -> bool:
    status = (snapshot or {}).get("status", {})
    if error := status.get("error", {}).get("message"):
        raise ShareBackendException(msg=f"the snapshot failed: {error}")
    return bool(status.get("readyToUse"))


def _gone(found: Object | None) -> bool:
    return found is None
