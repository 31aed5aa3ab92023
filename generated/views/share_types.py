"""Views of ``share_types``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_type_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "name": row["name"],
        "extra_specs": row["extra_specs"],
        "required_extra_specs": row["required_extra_specs"],
        "os-share-type-access:is_public": row["os-share-type-access:is_public"],
    }


def share_type_7(row: Row, see: See) -> dict[str, Json]:
    """From 2.7 on: with share_type_access:is_public, without os-share-type-access:is_public."""
    return {
        "id": row["id"],
        "name": row["name"],
        "extra_specs": row["extra_specs"],
        "required_extra_specs": row["required_extra_specs"],
        "share_type_access:is_public": row["share_type_access:is_public"],
    }


def share_type_41(row: Row, see: See) -> dict[str, Json]:
    """From 2.41 on: with description."""
    return {
        "id": row["id"],
        "name": row["name"],
        "extra_specs": row["extra_specs"],
        "required_extra_specs": row["required_extra_specs"],
        "share_type_access:is_public": row["share_type_access:is_public"],
        "description": row["description"],
    }


def share_type_46(row: Row, see: See) -> dict[str, Json]:
    """From 2.46 on: with is_default."""
    return {
        "id": row["id"],
        "name": row["name"],
        "extra_specs": row["extra_specs"],
        "required_extra_specs": row["required_extra_specs"],
        "share_type_access:is_public": row["share_type_access:is_public"],
        "description": row["description"],
        "is_default": row["is_default"],
    }


SHARE_TYPE = by_version(
    (0, share_type_0),
    (7, share_type_7),
    (41, share_type_41),
    (46, share_type_46),
)


def share_type_access_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "share_type_id": row["share_type_id"],
        "project_id": row["project_id"],
    }


SHARE_TYPE_ACCESS = by_version(
    (0, share_type_access_0),
)
