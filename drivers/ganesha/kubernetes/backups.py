"""Backups of volumes as snapshots of a class of their own, whose snapshots outlive the volume they were taken of.

The storage copies by itself, without any worker: Longhorn's snapshots of ``type: bak`` go to its backup target. A
restore fills a claim beside the share's, which is served until that claim is proven whole and takes its place.
"""

from __future__ import annotations

from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.incarnations import owned_as
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.ganesha.kubernetes.replacing import Replacing
from drivers.kubernetes import claims
from drivers.kubernetes.api import SNAPSHOT, Cluster, Object
from drivers.kubernetes.claims import Claims
from generated.errors import ShareBackendException

PROMPT: Final = 2.0
"""Seconds that a copy is waited for in one call."""


class KubernetesBackups:
    """The port ``Backups`` on a cluster."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self._kept = Claims(options, cluster)
        self._replacing = Replacing(options, cluster)

    async def begin(self, backup: str, volume: str) -> None:
        """Ask for the snapshot; the storage takes it at one moment and copies it then."""
        source = await self._replacing.served(volume)
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
        """Remove the snapshot, and wait until the storage has let go of it.

        Raises:
            ShareBackendException: a share is restored from it; it stays.
        """
        if copying := await self._replacing.dependents.copies_of(names.backup(backup), {names.ROLE: "restore"}):
            raise ShareBackendException(msg=f"backup {backup} is needed, and stays: {', '.join(copying)}")
        await self._kept.forget_snapshot(names.backup(backup))

    async def begin_restore(self, backup: str, volume: str) -> None:
        """Ask for a claim that is filled from the backup. One that another restore has left goes before."""
        await self._replacing.begin(volume, await self._found(backup))

    async def restore_progress(self, backup: str, volume: str) -> int:
        """100 when the copy of the backup is proven whole.

        Raises:
            ShareBackendException: it is not bound within ``kubernetes_bind_timeout``, or never whole; it is gone then,
                the share as it was.
        """
        if await self._replacing.begun(volume) is None:
            await self.begin_restore(backup, volume)
            return 0
        return 100 if await self._replacing.progress(volume, None, PROMPT) else 0

    async def swap(self, volume: str) -> None:
        """The filled claim becomes the share's; the one before stays while a snapshot lives in it."""
        await self._replacing.swap(volume)

    async def _found(self, backup: str) -> Object:
        found = await self._kept.snapshot_of({names.ROLE: "backup", names.BACKUP: backup})
        if found is None:
            raise ShareBackendException(msg=f"backup {backup} is gone")
        return found
