"""Views of ``share_groups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_group_31(row: Row, see: See) -> dict[str, Json]:
    """From 2.31 on."""
    out = {
        "id": row["id"],
        "name": row["name"],
        "created_at": row["created_at"],
        "status": row["status"],
        "description": row["description"],
        "project_id": row["project_id"],
        "host": row["host"],
        "share_group_type_id": row["share_group_type_id"],
        "source_share_group_snapshot_id": row["source_share_group_snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_types": row["share_types"],
        "links": see.links("share-groups", row["id"]),
    }
    if see.context_is_admin:
        out["share_server_id"] = row["share_server_id"]
    return out


def share_group_34(row: Row, see: See) -> dict[str, Json]:
    """From 2.34 on: with availability_zone, with consistent_snapshot_support."""
    out = {
        "id": row["id"],
        "name": row["name"],
        "created_at": row["created_at"],
        "status": row["status"],
        "description": row["description"],
        "project_id": row["project_id"],
        "host": row["host"],
        "share_group_type_id": row["share_group_type_id"],
        "source_share_group_snapshot_id": row["source_share_group_snapshot_id"],
        "share_network_id": row["share_network_id"],
        "share_types": row["share_types"],
        "links": see.links("share-groups", row["id"]),
        "availability_zone": row["availability_zone"],
        "consistent_snapshot_support": row["consistent_snapshot_support"],
    }
    if see.context_is_admin:
        out["share_server_id"] = row["share_server_id"]
    return out


SHARE_GROUP = by_version(
    (31, share_group_31),
    (34, share_group_34),
)


def share_group_snapshot_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "created_at": row["created_at"],
        "status": row["status"],
        "description": row["description"],
        "project_id": row["project_id"],
        "share_group_id": row["share_group_id"],
        "members": [SHARE_GROUP_SNAPSHOT_MEMBER_SUMMARY[0](one, see) for one in row["members"]],
        "links": see.links("share-group-snapshots", row["id"]),
    }


SHARE_GROUP_SNAPSHOT = by_version(
    (0, share_group_snapshot_0),
)


def share_group_snapshot_member_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "size": row["size"],
        "share_protocol": row["share_protocol"],
        "project_id": row["project_id"],
        "share_group_snapshot_id": row["share_group_snapshot_id"],
        "share_id": row["share_id"],
    }


SHARE_GROUP_SNAPSHOT_MEMBER = by_version(
    (0, share_group_snapshot_member_0),
)


def share_group_snapshot_member_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "size": row["size"],
        "share_id": row["share_id"],
    }


SHARE_GROUP_SNAPSHOT_MEMBER_SUMMARY = by_version(
    (0, share_group_snapshot_member_summary_0),
)


def share_group_snapshot_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "links": see.links("share-group-snapshots", row["id"]),
    }


SHARE_GROUP_SNAPSHOT_SUMMARY = by_version(
    (0, share_group_snapshot_summary_0),
)


def share_group_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "links": see.links("share-groups", row["id"]),
    }


SHARE_GROUP_SUMMARY = by_version(
    (0, share_group_summary_0),
)


def share_group_type_31(row: Row, see: See) -> dict[str, Json]:
    """From 2.31 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "is_public": row["is_public"],
        "group_specs": row["group_specs"],
        "share_types": row["share_types"],
    }


def share_group_type_46(row: Row, see: See) -> dict[str, Json]:
    """From 2.46 on: with is_default."""
    return {
        "id": row["id"],
        "name": row["name"],
        "is_public": row["is_public"],
        "group_specs": row["group_specs"],
        "share_types": row["share_types"],
        "is_default": row["is_default"],
    }


SHARE_GROUP_TYPE = by_version(
    (31, share_group_type_31),
    (46, share_group_type_46),
)


def share_group_type_access_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "share_group_type_id": row["share_group_type_id"],
        "project_id": row["project_id"],
    }


SHARE_GROUP_TYPE_ACCESS = by_version(
    (0, share_group_type_access_0),
)
