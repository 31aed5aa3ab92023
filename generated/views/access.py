"""Views of ``access``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def share_access_rule_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
    }


def share_access_rule_21(row: Row, see: See) -> dict[str, Json]:
    """From 2.21 on: with access_key."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
        "access_key": row["access_key"],
    }


def share_access_rule_33(row: Row, see: See) -> dict[str, Json]:
    """From 2.33 on: with created_at, with updated_at."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
        "access_key": row["access_key"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def share_access_rule_45(row: Row, see: See) -> dict[str, Json]:
    """From 2.45 on: with metadata."""
    return {
        "id": row["id"],
        "share_id": row["share_id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
        "access_key": row["access_key"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "metadata": row["metadata"],
    }


SHARE_ACCESS_RULE = by_version(
    (0, share_access_rule_0),
    (21, share_access_rule_21),
    (33, share_access_rule_33),
    (45, share_access_rule_45),
)


def share_access_rule_summary_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
    }


def share_access_rule_summary_21(row: Row, see: See) -> dict[str, Json]:
    """From 2.21 on: with access_key."""
    return {
        "id": row["id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
        "access_key": row["access_key"],
    }


def share_access_rule_summary_33(row: Row, see: See) -> dict[str, Json]:
    """From 2.33 on: with created_at, with updated_at."""
    return {
        "id": row["id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
        "access_key": row["access_key"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def share_access_rule_summary_45(row: Row, see: See) -> dict[str, Json]:
    """From 2.45 on: with metadata."""
    return {
        "id": row["id"],
        "access_level": row["access_level"],
        "access_to": row["access_to"],
        "access_type": row["access_type"],
        "state": row["state"],
        "access_key": row["access_key"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "metadata": row["metadata"],
    }


SHARE_ACCESS_RULE_SUMMARY = by_version(
    (0, share_access_rule_summary_0),
    (21, share_access_rule_summary_21),
    (33, share_access_rule_summary_33),
    (45, share_access_rule_summary_45),
)


def snapshot_access_rule_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "access_type": row["access_type"],
        "access_to": row["access_to"],
        "state": row["state"],
    }


SNAPSHOT_ACCESS_RULE = by_version(
    (0, snapshot_access_rule_0),
)
