"""Rows in a transitional status that nobody works on any more.

Work is left in the transaction that changes the status, so such a row is what a task left behind that was given up, or
an operation that was under way in the original when its database was adopted.
"""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn, Row
from db.write import NOW, live

INSTANCES = {
    "creating": "error",
    "deleting": "error_deleting",
    "extending": "extending_error",
    "shrinking": "shrinking_error",
    "replication_change": "error",
    "reverting": "reverting_error",
    "reverting_to_snapshot": "reverting_error",
}
SNAPSHOTS = {"creating": "error", "deleting": "error_deleting", "restoring": "error"}
SERVERS = {"creating": "error", "deleting": "error"}
ENDS: Mapping[str, tuple[Mapping[str, str], str]] = {
    "share_instances": (INSTANCES, "'share:' || r.share_id"),
    "share_snapshot_instances": (
        SNAPSHOTS,
        "'share:' || (SELECT s.share_id FROM share_snapshots s WHERE s.id = r.snapshot_id), 'snapshot:' || r.id",
    ),
    "share_servers": (SERVERS, "'share_server:' || r.id"),
}
"""Table -> status -> status that it ends in, and the names under which work on a row is done in turn (SQL)."""


async def end(conn: Conn, older_than: float) -> list[Row]:
    """Give rows unchanged for ``older_than`` seconds their final status; ``table``, ``id``, ``was`` and ``now``.

    A share server that is being made belongs to the work on a share, so any work on its shares counts as its own.
    """
    found = []
    for table, (ends, resources) in ENDS.items():
        rows = await conn.all(
            f"""
            WITH stuck AS (
                SELECT r.id, r.status FROM {table} r
                WHERE r.status = ANY(%(statuses)s) AND {live("r", table)}
                  AND coalesce(r.updated_at, r.created_at) < {NOW} - %(age)s * interval '1 second'
                  AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t WHERE t.state IN ('queued', 'running')
                                    AND t.resource IN ({_with_shares(table, resources)}))
                FOR UPDATE SKIP LOCKED)
            UPDATE {table} r SET status = %(ends)s::json ->> stuck.status, updated_at = {NOW}
            FROM stuck WHERE r.id = stuck.id RETURNING r.id, stuck.status AS was, r.status AS now
            """,
            {"statuses": list(ends), "age": older_than, "ends": _json(ends)},
        )
        found += [{"table": table, **row} for row in rows]
    return found


def _with_shares(table: str, resources: str) -> str:
    if table != "share_servers":
        return resources
    on_it = f"SELECT 'share:' || i.share_id FROM share_instances i WHERE i.share_server_id = r.id AND {_LIVE_SHARE}"
    return f"SELECT {resources} UNION ALL {on_it}"


_LIVE_SHARE = live("i", "share_instances")


def _json(ends: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'"{was}": "{now}"' for was, now in ends.items()) + "}"
