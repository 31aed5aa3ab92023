"""A driver without storage: every operation succeeds at once, unless a fault was asked for.

For conformance with the original's dummy driver (same export locations, server details, pools, refusals), for tests
and for trying the service out. What it would export it does not remember: rows are the only truth.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from drivers.base import (
    BackendOptions,
    ExportLocation,
    RuleUpdate,
    ShareDriver,
    ShareStatus,
    ShareUpdate,
    SnapshotUpdate,
    Stats,
)
from drivers.dummy.faults import Faults
from drivers.dummy.managing import Managing
from drivers.dummy.migration import Migration
from drivers.dummy.paths import locations, share_name, snapshot_name
from drivers.dummy.replication import Replication
from generated.errors import InvalidShareAccess
from generated.runtime import Row

ACCESS_TYPES = {"nfs": "ip", "cifs": "user"}


class DummyDriver(Managing, Migration, Replication, ShareDriver):
    """See the module. ``faults`` makes the next calls of a method fail."""

    security_service_update_support: ClassVar[bool] = True
    network_allocation_update_support: ClassVar[bool] = True
    share_replicas_migration_support: ClassVar[bool] = True
    qos_type_support: ClassVar[bool] = True
    encryption_support: ClassVar[list[str] | None] = ["share_server"]

    def __init__(self, options: BackendOptions) -> None:
        super().__init__(options)
        self.faults = Faults(self)

    # ---- life cycle

    async def _update_share_stats(self, data: Stats | None = None) -> None:
        options = self.options
        reserved = {
            "reserved_percentage": options.reserved_share_percentage,
            "reserved_snapshot_percentage": options.reserved_share_from_snapshot_percentage,
            "reserved_share_extend_percentage": options.reserved_share_extend_percentage,
        }
        replication = {"replication_type": "readable"} if options.replication_domain else {}
        pool = {
            "pool_name": f"fake_pool_for_{options.share_backend_name}",
            "total_capacity_gb": 1230.0,
            "free_capacity_gb": 1210.0,
            **reserved,
            **replication,
        }
        await super()._update_share_stats(
            {
                "share_backend_name": options.share_backend_name,
                "storage_protocol": "NFS_CIFS",
                **reserved,
                "snapshot_support": True,
                "create_share_from_snapshot_support": True,
                "revert_to_snapshot_support": True,
                "mount_snapshot_support": True,
                "driver_name": "Dummy",
                "pools": [pool],
                "share_group_stats": {"consistent_snapshot_support": "pool"},
                "share_server_multiple_subnet_support": True,
                "mount_point_name_support": True,
                **replication,
                **(data or {}),
            }
        )

    async def ensure_shares(self, shares: Sequence[Row]) -> Mapping[str, ShareUpdate]:
        """Nothing to do: what it would export it does not remember."""
        return {}

    async def ensure_server(self, share_server: Row) -> None:
        """It is always there."""

    async def ensure_snapshot(
        self, snapshot: Row, access_rules: Sequence[Row], share_server: Row | None = None
    ) -> None:
        """It is always there."""

    async def get_pool(self, share: Row) -> str | None:
        return str(share["host"]).partition("#")[2] or None

    # ---- shares

    async def create_share(self, share: Row, share_server: Row | None = None) -> list[ExportLocation]:
        if share["share_proto"] not in ("NFS", "CIFS"):
            raise InvalidShareAccess(reason=f"Unsupported share protocol provided - {share['share_proto']}.")
        return locations(f"/path/to/fake/share/{share_name(share)}", share_server)

    async def create_share_from_snapshot(
        self, share: Row, snapshot: Row, share_server: Row | None = None, parent_share: Row | None = None
    ) -> list[ExportLocation] | ShareStatus:
        return {"status": "available", "export_locations": await self.create_share(share, share_server)}

    async def delete_share(self, share: Row, share_server: Row | None = None) -> None:
        """Nothing is kept."""

    async def extend_share(self, share: Row, new_size: int, share_server: Row | None = None) -> None:
        """Every size is fine."""

    async def update_share_from_metadata(self, share: Row, metadata: Row, share_server: Row | None = None) -> None:
        """Every value is fine."""

    async def update_share_network_subnet_from_metadata(
        self, share_network: Row, share_network_subnet: Row, share_server: Row, metadata: Row
    ) -> None:
        """Every value is fine."""

    async def update_share_usage_size(self, shares: Sequence[Row]) -> list[Row]:
        now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
        return [{"id": share["id"], "used_size": 1, "gathered_at": now} for share in shares]

    async def shrink_share(self, share: Row, new_size: int, share_server: Row | None = None) -> None:
        """Every size is fine."""

    # ---- access

    async def update_access(
        self,
        share: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        update_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        """Refuses the whole request, as the original's does, when one rule's type does not go with the protocol."""
        protocol = str(share["share_proto"]).lower()
        for rule in (*add_rules, *access_rules):
            kind = str(rule["access_type"]).lower()
            if ACCESS_TYPES.get(protocol) != kind:
                raise InvalidShareAccess(
                    reason=f"Unsupported '{kind}' access type provided for '{protocol}' share protocol."
                )
        return None

    async def snapshot_update_access(
        self,
        snapshot: Row,
        access_rules: Sequence[Row],
        add_rules: Sequence[Row],
        delete_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> Mapping[str, RuleUpdate] | None:
        return await self.update_access(snapshot["share"], access_rules, add_rules, delete_rules, (), share_server)

    # ---- snapshots

    async def create_snapshot(self, snapshot: Row, share_server: Row | None = None) -> SnapshotUpdate | None:
        path = f"/path/to/fake/snapshot/{snapshot_name(snapshot)}"
        return {"provider_location": path, "export_locations": locations(path, share_server)}

    async def delete_snapshot(self, snapshot: Row, share_server: Row | None = None) -> None:
        """Nothing is kept."""

    async def revert_to_snapshot(
        self,
        snapshot: Row,
        share_access_rules: Sequence[Row],
        snapshot_access_rules: Sequence[Row],
        share_server: Row | None = None,
    ) -> int | ShareStatus | None:
        return None

    # ---- backups

    async def create_backup(self, share_instance: Row, backup: Row, share_server: Row | None = None) -> None:
        """Nothing is kept."""

    async def create_backup_continue(self, share_instance: Row, backup: Row, share_server: Row | None = None) -> Row:
        return {"total_progress": "100"}

    async def delete_backup(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> None:
        """Nothing is kept."""

    async def restore_backup(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> None:
        """Nothing is kept."""

    async def restore_backup_continue(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> Row:
        return {"total_progress": "100"}

    # ---- share servers

    def get_network_allocations_number(self) -> int:
        return 2

    def get_admin_network_allocations_number(self) -> int:
        return 1

    async def setup_server(self, network_info: Sequence[Row], metadata: Row | None = None) -> dict[str, str]:
        subnets = [
            {
                "primary_public_ip": one["network_allocations"][0]["ip_address"],
                "secondary_public_ip": one["network_allocations"][1]["ip_address"],
            }
            for one in network_info
        ]
        return {
            "service_ip": network_info[0]["admin_network_allocations"][0]["ip_address"],
            "username": "fake_username",
            "server_id": network_info[0]["server_id"],
            "subnet_allocations": json.dumps(subnets),
        }

    async def teardown_server(
        self, server_details: Mapping[str, str], security_services: Sequence[Row] | None = None
    ) -> None:
        """Nothing is kept."""

    async def check_update_share_server_security_service(
        self,
        share_server: Row,
        network_info: Row,
        share_instances: Sequence[Row],
        share_instance_rules: Sequence[Row],
        new_security_service: Row,
        current_security_service: Row | None = None,
    ) -> bool:
        return True

    async def update_share_server_security_service(
        self,
        share_server: Row,
        network_info: Row,
        share_instances: Sequence[Row],
        share_instance_rules: Sequence[Row],
        new_security_service: Row,
        current_security_service: Row | None = None,
    ) -> None:
        """Nothing is kept."""

    async def check_update_share_server_network_allocations(
        self,
        share_server: Row,
        current_network_allocations: Row,
        new_share_network_subnet: Row,
        security_services: Sequence[Row],
        share_instances: Sequence[Row],
        share_instances_rules: Sequence[Row],
    ) -> bool:
        return True

    async def update_share_server_network_allocations(
        self,
        share_server: Row,
        current_network_allocations: Row,
        new_network_allocations: Row,
        security_services: Sequence[Row],
        shares: Sequence[Row],
        snapshots: Sequence[Row],
    ) -> Row:
        details = dict(share_server["backend_details"])
        first, second = new_network_allocations["network_allocations"][:2]
        addresses = {"primary_public_ip": first["ip_address"], "secondary_public_ip": second["ip_address"]}
        known = [one for one in json.loads(details["subnet_allocations"]) if one != addresses]
        details["subnet_allocations"] = json.dumps([*known, addresses])
        server = {"backend_details": details}
        return {
            "share_updates": {one["id"]: locations(f"/path/to/fake/share/{share_name(one)}", server) for one in shares},
            "snapshot_updates": {},
            "server_details": {"subnet_allocations": details["subnet_allocations"]},
        }
