"""Views of ``scheduler_stats``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def pool_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "name": row["name"],
        "host": row["host"],
        "backend": row["backend"],
        "pool": row["pool"],
    }


POOL = by_version(
    (0, pool_0),
)


def pool_detail_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "name": row["name"],
        "host": row["host"],
        "backend": row["backend"],
        "pool": row["pool"],
        "capabilities": row["capabilities"],
    }


POOL_DETAIL = by_version(
    (0, pool_detail_0),
)
