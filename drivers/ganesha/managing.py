"""Letting go of shares, snapshots and gateways, and taking them over again.

What is let go of stays as it is: a gateway runs on, a share is exported to its clients. The driver notes it, and takes
over nothing else: a volume that another share uses can't be taken. A volume taken over gets the new share's name, so
its export path changes and it has no clients until rules are made.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from drivers.base import ExportLocation, ShareDriver
from drivers.ganesha.ports import Export, Exports, Gateways, Owner, Server, Volumes
from generated.errors import ManageInvalidShare, ManageInvalidShareSnapshot, ShareBackendException
from generated.runtime import Row

LET_GO, TAKEN = "let_go", "taken_by"


def gateway_of(share_server: Row) -> str:
    """Id of a server's gateway: of the server that it was made for, which may have been taken over since."""
    details: Mapping[str, str] = share_server.get("backend_details") or {}
    return details.get("server_id") or str(share_server["id"])


class Managing(ShareDriver):
    """The part of the driver that manages and unmanages."""

    _gateways: Gateways
    _volumes: Volumes
    _exports: Exports

    async def _started(self, share_server: Row | None) -> Server:
        raise NotImplementedError

    def _shown(self, server: Server, export: Export) -> list[ExportLocation]:
        """Where clients mount an export."""
        raise NotImplementedError

    def _owner(self, share: Row, server: Server) -> Owner:
        """Whose a share's volume is."""
        raise NotImplementedError

    # ---- shares

    async def unmanage_with_server(self, share: Row, share_server: Row | None = None) -> None:
        await self.private_storage.put(share["id"], {LET_GO: "share", TAKEN: ""})

    async def manage_existing_with_server(
        self, share: Row, driver_options: Row, share_server: Row | None = None
    ) -> Row:
        """Take a volume that was let go of; the share's path names it by its last part.

        Raises:
            ManageInvalidShare: nothing is there, or it was never let go of.
        """
        server = await self._started(share_server)
        path = str(share["export_locations"][0]["path"]) if share["export_locations"] else ""
        old, new = _name(path.rpartition("/")[2]), str(share["id"])
        if old is None or not await self._claimed(old, "share", new):
            raise ManageInvalidShare(reason=f"the back end let nothing go that is at {path}")
        known = await self._exports.find(server.id, old) or await self._exports.find(server.id, new)
        if known is None:
            raise ManageInvalidShare(reason=f"share server {server.id} does not export {path}")
        if await self._volumes.size(old) is not None:
            await self._exports.withdraw(server.id, old)
            await self._volumes.detach(old)
            await self._volumes.rename(old, new, self._owner(share, server))
        size = await self._volumes.size(new)
        if size is None:
            raise ManageInvalidShare(reason=f"the volume of {path} is gone")
        export = Export(new, await self._volumes.attach(new, server.id), known.squash)
        await self._exports.publish(server.id, export)
        return {"size": size, "export_locations": self._shown(server, export)}

    # ---- snapshots

    async def unmanage_snapshot_with_server(self, snapshot: Row, share_server: Row | None = None) -> None:
        await self.private_storage.put(snapshot["id"], {LET_GO: "snapshot", TAKEN: ""})

    async def manage_existing_snapshot_with_server(
        self, snapshot: Row, driver_options: Row, share_server: Row | None = None
    ) -> Row:
        """Take a snapshot that was let go of; its provider location is its name.

        Raises:
            ManageInvalidShareSnapshot: nothing is there, or it was never let go of.
        """
        location, new = str(snapshot["provider_location"]), str(snapshot["id"])
        old = _name(location)
        if old is None or not await self._claimed(old, "snapshot", new):
            raise ManageInvalidShareSnapshot(reason=f"the back end let no snapshot go that is at {location}")
        if share_server is not None:
            await self._exports.withdraw((await self._started(share_server)).id, old)
        await self._volumes.detach_snapshot(old)
        await self._volumes.rename_snapshot(old, new)
        return {"size": snapshot["share"]["size"], "provider_location": new}

    # ---- share servers

    async def unmanage_server(
        self, server_details: Mapping[str, Any], security_services: Sequence[Row] | None = None
    ) -> None:
        """The gateway runs on; its details are kept under its id, by which it is taken over."""
        if server_id := server_details.get("server_id"):
            kept = {key: str(value) for key, value in server_details.items()}
            await self.private_storage.put(server_id, {**kept, LET_GO: "server"})

    async def get_share_server_network_info(self, share_server: Row, identifier: str, driver_options: Row) -> list[str]:
        """The gateway's addresses."""
        return [str(one["ip"]) for one in json.loads((await self._server_let_go(identifier))["addresses"])]

    async def manage_server(self, share_server: Row, identifier: str, driver_options: Row) -> tuple[str, Row]:
        """The details it had: they name its gateway, whatever the id of the new server is."""
        details = await self._server_let_go(identifier)
        found = {key: value for key, value in details.items() if key != LET_GO}
        return found.get("identifier", identifier), found

    async def _server_let_go(self, identifier: str) -> dict[str, str]:
        server_id = self._gateways.named(identifier)
        found = await self.private_storage.get(server_id)
        if found.get(LET_GO) != "server" or await self._gateways.find(server_id) is None:
            raise ShareBackendException(msg=f"the back end let no share server {identifier} go")
        return found

    async def _claimed(self, old: str, kind: str, new: str) -> bool:
        """Whether ``new`` may take what was let go of as ``old``; it may ask again."""
        noted = await self.private_storage.get(old)
        if noted.get(LET_GO) != kind or noted.get(TAKEN, "") not in ("", new):
            return False
        await self.private_storage.put(old, {TAKEN: new})
        return True


def _name(text: str) -> str | None:
    """The name of a volume: a UUID as the service writes it, so never a path."""
    try:
        return text if str(uuid.UUID(text)) == text else None
    except ValueError:
        return None
