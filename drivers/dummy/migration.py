"""The dummy driver's migrations: half of a share or server moves each time the driver is asked to go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drivers.base import BackendOptions, ShareDriver
from drivers.dummy.paths import locations, share_name, snapshot_name
from generated.runtime import Row

STEP, WHOLE = 50, 100


class Migration(ShareDriver):
    """What the dummy driver can of migrations; it moves to every back end."""

    def __init__(self, options: BackendOptions) -> None:
        super().__init__(options)
        self._moved: dict[str, int] = {}
        """Share instance or share server -> per cent that is there."""

    # ---- shares

    async def migration_check_compatibility(
        self,
        source_share: Row,
        destination_share: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> dict[str, bool]:
        return {
            "compatible": True,
            "writable": True,
            "preserve_metadata": True,
            "nondisruptive": False,
            "preserve_snapshots": True,
        }

    async def migration_start(self, source_share: Row, *others: Any) -> None:
        self._moved[source_share["id"]] = 0

    async def migration_continue(self, source_share: Row, *others: Any) -> bool:
        return self._go_on(source_share["id"])

    async def migration_complete(
        self,
        source_share: Row,
        destination_share: Row,
        source_snapshots: Sequence[Row],
        snapshot_mappings: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> Row:
        """The locations are made of the source's server, as the original's dummy driver does."""
        self._moved.pop(source_share["id"], None)
        return {
            "snapshot_updates": {
                copy["id"]: _snapshot(copy, share_server) for copy in snapshot_mappings.values()
            },
            "export_locations": locations(f"/path/to/fake/share/{share_name(destination_share)}", share_server),
        }  # fmt: skip

    async def migration_cancel(self, source_share: Row, *others: Any) -> None:
        self._moved.pop(source_share["id"], None)

    async def migration_get_progress(self, source_share: Row, *others: Any) -> dict[str, int]:
        return {"total_progress": self._moved.get(source_share["id"], 0)}

    # ---- share servers

    async def share_server_migration_check_compatibility(
        self,
        share_server: Row,
        dest_host: str,
        old_share_network: Row,
        new_share_network: Row,
        shares_request_spec: Row,
    ) -> Row:
        return {
            "compatible": True,
            "writable": True,
            "preserve_snapshots": True,
            "nondisruptive": False,
            "share_network_id": new_share_network["id"],
            "migration_cancel": True,
            "migration_get_progress": True,
        }

    async def share_server_migration_start(self, src_share_server: Row, *others: Any) -> None:
        self._moved[src_share_server["id"]] = 0

    async def share_server_migration_continue(self, src_share_server: Row, *others: Any) -> bool:
        return self._go_on(src_share_server["id"])

    async def share_server_migration_complete(
        self,
        src_share_server: Row,
        dest_share_server: Row,
        shares: Sequence[Row],
        snapshots: Sequence[Row],
        new_network_info: Any,
    ) -> Row:
        self._moved.pop(src_share_server["id"], None)
        pool = f"fake_pool_for_{self.options.share_backend_name}"
        return {
            "share_updates": {
                one["id"]: {
                    "export_locations": locations(f"/path/to/fake/share/{share_name(one)}", dest_share_server),
                    "pool_name": pool,
                }
                for one in shares
            },
            "snapshot_updates": {one["id"]: _snapshot(one, dest_share_server) for one in snapshots},
        }

    async def share_server_migration_cancel(self, src_share_server: Row, *others: Any) -> None:
        self._moved.pop(src_share_server["id"], None)

    async def share_server_migration_get_progress(self, src_share_server: Row, *others: Any) -> dict[str, int]:
        return {"total_progress": self._moved.get(src_share_server["id"], 0)}

    def _go_on(self, key: str) -> bool:
        self._moved[key] = self._moved.get(key, 0) + STEP
        return self._moved[key] >= WHOLE


def _snapshot(snapshot: Row, share_server: Row | None) -> Row:
    path = f"/path/to/fake/snapshot/{snapshot_name(snapshot)}"
    return {"provider_location": path, "export_locations": locations(path, share_server)}
