"""Views of ``shares``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "export_location": row["export_location"],
        "metadata": row["metadata"],
        "share_type": row["share_type_name"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "export_locations": row["export_locations"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_2(row: Row, see: See) -> dict[str, Json]:
    """From 2.2 on: with snapshot_support."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "export_location": row["export_location"],
        "metadata": row["metadata"],
        "share_type": row["share_type_name"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "export_locations": row["export_locations"],
        "snapshot_support": row["snapshot_support"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_5(row: Row, see: See) -> dict[str, Json]:
    """From 2.5 on: with task_state."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "export_location": row["export_location"],
        "metadata": row["metadata"],
        "share_type": row["share_type_name"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "export_locations": row["export_locations"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_6(row: Row, see: See) -> dict[str, Json]:
    """From 2.6 on: with share_type_name."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "export_location": row["export_location"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "export_locations": row["export_locations"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_9(row: Row, see: See) -> dict[str, Json]:
    """From 2.9 on: without export_location, without export_locations."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_10(row: Row, see: See) -> dict[str, Json]:
    """From 2.10 on: with access_rules_status."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_11(row: Row, see: See) -> dict[str, Json]:
    """From 2.11 on: with replication_type, with has_replicas."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_16(row: Row, see: See) -> dict[str, Json]:
    """From 2.16 on: with user_id."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_24(row: Row, see: See) -> dict[str, Json]:
    """From 2.24 on: with create_share_from_snapshot_support."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_27(row: Row, see: See) -> dict[str, Json]:
    """From 2.27 on: with revert_to_snapshot_support."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_28(row: Row, see: See) -> dict[str, Json]:
    """From 2.28 on."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_31(row: Row, see: See) -> dict[str, Json]:
    """From 2.31 on: with share_group_id, with source_share_group_snapshot_member_id."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_32(row: Row, see: See) -> dict[str, Json]:
    """From 2.32 on: with mount_snapshot_support."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
        "mount_snapshot_support": row["mount_snapshot_support"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_54(row: Row, see: See) -> dict[str, Json]:
    """From 2.54 on: with progress."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
        "mount_snapshot_support": row["mount_snapshot_support"],
        "progress": row["progress"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_69(row: Row, see: See) -> dict[str, Json]:
    """From 2.69 on: with is_soft_deleted, with scheduled_to_be_deleted_at."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
        "mount_snapshot_support": row["mount_snapshot_support"],
        "progress": row["progress"],
        "is_soft_deleted": row["is_soft_deleted"],
        "scheduled_to_be_deleted_at": row["scheduled_to_be_deleted_at"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on: with source_backup_id."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
        "mount_snapshot_support": row["mount_snapshot_support"],
        "progress": row["progress"],
        "is_soft_deleted": row["is_soft_deleted"],
        "scheduled_to_be_deleted_at": row["scheduled_to_be_deleted_at"],
        "source_backup_id": row["source_backup_id"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_key_ref."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
        "mount_snapshot_support": row["mount_snapshot_support"],
        "progress": row["progress"],
        "is_soft_deleted": row["is_soft_deleted"],
        "scheduled_to_be_deleted_at": row["scheduled_to_be_deleted_at"],
        "source_backup_id": row["source_backup_id"],
        "encryption_key_ref": row["encryption_key_ref"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_99(row: Row, see: See) -> dict[str, Json]:
    """From 2.99 on: with snapshot_inherit_share_access_support."""
    out = {
        "id": row["id"],
        "size": row["size"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "project_id": row["project_id"],
        "snapshot_id": row["snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_proto": row["share_proto"],
        "metadata": row["metadata"],
        "share_type": row["share_type_id"],
        "volume_type": row["share_type_name"],
        "links": see.links("shares", row["id"]),
        "is_public": row["is_public"],
        "snapshot_support": row["snapshot_support"],
        "task_state": row["task_state"],
        "share_type_name": row["share_type_name"],
        "access_rules_status": row["access_rules_status"],
        "replication_type": row["replication_type"],
        "has_replicas": row["has_replicas"],
        "user_id": row["user_id"],
        "create_share_from_snapshot_support": row["create_share_from_snapshot_support"],
        "revert_to_snapshot_support": row["revert_to_snapshot_support"],
        "share_group_id": row["share_group_id"],
        "source_share_group_snapshot_member_id": row["source_share_group_snapshot_member_id"],
        "mount_snapshot_support": row["mount_snapshot_support"],
        "progress": row["progress"],
        "is_soft_deleted": row["is_soft_deleted"],
        "scheduled_to_be_deleted_at": row["scheduled_to_be_deleted_at"],
        "source_backup_id": row["source_backup_id"],
        "encryption_key_ref": row["encryption_key_ref"],
        "snapshot_inherit_share_access_support": row["snapshot_inherit_share_access_support"],
    }
    if see.context_is_host_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


SHARE = by_version(
    (0, share_0),
    (2, share_2),
    (5, share_5),
    (6, share_6),
    (9, share_9),
    (10, share_10),
    (11, share_11),
    (16, share_16),
    (24, share_24),
    (27, share_27),
    (28, share_28),
    (31, share_31),
    (32, share_32),
    (54, share_54),
    (69, share_69),
    (80, share_80),
    (90, share_90),
    (99, share_99),
)


def share_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["display_name"],
        "links": see.links("shares", row["id"]),
    }


def share_summary_6(row: Row, see: See) -> dict[str, Json]:
    """From 2.6 on."""
    return {
        "id": row["id"],
        "name": row["display_name"],
        "links": see.links("shares", row["id"]),
    }


def share_summary_28(row: Row, see: See) -> dict[str, Json]:
    """From 2.28 on."""
    return {
        "id": row["id"],
        "name": row["display_name"],
        "links": see.links("shares", row["id"]),
    }


def share_summary_54(row: Row, see: See) -> dict[str, Json]:
    """From 2.54 on."""
    return {
        "id": row["id"],
        "name": row["display_name"],
        "links": see.links("shares", row["id"]),
    }


SHARE_SUMMARY = by_version(
    (0, share_summary_0),
    (6, share_summary_6),
    (28, share_summary_28),
    (54, share_summary_54),
)
