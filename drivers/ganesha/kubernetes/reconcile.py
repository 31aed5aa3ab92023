"""The port ``Overseer`` on a cluster: looks at everything of a back end, and says what is not as the rows say.

What has a row is put right by tasks of the worker, in turn with other work on it. Put right here is what no row stands
for: the policy that closes the pod network, what attaches gateways to tenants' networks, and pods on a node of which it
is certain that it is out.
"""

from __future__ import annotations

import asyncio
import datetime
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import Final

from drivers.ganesha.kubernetes import manifests, names
from drivers.ganesha.kubernetes.attaching import KINDS as ATTACHING
from drivers.ganesha.kubernetes.comparing import broken, clients, lost, strays, waiting
from drivers.ganesha.kubernetes.fencing import Fence
from drivers.ganesha.kubernetes.gateways import server_of
from drivers.ganesha.kubernetes.observed import KINDS, Observed, about, declared_out, is_ready, observe
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.spaces import naming
from drivers.ganesha.kubernetes.spaces.finding import Finder
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.ganesha.kubernetes.spaces.life import Life
from drivers.ganesha.kubernetes.spaces.parts import Parts
from drivers.ganesha.managing import LET_GO
from drivers.ganesha.wall import networks
from drivers.kubernetes import retained
from drivers.kubernetes.api import (
    CLAIM,
    NAMESPACE,
    NETWORK_ATTACHMENT,
    NETWORK_POLICY,
    NODE,
    POD,
    SNAPSHOT,
    STATEFUL_SET,
    VOLUME_ATTACHMENT,
    Cluster,
    Kind,
    Object,
)
from drivers.kubernetes.copies import Dependents
from drivers.kubernetes.keeping import KeptSnapshots, KeptVolumes
from drivers.kubernetes.labels import label, leaving
from drivers.kubernetes.likeness import differs
from drivers.kubernetes.ownership import identify, orphans
from drivers.kubernetes.watching import Event, follow
from drivers.reconciling import Findings, Orphan, ReadRows, Rows
from drivers.storage import MemoryStorage, PrivateStorage
from drivers.tenant_ports import TenantPorts

log = logging.getLogger(__name__)
ENDED: Final = ("available", "error", "reverting_error", "backup_restoring_error")
"""Statuses of shares whose volume nothing replaces."""
KEPT: Final[Mapping[Kind, type[KeptVolumes | KeptSnapshots]]] = {CLAIM: KeptVolumes, SNAPSHOT: KeptSnapshots}
"""What would stay when an object of a kind goes."""


