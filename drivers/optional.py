"""Operations a back end may lack: replication, migration, manage, backup.

Names, arguments and effects are those of the driver contract (without the request context, and asynchronous). A
driver that lacks one leaves it; the worker then treats NotImplementedError as the contract says. What the original's
base class does for all drivers (allocating ports on the networks) is the worker's work here and has no method.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generated.runtime import Row


class OptionalOperations:
    """Default of every optional operation."""

    # ---- share migration

    async def migration_check_compatibility(
        self,
        source_share: Row,
        destination_share: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> Any:
        """Migration check compatibility.

        Answers {compatible, writable, nondisruptive, preserve_metadata, preserve_snapshots} booleans.
        """
        raise NotImplementedError

    async def migration_start(
        self,
        source_share: Row,
        destination_share: Row,
        source_snapshots: Sequence[Row],
        snapshot_mappings: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> None:
        """Migration start. Errors: any exception: migration_error."""
        raise NotImplementedError

    async def migration_continue(
        self,
        source_share: Row,
        destination_share: Row,
        source_snapshots: Sequence[Row],
        snapshot_mappings: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> Any:
        """Migration continue. Answers true when the first phase is done. Errors: any exception: migration_error."""
        raise NotImplementedError

    async def migration_complete(
        self,
        source_share: Row,
        destination_share: Row,
        source_snapshots: Sequence[Row],
        snapshot_mappings: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> Any:
        """Migration complete.

        Answers {export_locations?, snapshot_updates?}. Errors: any exception: migration_error.
        """
        raise NotImplementedError

    async def migration_cancel(
        self,
        source_share: Row,
        destination_share: Row,
        source_snapshots: Sequence[Row],
        snapshot_mappings: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> None:
        """Migration cancel."""
        raise NotImplementedError

    async def migration_get_progress(
        self,
        source_share: Row,
        destination_share: Row,
        source_snapshots: Sequence[Row],
        snapshot_mappings: Row,
        share_server: Row | None = None,
        destination_share_server: Row | None = None,
    ) -> Any:
        """Migration get progress. Answers {total_progress: 0-100, ...details}."""
        raise NotImplementedError

    async def connection_get_info(self, share: Row, share_server: Row | None = None) -> Any:
        """Connection get info. Answers {mount, unmount, access_mapping}."""
        raise NotImplementedError

    # ---- share

    async def transfer_accept(
        self,
        share: Row,
        new_user: str,
        new_project: str,
        access_rules: Sequence[Row] | None = None,
        share_server: Row | None = None,
    ) -> None:
        """Adapt to a new project. Errors: DriverCannotTransferShareWithRules: transfer refused, user message 026."""

    async def update_share_from_metadata(self, share: Row, metadata: Row, share_server: Row | None = None) -> None:
        """Act on changed driver-updatable metadata. Errors: any exception: user message 030; success: 029."""
        raise NotImplementedError

    async def update_share_network_subnet_from_metadata(
        self, share_network: Row, share_network_subnet: Row, share_server: Row, metadata: Row
    ) -> None:
        """Act on changed driver-updatable subnet metadata; errors as for a share."""
        raise NotImplementedError

    # ---- life cycle

    async def ensure_share(self, share: Row, share_server: Row | None = None) -> Any:
        """Older single form of ensure_shares. Answers list of export locations or null."""
        raise NotImplementedError

    # ---- access

    async def allow_access(self, share: Row, access: Row, share_server: Row | None = None) -> Any:
        """Let one client in, for a driver without ``update_access``; a rule with another level is denied first.

        Answers access key or null. Errors: any exception: the rule is in error.
        """
        raise NotImplementedError

    async def deny_access(self, share: Row, access: Row, share_server: Row | None = None) -> None:
        """Let one client in no longer; errors as above."""
        raise NotImplementedError

    # ---- share server

    async def get_share_server_network_info(self, share_server: Row, identifier: str, driver_options: Row) -> Any:
        """Addresses of a server to manage. Answers list of addresses."""
        raise NotImplementedError

    async def manage_server(self, share_server: Row, identifier: str, driver_options: Row) -> Any:
        """Take over a server. Answers (identifier, dict of backend details). Errors: any exception: manage_error."""
        raise NotImplementedError

    async def unmanage_server(self, server_details: Row, security_services: Sequence[Row] | None = None) -> None:
        """Forget a server. Errors: any exception: unmanage_error."""
        raise NotImplementedError

    async def update_share_server_security_service(
        self,
        share_server: Row,
        network_info: Row,
        share_instances: Sequence[Row],
        share_instance_rules: Sequence[Row],
        new_security_service: Row,
        current_security_service: Row | None = None,
    ) -> Any:
        """Change a security service in use.

        Answers null or {share instance id: {rule id: update as of ``update_access``}}. Errors: any exception: the
        server in error and, where a service is replaced, its shares and their rules (user message 022 is sent by
        drivers themselves).
        """
        raise NotImplementedError

    async def check_update_share_server_security_service(
        self,
        share_server: Row,
        network_info: Row,
        share_instances: Sequence[Row],
        share_instance_rules: Sequence[Row],
        new_security_service: Row,
        current_security_service: Row | None = None,
    ) -> Any:
        """Can it be changed. Answers boolean."""
        raise NotImplementedError

    async def check_update_share_server_network_allocations(
        self,
        share_server: Row,
        current_network_allocations: Row,
        new_share_network_subnet: Row,
        security_services: Sequence[Row],
        share_instances: Sequence[Row],
        share_instances_rules: Sequence[Row],
    ) -> Any:
        """Can they be added. Answers boolean."""
        raise NotImplementedError

    async def update_share_server_network_allocations(
        self,
        share_server: Row,
        current_network_allocations: Row,
        new_network_allocations: Row,
        security_services: Sequence[Row],
        shares: Sequence[Row],
        snapshots: Sequence[Row],
    ) -> Any:
        """Add subnets to a server in use.

        Answers {share_updates?: {share instance id: export locations}, snapshot_updates?: {snapshot instance id:
        {provider_location?, status?, export_locations?}}, server_details?: dict of backend details}; ``snapshots``
        are the snapshot instances of ``shares``. Errors: any exception: the server, its shares and their snapshots in
        error; ``detail_data["server_details"]`` of a ManilaError is kept.
        """
        raise NotImplementedError

    # ---- manage

    async def manage_existing(self, share: Row, driver_options: Row) -> Any:
        """Take over an existing share (no servers).

        Answers {size, export_locations?}. Errors: ManageInvalidShare or any: manage_error.
        """
        raise NotImplementedError

    async def manage_existing_with_server(
        self, share: Row, driver_options: Row, share_server: Row | None = None
    ) -> Any:
        """The same on a server. Answers {size, export_locations?, status?}. Errors: as above."""
        raise NotImplementedError

    async def unmanage(self, share: Row) -> None:
        """Forget a share without deleting it. Errors: UnmanageInvalidShare: unmanage_error."""

    async def unmanage_with_server(self, share: Row, share_server: Row | None = None) -> None:
        """The same on a server. Errors: as above."""

    async def manage_existing_snapshot(self, snapshot: Row, driver_options: Row) -> Any:
        """Take over a snapshot.

        Answers {size, export_locations?, provider_location?}. Errors: ManageInvalidShareSnapshot: manage_error.
        """
        raise NotImplementedError

    async def manage_existing_snapshot_with_server(
        self, snapshot: Row, driver_options: Row, share_server: Row | None = None
    ) -> Any:
        """The same on a server. Answers as above. Errors: as above."""
        raise NotImplementedError

    async def unmanage_snapshot(self, snapshot: Row) -> None:
        """Forget a snapshot. Errors: UnmanageInvalidShareSnapshot: unmanage_error."""

    async def unmanage_snapshot_with_server(self, snapshot: Row, share_server: Row | None = None) -> None:
        """The same on a server. Errors: as above."""

    # ---- replication

    async def create_replica(
        self,
        replica_list: Sequence[Row],
        new_replica: Row,
        access_rules: Sequence[Row],
        replica_snapshots: Sequence[Row],
        share_server: Row | None = None,
    ) -> Any:
        """Create replica. Answers null or {export_locations, replica_state, access_rules_status}."""
        raise NotImplementedError

    async def delete_replica(
        self,
        replica_list: Sequence[Row],
        replica_snapshots: Sequence[Row],
        replica: Row,
        share_server: Row | None = None,
    ) -> None:
        """Delete replica."""
        raise NotImplementedError

    async def promote_replica(
        self,
        replica_list: Sequence[Row],
        replica: Row,
        access_rules: Sequence[Row],
        share_server: Row | None = None,
        quiesce_wait_time: float | None = None,
    ) -> Any:
        """Promote replica. Answers null or list of {id, export_locations, replica_state, access_rules_status}."""
        raise NotImplementedError

    async def update_replica_state(
        self,
        replica_list: Sequence[Row],
        replica: Row,
        access_rules: Sequence[Row],
        replica_snapshots: Sequence[Row],
        share_server: Row | None = None,
    ) -> Any:
        """Update replica state. Answers in_sync | out_of_sync | error | null."""
        raise NotImplementedError

    async def create_replicated_snapshot(
        self, replica_list: Sequence[Row], replica_snapshots: Sequence[Row], share_server: Row | None = None
    ) -> Any:
        """Create replicated snapshot. Answers list of {id, status, ...}."""
        raise NotImplementedError

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
        """Revert to replicated snapshot."""
        raise NotImplementedError

    async def delete_replicated_snapshot(
        self, replica_list: Sequence[Row], replica_snapshots: Sequence[Row], share_server: Row | None = None
    ) -> Any:
        """Delete replicated snapshot. Answers list of {id, status}."""
        raise NotImplementedError

    async def update_replicated_snapshot(
        self,
        replica_list: Sequence[Row],
        share_replica: Row,
        replica_snapshots: Sequence[Row],
        replica_snapshot: Row,
        share_server: Row | None = None,
    ) -> Any:
        """Update replicated snapshot. Answers {id, status, ...}."""
        raise NotImplementedError

    # ---- share server migration

    async def share_server_migration_start(
        self, src_share_server: Row, dest_share_server: Row, shares: Sequence[Row], snapshots: Sequence[Row]
    ) -> Any:
        """Migration start. Answers null or {backend_details?}."""
        raise NotImplementedError

    async def share_server_migration_continue(
        self, src_share_server: Row, dest_share_server: Row, shares: Sequence[Row], snapshots: Sequence[Row]
    ) -> Any:
        """Migration continue. Answers boolean."""
        raise NotImplementedError

    async def share_server_migration_get_progress(
        self, src_share_server: Row, dest_share_server: Row, shares: Sequence[Row], snapshots: Sequence[Row]
    ) -> Any:
        """Migration get progress. Answers {total_progress}."""
        raise NotImplementedError

    async def share_server_migration_cancel(
        self, src_share_server: Row, dest_share_server: Row, shares: Sequence[Row], snapshots: Sequence[Row]
    ) -> None:
        """Migration cancel."""
        raise NotImplementedError

    async def share_server_migration_check_compatibility(
        self,
        share_server: Row,
        dest_host: str,
        old_share_network: Row,
        new_share_network: Row,
        shares_request_spec: Row,
    ) -> Any:
        """Migration check compatibility.

        Answers {compatible, writable, nondisruptive, preserve_snapshots, migration_cancel,
        migration_get_progress, share_network_id}.
        """
        raise NotImplementedError

    async def share_server_migration_complete(
        self,
        src_share_server: Row,
        dest_share_server: Row,
        shares: Sequence[Row],
        snapshots: Sequence[Row],
        new_network_info: Row,
    ) -> Any:
        """Migration complete. Answers {share_updates, server_backend_details?, unmanage_source_server?}."""
        raise NotImplementedError

    # ---- backup

    async def create_backup(self, share_instance: Row, backup: Row, share_server: Row | None = None) -> None:
        """Create backup.

        Errors: any exception: backup error (creating) or share backup_restoring_error (restoring).
        """
        raise NotImplementedError

    async def create_backup_continue(self, share_instance: Row, backup: Row, share_server: Row | None = None) -> Any:
        """Create backup continue.

        Answers {total_progress}. Errors: any exception: backup error (creating) or share backup_restoring_error
        (restoring).
        """
        raise NotImplementedError

    async def delete_backup(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> None:
        """Delete backup.

        Errors: any exception: backup error (creating) or share backup_restoring_error (restoring).
        """
        raise NotImplementedError

    async def restore_backup(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> None:
        """Restore backup.

        Errors: any exception: backup error (creating) or share backup_restoring_error (restoring).
        """
        raise NotImplementedError

    async def restore_backup_continue(self, backup: Row, share_instance: Row, share_server: Row | None = None) -> Any:
        """Restore backup continue.

        Answers {total_progress}. Errors: any exception: backup error (creating) or share backup_restoring_error
        (restoring).
        """
        raise NotImplementedError
