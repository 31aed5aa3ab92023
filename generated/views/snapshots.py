"""Views of ``snapshots``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def snapshot_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "share_size": row["share_size"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "size": row["size"],
        "share_proto": row["share_proto"],
        "links": see.links("snapshots", row["id"]),
    }


def snapshot_12(row: Row, see: See) -> dict[str, Json]:
    """From 2.12 on: with provider_location."""
    out = {
        "id": row["id"],
        "share_id": row["share_id"],
        "share_size": row["share_size"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "size": row["size"],
        "share_proto": row["share_proto"],
        "links": see.links("snapshots", row["id"]),
    }
    if see.context_is_admin:
        out["provider_location"] = row["provider_location"]
    return out


def snapshot_17(row: Row, see: See) -> dict[str, Json]:
    """From 2.17 on: with user_id, with project_id."""
    out = {
        "id": row["id"],
        "share_id": row["share_id"],
        "share_size": row["share_size"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "size": row["size"],
        "share_proto": row["share_proto"],
        "links": see.links("snapshots", row["id"]),
    }
    if see.context_is_admin:
        out["provider_location"] = row["provider_location"]
    out["user_id"] = row["user_id"]
    out["project_id"] = row["project_id"]
    return out


def snapshot_73(row: Row, see: See) -> dict[str, Json]:
    """From 2.73 on: with metadata."""
    out = {
        "id": row["id"],
        "share_id": row["share_id"],
        "share_size": row["share_size"],
        "created_at": row["created_at"],
        "status": row["status"],
        "name": row["display_name"],
        "description": row["display_description"],
        "size": row["size"],
        "share_proto": row["share_proto"],
        "links": see.links("snapshots", row["id"]),
    }
    if see.context_is_admin:
        out["provider_location"] = row["provider_location"]
    out["user_id"] = row["user_id"]
    out["project_id"] = row["project_id"]
    out["metadata"] = row["metadata"]
    return out


SNAPSHOT = by_version(
    (0, snapshot_0),
    (12, snapshot_12),
    (17, snapshot_17),
    (73, snapshot_73),
)


def snapshot_export_location_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "links": see.links("share_snapshot_export_locations", row["id"]),
    }
    if see.context_is_admin:
        out["share_snapshot_instance_id"] = row["share_snapshot_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    out["created_at"] = row["created_at"]
    out["updated_at"] = row["updated_at"]
    return out


SNAPSHOT_EXPORT_LOCATION = by_version(
    (0, snapshot_export_location_0),
)


def snapshot_export_location_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "links": see.links("share_snapshot_export_locations", row["id"]),
    }
    if see.context_is_admin:
        out["share_snapshot_instance_id"] = row["share_snapshot_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    return out


SNAPSHOT_EXPORT_LOCATION_SUMMARY = by_version(
    (0, snapshot_export_location_summary_0),
)


def snapshot_instance_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "snapshot_id": row["snapshot_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "status": row["status"],
        "share_id": row["share_id"],
        "share_instance_id": row["share_instance_id"],
        "progress": row["progress"],
        "provider_location": row["provider_location"],
    }


SNAPSHOT_INSTANCE = by_version(
    (0, snapshot_instance_0),
)


def snapshot_instance_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "snapshot_id": row["snapshot_id"],
        "status": row["status"],
    }


SNAPSHOT_INSTANCE_SUMMARY = by_version(
    (0, snapshot_instance_summary_0),
)


def snapshot_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["display_name"],
        "links": see.links("snapshots", row["id"]),
    }


SNAPSHOT_SUMMARY = by_version(
    (0, snapshot_summary_0),
)
