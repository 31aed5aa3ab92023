"""Shares that move from one back end to another: two instances, copies of their snapshots, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from db import access_sync, async_operations, share_changes, snapshot_instances, write
from db.connection import Conn, Row
from db.write import NOW, insert, insert_many, new_id, soft_delete, update

SOURCE, DESTINATION = "migrating", "migrating_to"
"""Statuses of the instance that is left and of the one that is filled."""
PROGRESS = "share_migration_progress"
"""Key under which the driver's last word on a share is kept."""

_STATE = """
    SELECT s.id, s.task_state, s.size, s.share_proto, s.project_id, s.user_id, s.replication_type, s.is_soft_deleted,
           coalesce((SELECT json_agg(json_build_object(
               'id', i.id, 'host', i.host, 'status', i.status, 'share_type_id', i.share_type_id,
               'share_network_id', i.share_network_id, 'share_server_id', i.share_server_id,
               'availability_zone_id', i.availability_zone_id, 'cast_rules_to_readonly', i.cast_rules_to_readonly)
               ORDER BY i.created_at, i.id)
            FROM share_instances i WHERE i.share_id = s.id AND i.deleted = 'False'), '[]') AS instances
    FROM shares s WHERE s.id = %s AND s.deleted = 'False'
"""


async def state(conn: Conn, share_id: str, *, lock: bool = False) -> Row | None:
    """A live share with ``source`` and ``destination``: its instances that a migration works on, or None.

    Args:
        lock: keep other writers of the share waiting until the transaction ends.
    """
    if lock:
        await write.lock(conn, "shares", share_id)
    row = await conn.one(_STATE, (share_id,))
    if row is None:
        return None
    for name, status in (("source", SOURCE), ("destination", DESTINATION)):
        row[name] = next((one for one in row["instances"] if one["status"] == status), None)
    return row


async def set_task_state(conn: Conn, share_id: str, task_state: str, expected: Sequence[str] | None = None) -> bool:
    """Change how far the share's task is, if it is at one of ``expected`` now; whether it was."""
    where: Row = {"id": share_id}
    if expected is not None:
        where["task_state"] = list(expected)
    return bool(await update(conn, "shares", where, {"task_state": task_state}))


async def set_instance_status(conn: Conn, instance_id: str, status: str, expected: Sequence[str], **more: Any) -> bool:
    """Change the status of an instance that is in one of ``expected``, and other columns; whether it was."""
    where = {"id": instance_id, "status": list(expected)}
    return bool(await update(conn, "share_instances", where, {"status": status, **more}))


async def service(conn: Conn, host: str, down_time: float, *, disabled: bool = False) -> Row | None:
    """The share service of a host: ``host``, ``zone_id``, ``zone`` (name) and whether it is ``up``.

    Args:
        disabled: also one that is: it takes no new shares, and yet goes on with those it has.
    """
    if "\0" in host:
        return None
    return await conn.one(
        f"""
        SELECT s.host, s.availability_zone_id AS zone_id, z.name AS zone,
               coalesce(s.updated_at, s.created_at) >= {NOW} - %s * interval '1 second' AS up
        FROM services s LEFT JOIN availability_zones z ON z.id = s.availability_zone_id
        WHERE s.host = %s AND s.topic = 'manila-share' AND s.deleted = 0 AND (%s OR NOT s.disabled)
        ORDER BY s.id LIMIT 1
        """,
        (min(down_time, 1e9), host, disabled),
    )


async def data_service_is_up(conn: Conn, down_time: float) -> bool:
    """Whether a data service has given a sign of life lately."""
    row = await conn.one(
        f"""
        SELECT 1 AS yes FROM services WHERE topic = 'manila-data' AND deleted = 0
          AND coalesce(updated_at, created_at) >= {NOW} - %s * interval '1 second' LIMIT 1
        """,
        (min(down_time, 1e9),),
    )
    return row is not None


async def snapshot_statuses(conn: Conn, share_id: str) -> list[str | None]:
    """The status of each live snapshot of a share."""
    rows = await conn.all(
        """
        SELECT (SELECT x.status FROM share_snapshot_instances x WHERE x.snapshot_id = s.id AND x.deleted = 'False'
                ORDER BY x.created_at, x.id LIMIT 1) AS status
        FROM share_snapshots s WHERE s.share_id = %s AND s.deleted = 'False' ORDER BY s.created_at, s.id
        """,
        (share_id,),
    )
    return [row["status"] for row in rows]


# ---- the destination


async def add_destination(conn: Conn, share_id: str, values: Row) -> str:
    """Write the instance that will be filled; its id."""
    row = await insert(
        conn,
        "share_instances",
        {"id": new_id(), "share_id": share_id, "access_rules_status": "active", "cast_rules_to_readonly": False}
        | values,
    )
    await conn.run(f"UPDATE share_instances SET scheduled_at = {NOW} WHERE id = %s", (row["id"],))
    return str(row["id"])


async def forget_instance(conn: Conn, instance_id: str) -> None:
    """Remove one of several instances with its rules, its copies of snapshots and its export locations."""
    await access_sync.forget(conn, instance_id)
    for one in await _snapshots_of(conn, instance_id):
        await snapshot_instances.remove(conn, one["id"])
    await share_changes.forget_instance(conn, instance_id)


