"""Replication of the dummy driver: every replica is in sync at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drivers.dummy.paths import locations, share_name
from drivers.optional import OptionalOperations
from generated.runtime import Row


class Replication(OptionalOperations):
    """Nothing is kept."""

    async def create_replica(
        self,
        replica_list: Sequence[Row],
        new_replica: Row,
        access_rules: Sequence[Row],
        replica_snapshots: Sequence[Row],
        share_server: Row | None = None,
    ) -> Any:
        return {
            "export_locations": locations(f"/path/to/fake/share/{share_name(new_replica)}", share_server),
            "replica_state": "in_sync",
            "access_rules_status": "active",
        }

    async def delete_replica(
        self,
        replica_list: Sequence[Row],
        replica_snapshots: Sequence[Row],
        replica: Row,
        share_server: Row | None = None,
    ) -> None:
        """Nothing is kept."""

    async def promote_replica(
        self,
        replica_list: Sequence[Row],
        replica: Row,
        access_rules: Sequence[Row],
        share_server: Row | None = None,
        quiesce_wait_time: float | None = None,
    ) -> Any:
        return [
            {"id": one["id"], "replica_state": "active" if one["id"] == replica["id"] else "in_sync"}
            for one in replica_list
        ]

    async def update_replica_state(
        self,
        replica_list: Sequence[Row],
        replica: Row,
        access_rules: Sequence[Row],
        replica_snapshots: Sequence[Row],
        share_server: Row | None = None,
    ) -> Any:
        return "in_sync"

    async def create_replicated_snapshot(
        self, replica_list: Sequence[Row], replica_snapshots: Sequence[Row], share_server: Row | None = None
    ) -> Any:
        return [{"id": one["id"], "status": "available"} for one in replica_snapshots]

    async def revert_to_replicated_snapshot(
        self,
        active_replica: Row,
        replica_list: Sequence[Row],
        active_replica_snapshot: Row,
        replica_snapshots: Sequence[Row],
        share_access_rules: Sequence[Row],
        snapshot_access_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> None:
        """Nothing is kept."""

    async def delete_replicated_snapshot(
        self, replica_list: Sequence[Row], replica_snapshots: Sequence[Row], share_server: Row | None = None
    ) -> Any:
        return [{"id": one["id"], "status": "deleted"} for one in replica_snapshots]

    async def update_replicated_snapshot(
        self,
        replica_list: Sequence[Row],
        share_replica: Row,
        replica_snapshots: Sequence[Row],
        replica_snapshot: Row,
        share_server: Row | None = None,
    ) -> Any:
        return {"id": replica_snapshot["id"], "status": "available"}
