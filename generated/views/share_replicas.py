"""Views of ``share_replicas``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def replica_export_location_47(row: Row, see: See) -> dict[str, Json]:
    """From 2.47 on."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "preferred": row["preferred"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    out["created_at"] = row["created_at"]
    out["updated_at"] = row["updated_at"]
    out["replica_state"] = row["replica_state"]
    out["availability_zone"] = row["availability_zone"]
    return out


def replica_export_location_87(row: Row, see: See) -> dict[str, Json]:
    """From 2.87 on: with metadata."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "preferred": row["preferred"],
        "metadata": row["metadata"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    out["created_at"] = row["created_at"]
    out["updated_at"] = row["updated_at"]
    out["replica_state"] = row["replica_state"]
    out["availability_zone"] = row["availability_zone"]
    return out


REPLICA_EXPORT_LOCATION = by_version(
    (47, replica_export_location_47),
    (87, replica_export_location_87),
)


def replica_export_location_summary_47(row: Row, see: See) -> dict[str, Json]:
    """From 2.47 on."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "preferred": row["preferred"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    out["replica_state"] = row["replica_state"]
    out["availability_zone"] = row["availability_zone"]
    return out


def replica_export_location_summary_87(row: Row, see: See) -> dict[str, Json]:
    """From 2.87 on: with metadata."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "preferred": row["preferred"],
        "metadata": row["metadata"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    out["replica_state"] = row["replica_state"]
    out["availability_zone"] = row["availability_zone"]
    return out


REPLICA_EXPORT_LOCATION_SUMMARY = by_version(
    (47, replica_export_location_summary_47),
    (87, replica_export_location_summary_87),
)


def share_replica_11(row: Row, see: See) -> dict[str, Json]:
    """From 2.11 on."""
    out = {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "share_network_id": row["share_network_id"],
        "replica_state": row["replica_state"],
        "updated_at": row["updated_at"],
    }
    if see.context_is_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    return out


def share_replica_30(row: Row, see: See) -> dict[str, Json]:
    """From 2.30 on: with cast_rules_to_readonly."""
    out = {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "share_network_id": row["share_network_id"],
        "replica_state": row["replica_state"],
        "updated_at": row["updated_at"],
    }
    if see.context_is_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    if see.context_is_admin:
        out["cast_rules_to_readonly"] = row["cast_rules_to_readonly"]
    return out


def share_replica_95(row: Row, see: See) -> dict[str, Json]:
    """From 2.95 on: with metadata."""
    out = {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "status": row["status"],
        "share_network_id": row["share_network_id"],
        "replica_state": row["replica_state"],
        "updated_at": row["updated_at"],
    }
    if see.context_is_admin:
        out["share_server_id"] = row["share_server_id"]
        out["host"] = row["host"]
    if see.context_is_admin:
        out["cast_rules_to_readonly"] = row["cast_rules_to_readonly"]
    out["metadata"] = row["metadata"]
    return out


SHARE_REPLICA = by_version(
    (11, share_replica_11),
    (30, share_replica_30),
    (95, share_replica_95),
)


def share_replica_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "status": row["status"],
        "replica_state": row["replica_state"],
    }


SHARE_REPLICA_SUMMARY = by_version(
    (0, share_replica_summary_0),
)
