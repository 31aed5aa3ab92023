"""Views of ``services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def service_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "id": row["id"],
        "binary": row["binary"],
        "host": row["host"],
        "zone": row["zone"],
        "status": row["status"],
        "state": row["state"],
        "updated_at": row["updated_at"],
    }


def service_83(row: Row, see: See) -> dict[str, Json]:
    """From 2.83 on: with disabled_reason."""
    return {
        "id": row["id"],
        "binary": row["binary"],
        "host": row["host"],
        "zone": row["zone"],
        "status": row["status"],
        "state": row["state"],
        "updated_at": row["updated_at"],
        "disabled_reason": row["disabled_reason"],
    }


def service_86(row: Row, see: See) -> dict[str, Json]:
    """From 2.86 on: with ensuring."""
    return {
        "id": row["id"],
        "binary": row["binary"],
        "host": row["host"],
        "zone": row["zone"],
        "status": row["status"],
        "state": row["state"],
        "updated_at": row["updated_at"],
        "disabled_reason": row["disabled_reason"],
        "ensuring": row["ensuring"],
    }


SERVICE = by_version(
    (0, service_0),
    (83, service_83),
    (86, service_86),
)
