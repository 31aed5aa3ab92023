"""Views of ``share_servers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_server_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
    }


def share_server_49(row: Row, see: See) -> dict[str, Json]:
    """From 2.49 on: with is_auto_deletable, with identifier."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
    }


def share_server_51(row: Row, see: See) -> dict[str, Json]:
    """From 2.51 on: with share_network_subnet_id."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "share_network_subnet_id": row["share_network_subnet_id"],
    }


def share_server_57(row: Row, see: See) -> dict[str, Json]:
    """From 2.57 on: with task_state, with source_share_server_id."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "share_network_subnet_id": row["share_network_subnet_id"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
    }


def share_server_63(row: Row, see: See) -> dict[str, Json]:
    """From 2.63 on: with security_service_update_support."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "share_network_subnet_id": row["share_network_subnet_id"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
        "security_service_update_support": row["security_service_update_support"],
    }


def share_server_70(row: Row, see: See) -> dict[str, Json]:
    """From 2.70 on: with share_network_subnet_ids, with network_allocation_update_support, without
    share_network_subnet_id.
    """
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
        "security_service_update_support": row["security_service_update_support"],
        "share_network_subnet_ids": row["share_network_subnet_ids"],
        "network_allocation_update_support": row["network_allocation_update_support"],
    }


def share_server_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_key_ref."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "created_at": row["created_at"],
        "backend_details": row["backend_details"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
        "security_service_update_support": row["security_service_update_support"],
        "share_network_subnet_ids": row["share_network_subnet_ids"],
        "network_allocation_update_support": row["network_allocation_update_support"],
        "encryption_key_ref": row["encryption_key_ref"],
    }


SHARE_SERVER = by_version(
    (0, share_server_0),
    (49, share_server_49),
    (51, share_server_51),
    (57, share_server_57),
    (63, share_server_63),
    (70, share_server_70),
    (90, share_server_90),
)


def share_server_migration_requested_capabilities_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "writable": row["writable"],
        "nondisruptive": row["nondisruptive"],
        "preserve_snapshots": row["preserve_snapshots"],
        "share_network_id": row["share_network_id"],
        "host": row["host"],
    }


SHARE_SERVER_MIGRATION_REQUESTED_CAPABILITIES = by_version(
    (0, share_server_migration_requested_capabilities_0),
)


def share_server_migration_supported_capabilities_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "writable": row["writable"],
        "nondisruptive": row["nondisruptive"],
        "preserve_snapshots": row["preserve_snapshots"],
        "share_network_id": row["share_network_id"],
        "migration_cancel": row["migration_cancel"],
        "migration_get_progress": row["migration_get_progress"],
    }


SHARE_SERVER_MIGRATION_SUPPORTED_CAPABILITIES = by_version(
    (0, share_server_migration_supported_capabilities_0),
)


def share_server_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
    }


def share_server_summary_49(row: Row, see: See) -> dict[str, Json]:
    """From 2.49 on: with is_auto_deletable, with identifier."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
    }


def share_server_summary_51(row: Row, see: See) -> dict[str, Json]:
    """From 2.51 on: with share_network_subnet_id."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "share_network_subnet_id": row["share_network_subnet_id"],
    }


def share_server_summary_57(row: Row, see: See) -> dict[str, Json]:
    """From 2.57 on: with task_state, with source_share_server_id."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "share_network_subnet_id": row["share_network_subnet_id"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
    }


def share_server_summary_63(row: Row, see: See) -> dict[str, Json]:
    """From 2.63 on: with security_service_update_support."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "share_network_subnet_id": row["share_network_subnet_id"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
        "security_service_update_support": row["security_service_update_support"],
    }


def share_server_summary_70(row: Row, see: See) -> dict[str, Json]:
    """From 2.70 on: with share_network_subnet_ids, with network_allocation_update_support, without
    share_network_subnet_id.
    """
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
        "security_service_update_support": row["security_service_update_support"],
        "share_network_subnet_ids": row["share_network_subnet_ids"],
        "network_allocation_update_support": row["network_allocation_update_support"],
    }


def share_server_summary_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_key_ref."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "host": row["host"],
        "share_network_name": row["share_network_name"],
        "share_network_id": row["share_network_id"],
        "is_auto_deletable": row["is_auto_deletable"],
        "identifier": row["identifier"],
        "task_state": row["task_state"],
        "source_share_server_id": row["source_share_server_id"],
        "security_service_update_support": row["security_service_update_support"],
        "share_network_subnet_ids": row["share_network_subnet_ids"],
        "network_allocation_update_support": row["network_allocation_update_support"],
        "encryption_key_ref": row["encryption_key_ref"],
    }


SHARE_SERVER_SUMMARY = by_version(
    (0, share_server_summary_0),
    (49, share_server_summary_49),
    (51, share_server_summary_51),
    (57, share_server_summary_57),
    (63, share_server_summary_63),
    (70, share_server_summary_70),
    (90, share_server_summary_90),
)
