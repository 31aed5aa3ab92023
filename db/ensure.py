"""Shares that a back end exports again: which, and what it found."""

from __future__ import annotations

from collections.abc import Sequence

from db import tasks
from db.connection import Conn, Row
from db.write import NOW, hold_share, insert_many, new_id, soft_delete


async def write_export_locations(conn: Conn, instance_id: str, current: Sequence[Row], wanted: Sequence[Row]) -> None:
    """Make the export locations of a share instance ``wanted``; the ids of those that stay don't change."""
    await hold_share(conn, instance_id)
    paths = {one["path"] for one in wanted}
    gone = [one["path"] for one in current if one["path"] not in paths]
    if gone:
        await soft_delete(conn, "share_instance_export_locations", {"share_instance_id": instance_id, "path": gone})
    known = {one["path"] for one in current}
    fresh = [one for one in wanted if one["path"] not in known]
    await insert_many(
        conn,
        "share_instance_export_locations",
        [
            {
                "share_instance_id": instance_id,
                "uuid": new_id(),
                "path": one["path"],
                "is_admin_only": bool(one.get("is_admin_only", False)),
            }
            for one in fresh
        ],
    )


_MOUNTED = """
    FROM share_instances i
    WHERE i.deleted = 'False' AND split_part(i.host, '#', 1) = %(host)s AND i.status = ANY(%(statuses)s)
      AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t WHERE t.kind = 'share_ensure' AND t.state = 'queued'
                        AND t.resource = 'share:' || i.share_id AND t.payload->>'instance_id' = i.id)
"""


async def mounted_on(conn: Conn, host: str, statuses: Sequence[str]) -> list[str]:
    """Ids of the instances in ``statuses`` on a back end's host, but for those that wait to be exported already."""
    rows = await conn.all(f"SELECT i.id {_MOUNTED}", {"host": host, "statuses": list(statuses)})
    return [row["id"] for row in rows]


async def order(conn: Conn, host: str, statuses: Sequence[str], request_id: str | None = None) -> int:
    """Leave a task for each instance of ``mounted_on``, oldest first, in two statements; how many.

    The rows are those of ``services.work.ShareEnsure``, one by one.
    """
    count = await conn.run(
        f"""
        INSERT INTO openkeel_tasks (kind, queue, resource, payload, request_id, run_after)
        SELECT 'share_ensure', %(host)s, 'share:' || i.share_id,
               jsonb_build_object('share_id', i.share_id, 'instance_id', i.id), %(request)s, clock_timestamp()
        {_MOUNTED} ORDER BY i.created_at, i.id
        """,
        {"host": host, "statuses": list(statuses), "request": request_id},
    )
    if count:
        await tasks.wake(conn, host)
    return count


async def begin(conn: Conn, host: str, instance_ids: Sequence[str], *, show: bool) -> None:
    """A back end is asked to export these instances again; with ``show`` available ones say so."""
    await _in_turn(conn, host)
    await conn.run(
        f"""
        UPDATE services SET ensuring = true, updated_at = {NOW}
        WHERE host = %s AND "binary" = 'manila-share' AND deleted = 0
        """,
        (host,),
    )
    if show:
        await conn.run(
            f"""
            UPDATE share_instances SET status = 'ensuring', updated_at = {NOW}
            WHERE id = ANY(%s) AND status = 'available' AND deleted = 'False'
            """,
            (list(instance_ids),),
        )


async def done(conn: Conn, task_id: int, host: str) -> None:
    """A task has done its part; with the last one the back end's service is no longer ``ensuring``."""
    await _in_turn(conn, host)
    await conn.run(
        """UPDATE openkeel_tasks SET payload = payload || '{"recorded": true}'::jsonb WHERE id = %s""", (task_id,)
    )
    await conn.run(
        f"""
        UPDATE services SET ensuring = false, updated_at = {NOW}
        WHERE host = %(host)s AND "binary" = 'manila-share' AND deleted = 0 AND ensuring AND NOT EXISTS (
            SELECT 1 FROM openkeel_tasks t WHERE t.kind = 'share_ensure' AND t.queue = %(host)s
              AND t.state IN ('queued', 'running') AND NOT t.payload ? 'recorded')
        """,
        {"host": host},
    )


async def _in_turn(conn: Conn, host: str) -> None:
    """The last of several tasks must see that the others are done."""
    await conn.run("SELECT pg_advisory_xact_lock(hashtextextended(%s, 41))", (host,))
