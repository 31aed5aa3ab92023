"""Volumes as claims: one for each share, snapshots of them, and a holder pod that has one mounted on its node."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from typing import Final

from drivers.base import Unfinished
from drivers.ganesha.gateway.places import SHARES
from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.gateways import placed, ready
from drivers.ganesha.kubernetes.incarnations import claim_in_use, incarnation, owned_as
from drivers.ganesha.kubernetes.observed import is_ready
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.proofs import check_mounts
from drivers.ganesha.kubernetes.replacing import Replacing
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.ports import NOBODY, Owner
from drivers.kubernetes import claims, copies, longhorn
from drivers.kubernetes.api import (
    CLAIM,
    LONGHORN_VOLUME,
    NODE,
    POD,
    SNAPSHOT,
    STATEFUL_SET,
    STORAGE_CLASS,
    Cluster,
    Kind,
    Late,
    Object,
    Refused,
)
from drivers.kubernetes.capacity import measured
from drivers.kubernetes.claims import Claims, class_of
from drivers.kubernetes.keeping import KeptSnapshots, KeptVolumes
from drivers.kubernetes.labels import leaving
from drivers.kubernetes.options import classes
from drivers.kubernetes.sizes import GIB
from drivers.room import Capacity
from generated.errors import ShareBackendException, ShareResourceNotFound, SnapshotResourceNotFound

log = logging.getLogger(__name__)
NUDGE: Final = f"{names.PREFIX}/grown"
"""Annotation of a holder: a change makes its kubelet grow the file system now, not at its next look."""
_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 4.0
"""Seconds until a holder that was removed or refused is made again."""
PROMPT: Final = 15.0
"""Seconds that a copy is waited for in one call; one that takes longer is asked about now and then."""


class KubernetesVolumes:
    """The port ``Volumes`` on a cluster."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster, shares: Shares) -> None:
        self._options, self._cluster, self._shares = options, cluster, shares
        self._kept = Claims(options, cluster)
        self._namespace = options.kubernetes_namespace
        self._volumes = KeptVolumes(cluster, self._namespace)
        self._contents = KeptSnapshots(cluster, self._namespace)
        self._replacing = Replacing(options, cluster)

    async def setup(self) -> None:
        """The cluster brings its storage; volumes of an older release are kept from now on."""
        own = {names.MANAGED: "openkeel-manila", names.BACKEND: self._options.share_backend_name}
        await self._volumes.keep_all(own, ("share", "state", "former"))

    async def create(self, name: str, size: int, pool: str | None = None, owner: Owner = NOBODY) -> None:
        """A claim, bound. Raises ShareBackendException with Kubernetes' complaint; nothing is left then."""
        own = self._own(name, _owned(owner))
        wanted = claims.claim(self._options, names.claim(name), f"{size}Gi", own, storage_class=pool)
        await self._make(name, wanted)

    async def _make(self, name: str, wanted: Object) -> None:
        """A share's first claim, bound, unless the share has one; its volume is kept until the share is removed."""
        found = await self._claim_of(name)
        if found is None:
            made = await self._kept.make(wanted)
        else:
            made = await self._kept.settle(found["metadata"]["name"])
        await self._volumes.keep_of(made)

    async def create_from_snapshot(
        self, name: str, snapshot: str, size: int, pool: str | None = None, owner: Owner = NOBODY
    ) -> None:
        """A claim filled from a snapshot, with the size its source has now: some storage takes no other."""
        source = await self._snapshot_of(snapshot)
        if source is None:
            raise SnapshotResourceNotFound(name=snapshot)
        own, source_name = self._own(name, _owned(owner)), source["metadata"]["name"]
        filled = await copies.size_of(self._cluster, source, f"{size}Gi")
        notes = copies.notes(await copies.source_of(self._cluster, source))
        claim = names.claim(name)
        wanted = claims.claim(self._options, claim, filled, own, source_name, storage_class=pool, notes=notes)
        await self._make(name, wanted)

    async def filled(self, name: str, server_id: str) -> bool:
        """Whether the copy in a share's claim is proven whole: by the storage's word, or by a mount beside the gateway.

        Raises:
            ShareBackendException: it never will be.
            ShareResourceNotFound: there is no claim.
        """
        found = await self._claim_of(name)
        if found is None:
            raise ShareResourceNotFound(share_id=name)
        if copies.is_whole(found):
            return True
        whole = await copies.told(self._cluster, found)
        if whole is None:
            whole = await self._is_held(name, server_id, found["metadata"]["name"], PROMPT)
        if whole:
            await copies.mark(self._cluster, found)
        else:
            copies.check_age(found, self._options.kubernetes_copy_timeout)
        return whole

    async def _is_held(self, name: str, server_id: str, claim: str, seconds: float) -> bool:
        """Whether a holder beside the gateway has a claim mounted, after a short wait.

        Raises:
            ShareBackendException: it never will have.
        """
        pod = await self._cluster.get(POD, names.gateway_pod(server_id), self._namespace)
        if pod is None or not ready(pod):
            return False
        await self._replace_holder(name, server_id, claim, str(pod["spec"]["nodeName"]))
        try:
            what = f"the copy for share {name} is mounted"
            held = await self._cluster.until(POD, names.holder(name), self._namespace, _decided, seconds, what)
        except Late:
            await check_mounts(self._cluster, self._namespace, names.holder(name), f"the copy {claim} can't be mounted")
            return False
        return running(held)

    def _own(self, name: str, owned: Mapping[str, str]) -> dict[str, str]:
        more = {names.SHARE: name, names.INCARNATION: "0", **owned}
        return names.labels(self._options.share_backend_name, "share", **more)

    async def _claims(self, name: str) -> list[Object]:
        """The claims of a share that are not being removed, the present one last."""
        return sorted(await self._kept.live(_labels(name)), key=incarnation)

    async def _claim_of(self, name: str) -> Object | None:
        return claim_in_use(await self._claims(name))

    async def _found(self, name: str) -> Object:
        found = await self._claim_of(name) or await self._volumes.again(_labels(name))
        if found is None:
            raise ShareResourceNotFound(share_id=name)
        return found

    async def attach(self, name: str, server_id: str) -> str:
        """Have the volume mounted on the gateway's node and bound into the gateway's folder.

        A claim that is gone or going is made again, on its volume.

        Raises:
            ShareResourceNotFound: there is neither claim nor volume.
            ShareBackendException: it is not bound. No holder waits for it then.
        """
        found = await self._claim_of(name) or await self._claim_again(name)
        if found is None:
            raise ShareResourceNotFound(share_id=name)
        claim = found["metadata"]["name"]
        await self._kept.ready(claim)
        await self._check_mount(name, found)
        await self._hold(name, server_id, claim, await self._node_of(server_id))
        await self._shares.mount(name, server_id, claim, owned_as(found))
        return f"{SHARES}/{name}"

    async def _claim_again(self, name: str) -> Object | None:
        """The claim of a share that somebody removed, again, on the volume that it had; None if that is gone, too.

        What is marked for removal stays while a holder has it. The holder ends here: clients do not notice, since the
        bind keeps the volume mounted, and nothing could ever be held by that claim again.
        """
        for one in await self._cluster.every(CLAIM, self._namespace, _labels(name)):
            if leaving(one):
                await self._volumes.keep_of(one)
                await self._release(name)
                await self._replacing.proofs.end(name)
                what, seconds = f"claim {one['metadata']['name']} is gone", self._options.kubernetes_start_timeout
                await self._cluster.until(CLAIM, one["metadata"]["name"], self._namespace, claims.gone, seconds, what)
        return await self._volumes.again(_labels(name))

    async def bring(self, name: str, server_id: str) -> bool:
        """Hold the volume where the gateway's pod is about to start; the node agent binds it, and Ganesha waits for it.

        It does not wait for the holder: a gateway may wait for more volumes than tasks run at a time.
        """
        shown = await self._shares.get(name)
        known = await self._cluster.get(STATEFUL_SET, names.gateway(server_id), self._namespace)
        if shown is None or known is None or shown["spec"]["server"] != server_id or not shown["spec"]["mounted"]:
            return True
        pod = await self._cluster.get(POD, names.gateway_pod(server_id), self._namespace)
        if ready(pod):
            return True
        claim = shown["spec"]["claim"]
        if pod is not None and placed(pod) and await self._is_there(name, claim):
            node = str(pod["spec"]["nodeName"])
            if await self._answers(node):
                await self._replace_holder(name, server_id, claim, node)
        return False

    async def _is_there(self, name: str, claim: str) -> bool:
        """Whether there is a claim, for which one that is gone or going is made again."""
        found = await self._cluster.get(CLAIM, claim, self._namespace)
        if found is None or leaving(found):
            found = await self._claim_again(name)
        return found is not None

    async def _answers(self, node: str) -> bool:
        """Whether a node is ready; the service may list nodes only."""
        found, _ = await self._cluster.listed(NODE, None, fields={"metadata.name": node})
        return any(is_ready(one) for one in found)

    async def _check_mount(self, name: str, claim: Object) -> None:
        """Let go of a mount that has died under its holder; the kubelet does not know.

        Raises:
            ShareBackendException: there is nothing to mount; the share is not exported meanwhile.
        """
        holder = await self._cluster.get(POD, names.holder(name), self._namespace)
        if holder is None or not longhorn.provisions(claim):
            return
        volume = await self._cluster.get(LONGHORN_VOLUME, claim["spec"].get("volumeName", ""), longhorn.NAMESPACE)
        match longhorn.trouble(volume, since(holder)):
            case longhorn.REMOUNT:
                await self.detach(name)
            case longhorn.FAULTED:
                if await self._shares.get(name) is not None:
                    await self._shares.change(name, {"exported": False}, lambda status: not status.get("exported"))
                raise ShareBackendException(msg=f"the volume of share {name} is faulted")

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
        """A holder on the node that runs; one that is removed or refused meanwhile is made again."""
        holder, pause = names.holder(name), _FIRST_PAUSE
        seconds, what = self._options.kubernetes_start_timeout, f"volume of share {name} is mounted on {node}"
        deadline = time.monotonic() + seconds
        while True:
            await self._replace_holder(name, server_id, claim, node)
            left = max(0.0, deadline - time.monotonic())
            try:
                found = await self._cluster.until(POD, holder, self._namespace, _decided, left, what)
                if running(found):
                    return
                if time.monotonic() > deadline:
                    raise Late(what, seconds, found)
            except Late as late:
                complaints = await self._cluster.warnings(self._namespace, POD.name, holder)
                why = str(Late(what, seconds, late.last))
                raise ShareBackendException(msg="; ".join([why, *complaints[-2:]])) from late
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, pause * 2)

    async def _replace_holder(self, name: str, server_id: str, claim: str, node: str) -> None:
        """Make the holder; one that is elsewhere, has ended, or holds an older claim goes before.

        Raises:
            Foreign: somebody else's pod has its name.
        """
        holder = names.holder(name)
        own = names.labels(self._options.share_backend_name, "holder", **{names.SHARE: name, names.SERVER: server_id})
        present = await self._cluster.get(POD, holder, self._namespace)
        if present is not None and not leaving(present):
            present = await self._cluster.claimed(POD, present, own)
        if present is not None and not holds(present, claim, node):
            await self._release(name)
            present = None
        if present is None:
            await self._replacing.proofs.leave(name, node)
            await self._cluster.create(POD, manifests.holder(self._options, name, claim, node, own))

    async def _release(self, name: str) -> None:
        await self._kept.end_pod(names.holder(name), f"holder of share {name}")

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        """Owner and mode of the root folder, set by the gateway's agent before the first export."""
        await self._shares.prepare(name, uid, gid, mode)

    async def detach(self, name: str) -> None:
        """Unbind it from the gateway's folder, then let the holder go: a mounted volume can't be unstaged."""
        await self._shares.unmount(name)
        await self._release(name)

    async def delete(self, name: str) -> None:
        """Remove the claims and wait until they are gone, so that their room is there again.

        Raises:
            ShareBackendException: a snapshot lives in one of them, or a copy is made from it; nothing is removed.
        """
        if needed := await self._replacing.needed(name):
            raise ShareBackendException(msg=f"volumes of share {name} are needed, and stay: {', '.join(needed)}")
        await self._replacing.proofs.end(name)
        for role in names.VOLUMES:
            own = {names.ROLE: role, names.SHARE: name}
            await self._volumes.mark(own)
            await self._volumes.let_go(own)
            for one in await self._cluster.every(CLAIM, self._namespace, own):
                await self._kept.forget(one["metadata"]["name"])

    async def extend(self, name: str, size: int) -> None:
        """Grow the claim, and wait until the file system a client sees has grown.

        Raises:
            ShareBackendException: the storage refuses, or does not come to an end.
        """
        found = await self._found(name)

        async def nudge() -> None:
            news = {"metadata": {"annotations": {NUDGE: json.dumps([size, round(time.time(), 1)])}}}
            await self._cluster.merge(POD, names.holder(name), self._namespace, news)

        await self._kept.grow(found, size, nudge)

    async def snapshot(self, name: str, snapshot: str) -> None:
        """Take a snapshot and wait until it can be used."""
        source = await self._found(name)
        more = {names.SHARE: name, names.SNAPSHOT: snapshot, **owned_as(source)}
        own = names.labels(self._options.share_backend_name, "snapshot", **more)
        wanted = claims.snapshot(self._options, names.snapshot(snapshot), source["metadata"]["name"], own)
        await self._contents.keep_of(await self._kept.take(wanted))

    async def delete_snapshot(self, snapshot: str) -> None:
        """Remove a snapshot and wait until it is gone; then the volume that was kept for it, unless something needs it.

        Raises:
            ShareBackendException: a copy is made from it; it stays.
        """
        own = {names.ROLE: "snapshot", names.SNAPSHOT: snapshot}
        found = await self._snapshot_of(snapshot)
        if found is None:
            await self._contents.remove(own)
        else:
            if copying := await self._replacing.dependents.copies_of(found["metadata"]["name"]):
                raise ShareBackendException(msg=f"snapshot {snapshot} is needed, and stays: {', '.join(copying)}")
            await self._contents.let_go(own)
            await self._kept.forget_snapshot(found["metadata"]["name"])
        await self._replacing.tidy()

    async def attach_snapshot(self, snapshot: str, server_id: str) -> str:
        """A claim filled from the snapshot, held and bound as a share's is; the gateway exports it read-only."""
        found = await self._snapshot_of(snapshot)
        if found is None:
            raise SnapshotResourceNotFound(name=snapshot)
        view = names.view(snapshot)
        own = names.labels(self._options.share_backend_name, "view", **{names.SNAPSHOT: snapshot})
        size = await copies.size_of(self._cluster, found, "1Gi")
        notes = copies.notes(await copies.source_of(self._cluster, found))
        source = found["spec"]["source"].get("persistentVolumeClaimName", "")
        pool = class_of(await self._cluster.get(CLAIM, source, self._namespace)) if source else None
        filled = found["metadata"]["name"]
        wanted = claims.claim(self._options, view, size, own, filled, storage_class=pool, notes=notes)
        present = await self._cluster.get(CLAIM, view, self._namespace)
        if present is not None and leaving(present):
            # it goes when nobody holds it, and is made again
            await self._release(snapshot)
        made = await self._kept.make(wanted)
        node = await self._node_of(server_id)
        await self._check_view(snapshot, server_id, made, PROMPT if present is None else 0.0)
        await self._hold(snapshot, server_id, view, node)
        await self._shares.mount(snapshot, server_id, view)
        return f"{SHARES}/{snapshot}"

    async def _check_view(self, snapshot: str, server_id: str, claim: Object, seconds: float) -> None:
        """Have a view mounted, which proves that its copy is whole.

        Raises:
            Unfinished: it is copied still.
            ShareBackendException: it never will be whole.
        """
        if copies.is_whole(claim):
            return
        if await self._is_held(snapshot, server_id, claim["metadata"]["name"], seconds):
            await copies.mark(self._cluster, claim)
            return
        await copies.told(self._cluster, claim)  # raises what has failed for good
        copies.check_age(claim, self._options.kubernetes_copy_timeout)
        complaints = await self._cluster.warnings(self._namespace, POD.name, names.holder(snapshot))
        what = f"the view of snapshot {snapshot} is not copied by now"
        raise Unfinished(msg="; ".join([what, *complaints[-1:]]))

    async def detach_snapshot(self, snapshot: str) -> None:
        """Unbind the view and remove its claim."""
        await self.detach(snapshot)
        await self._kept.forget(names.view(snapshot))

    async def used(self, name: str) -> float | None:
        """As the gateway's agent has seen it last."""
        status = ((await self._shares.get(name)) or {}).get("status") or {}
        return status["usedBytes"] / GIB if status.get("mounted") and "usedBytes" in status else None

    async def unproven(self) -> str:
        """Longhorn says whether a copy is whole, if it may be asked; what others bind is mounted and compared."""
        for name in classes(self._options):
            found = await self._cluster.get(STORAGE_CLASS, name)
            if found is not None and found["provisioner"] == longhorn.PROVISIONER:
                try:
                    await self._cluster.listed(LONGHORN_VOLUME, longhorn.NAMESPACE, fields={"metadata.name": "none"})
                except Refused as error:
                    return f"Longhorn's volumes say what is copied (class {name}), and can't be read: {error}"
        return ""

    async def prepare_restore(self, name: str, snapshot: str) -> bool:
        """Have a copy of the snapshot made beside the volume, which is served meanwhile; whether it is proven whole.

        Raises:
            ShareBackendException: it never will be; the share is as it was.
            SnapshotResourceNotFound: there is no such snapshot.
        """
        source = await self._snapshot_of(snapshot)
        if source is None:
            raise SnapshotResourceNotFound(name=snapshot)
        served = await self._replacing.served(name)
        await self._replacing.note(served, snapshot)
        begun = await self._replacing.begin(name, source)
        try:
            await self._kept.settle(begun["metadata"]["name"])
        except ShareBackendException:
            await self._replacing.abandon(name)
            raise
        return await self._replacing.progress(name, served, PROMPT)

    async def restoring(self, name: str) -> str | None:
        """The snapshot whose copy is to take the volume's place; None: none, or it has done so."""
        return await self._replacing.noted(await self._replacing.served(name))

    async def restore(self, name: str, snapshot: str) -> None:
        """Have the copy that was made be the share's volume; the one before stays while a snapshot lives in it."""
        await self._replacing.swap(name)

    async def abandon(self, name: str) -> None:
        """Remove a copy that was to be the share's volume, and that nobody goes on with."""
        await self._replacing.abandon(name)

    async def tidy(self, name: str) -> None:
        """Remove what the share had before, unless something needs it; what fails the reconciler tries again.

        Args:
            name: empty: what all shares had.
        """
        try:
            await self._replacing.tidy(name)
        except ShareBackendException as error:
            log.warning("what share %s had before is not removed by now: %s", name or "after share", error)

    async def size(self, name: str) -> int | None:
        """What the claim has, GiB."""
        found = await self._claim_of(name)
        return None if found is None else claims.capacity(found) // GIB

    async def rename(self, name: str, new: str, owner: Owner = NOBODY) -> None:
        """Claims are known by their label, those that the share had before among them."""
        for role in names.VOLUMES:
            own = {names.ROLE: role, names.SHARE: name}
            await self._volumes.relabel(own, {names.SHARE: new, **_owned(owner)})
            for one in sorted(await self._kept.live(own), key=incarnation):
                await self._relabel(CLAIM, one, {names.SHARE: new, **_owned(owner)})

    async def rename_snapshot(self, name: str, new: str) -> None:
        """Snapshots are known by their label, too."""
        found = await self._snapshot_of(name)
        if found is not None:
            await self._contents.relabel({names.ROLE: "snapshot", names.SNAPSHOT: name}, {names.SNAPSHOT: new})
            await self._relabel(SNAPSHOT, found, {names.SNAPSHOT: new})
        elif await self._snapshot_of(new) is None:
            raise SnapshotResourceNotFound(name=name)

    async def _relabel(self, kind: Kind, found: Object, new: Mapping[str, str]) -> None:
        change = {"metadata": {"labels": dict(new)}}
        await self._cluster.merge(kind, found["metadata"]["name"], self._namespace, change)

    async def _snapshot_of(self, name: str) -> Object | None:
        return await self._kept.snapshot_of({names.ROLE: "snapshot", names.SNAPSHOT: name})

    async def rooms(self) -> Mapping[str, Capacity]:
        """Room of each storage class."""
        return await measured(self._options, self._cluster, names.VOLUMES)

    async def pool(self, name: str) -> str | None:
        """The storage class of a share's claim."""
        return class_of(await self._claim_of(name))


