"""Requests that succeed, for operations that neither generated requests nor the recordings bring to success."""

from __future__ import annotations

from typing import Any

ADMIN, MEMBER = "admin-token", "member-a-token"
META = {"meta": {"color": "blue"}, "metadata": {"color": "blue"}}
SPEC = {"group_specs": {"consistent_snapshot_support": "host"}}
PROJECT = {"project": "b0000000000000000000000000000000"}

CALLS: list[tuple[str, int, str, Any]] = [
    ("os_quota_class_sets.show", 6, ADMIN, None),
    ("os_quota_class_sets.update", 6, ADMIN, {"quota_class_set": {"shares": 900}}),
    ("os_quota_sets.defaults", 6, ADMIN, None),
    ("os_quota_sets.update", 6, ADMIN, {"quota_set": {"shares": 900}}),
    ("os_quota_sets.delete", 6, ADMIN, None),
    ("share_backups.list", 80, MEMBER, None),
    ("share_backups.detail", 80, MEMBER, None),
    ("share_transfers.list", 80, MEMBER, None),
    ("share_transfers.detail", 80, MEMBER, None),
    ("share_export_locations.metadata.create", 87, MEMBER, {"metadata": {"color": "red"}}),
    ("share_export_locations.metadata.list", 87, MEMBER, None),
    ("share_export_locations.metadata.show_item", 87, MEMBER, None),
    ("share_export_locations.metadata.update_item", 87, MEMBER, META),
    ("share_network_subnets.metadata.update_all", 80, MEMBER, {"metadata": {"color": "red"}}),
    ("share_network_subnets.metadata.show_item", 80, MEMBER, None),
    ("share_network_subnets.metadata.update_item", 80, MEMBER, META),
    ("shares.metadata.update_item", 51, MEMBER, META),
    ("snapshots.metadata.update_item", 80, MEMBER, META),
    ("share_replicas.show", 80, MEMBER, None),
    ("share_replicas.metadata.create", 99, MEMBER, {"metadata": {"color": "red"}}),
    ("share_replicas.metadata.list", 99, MEMBER, None),
    ("share_replicas.metadata.show_item", 99, MEMBER, None),
    ("share_replicas.metadata.update_item", 99, MEMBER, {"metadata": {"color": "blue"}}),
    ("share_replicas.metadata.delete_item", 99, MEMBER, None),
    ("share_replicas.metadata.update_all", 99, MEMBER, {"metadata": {"color": "red"}}),
    ("share_replica_export_locations.list", 99, MEMBER, None),
    ("share_replica_export_locations.show", 99, MEMBER, None),
    ("share_replicas.action.resync", 80, ADMIN, {"resync": None}),
    ("share_replicas.action.reset_status", 80, ADMIN, {"reset_status": {"status": "available"}}),
    (
        "share_replicas.action.reset_replica_state",
        *(80, ADMIN, {"reset_replica_state": {"replica_state": "in_sync"}}),
    ),
    ("share_replicas.action.force_delete", 80, ADMIN, {"force_delete": None}),
    ("share_replicas.delete", 80, MEMBER, None),
    ("share_replicas.action.promote", 80, MEMBER, {"promote": None}),
    ("share_groups.show", 80, MEMBER, None),
    ("share_groups.action.reset_status", 80, ADMIN, {"reset_status": {"status": "available"}}),
    ("share_group_snapshots.show", 80, MEMBER, None),
    ("share_group_snapshots.members", 80, MEMBER, None),
    ("share_group_snapshots.action.reset_status", 80, ADMIN, {"reset_status": {"status": "available"}}),
    ("share_group_snapshots.delete", 80, MEMBER, None),
    ("share_group_snapshots.action.force_delete", 80, ADMIN, {"force_delete": None}),
    ("share_groups.action.force_delete", 80, ADMIN, {"force_delete": None}),
    ("share_group_types.show", 80, ADMIN, None),
    ("share_group_types.default", 80, ADMIN, None),
    ("share_group_type_specs.create", 80, ADMIN, SPEC),
    ("share_group_type_specs.show", 80, ADMIN, None),
    ("share_group_type_specs.update", 80, ADMIN, {"consistent_snapshot_support": "pool"}),
    ("share_group_type_specs.delete", 80, ADMIN, None),
    ("share_group_types.list_access", 80, ADMIN, None),
    ("share_group_types.action.addProjectAccess", 80, ADMIN, {"addProjectAccess": PROJECT}),
    ("share_group_types.action.removeProjectAccess", 80, ADMIN, {"removeProjectAccess": PROJECT}),
    ("share_group_types.delete", 80, ADMIN, None),
    ("shares.action.os_extend", 6, MEMBER, {"os-extend": {"new_size": 2}}),
    ("shares.action.os_shrink", 6, MEMBER, {"os-shrink": {"new_size": 1}}),
    ("shares.action.os_reset_status", 6, ADMIN, {"os-reset_status": {"status": "available"}}),
    ("snapshots.action.os_reset_status", 6, ADMIN, {"os-reset_status": {"status": "available"}}),
    ("snapshots.action.os_force_delete", 6, ADMIN, {"os-force_delete": None}),
    ("shares.action.os_force_delete", 6, ADMIN, {"os-force_delete": None}),
    ("share_instances.action.force_delete", 51, ADMIN, {"force_delete": None}),
]
"""Operation, minor version, persona, body; the path's parameters are resources of the world."""
FOLLOWS = "shares.action.os_force_delete"
"""This one finds the world as the call before left it: a share without a snapshot."""
NEEDS_SERVER = "needs a share network in use by a share server"
NEEDS_PEER = "needs a second back end with share servers; the recording share-server-migration shows it"
NEEDS_LEFT = "needs what a back end has and the service has not; tests/handlers/test_manage.py shows it"
WITHOUT_SUCCESS = {
    "os_share_manage.create": NEEDS_LEFT,
    "os_share_unmanage.unmanage": "needs a share without snapshots; tests/handlers/test_manage.py shows it",
    "snapshots.manage": NEEDS_LEFT,
    "share_servers.action.migration_cancel": NEEDS_PEER,
    "share_servers.action.migration_complete": NEEDS_PEER,
    "share_servers.action.migration_get_progress": NEEDS_PEER,
    "extensions.show": "there are no extensions",
    "share_networks.action.add_security_service_check": NEEDS_SERVER,
    "share_networks.action.update_security_service": NEEDS_SERVER,
    "share_networks.action.update_security_service_check": NEEDS_SERVER,
    "share_servers.action.reset_task_state": NEEDS_SERVER,
    "share_servers.action.unmanage": NEEDS_SERVER,
    "snapshot_instance_export_locations.show": "the dummy back end's snapshots have export locations only when mounted",
}
"""Operations that cannot succeed on the world's resources; tests of their handlers show them."""
