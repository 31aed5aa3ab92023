"""The port ``Backups`` over the namespaces of many projects: a backup is where its volume was."""

from __future__ import annotations

from drivers.ganesha.kubernetes.backups import KubernetesBackups
from drivers.ganesha.kubernetes.spaces.finding import Finder
from drivers.ganesha.kubernetes.spaces.life import Life
from drivers.ganesha.kubernetes.spaces.parts import Parts
from generated.errors import ShareBackendException


class SpreadBackups:
    """See ``KubernetesBackups``."""

    def __init__(self, parts: Parts, finder: Finder, life: Life) -> None:
        self._parts, self._finder, self._life = parts, finder, life

    async def _of_volume(self, volume: str) -> KubernetesBackups:
        return self._parts.at(await self._finder.of_volume(volume)).backups

    async def _both(self, backup: str, volume: str) -> KubernetesBackups:
        """Those of a volume, among which the backup must be."""
        of, backups = await self._finder.of_backup(backup), await self._of_volume(volume)
        if of is not None and self._parts.at(of).backups is not backups:
            where = f"backup {backup} is in the namespace {of}, the volume of share {volume} is not"
            raise ShareBackendException(msg=f"{where}: a share is restored from a backup in the same namespace only")
        return backups

    async def begin(self, backup: str, volume: str) -> None:
        await (await self._of_volume(volume)).begin(backup, volume)

    async def progress(self, backup: str) -> int:
        return await self._parts.at(await self._finder.of_backup(backup)).backups.progress(backup)

    async def delete(self, backup: str) -> None:
        """It may be the last thing in its namespace: it outlives the share and the server."""
        namespace = await self._finder.of_backup(backup)
        await self._parts.at(namespace).backups.delete(backup)
        if namespace is not None:
            await self._life.tidy(namespace)

    async def begin_restore(self, backup: str, volume: str) -> None:
        await (await self._both(backup, volume)).begin_restore(backup, volume)

    async def restore_progress(self, backup: str, volume: str) -> int:
        return await (await self._both(backup, volume)).restore_progress(backup, volume)

    async def swap(self, volume: str) -> None:
        await (await self._of_volume(volume)).swap(volume)
