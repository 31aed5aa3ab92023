"""Views of ``transfers``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def transfer_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "name": row["display_name"],
        "resource_type": row["resource_type"],
        "resource_id": row["resource_id"],
        "source_project_id": row["source_project_id"],
        "destination_project_id": row["destination_project_id"],
        "accepted": row["accepted"],
        "expires_at": row["expires_at"],
        "links": see.links("share-transfers", row["id"]),
    }


TRANSFER = by_version(
    (0, transfer_0),
)


def transfer_created_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "name": row["display_name"],
        "resource_type": row["resource_type"],
        "resource_id": row["resource_id"],
        "source_project_id": row["source_project_id"],
        "destination_project_id": row["destination_project_id"],
        "accepted": row["accepted"],
        "expires_at": row["expires_at"],
        "links": see.links("share-transfers", row["id"]),
        "auth_key": row["auth_key"],
    }


TRANSFER_CREATED = by_version(
    (0, transfer_created_0),
)


def transfer_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["display_name"],
        "resource_type": row["resource_type"],
        "resource_id": row["resource_id"],
        "links": see.links("share-transfers", row["id"]),
    }


TRANSFER_SUMMARY = by_version(
    (0, transfer_summary_0),
)
