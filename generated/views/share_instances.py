"""Views of ``share_instances``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_instance_3(row: Row, see: See) -> dict[str, Json]:
    """From 2.3 on."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "export_location": row["export_location"],
        "export_locations": row["export_locations"],
    }


def share_instance_9(row: Row, see: See) -> dict[str, Json]:
    """From 2.9 on: without export_location, without export_locations."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
    }


def share_instance_10(row: Row, see: See) -> dict[str, Json]:
    """From 2.10 on: with access_rules_status."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
    }


def share_instance_11(row: Row, see: See) -> dict[str, Json]:
    """From 2.11 on: with replica_state."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
        "replica_state": row["replica_state"],
    }


def share_instance_22(row: Row, see: See) -> dict[str, Json]:
    """From 2.22 on: with share_type_id."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": {"syncing": "out_of_sync"}.get(row["access_rules_status"], row["access_rules_status"]),
        "replica_state": row["replica_state"],
        "share_type_id": row["share_type_id"],
    }


def share_instance_28(row: Row, see: See) -> dict[str, Json]:
    """From 2.28 on."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": row["access_rules_status"],
        "replica_state": row["replica_state"],
        "share_type_id": row["share_type_id"],
    }


def share_instance_30(row: Row, see: See) -> dict[str, Json]:
    """From 2.30 on: with cast_rules_to_readonly."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": {"creating_from_snapshot": "creating"}.get(row["status"], row["status"]),
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": row["access_rules_status"],
        "replica_state": row["replica_state"],
        "share_type_id": row["share_type_id"],
        "cast_rules_to_readonly": row["cast_rules_to_readonly"],
    }


def share_instance_54(row: Row, see: See) -> dict[str, Json]:
    """From 2.54 on: with progress."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": row["status"],
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": row["access_rules_status"],
        "replica_state": row["replica_state"],
        "share_type_id": row["share_type_id"],
        "cast_rules_to_readonly": row["cast_rules_to_readonly"],
        "progress": row["progress"],
    }


def share_instance_71(row: Row, see: See) -> dict[str, Json]:
    """From 2.71 on: with updated_at."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "availability_zone": row["availability_zone"],
        "created_at": row["created_at"],
        "host": row["host"],
        "status": row["status"],
        "share_network_id": row["share_network_id"],
        "share_server_id": row["share_server_id"],
        "access_rules_status": row["access_rules_status"],
        "replica_state": row["replica_state"],
        "share_type_id": row["share_type_id"],
        "cast_rules_to_readonly": row["cast_rules_to_readonly"],
        "progress": row["progress"],
        "updated_at": row["updated_at"],
    }


SHARE_INSTANCE = by_version(
    (3, share_instance_3),
    (9, share_instance_9),
    (10, share_instance_10),
    (11, share_instance_11),
    (22, share_instance_22),
    (28, share_instance_28),
    (30, share_instance_30),
    (54, share_instance_54),
    (71, share_instance_71),
)
