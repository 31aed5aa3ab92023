"""Share group snapshots and their members: snapshot instances that belong to no snapshot of one share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db import write
from db.connection import Conn, Row
from db.write import NOW, columns, insert, insert_many, soft_delete, update
from generated.columns import COLUMNS

TABLE = "share_group_snapshots"
MEMBERS = "share_snapshot_instances"
COLUMNS_OF_SNAPSHOTS = COLUMNS[TABLE]

_SELECT = f"""
    SELECT {columns("n", TABLE)},
           coalesce((SELECT json_agg(json_build_object('id', m.id, 'size', m.size, 'share_id', i.share_id)
                                     ORDER BY m.created_at, m.id)
                     FROM {MEMBERS} m LEFT JOIN share_instances i ON i.id = m.share_instance_id
                     WHERE m.share_group_snapshot_id = n.id AND m.deleted = 'False'), '[]') AS members
    FROM {TABLE} n
    WHERE n.deleted = 'False'
"""


async def get(conn: Conn, snapshot_id: str, project_id: str | None = None, *, lock: bool = False) -> Row | None:
    """One live group snapshot with ``members`` (id, size in GiB, share_id), of a project if that is given.

    Args:
        lock: keep everybody else who changes it waiting until the transaction ends.
    """
    if "\0" in snapshot_id:
        return None
    if lock:
        await write.lock(conn, TABLE, snapshot_id)
    return await conn.one(
        f"{_SELECT} AND n.id = %(id)s AND (%(project)s::text IS NULL OR n.project_id = %(project)s)",
        {"id": snapshot_id, "project": project_id},
    )


async def network_of(conn: Conn, snapshot_id: str) -> str | None:
    """Id of the share network of a snapshot's group."""
    if "\0" in snapshot_id:
        return None
    row = await conn.one(
        f"SELECT g.share_network_id FROM {TABLE} n JOIN share_groups g ON g.id = n.share_group_id WHERE n.id = %s",
        (snapshot_id,),
    )
    return None if row is None else row["share_network_id"]


async def list_all(
    conn: Conn, project_id: str | None, filters: Mapping[str, str], sort_key: str, descending: bool
) -> list[Row]:
    """Group snapshots of a project, or all, whose columns have the values of ``filters``; by a column of theirs."""
    assert sort_key in COLUMNS_OF_SNAPSHOTS
    conditions, params = [], dict[str, str | None](project=project_id)
    for index, (column, value) in enumerate(filters.items()):
        assert column in COLUMNS_OF_SNAPSHOTS
        conditions.append(f"AND n.{column}::text = %(f{index})s")
        params[f"f{index}"] = value
    if project_id is not None:
        conditions.append("AND n.project_id = %(project)s")
    order = "DESC" if descending else "ASC"
    return await conn.all(f"{_SELECT} {' '.join(conditions)} ORDER BY n.{sort_key} {order}, n.id {order}", params)


async def members(conn: Conn, snapshot_id: str) -> list[Row]:
    """The members of a group snapshot in the order they were made, each with its share's id and instance.

    Keys besides the columns: ``share_id``, ``share_protocol`` and of the instance ``host``, ``share_network_id``,
    ``share_server_id``, ``share_type_id`` and ``instance_deleted``.
    """
    return await conn.all(
        f"""
        SELECT {columns("m", MEMBERS)}, m.share_proto AS share_protocol, i.share_id, i.host, i.share_network_id,
               i.share_server_id, i.share_type_id, i.deleted <> 'False' AS instance_deleted
        FROM {MEMBERS} m LEFT JOIN share_instances i ON i.id = m.share_instance_id
        WHERE m.share_group_snapshot_id = %s AND m.deleted = 'False' ORDER BY m.created_at, m.id
        """,
        (snapshot_id,),
    )


async def create(conn: Conn, values: Row, shares: Sequence[Row]) -> Row:
    """Insert a group snapshot in status ``creating`` with a member for each share; its columns.

    Args:
        shares: rows of ``db.share_groups.shares``.
    """
    row = await insert(conn, TABLE, {**values, "status": "creating"})
    await insert_many(
        conn,
        MEMBERS,
        [
            {
                "share_group_snapshot_id": row["id"],
                "user_id": values["user_id"],
                "project_id": values["project_id"],
                "status": "creating",
                "size": one["size"],
                "share_proto": one["share_proto"],
                "share_instance_id": one["instance_id"],
            }
            for one in shares
        ],
    )
    return row


async def change(conn: Conn, snapshot_id: str, values: Row, expected: Sequence[str] | None = None) -> bool:
    """Change columns of a live group snapshot, if its status is one of ``expected`` now; whether it was changed."""
    where: Row = {"id": snapshot_id}
    if expected is not None:
        where["status"] = list(expected)
    return bool(await update(conn, TABLE, where, values))


async def change_member(conn: Conn, member_id: str, snapshot_id: str, values: Row) -> None:
    """Change columns of a live member of this group snapshot."""
    await update(conn, MEMBERS, {"id": member_id, "share_group_snapshot_id": snapshot_id}, values)


async def fail_members(conn: Conn, snapshot_id: str) -> None:
    """The members of a group snapshot that are being made end in error."""
    await update(conn, MEMBERS, {"share_group_snapshot_id": snapshot_id, "status": "creating"}, {"status": "error"})


async def destroy(conn: Conn, snapshot_id: str) -> Row | None:
    """Remove a group snapshot with its members; ``project_id`` and ``user_id``, or None when it was gone."""
    row = await conn.one(
        f"""
        UPDATE {TABLE} SET deleted = id, deleted_at = {NOW} WHERE id = %s AND deleted = 'False'
        RETURNING project_id, user_id
        """,
        (snapshot_id,),
    )
    if row is not None:
        await soft_delete(conn, MEMBERS, {"share_group_snapshot_id": snapshot_id})
    return row


async def of_group(conn: Conn, group_id: str) -> list[str]:
    """Ids of the live snapshots of a group."""
    rows = await conn.all("SELECT id FROM share_group_snapshots WHERE share_group_id = %s AND deleted = 'False'",
                          (group_id,))  # fmt: skip
    return [row["id"] for row in rows]
