"""Views of ``messages``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def message_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "action_id": row["action_id"],
        "detail_id": row["detail_id"],
        "message_level": row["message_level"],
        "created_at": row["created_at"],
        "expires_at": row["expires_at"],
        "request_id": row["request_id"],
        "links": see.links("messages", row["id"]),
        "resource_type": row["resource_type"],
        "resource_id": row["resource_id"],
        "user_message": row["user_message"],
    }


MESSAGE = by_version(
    (0, message_0),
)
