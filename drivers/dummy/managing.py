"""Taking over and letting go, for the dummy driver: it knows again what it let go of, and nothing else.

As the original's, it notes in its private storage what it lets go of. A note stays when it was used, with the name of
what took it, so that a take-over may be repeated after a crash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from drivers.base import ExportLocation, ShareDriver
from generated.errors import ShareBackendException
from generated.runtime import Row

TAKEN = "taken_by"


class Managing(ShareDriver):
    """The part of ``DummyDriver`` that manages and unmanages."""

    async def manage_existing(self, share: Row, driver_options: Row) -> Row:
        path = _first_path(share)
        old_id = _old_id(path, "share_")
        await self._find(old_id, "export_location", path, share["id"], ":/")
        # a share that can't be made leaves what it names to another try
        made = await self._made(share)
        await self._take(old_id, share["id"])
        return {"size": 1, "export_locations": made}

    async def _made(self, share: Row) -> list[ExportLocation]:
        """The export locations that a new share would get, without a server as by the original's."""
        return await self.create_share(share)

    async def manage_existing_with_server(
        self, share: Row, driver_options: Row, share_server: Row | None = None
    ) -> Row:
        return await self.manage_existing(share, driver_options)

    async def unmanage(self, share: Row) -> None:
        await self._note(share["id"], "export_location", _first_path(share))

    async def unmanage_with_server(self, share: Row, share_server: Row | None = None) -> None:
        await self.unmanage(share)

    async def manage_existing_snapshot(self, snapshot: Row, driver_options: Row) -> Row:
        location = str(snapshot["provider_location"])
        old_id = _old_id(location, "snapshot_")
        await self._find(old_id, "provider_location", location, snapshot["id"], None)
        await self._take(old_id, snapshot["id"])
        return {"size": 1, "provider_location": location}

    async def manage_existing_snapshot_with_server(
        self, snapshot: Row, driver_options: Row, share_server: Row | None = None
    ) -> Row:
        return await self.manage_existing_snapshot(snapshot, driver_options)

    async def unmanage_snapshot(self, snapshot: Row) -> None:
        await self._note(snapshot["id"], "provider_location", str(snapshot["provider_location"]))

    async def unmanage_snapshot_with_server(self, snapshot: Row, share_server: Row | None = None) -> None:
        await self.unmanage_snapshot(snapshot)

    async def get_share_server_network_info(self, share_server: Row, identifier: str, driver_options: Row) -> list[str]:
        details = await self.private_storage.get(identifier)
        if "service_ip" not in details:
            raise ShareBackendException(msg=f"Unable to find share server {identifier} in private storage.")
        subnets: list[dict[str, str]] = json.loads(details.get("subnet_allocations", "[]"))
        return [details["service_ip"], *(address for subnet in subnets for address in subnet.values())]

    async def manage_server(
        self, share_server: Row, identifier: str, driver_options: Row
    ) -> tuple[str, dict[str, Any]]:
        details = await self.private_storage.get(identifier)
        return identifier, details

    async def unmanage_server(
        self, server_details: Mapping[str, Any], security_services: Sequence[Row] | None = None
    ) -> None:
        if "server_id" in server_details:
            await self.private_storage.put(
                server_details["server_id"], {key: str(value) for key, value in server_details.items()}
            )

    async def _note(self, entity_id: str, key: str, value: str) -> None:
        await self.private_storage.put(entity_id, {key: value, TAKEN: ""})

    async def _find(self, old_id: str, key: str, value: str, new_id: str, after: str | None) -> None:
        """Look for what was noted under ``old_id``; only the part of its place behind ``after`` is compared.

        Raises:
            ShareBackendException: nothing was, or something else took it.
        """
        noted = await self.private_storage.get(old_id)
        found = noted.get(key)
        same = found is not None and (found == value if after is None else _tail(found, after) == _tail(value, after))
        if not same or noted.get(TAKEN, "") not in ("", new_id):
            raise ShareBackendException(msg=f"nothing of this back end is at {value}")

    async def _take(self, old_id: str, new_id: str) -> None:
        """What was noted under ``old_id`` belongs to ``new_id`` from now on."""
        await self.private_storage.put(old_id, {TAKEN: new_id})


def _first_path(share: Row) -> str:
    """The path a share is named by; empty when it has none."""
    found = share["export_locations"]
    return str(found[0]["path"]) if found else ""


def _tail(path: str, after: str) -> str:
    return path.rpartition(after)[2]


def _old_id(place: str, prefix: str) -> str:
    """The id that the last part of a path ends with: ``..._{id of the whole}_{id of the instance}``."""
    parts = place.split(prefix)
    return parts[1][37:].replace("_", "-") if len(parts) > 1 else place