async def _snapshots_of(conn: Conn, instance_id: str) -> list[Row]:
    return await conn.all(
        """
        SELECT x.id, x.snapshot_id, x.status FROM share_snapshot_instances x
        WHERE x.share_instance_id = %s AND x.deleted = 'False' ORDER BY x.created_at, x.id
        """,
        (instance_id,),
    )


# ---- snapshots


async def pairs(conn: Conn, source_id: str, destination_id: str) -> list[tuple[str, str]]:
    """Snapshot instances of the source with their copies at the destination, oldest first."""
    copies = {one["snapshot_id"]: one["id"] for one in await _snapshots_of(conn, destination_id)}
    found = await _snapshots_of(conn, source_id)
    return [(one["id"], copies[one["snapshot_id"]]) for one in found if one["snapshot_id"] in copies]


async def copy_snapshots(conn: Conn, source_id: str, destination_id: str) -> None:
    """Make a copy of each snapshot instance at the destination; those that are there already stay."""
    known = {one["snapshot_id"] for one in await _snapshots_of(conn, destination_id)}
    for one in await _snapshots_of(conn, source_id):
        if one["snapshot_id"] in known:
            continue
        await insert(
            conn,
            "share_snapshot_instances",
            {
                "snapshot_id": one["snapshot_id"],
                "share_instance_id": destination_id,
                "status": DESTINATION,
                "progress": "0%",
            },
        )
        await snapshot_instances.change(conn, one["id"], {"status": SOURCE}, ("available",))


async def set_snapshots(conn: Conn, instance_ids: Sequence[str], status: str, expected: Sequence[str]) -> None:
    """Change the status of the snapshot instances of share instances that are in one of ``expected``."""
    await conn.run(
        """
        SELECT 1 FROM share_snapshots WHERE id IN (
            SELECT x.snapshot_id FROM share_snapshot_instances x
            WHERE x.share_instance_id = ANY(%s) AND x.deleted = 'False')
        ORDER BY id FOR NO KEY UPDATE
        """,
        (list(instance_ids),),
    )
    where = {"share_instance_id": list(instance_ids), "status": list(expected)}
    await update(conn, "share_snapshot_instances", where, {"status": status})


# ---- rules


async def copy_rules(conn: Conn, share_id: str, instance_id: str) -> bool:
    """Queue every rule of the share on an instance that does not know it yet; whether the instance has rules."""
    rows = await conn.all(
        """
        SELECT a.id, EXISTS (SELECT 1 FROM share_instance_access_map m WHERE m.access_id = a.id
                             AND m.share_instance_id = %(instance)s AND m.deleted = 'False') AS known
        FROM share_access_map a WHERE a.share_id = %(share)s AND a.deleted = 'False'
        """,
        {"share": share_id, "instance": instance_id},
    )
    await insert_many(
        conn,
        "share_instance_access_map",
        [
            {"share_instance_id": instance_id, "access_id": row["id"], "state": "queued_to_apply"}
            for row in rows
            if not row["known"]
        ],
    )
    return bool(rows)


async def cast_rules(conn: Conn, instance_id: str, *, readonly: bool) -> bool:
    """Let an instance's rules count as read-only, or as they are again; they are queued to be enforced anew.

    Returns:
        Whether there is anything to enforce: the cast changed, or a run that died had changed it.
    """
    await write.hold_share(conn, instance_id)
    changed = await update(
        conn, "share_instances", {"id": instance_id, "cast_rules_to_readonly": not readonly},
        {"cast_rules_to_readonly": readonly},
    )  # fmt: skip
    if not changed and not readonly:
        return False
    states = ("applying", "active") if readonly else None
    await conn.run(
        f"""
        UPDATE share_instance_access_map SET state = 'queued_to_apply', updated_at = {NOW}
        WHERE share_instance_id = %(id)s AND deleted = 'False'
          AND (%(states)s::text[] IS NULL OR state = ANY(%(states)s::text[]))
        """,
        {"id": instance_id, "states": None if states is None else list(states)},
    )
    return True


# ---- progress


async def progress(conn: Conn, share_id: str) -> Row | None:
    """What the back end last said about the migration; ``total_progress`` is per cent."""
    return await async_operations.get(conn, share_id, PROGRESS)


async def set_progress(conn: Conn, share_id: str, found: Row) -> None:
    """Keep what the back end says about the migration."""
    await async_operations.put(conn, share_id, PROGRESS, found)


async def forget_progress(conn: Conn, share_id: str) -> None:
    """The migration is over."""
    await soft_delete(conn, "async_operation_data", {"entity_uuid": share_id, "key": PROGRESS})


async def moving_from(conn: Conn, host: str, task_state: str) -> list[Row]:
    """Shares that leave a back end's host and are at ``task_state``: ``share_id`` and ``instance_id``."""
    return await conn.all(
        """
        SELECT s.id AS share_id, i.id AS instance_id, i.host FROM share_instances i JOIN shares s ON s.id = i.share_id
        WHERE split_part(i.host, '#', 1) = %s AND i.status = 'migrating' AND i.deleted = 'False'
          AND s.deleted = 'False' AND s.task_state = %s
        ORDER BY i.created_at, i.id
        """,
        (host, task_state),
    )
