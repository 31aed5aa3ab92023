"""Share backups: what requests and workers read and write."""

from __future__ import annotations

from collections.abc import Sequence

from db import pages, zones
from db.connection import Conn, Row
from db.write import NOW, columns, insert, update
from generated.columns import COLUMNS

BACKUPS = "share_backups"
SORT_KEYS = COLUMNS[BACKUPS]
_SELECT = f"""
    SELECT {columns("b", BACKUPS)}, az.name AS availability_zone
    FROM share_backups b LEFT JOIN availability_zones az ON az.id = b.availability_zone_id AND az.deleted = 'False'
    WHERE b.deleted = 'False'
"""


async def list_page(conn: Conn, page: pages.Page, project_id: str | None) -> list[Row]:
    """A page of the backups of a project, or of all, with the names of their zones."""
    found = await pages.rows(conn, BACKUPS, page, project_id)
    names = await zones.names(conn) if found else {}
    return [{**row, "availability_zone": names.get(row["availability_zone_id"])} for row in found]


async def get(conn: Conn, backup_id: str, project_id: str | None = None, *, lock: bool = False) -> Row | None:
    """A live backup with the name of its zone.

    Args:
        project_id: only if it belongs to this project.
        lock: keep other writers waiting until the transaction ends.
    """
    if "\0" in backup_id:
        return None
    sql = f"{_SELECT} AND b.id = %(id)s AND (%(project)s::text IS NULL OR b.project_id = %(project)s)"
    return await conn.one(sql + (" FOR UPDATE OF b" if lock else ""), {"id": backup_id, "project": project_id})


async def create(conn: Conn, values: Row) -> Row:
    """Insert a backup; the row as written."""
    return await insert(conn, BACKUPS, values)


async def change(conn: Conn, backup_id: str, values: Row, expected: Sequence[str] | None = None) -> bool:
    """Change columns of a live backup, if its status is one of ``expected`` now; whether it was changed."""
    where: Row = {"id": backup_id} | ({} if expected is None else {"status": list(expected)})
    return bool(await update(conn, BACKUPS, where, values))


async def newest_of_driver(conn: Conn, share_id: str, topic: str) -> Row | None:
    """The newest available backup of a share that its back end has made, whoever's it is."""
    return await conn.one(
        f"{_SELECT} AND b.share_id = %s AND b.topic = %s AND b.status = 'available' ORDER BY b.created_at DESC LIMIT 1",
        (share_id, topic),
    )


async def waiting(conn: Conn, topic: str, status: str, host: str | None = None) -> list[Row]:
    """Backups in a status, of one host or of all, oldest first."""
    return await conn.all(
        f"{_SELECT} AND b.topic = %(topic)s AND b.status = %(status)s AND (%(host)s::text IS NULL OR b.host = %(host)s)"
        " ORDER BY b.created_at, b.id",
        {"topic": topic, "status": status, "host": host},
    )


async def worked_on(conn: Conn, queue: str) -> set[str]:
    """Ids of the backups that a task of this queue is about."""
    rows = await conn.all(
        """
        SELECT payload->>'backup_id' AS id FROM openkeel_tasks
        WHERE queue = %s AND state IN ('queued', 'running') AND payload ? 'backup_id'
        """,
        (queue,),
    )
    return {row["id"] for row in rows}


async def instance_of(conn: Conn, share_id: str) -> str | None:
    """The instance of a share whose data a backup is about."""
    row = await conn.one(
        """
        SELECT id FROM share_instances WHERE share_id = %s AND deleted = 'False'
        ORDER BY status LIKE 'backup%%' DESC, status = 'available' DESC, created_at LIMIT 1
        """,
        (share_id,),
    )
    return None if row is None else str(row["id"])


async def restoring_into(conn: Conn, backup_id: str) -> list[Row]:
    """Share instances that a backup is restored to now: ``id`` and ``share_id``."""
    return await conn.all(
        """
        SELECT i.id, i.share_id FROM shares s JOIN share_instances i ON i.share_id = s.id AND i.deleted = 'False'
        WHERE s.source_backup_id = %s AND s.deleted = 'False' AND i.status = 'backup_restoring'
        """,
        (backup_id,),
    )


async def remove(conn: Conn, backup_id: str, expected: Sequence[str]) -> Row | None:
    """Soft-delete a backup in one of these statuses; the row, or None when it is gone or was given another status."""
    return await conn.one(
        f"""
        UPDATE share_backups SET status = 'deleted', deleted = id, deleted_at = {NOW}, updated_at = {NOW}
        WHERE id = %s AND deleted = 'False' AND status = ANY(%s) RETURNING id, project_id, user_id, size, share_id
        """,
        (backup_id, list(expected)),
    )
