"""Views of ``share_backups``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_backup_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on."""
    out = {
        "id": row["id"],
        "name": row["name"],
        "share_id": row["share_id"],
        "status": row["status"],
        "description": row["description"],
        "size": row["size"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "availability_zone": row["availability_zone"],
        "progress": row["progress"],
        "restore_progress": row["restore_progress"],
    }
    if see.context_is_host_admin:
        out["host"] = row["host"]
        out["topic"] = row["topic"]
    return out


def share_backup_85(row: Row, see: See) -> dict[str, Json]:
    """From 2.85 on: with backup_type."""
    out = {
        "id": row["id"],
        "name": row["name"],
        "share_id": row["share_id"],
        "status": row["status"],
        "description": row["description"],
        "size": row["size"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "availability_zone": row["availability_zone"],
        "progress": row["progress"],
        "restore_progress": row["restore_progress"],
        "backup_type": row["backup_type"],
    }
    if see.context_is_host_admin:
        out["host"] = row["host"]
        out["topic"] = row["topic"]
    return out


SHARE_BACKUP = by_version(
    (80, share_backup_80),
    (85, share_backup_85),
)


def share_backup_restore_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "backup_id": row["backup_id"],
        "share_id": row["share_id"],
    }


SHARE_BACKUP_RESTORE = by_version(
    (0, share_backup_restore_0),
)


def share_backup_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "share_id": row["share_id"],
        "status": row["status"],
    }


SHARE_BACKUP_SUMMARY = by_version(
    (0, share_backup_summary_0),
)