def _owned(owner: Owner) -> dict[str, str]:
    """Labels that say whose a claim is."""
    found = {names.OF_SHARE: owner.share, names.SERVER: owner.server}
    return {name: value for name, value in found.items() if value}


def _labels(share: str) -> dict[str, str]:
    """Of a share's claims and of their volumes."""
    return {names.ROLE: "share", names.SHARE: share}


def since(holder: Object) -> str:
    """When a holder's container started, before which its volume was mounted: its pod may have waited for that."""
    for one in (holder.get("status") or {}).get("containerStatuses") or []:
        if started := ((one.get("state") or {}).get("running") or {}).get("startedAt"):
            return str(started)
    return str(holder["metadata"]["creationTimestamp"])


def running(pod: Object | None) -> bool:
    """Whether a pod runs and stays."""
    return (
        pod is not None
        and "deletionTimestamp" not in pod["metadata"]
        and pod.get("status", {}).get("phase") == "Running"
    )


def _decided(pod: Object | None) -> bool:
    """Whether a pod runs, or never will."""
    gone = pod is None or leaving(pod) or pod.get("status", {}).get("phase") in ("Failed", "Succeeded")
    return gone or running(pod)


def holds(pod: Object, claim: str, node: str) -> bool:
    """Whether a pod has a claim mounted on a node, or will have."""
    ended = pod.get("status", {}).get("phase") in ("Failed", "Succeeded")
    held = {
        one["persistentVolumeClaim"]["claimName"] for one in pod["spec"]["volumes"] if "persistentVolumeClaim" in one
    }
    there = pod["spec"].get("nodeName") == node and claim in held
    return there and not ended and "deletionTimestamp" not in pod["metadata"]
