"""Views of ``qos_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def qos_type_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "specs": row["specs"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


QOS_TYPE = by_version(
    (0, qos_type_0),
)
