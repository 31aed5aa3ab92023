"""Share groups, as far as they are read."""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn, Row
from db.write import columns
from generated.columns import COLUMNS

COLUMNS_OF_GROUPS = COLUMNS["share_groups"]
LIKE = ("name", "description")

_SELECT = f"""
    SELECT {columns("g", "share_groups")}, z.name AS availability_zone,
           coalesce((SELECT json_agg(m.share_type_id ORDER BY m.created_at, m.id) FROM share_group_share_type_mappings m
                     WHERE m.share_group_id = g.id AND m.deleted = 'False'), '[]') AS share_types
    FROM share_groups g LEFT JOIN availability_zones z ON z.id = g.availability_zone_id
    WHERE g.deleted = 'False'
"""


async def list_all(
    conn: Conn, project_id: str | None, filters: Mapping[str, str], sort_key: str, descending: bool
) -> list[Row]:
    """Groups of a project, or all.

    Args:
        filters: column -> value, or ``name~`` and ``description~`` -> part of the text.
        sort_key: a column of the groups' table.
    """
    assert sort_key in COLUMNS_OF_GROUPS
    conditions, params = [], dict[str, str | None](project=project_id)
    for index, (key, value) in enumerate(filters.items()):
        column = key.removesuffix("~")
        assert column in COLUMNS_OF_GROUPS
        test = f"g.{column}::text = %(f{index})s" if column == key else f"strpos(g.{column}, %(f{index})s) > 0"
        conditions.append(f"AND {test}")
        params[f"f{index}"] = value
    if project_id is not None:
        conditions.append("AND g.project_id = %(project)s")
    order = "DESC" if descending else "ASC"
    return await conn.all(f"{_SELECT} {' '.join(conditions)} ORDER BY g.{sort_key} {order}, g.id {order}", params)
