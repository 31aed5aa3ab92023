"""Backups of volumes as snapshots of a class of their own, whose snapshots outlive the volume they were taken of.

The storage copies by itself, without any worker: Longhorn's snapshots of ``type: bak`` go to its backup target. A
restore fills a claim beside the share's, which is served until that claim takes its place.
"""

from __future__ import annotations

import datetime

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.incarnations import claim_in_use, next_claim, owned_as
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes import claims
from drivers.kubernetes.api import CLAIM, SNAPSHOT, Cluster, Object
from drivers.kubernetes.claims import Claims, bound
from drivers.kubernetes.keeping import KeptVolumes
from generated.errors import ShareBackendException, ShareResourceNotFound


class KubernetesBackups:
    """The port ``Backups`` on a cluster."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._kept = Claims(options, cluster)
        self._volumes = KeptVolumes(cluster, options.kubernetes_namespace)
        self._namespace = options.kubernetes_namespace

    async def begin(self, backup: str, volume: str) -> None:
        """Ask for the snapshot; the storage takes it at one moment and copies it then."""
        source = await self._served(volume)
        more = {names.BACKUP: backup, **owned_as(source)}
        own = names.labels(self._options.share_backend_name, "backup", **more)
        name, of = names.backup(backup), source["metadata"]["name"]
        wanted = claims.snapshot(self._options, name, of, own, self._options.kubernetes_backup_class)
        await self._cluster.create(SNAPSHOT, wanted)

    async def progress(self, backup: str) -> int:
        """100 when the storage has all of it; it does not tell how far it is before.

        Raises:
            ShareBackendException: the storage complains of it, and has done so for a while.
        """
        return 100 if await self._kept.taken(await self._found(backup)) else 0

    async def delete(self, backup: str) -> None:
        """Remove the snapshot, and wait until the storage has let go of it."""
        await self._kept.forget_snapshot(names.backup(backup))

    async def begin_restore(self, backup: str, volume: str) -> None:
        """Ask for a claim that is filled from the backup. One that another restore has left goes before."""
        source, present = await self._found(backup), await self._served(volume)
        begun = False
        for one in await self._restored(volume):
            if one["spec"]["dataSource"]["name"] == source["metadata"]["name"]:
                begun = True
            else:
                await self._kept.forget(one["metadata"]["name"])
        if not begun:
            known = await self._kept.live({names.ROLE: "share", names.SHARE: volume})
            await self._cluster.create(CLAIM, next_claim(self._options, volume, present, source, "restore", known))

    async def restore_progress(self, backup: str, volume: str) -> int:
        """100 when the claim is bound.

        Raises:
            ShareBackendException: it is not within ``kubernetes_bind_timeout``; it is gone then, the share as it was.
        """
        found = await self._restored(volume)
        if not found:
            await self.begin_restore(backup, volume)
            return 0
        made = datetime.datetime.fromisoformat(found[-1]["metadata"]["creationTimestamp"])
        age = (datetime.datetime.now(datetime.UTC) - made).total_seconds()
        if not bound(found[-1]) and age > self._options.kubernetes_bind_timeout:
            # says why, and removes it
            await self._kept.settle(found[-1]["metadata"]["name"], 1.0)
        return 100 if bound(found[-1]) else 0

    async def swap(self, volume: str) -> None:
        """The filled claim becomes the share's; then the one before goes."""
        for one in await self._restored(volume):
            change = {"metadata": {"labels": {names.ROLE: "share"}}}
            swapped = await self._cluster.merge(CLAIM, one["metadata"]["name"], self._namespace, change)
            await self._volumes.keep_of(swapped or one)
        known = await self._kept.live({names.ROLE: "share", names.SHARE: volume})
        served = claim_in_use(known)
        for one in known:
            if served is not None and one["metadata"]["name"] != served["metadata"]["name"]:
                await self._volumes.let_go({names.SHARE: volume}, one["metadata"]["name"])
                await self._kept.forget(one["metadata"]["name"])

    async def _found(self, backup: str) -> Object:
        found = await self._kept.snapshot_of({names.ROLE: "backup", names.BACKUP: backup})
        if found is None:
            raise ShareBackendException(msg=f"backup {backup} is gone")
        return found

    async def _served(self, volume: str) -> Object:
        found = claim_in_use(await self._kept.live({names.ROLE: "share", names.SHARE: volume}))
        if found is None:
            raise ShareResourceNotFound(share_id=volume)
        return found

    async def _restored(self, volume: str) -> list[Object]:
        return await self._kept.live({names.ROLE: "restore", names.SHARE: volume})
