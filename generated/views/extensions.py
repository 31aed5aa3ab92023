"""Views of ``extensions``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def extension_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "name": row["name"],
        "alias": row["alias"],
        "description": row["description"],
        "updated": row["updated"],
        "links": row["links"],
    }


EXTENSION = by_version(
    (0, extension_0),
)
