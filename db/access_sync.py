"""What a back end has still to do with the access rules of a share instance, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db import driver_rows
from db.connection import Conn, Row
from db.write import NOW, hold_share

LOCK_REASON = "Locked by access lock: %s"
"""Reason of the lock a locked rule puts on its share; the id of the rule's lock is filled in."""

TAKEN_UP = ("applying", "denying", "updating")
"""States of rules whose change the back end is being asked for."""

_MARK = f"""
    UPDATE share_instance_access_map
    SET state = CASE state WHEN 'queued_to_apply' THEN 'applying' WHEN 'queued_to_deny' THEN 'denying'
                           ELSE 'updating' END,
        updated_at = {NOW}
    WHERE share_instance_id = %s AND deleted = 'False'
      AND state IN ('queued_to_apply', 'queued_to_deny', 'queued_to_update')
"""

_TOUCH = f"""
    UPDATE share_access_map a SET updated_at = {NOW}
    FROM share_instance_access_map m
    WHERE m.access_id = a.id AND m.share_instance_id = %s AND m.deleted = 'False'
      AND m.state = ANY(%s)
"""


async def mark(conn: Conn, instance_id: str) -> list[Row]:
    """Take up the queued changes, and answer every rule of the instance that is not in error, oldest first.

    Each row is a rule as drivers know it; its ``state`` says what is to be done with it: ``applying``, ``denying``,
    ``updating`` or (``active``) nothing.
    """
    await hold_share(conn, instance_id)
    if await conn.run(_MARK, (instance_id,)):
        await conn.run(_TOUCH, (instance_id, list(TAKEN_UP)))
        await conn.run(
            f"""
            UPDATE share_instances SET access_rules_status = 'syncing', updated_at = {NOW}
            WHERE id = %s AND access_rules_status = 'active'
            """,
            (instance_id,),
        )
    rows = await driver_rows.rules(conn, [instance_id])
    return [row for row in rows[instance_id] if row["state"] in ("applying", "denying", "updating", "active")]


async def settle(conn: Conn, instance_id: str, results: Mapping[str, Mapping[str, object]]) -> None:
    """Write what the back end did with the changes taken up.

    A rule that was queued again in the meantime keeps its queued state. ``results`` (rule id -> ``state``,
    ``access_key``) speaks of rules that went otherwise than asked. A denied rule
    is removed unless it is in error.
    """
    await hold_share(conn, instance_id)
    for access_id, result in results.items():
        if result.get("state") in ("active", "error"):
            await conn.run(
                f"""
                UPDATE share_instance_access_map SET state = %s, updated_at = {NOW}
                WHERE access_id = %s AND share_instance_id = %s AND deleted = 'False'
                  AND state IN ('applying', 'denying', 'updating', 'active')
                """,
                (result["state"], access_id, instance_id),
            )
        if "access_key" in result:
            await conn.run(
                "UPDATE share_access_map SET access_key = %s WHERE id = %s AND deleted = 'False'",
                (result["access_key"], access_id),
            )
    await conn.run(_TOUCH, (instance_id, list(TAKEN_UP)))
    await conn.run(
        f"""
        UPDATE share_instance_access_map SET state = 'active', updated_at = {NOW}
        WHERE share_instance_id = %s AND deleted = 'False' AND state IN ('applying', 'updating')
        """,
        (instance_id,),
    )
    await forget(conn, instance_id, ("denying",))
    await _settle_status(conn, instance_id)


async def fail(conn: Conn, instance_id: str, states: Sequence[str] = TAKEN_UP) -> None:
    """The back end refused what it was asked for the rules that are in one of ``states``: they are in error."""
    await hold_share(conn, instance_id)
    await conn.run(_TOUCH, (instance_id, list(states)))
    await conn.run(
        f"""
        UPDATE share_instance_access_map SET state = 'error', updated_at = {NOW}
        WHERE share_instance_id = %s AND deleted = 'False' AND state = ANY(%s)
        """,
        (instance_id, list(states)),
    )
    await conn.run(
        f"""
        UPDATE share_instances SET access_rules_status = 'error', updated_at = {NOW}
        WHERE id = %s AND access_rules_status IN ('active', 'syncing')
        """,
        (instance_id,),
    )


async def _settle_status(conn: Conn, instance_id: str) -> None:
    """``error`` while a rule is in error, ``active`` when all are applied; unchanged while some are queued."""
    await conn.run(
        f"""
        UPDATE share_instances i SET updated_at = {NOW}, access_rules_status = n.status
        FROM (SELECT CASE WHEN bool_or(m.state = 'error') THEN 'error' ELSE 'active' END AS status,
                     coalesce(bool_or(m.state LIKE 'queued%%'), false) AS queued
              FROM share_instance_access_map m WHERE m.share_instance_id = %(id)s AND m.deleted = 'False') n
        WHERE i.id = %(id)s AND NOT n.queued AND i.access_rules_status <> n.status
          AND i.access_rules_status IN ('active', 'syncing', 'error')
        """,
        {"id": instance_id},
    )


async def forget(conn: Conn, instance_id: str, states: Sequence[str] | None = None) -> None:
    """Remove the instance's rules that are in one of ``states`` (None: all of them).

    A rule that no instance knows any more goes with its metadata and its locks.
    """
    await hold_share(conn, instance_id)
    rows = await conn.all(
        f"""
        UPDATE share_instance_access_map SET state = 'deleted', deleted = id, deleted_at = {NOW}, updated_at = {NOW}
        WHERE share_instance_id = %(id)s AND deleted = 'False'
          AND (%(states)s::text[] IS NULL OR state = ANY(%(states)s::text[]))
        RETURNING access_id
        """,
        {"id": instance_id, "states": None if states is None else list(states)},
    )
    await drop_orphans(conn, [row["access_id"] for row in rows])


async def drop_orphans(conn: Conn, access_ids: Sequence[str]) -> None:
    """Remove those of the rules that no share instance knows, with their metadata and locks."""
    if not access_ids:
        return
    gone = await conn.all(
        f"""
        UPDATE share_access_map a SET deleted = a.id, deleted_at = {NOW}
        WHERE a.id = ANY(%s) AND a.deleted = 'False' AND NOT EXISTS (
            SELECT 1 FROM share_instance_access_map m WHERE m.access_id = a.id AND m.deleted = 'False')
        RETURNING a.id
        """,
        (list(access_ids),),
    )
    if not gone:
        return
    ids = [row["id"] for row in gone]
    await conn.run(
        f"""
        UPDATE share_access_rules_metadata SET deleted = id::text, deleted_at = {NOW}
        WHERE access_id = ANY(%s) AND deleted = 'False'
        """,
        (ids,),
    )
    locks = await conn.all(
        f"""
        UPDATE resource_locks SET deleted = id, deleted_at = {NOW}
        WHERE resource_id = ANY(%s) AND deleted = 'False' RETURNING id, resource_action
        """,
        (ids,),
    )
    reasons = [LOCK_REASON % row["id"] for row in locks if row["resource_action"] == "delete"]
    if reasons:
        await conn.run(
            f"""
            UPDATE resource_locks SET deleted = id, deleted_at = {NOW}
            WHERE lock_reason = ANY(%s) AND deleted = 'False'
            """,
            (reasons,),
        )
