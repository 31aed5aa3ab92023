"""Access rules of mountable snapshots, and what the back end has still to do with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db.access import STATES
from db.connection import Conn, Row
from db.write import NOW, hold_snapshot, insert, insert_many

_ORDER = "ARRAY[" + ", ".join(f"'{state}'" for state in STATES) + "]"
_RULE = f"""
    SELECT a.id, a.share_snapshot_id, a.access_type, a.access_to,
           (SELECT m.state FROM share_snapshot_instance_access_map m WHERE m.access_id = a.id AND m.deleted = 'False'
            ORDER BY array_position({_ORDER}, m.state::text) LIMIT 1) AS state
    FROM share_snapshot_access_map a WHERE a.deleted = 'False'
"""


async def lock_snapshot(conn: Conn, snapshot_id: str) -> None:
    """Wait until no other transaction changes the rules of this snapshot; held until ours ends."""
    if "\0" not in snapshot_id:
        await conn.run("SELECT 1 FROM share_snapshots WHERE id = %s FOR NO KEY UPDATE", (snapshot_id,))


async def of_snapshot(conn: Conn, snapshot_id: str) -> list[Row]:
    """The rules of a snapshot with their states, oldest first."""
    return await conn.all(f"{_RULE} AND a.share_snapshot_id = %s ORDER BY a.created_at, a.id", (snapshot_id,))


async def get(conn: Conn, access_id: str) -> Row | None:
    """One rule."""
    return None if "\0" in access_id else await conn.one(f"{_RULE} AND a.id = %s", (access_id,))


async def create(conn: Conn, values: Row, instance_ids: Sequence[str]) -> Row:
    """Insert a rule, queued on each snapshot instance."""
    rule = await insert(conn, "share_snapshot_access_map", values)
    await insert_many(
        conn,
        "share_snapshot_instance_access_map",
        [
            {"share_snapshot_instance_id": one, "access_id": rule["id"], "state": "queued_to_apply"}
            for one in instance_ids
        ],
    )
    return {**rule, "state": "queued_to_apply" if instance_ids else None}


async def queue_removal(conn: Conn, access_id: str) -> list[str]:
    """Queue the removal of a rule on every snapshot instance that knows it; their ids."""
    rows = await conn.all(
        f"""
        UPDATE share_snapshot_instance_access_map SET state = 'queued_to_deny', updated_at = {NOW}
        WHERE access_id = %s AND deleted = 'False' RETURNING share_snapshot_instance_id
        """,
        (access_id,),
    )
    return [row["share_snapshot_instance_id"] for row in rows]


async def mark(conn: Conn, instance_id: str) -> list[Row]:
    """Take up the queued changes, and answer every rule of the snapshot instance that is not in error."""
    await conn.run(
        f"""
        UPDATE share_snapshot_instance_access_map
        SET state = CASE state WHEN 'queued_to_apply' THEN 'applying' ELSE 'denying' END, updated_at = {NOW}
        WHERE share_snapshot_instance_id = %s AND deleted = 'False' AND state IN ('queued_to_apply', 'queued_to_deny')
        """,
        (instance_id,),
    )
    return [row for row in await rules(conn, instance_id) if row["state"] in ("applying", "denying", "active")]


async def rules(conn: Conn, instance_id: str) -> list[Row]:
    """All rules of a snapshot instance as drivers know them, oldest first. They only allow reading."""
    return await conn.all(
        """
        SELECT a.id, a.id AS access_id, a.share_snapshot_id, a.access_type, a.access_to, 'ro' AS access_level,
               NULL AS access_key, m.state, m.share_snapshot_instance_id
        FROM share_snapshot_instance_access_map m JOIN share_snapshot_access_map a ON a.id = m.access_id
        WHERE m.share_snapshot_instance_id = %s AND m.deleted = 'False' ORDER BY a.created_at, a.id
        """,
        (instance_id,),
    )


async def settle(conn: Conn, instance_id: str, results: Mapping[str, Mapping[str, object]]) -> None:
    """Write what the back end did: rules applied become active, denied ones go, those named in ``results`` fail."""
    await hold_snapshot(conn, instance_id)
    wrong = [access_id for access_id, result in results.items() if result.get("state") == "error"]
    await conn.run(
        f"""
        UPDATE share_snapshot_instance_access_map
        SET state = CASE WHEN access_id = ANY(%(wrong)s) THEN 'error' ELSE 'active' END, updated_at = {NOW}
        WHERE share_snapshot_instance_id = %(id)s AND deleted = 'False'
          AND (state = 'applying' OR (state = 'denying' AND access_id = ANY(%(wrong)s)))
        """,
        {"id": instance_id, "wrong": wrong},
    )
    await forget(conn, instance_id, ("denying",))


async def fail(conn: Conn, instance_id: str) -> None:
    """The back end refused all of the changes taken up."""
    await conn.run(
        f"""
        UPDATE share_snapshot_instance_access_map SET state = 'error', updated_at = {NOW}
        WHERE share_snapshot_instance_id = %s AND deleted = 'False' AND state IN ('applying', 'denying')
        """,
        (instance_id,),
    )


async def forget(conn: Conn, instance_id: str, states: Sequence[str] | None = None) -> None:
    """Remove the snapshot instance's rules that are in one of ``states`` (None: all of them)."""
    await hold_snapshot(conn, instance_id)
    rows = await conn.all(
        f"""
        UPDATE share_snapshot_instance_access_map
        SET state = 'deleted', deleted = id, deleted_at = {NOW}, updated_at = {NOW}
        WHERE share_snapshot_instance_id = %(id)s AND deleted = 'False'
          AND (%(states)s::text[] IS NULL OR state = ANY(%(states)s::text[]))
        RETURNING access_id
        """,
        {"id": instance_id, "states": None if states is None else list(states)},
    )
    if rows:
        await conn.run(
            f"""
            UPDATE share_snapshot_access_map a SET deleted = a.id, deleted_at = {NOW}
            WHERE a.id = ANY(%s) AND a.deleted = 'False' AND NOT EXISTS (
                SELECT 1 FROM share_snapshot_instance_access_map m WHERE m.access_id = a.id AND m.deleted = 'False')
            """,
            ([row["access_id"] for row in rows],),
        )