class KubernetesOverseer:
    """Compares one back end with its rows."""

    def __init__(
        self,
        options: KubernetesOptions,
        cluster: Cluster,
        ports: TenantPorts | None = None,
        parts: Parts | None = None,
    ) -> None:
        self._options, self._cluster = options, cluster
        self._spaces = Spaces(options, cluster)
        self._parts = parts or Parts(cluster, self._spaces)
        self._finder = Finder(options, cluster, self._spaces)
        self._life = Life(options, cluster, self._spaces)
        self._fence = Fence(options, cluster, ports)
        self._storage: PrivateStorage = MemoryStorage()

    async def begin(self, storage: PrivateStorage) -> None:
        """Read the installation's id, made at its first start; what is made from now on carries it."""
        self._storage = storage
        await identify(self._cluster, storage)

    async def inspect(self, read: ReadRows) -> Findings:
        """Objects first, rows after: what was made meanwhile has its row."""
        projects = await self._spaces.projects()
        seen = await observe(self._options, self._cluster, self._spaces)
        for namespace in (self._spaces.home, *(one["metadata"]["name"] for one in projects if not leaving(one))):
            await self._close(namespace)
            await self._attach(seen, namespace)
        await self._let_go_of(seen)
        await self._fence.open(seen)
        await self._tidy(seen)
        ids = {about(one) for kind in KINDS.values() for one in seen.of(kind)} - {""}
        rows = await read(ids.union(*map(naming.servers, projects)))
        await self._abandon(seen, rows)
        await self._life.sweep(projects, ids | rows.known)
        kept = {one for one in ids - rows.known if (await self._storage.get(one)).get(LET_GO)}
        left = list(strays(seen, rows.known, kept.__contains__))
        options, now = self._options, datetime.datetime.now(datetime.UTC)
        name, grace = options.share_backend_name, options.kubernetes_orphan_grace
        found = await orphans(self._storage, name, left, self._cluster.owner, grace, now)
        return Findings(
            tuple(broken(seen, rows)),
            found,
            tuple(waiting(seen)),
            may_remove=self._options.kubernetes_remove_orphans,
        )

    async def _close(self, namespace: str) -> None:
        wanted = manifests.closed(self._spaces.options(namespace))
        name = wanted["metadata"]["name"]
        found = await self._cluster.get(NETWORK_POLICY, name, namespace)
        if found is None or differs(found, wanted):
            log.warning("the network policy %s was %s", name, "gone" if found is None else "changed")
            await self._cluster.apply(NETWORK_POLICY, wanted)

    async def _attach(self, seen: Observed, namespace: str) -> None:
        """What gateways need to be attached comes back; a pod that is not attached as it should be is told of."""
        attaching = self._parts.at(namespace).attaching
        gateways = (server_of(one) for one in seen.of(STATEFUL_SET, "gateway") if not leaving(one))
        servers = [one for one in gateways if one is not None and one.place == namespace]
        await attaching.keep(servers, {one.id: networks(clients(seen, one.id)) for one in servers})
        for pod, why in attaching.misfits(servers, seen.objects[POD.name]):
            log.error("pod %s is not attached as its ports say: %s", pod["metadata"]["name"], why)

    async def _let_go_of(self, seen: Observed) -> None:
        """Remove our pods from nodes that are out, so that their volumes can be attached elsewhere.

        Holders tolerate everything and nobody else removes them. A gateway's pod goes the same way, never from a
        node that may be alive: its StatefulSet then makes the next one. Kubernetes detaches by itself from a node
        that has the taint; where only our annotation says it, the attachments of our volumes are removed, too.
        Just what was seen is removed: this process may have stood still since, and all of it be well again.
        """
        leaving_pods = list(lost(seen))
        failed = await self._fence.close(seen, leaving_pods)
        for pod in leaving_pods:
            if label(pod, names.SERVER) in failed:
                continue
            name, node = pod["metadata"]["name"], pod["spec"]["nodeName"]
            log.warning("pod %s is removed from node %s, which is out", name, node)
            await self._cluster.delete(POD, name, pod["metadata"]["namespace"], grace=0, uid=pod["metadata"]["uid"])
        gone = {name for name, node in seen.nodes.items() if not is_ready(node) and declared_out(node)}
        if not gone or failed:
            return
        volumes = {one["spec"].get("volumeName") for one in seen.objects["PersistentVolumeClaim"].values()} - {None}
        for one in await self._cluster.every(VOLUME_ATTACHMENT):
            held = one["spec"]["source"].get("persistentVolumeName")
            if one["spec"]["nodeName"] in gone and held in volumes and not leaving(one):
                log.warning("volume %s is detached from node %s, which is out", held, one["spec"]["nodeName"])
                await self._cluster.delete(VOLUME_ATTACHMENT, one["metadata"]["name"], uid=one["metadata"]["uid"])

    async def _tidy(self, seen: Observed) -> None:
        """Remove what a replaced volume has left: the volume before it, if nothing needs it, and its proof."""
        begun = {label(one, names.SHARE) for one in seen.of(CLAIM, "restore")}
        for pod in seen.of(POD, "proof"):
            if label(pod, names.SHARE) not in begun:
                await self._cluster.delete(POD, pod["metadata"]["name"], pod["metadata"]["namespace"], grace=0)
        shares = Counter(label(one, names.SHARE) for one in seen.of(CLAIM, "share"))
        several = (one for one in seen.of(CLAIM, "share") if shares[label(one, names.SHARE)] > 1)
        for namespace in {one["metadata"]["namespace"] for one in (*seen.of(CLAIM, "former"), *several)}:
            await self._parts.at(namespace).volumes.tidy("")

    async def _abandon(self, seen: Observed, rows: Rows) -> None:
        """Remove copies that were begun for shares which nobody reverts or restores any more, as after a failure."""
        ended = {one["id"] for one in rows.shares if one.get("status") in ENDED}
        for one in seen.of(CLAIM, "restore"):
            share = label(one, names.SHARE)
            if share in ended and not leaving(one):
                log.warning("claim %s is removed: share %s is not reverted or restored", one["metadata"]["name"], share)
                await self._parts.at(one["metadata"]["namespace"]).volumes.abandon(share)

    async def revive_snapshot(self, snapshot: str) -> None:
        """Bring a VolumeSnapshot back whose content the cluster still has. Raises SnapshotResourceNotFound."""
        options = self._options
        if self._spaces.many and (namespace := await self._finder.of_snapshot(snapshot)):
            options = self._spaces.options(namespace)
        own = names.labels(options.share_backend_name, "snapshot", **{names.SNAPSHOT: snapshot})
        await retained.revive(options, self._cluster, names.snapshot(snapshot), own)

    async def remove(self, orphan: Orphan) -> None:
        """Remove exactly this object, not another one that has its name by now."""
        log.warning("orphan removed: %s %s, of %s, %.0f s old", orphan.kind, orphan.name, orphan.about, orphan.age)
        kind = KINDS[orphan.kind]
        for namespace in await self._spaces.names():
            found = await self._cluster.get(kind, orphan.name, namespace)
            if found is None or found["metadata"]["uid"] != orphan.uid:
                continue
            # its own labels name its volume or content, too
            own = {key: value for key, value in found["metadata"]["labels"].items() if key.startswith(names.PREFIX)}
            if kind is CLAIM and (needed := await self._dependents(namespace).of_claim(found)):
                log.warning("orphan %s %s stays, it is needed: %s", orphan.kind, orphan.name, ", ".join(needed))
                continue
            if kind in KEPT:
                await KEPT[kind](self._cluster, namespace).let_go(own, orphan.name)
            await self._cluster.delete(kind, orphan.name, namespace, uid=orphan.uid)

    def _dependents(self, namespace: str) -> Dependents:
        return Dependents(self._cluster, namespace, self._options.kubernetes_backup_class)

    async def changes(self) -> AsyncIterator[str]:
        """Something of ours was removed, a gateway has a node or is up, a holder ended, a node is lost or out."""
        own = {names.MANAGED: "openkeel-manila", names.BACKEND: self._options.share_backend_name}
        told: asyncio.Queue[str] = asyncio.Queue()
        last: dict[str, object] = {}

        def tell(event: Event) -> None:
            kind, what, found = event
            name, namespace = str(found["metadata"]["name"]), str(found["metadata"].get("namespace", ""))
            if namespace and not self._spaces.may_be_ours(namespace):
                return
            key = f"{kind.name} {namespace}/{name}"
            if what == "DELETED":
                last.pop(key, None)
                told.put_nowait(f"{kind.name} {name} was removed")
            elif (now := _state(kind.name, found)) != last.setdefault(key, now):
                last[key] = now
                told.put_nowait(f"{kind.name} {name} is {now}")

        watched: list[tuple[Kind, str | None, dict[str, str]]]
        where = self._spaces.everywhere
        watched = [(kind, where, own) for kind in (*KINDS.values(), NETWORK_POLICY)]
        if self._spaces.many:
            watched.append((NAMESPACE, None, naming.own(self._options)))
        for kind in ATTACHING[self._options.kubernetes_attachment]:
            watched.append((kind, where if kind.namespaced else None, own))
        jobs = [asyncio.create_task(follow(self._cluster, *one, tell)) for one in watched]
        jobs.append(asyncio.create_task(follow(self._cluster, NODE, None, {}, tell)))
        try:
            while True:
                yield await told.get()
        finally:
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)


def _state(kind: str, found: Object) -> object:
    """What of an object is worth a look when it changes."""
    if kind == NODE.name:
        return is_ready(found), declared_out(found)
    if kind in (NETWORK_POLICY.name, NETWORK_ATTACHMENT.name):
        metadata = found["metadata"]
        return metadata.get("generation"), (metadata.get("annotations") or {}).get(manifests.POLICY_FOR)
    status = found.get("status") or {}
    if kind == POD.name:
        gateway = label(found, names.ROLE) == "gateway"
        well = any(one["type"] == "Ready" and one["status"] == "True" for one in status.get("conditions") or [])
        node = found["spec"].get("nodeName") if gateway else None
        return found["metadata"]["uid"], status.get("phase"), node, gateway and well
    if kind == "StatefulSet":
        return found["metadata"].get("generation")
    return None
