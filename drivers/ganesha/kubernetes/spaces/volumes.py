"""The port ``Volumes`` over the namespaces of many projects: a volume is where its share server is, and stays there."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.spaces.finding import Finder
from drivers.ganesha.kubernetes.spaces.known import Spaces
from drivers.ganesha.kubernetes.spaces.parts import Parts
from drivers.ganesha.kubernetes.volumes import KubernetesVolumes
from drivers.ganesha.ports import NOBODY, Owner
from drivers.kubernetes.api import CLAIM, Cluster
from drivers.kubernetes.capacity import measured
from drivers.room import Capacity
from generated.errors import ShareBackendException


class SpreadVolumes:
    """See ``KubernetesVolumes``."""

    def __init__(self, cluster: Cluster, spaces: Spaces, parts: Parts, finder: Finder) -> None:
        self._cluster, self._spaces, self._parts, self._finder = cluster, spaces, parts, finder

    async def _with(self, server_id: str) -> KubernetesVolumes:
        """Those beside a share server."""
        return self._parts.at(await self._finder.of_server(server_id) if server_id else None).volumes

    async def _making(self, name: str, owner: Owner) -> KubernetesVolumes:
        """Those among which a volume is about to be."""
        namespace = await self._finder.of_server(owner.server) if owner.server else None
        if namespace is not None:
            self._finder.remember_volume(name, namespace)
        return self._parts.at(namespace).volumes

    async def _of(self, *known_as: str) -> KubernetesVolumes:
        """Those among which one of these names is."""
        for name in known_as:
            if (found := await self._finder.of_volume(name)) is not None:
                return self._parts.at(found).volumes
        return self._parts.home.volumes

    async def _of_snapshot(self, *known_as: str) -> KubernetesVolumes:
        for name in known_as:
            if (found := await self._finder.of_snapshot(name)) is not None:
                return self._parts.at(found).volumes
        return self._parts.home.volumes

    async def setup(self) -> None:
        for namespace in await self._spaces.names():
            await self._parts.at(namespace).volumes.setup()

    async def create(self, name: str, size: int, pool: str | None = None, owner: Owner = NOBODY) -> None:
        await (await self._making(name, owner)).create(name, size, pool, owner)

    async def create_from_snapshot(
        self, name: str, snapshot: str, size: int, pool: str | None = None, owner: Owner = NOBODY
    ) -> None:
        """Beside its server. A claim can be filled from a snapshot of its own namespace only.

        Raises:
            SnapshotResourceNotFound: there is no such snapshot.
            ShareBackendException: the snapshot is in another namespace.
        """
        source, volumes = await self._finder.of_snapshot(snapshot), await self._making(name, owner)
        if source is not None and self._parts.at(source).volumes is not volumes:
            where = f"snapshot {snapshot} is in the namespace {source}, share server {owner.server} is not"
            raise ShareBackendException(msg=f"{where}: a share is made from a snapshot in the same namespace only")
        await volumes.create_from_snapshot(name, snapshot, size, pool, owner)

    async def attach(self, name: str, server_id: str) -> str:
        return await (await self._with(server_id)).attach(name, server_id)

    async def bring(self, name: str, server_id: str) -> bool:
        return await (await self._with(server_id)).bring(name, server_id)

    async def prepare(self, name: str, uid: int, gid: int, mode: int) -> None:
        await (await self._of(name)).prepare(name, uid, gid, mode)

    async def detach(self, name: str) -> None:
        await (await self._of(name)).detach(name)

    async def delete(self, name: str) -> None:
        await (await self._of(name)).delete(name)
        self._finder.forget(name)

    async def extend(self, name: str, size: int) -> None:
        await (await self._of(name)).extend(name, size)

    async def snapshot(self, name: str, snapshot: str) -> None:
        namespace = await self._finder.of_volume(name)
        await self._parts.at(namespace).volumes.snapshot(name, snapshot)
        self._finder.remember_snapshot(snapshot, namespace)

    async def delete_snapshot(self, snapshot: str) -> None:
        await (await self._of_snapshot(snapshot)).delete_snapshot(snapshot)
        self._finder.forget(snapshot)

    async def attach_snapshot(self, snapshot: str, server_id: str) -> str:
        return await (await self._with(server_id)).attach_snapshot(snapshot, server_id)

    async def detach_snapshot(self, snapshot: str) -> None:
        await (await self._of_snapshot(snapshot)).detach_snapshot(snapshot)

    async def used(self, name: str) -> float | None:
        return await (await self._of(name)).used(name)

    async def filled(self, name: str, server_id: str) -> bool:
        return await (await self._of(name)).filled(name, server_id)

    async def unproven(self) -> str:
        return await self._parts.home.volumes.unproven()

    async def prepare_restore(self, name: str, snapshot: str) -> bool:
        return await (await self._of(name)).prepare_restore(name, snapshot)

    async def restoring(self, name: str) -> str | None:
        return await (await self._of(name)).restoring(name)

    async def tidy(self, name: str) -> None:
        await (await self._of(name)).tidy(name)

    async def restore(self, name: str, snapshot: str) -> None:
        await (await self._of(name)).restore(name, snapshot)

    async def size(self, name: str) -> int | None:
        return await (await self._of(name)).size(name)

    async def rename(self, name: str, new: str, owner: Owner = NOBODY) -> None:
        await (await self._of(name, new)).rename(name, new, owner)
        self._finder.forget(name)

    async def rename_snapshot(self, name: str, new: str) -> None:
        await (await self._of_snapshot(name, new)).rename_snapshot(name, new)
        self._finder.forget(name)

    async def rooms(self) -> Mapping[str, Capacity]:
        """Room of each storage class, with what all projects were promised."""
        options = self._parts.home.options
        own = {names.BACKEND: options.share_backend_name}
        return await measured(options, self._cluster, names.VOLUMES, await self._spaces.every(CLAIM, own))

    async def pool(self, name: str) -> str | None:
        return await (await self._of(name)).pool(name)
