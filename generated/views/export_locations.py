"""Views of ``export_locations``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def export_location_9(row: Row, see: See) -> dict[str, Json]:
    """From 2.9 on."""
    out = {
        "id": row["id"],
        "path": row["path"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    out["created_at"] = row["created_at"]
    out["updated_at"] = row["updated_at"]
    return out


def export_location_14(row: Row, see: See) -> dict[str, Json]:
    """From 2.14 on: with preferred."""
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
    return out


def export_location_87(row: Row, see: See) -> dict[str, Json]:
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
    return out


EXPORT_LOCATION = by_version(
    (9, export_location_9),
    (14, export_location_14),
    (87, export_location_87),
)


def export_location_summary_9(row: Row, see: See) -> dict[str, Json]:
    """From 2.9 on."""
    out = {
        "id": row["id"],
        "path": row["path"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    return out


def export_location_summary_14(row: Row, see: See) -> dict[str, Json]:
    """From 2.14 on: with preferred."""
    out = {
        "id": row["id"],
        "path": row["path"],
        "preferred": row["preferred"],
    }
    if see.context_is_admin:
        out["share_instance_id"] = row["share_instance_id"]
        out["is_admin_only"] = row["is_admin_only"]
    return out


def export_location_summary_87(row: Row, see: See) -> dict[str, Json]:
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
    return out


EXPORT_LOCATION_SUMMARY = by_version(
    (9, export_location_summary_9),
    (14, export_location_summary_14),
    (87, export_location_summary_87),
)
