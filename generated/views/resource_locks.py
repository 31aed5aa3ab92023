"""Views of ``resource_locks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def resource_lock_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "user_id": row["user_id"],
        "project_id": row["project_id"],
        "lock_context": row["lock_context"],
        "resource_type": row["resource_type"],
        "resource_id": row["resource_id"],
        "resource_action": row["resource_action"],
        "lock_reason": row["lock_reason"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "links": see.links("resource-locks", row["id"]),
    }


RESOURCE_LOCK = by_version(
    (0, resource_lock_0),
)
