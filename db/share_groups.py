"""Share groups: rows with the ids of their share types and the name of their zone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db import write
from db.connection import Conn, Row
from db.write import NOW, columns, insert, insert_many, soft_delete, update
from generated.columns import COLUMNS

TABLE = "share_groups"
MAPPINGS = "share_group_share_type_mappings"
COLUMNS_OF_GROUPS = COLUMNS[TABLE]
LIKE = ("name", "description")

_SELECT = f"""
    SELECT {columns("g", TABLE)}, z.name AS availability_zone,
           coalesce((SELECT json_agg(m.share_type_id ORDER BY m.created_at, m.id) FROM {MAPPINGS} m
                     WHERE m.share_group_id = g.id AND m.deleted = 'False'), '[]') AS share_types
    FROM {TABLE} g LEFT JOIN availability_zones z ON z.id = g.availability_zone_id AND z.deleted = 'False'
    WHERE g.deleted = 'False'
"""


async def get(conn: Conn, group_id: str, project_id: str | None = None, *, lock: bool = False) -> Row | None:
    """One live group, of a project if that is given.

    Args:
        lock: keep everybody else who changes the group, or puts shares into it, waiting until the transaction ends.
    """
    if "\0" in group_id:
        return None
    if lock:
        await write.lock(conn, TABLE, group_id)
    return await conn.one(
        f"{_SELECT} AND g.id = %(id)s AND (%(project)s::text IS NULL OR g.project_id = %(project)s)",
        {"id": group_id, "project": project_id},
    )


async def hold(conn: Conn, group_id: str) -> str | None:
    """Status of a live group, which stays as it is until the transaction ends; None when the group is gone."""
    row = await conn.one("SELECT status FROM share_groups WHERE id = %s AND deleted = 'False' FOR SHARE", (group_id,))
    return None if row is None else row["status"]


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
        test = f"g.{column}::text = %(f{index})s" if column == key else f"g.{column} LIKE '%%' || %(f{index})s || '%%'"
        conditions.append(f"AND {test}")
        params[f"f{index}"] = value
    if project_id is not None:
        conditions.append("AND g.project_id = %(project)s")
    order = "DESC" if descending else "ASC"
    return await conn.all(f"{_SELECT} {' '.join(conditions)} ORDER BY g.{sort_key} {order}, g.id {order}", params)


async def create(conn: Conn, values: Row, share_type_ids: Sequence[str]) -> Row:
    """Insert a group of these share types; its columns and ``share_types``."""
    row = await insert(conn, TABLE, values)
    await insert_many(conn, MAPPINGS, [{"share_group_id": row["id"], "share_type_id": one} for one in share_type_ids])
    return {**row, "share_types": list(share_type_ids)}


async def change(conn: Conn, group_id: str, values: Row, expected: Sequence[str] | None = None) -> bool:
    """Change columns of a live group, if its status is one of ``expected`` now; whether it was changed."""
    where: Row = {"id": group_id}
    if expected is not None:
        where["status"] = list(expected)
    return bool(await update(conn, TABLE, where, values))


async def created(conn: Conn, group_id: str, values: Row) -> bool:
    """A group that was being made is there now, and this is its time of birth; whether it still was being made."""
    row = await conn.one(f"SELECT {NOW} AS now")
    assert row is not None
    return await change(conn, group_id, {**values, "status": "available", "created_at": row["now"]}, ("creating",))


async def contents(conn: Conn, group_id: str) -> tuple[int, int]:
    """How many live shares and group snapshots a group has, whoever's they are."""
    row = await conn.one(
        """
        SELECT (SELECT count(*) FROM shares s WHERE s.share_group_id = %(id)s AND s.deleted = 'False') AS shares,
               (SELECT count(*) FROM share_group_snapshots n
                WHERE n.share_group_id = %(id)s AND n.deleted = 'False') AS snapshots
        """,
        {"id": group_id},
    )
    assert row is not None
    return int(row["shares"]), int(row["snapshots"])


async def shares(conn: Conn, group_id: str) -> list[Row]:
    """Live shares of a group outside the recycle bin, oldest first, which stay until the transaction ends.

    Keys: ``id``, ``size``, ``share_proto``, and of the instance that speaks for it ``instance_id`` and ``status``;
    ``instances`` is their number.
    """
    await conn.run(
        "SELECT 1 FROM shares WHERE share_group_id = %s AND deleted = 'False' ORDER BY id FOR SHARE", (group_id,)
    )
    return await conn.all(
        """
        SELECT s.id, s.size, s.share_proto, i.instance_id, i.status, i.instances
        FROM shares s LEFT JOIN LATERAL (
            SELECT x.id AS instance_id, x.status, count(*) OVER () AS instances FROM share_instances x
            WHERE x.share_id = s.id AND x.deleted = 'False'
            ORDER BY x.status <> 'available', x.created_at, x.id LIMIT 1) i ON true
        WHERE s.share_group_id = %s AND s.deleted = 'False' AND NOT s.is_soft_deleted
        ORDER BY s.created_at, s.id
        """,
        (group_id,),
    )


async def shares_with_instances(conn: Conn, group_id: str) -> Row | None:
    """The oldest share of a group that has instances: ``id`` and their number ``instances``; None without one."""
    return await conn.one(
        """
        SELECT s.id, count(*) AS instances FROM shares s JOIN share_instances i ON i.share_id = s.id
        WHERE s.share_group_id = %s AND s.deleted = 'False' AND i.deleted = 'False'
        GROUP BY s.id, s.created_at ORDER BY s.created_at, s.id LIMIT 1
        """,
        (group_id,),
    )


async def destroy(conn: Conn, group_id: str) -> Row | None:
    """Remove a group; ``project_id`` and ``user_id`` of the one removed now, None when it was gone."""
    row = await conn.one(
        f"""
        UPDATE share_groups SET deleted = id, deleted_at = {NOW} WHERE id = %s AND deleted = 'False'
        RETURNING project_id, user_id
        """,
        (group_id,),
    )
    if row is not None:
        await soft_delete(conn, MAPPINGS, {"share_group_id": group_id})
    return row


async def forget_empty_shares(conn: Conn, group_id: str) -> None:
    """Remove the rows of a group's shares that have no instance."""
    await soft_delete(conn, "shares", {"share_group_id": group_id})
