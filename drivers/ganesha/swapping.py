"""The volume behind an export is replaced: by the copy of a snapshot (a revert) or of a backup (a restore).

A copy may take the storage a long time. The share is served as it was until the copy is proven whole; each call goes
on where the one before it ended, whoever made that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from drivers.base import ExportLocation, ShareStatus
from drivers.ganesha.managing import Managing
from drivers.ganesha.options import GaneshaOptions, look
from drivers.ganesha.ports import Backups, Export, Server
from drivers.ganesha.rules import Client, plan
from generated.errors import ShareBackendException, ShareResourceNotFound
from generated.runtime import Row

COPYING, REVERTING = "creating_from_snapshot", "reverting_to_snapshot"
"""Statuses of shares that are asked about until the storage has copied their data."""


class Swapping(Managing):
    """The part of the driver that replaces volumes."""

    _ganesha: GaneshaOptions
    _kept: Backups | None

    async def _serve(self, server: Server, share: Row, clients: tuple[Client, ...] | None) -> Export:
        """Export a share whose volume is there."""
        raise NotImplementedError

    async def _shown_copy(self, share: Row, server: Server) -> list[ExportLocation]:
        """Export a share whose copy is whole."""
        raise NotImplementedError

    async def revert_to_snapshot(
        self,
        snapshot: Row,
        share_access_rules: Sequence[Row],
        snapshot_access_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> int | ShareStatus:
        """Swap the volume behind the export; path, number, identity and size stay, so mounts come back.

        The share is served as it was until the copy of the snapshot is proven whole. One that takes longer than a call
        may wait is gone on with by ``get_share_status``.
        """
        server = await self._started(share_server)
        name, share = snapshot["share_instance_id"], snapshot["share"]
        if why := await self._volumes.unproven():
            raise ShareBackendException(msg=f"share {name} is not reverted: {why}")
        if not await self._volumes.prepare_restore(name, snapshot["id"]):
            return {"status": REVERTING}
        # one that was cut short may have lost its export
        like = Export(name, "", look(self._ganesha, share.get("extra_specs") or {}).squash)
        await self._revert(server, share, name, snapshot["id"], plan(share_access_rules).clients, like)
        return int(share["size"])

    async def _revert(
        self,
        server: Server,
        share: Row,
        name: str,
        snapshot: str,
        clients: tuple[Client, ...] | None,
        like: Export | None,
    ) -> None:
        await self._swap(server, name, int(share["size"]), clients, lambda: self._volumes.restore(name, snapshot), like)

    async def get_share_status(self, share: Row, share_server: Row | None = None) -> ShareStatus:
        """Go on with a share whose data is copied by the storage, and say whether it is done.

        Raises:
            ShareBackendException: the copy never will be whole. A share that was to be reverted is as it was.
        """
        name = share["id"]
        if share["status"] == REVERTING:
            snapshot = await self._volumes.restoring(name)
            if snapshot is not None:
                if not await self._volumes.prepare_restore(name, snapshot):
                    return {"status": REVERTING}
                server = await self._started(share_server)
                # the rules come back with the next look at what clients it has
                like = Export(name, "", look(self._ganesha, share.get("extra_specs") or {}).squash)
                await self._revert(server, share, name, snapshot, None, like)
            server = await self._started(share_server)
            export = await self._serve(server, share, None)
            await self._volumes.tidy(name)
            locations = self._shown(server, export)
            return {"status": "available", "export_locations": locations, "size": int(share["size"])}
        server = await self._started(share_server)
        if not await self._volumes.filled(name, server.id):
            return {"status": COPYING}
        return {"status": "available", "export_locations": await self._shown_copy(share, server)}

    async def _swap(
        self,
        server: Server,
        name: str,
        size: int,
        clients: tuple[Client, ...] | None,
        change: Callable[[], Awaitable[None]],
        like: Export | None = None,
    ) -> None:
        """Change the volume behind an export while it is taken off.

        Args:
            clients: None: they stay as they are.
            like: what the export is if it is not known any more.
        """
        export = await self._exports.find(server.id, name) or like
        if export is None:
            raise ShareResourceNotFound(share_id=name)
        if clients is not None:
            export = replace(export, clients=clients)
        await self._exports.suspend(server.id, name)
        try:
            await self._volumes.detach(name)
            await change()
        finally:
            # whatever happened, the share is served again: as it was or as it should become
            path = await self._volumes.attach(name, server.id)
            await self._volumes.extend(name, size)
            await self._exports.publish(server.id, replace(export, path=path))
        await self._volumes.tidy(name)

    # ---- backups

    @property
    def _backups(self) -> Backups:
        if self._kept is None:
            raise ShareBackendException(msg=f"{self._ganesha.backup_option} is not set")
        return self._kept

    async def create_backup(self, share_instance: Row, backup: Row, share_server: Row | None = None) -> None:
        """Copy the volume as it is at one moment; ``create_backup_continue`` tells how far that is."""
        backups, server = self._backups, await self._started(share_server)
        await self._volumes.attach(share_instance["id"], server.id)
        await backups.begin(backup["id"], share_instance["id"])

    async def create_backup_continue(self, share_instance: Row, backup: Row, share_server: Row | None = None) -> Row:
        return {"total_progress": str(await self._backups.progress(backup["id"]))}

    async def delete_backup(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> None:
        """It needs neither the share nor its server."""
        await self._backups.delete(backup["id"])

    async def restore_backup(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> None:
        """Copy the backup beside the volume, which is served until it is swapped."""
        await self._backups.begin_restore(backup["id"], share_instance["id"])

    async def restore_backup_continue(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> Row:
        """Swap the volume behind the export once all is copied, as a revert does."""
        backups, name = self._backups, share_instance["id"]
        progress = await backups.restore_progress(backup["id"], name)
        if progress == 100:
            server = await self._started(share_server)
            await self._swap(server, name, int(share_instance["size"]), None, lambda: backups.swap(name))
        return {"total_progress": str(progress)}
