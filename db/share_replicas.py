"""Replicas: instances of shares whose type is replicated, the active one included."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from db.connection import Conn, Row
from db.write import NOW, columns, insert_many, live, new_id, update

_SELECT = f"""
    SELECT {columns("i", "share_instances")}, z.name AS availability_zone, s.project_id, s.user_id, s.is_public,
           coalesce((SELECT json_object_agg(m.key, m.value) FROM share_instance_metadata m
                     WHERE m.share_instance_id = i.id AND {live("m", "share_instance_metadata")}), '{{}}') AS metadata
    FROM share_instances i
    JOIN shares s ON s.id = i.share_id
    LEFT JOIN availability_zones z ON z.id = i.availability_zone_id
    WHERE i.deleted = 'False' AND i.replica_state IS NOT NULL
      AND (%(project)s::text IS NULL OR s.project_id = %(project)s)
"""
_BLANK = ("share_server_id", "replica_state", "updated_at")


async def list_all(conn: Conn, project_id: str | None, share_id: str | None) -> list[Row]:
    """Replicas, of one share if given. ``project_id`` is the reader's project, None for an administrator."""
    if share_id is not None and "\0" in share_id:
        return []
    condition = "AND i.share_id = %(share)s" if share_id else ""
    params = {"project": project_id, "share": share_id}
    return await conn.all(f"{_SELECT} {condition} ORDER BY i.created_at, i.id", params)


async def get(conn: Conn, replica_id: str, project_id: str | None) -> Row | None:
    """One replica, with ``project_id``, ``user_id`` and ``is_public`` of its share."""
    if "\0" in replica_id:
        return None
    return await conn.one(f"{_SELECT} AND i.id = %(id)s", {"project": project_id, "id": replica_id})


async def active(conn: Conn, share_id: str) -> Row | None:
    """The active replica of a share, if it is available."""
    return await conn.one(
        f"{_SELECT} AND i.share_id = %(share)s AND i.replica_state = 'active' AND i.status = 'available'"
        " ORDER BY i.created_at, i.id LIMIT 1",
        {"project": None, "share": share_id},
    )


async def hosts(conn: Conn, share_id: str) -> list[str]:
    """Pools that have a replica of the share; empty for one that is not placed yet."""
    rows = await conn.all(
        "SELECT host FROM share_instances WHERE share_id = %s AND deleted = 'False' AND replica_state IS NOT NULL",
        (share_id,),
    )
    return [str(row["host"] or "") for row in rows]


async def create(conn: Conn, values: Row, zone: Row | None, metadata: Mapping[str, str]) -> Row:
    """Insert a replica that has to be made, ``out_of_sync``, with an instance of each snapshot of its share.

    Args:
        values: columns of ``share_instances``.
        zone: ``id`` and ``name`` of its zone, if that is decided.

    Returns:
        The row as ``get`` gives it, without the columns of the share; nothing is known of its state yet.
    """
    instance = {
        "id": new_id(), "status": "creating", "host": "", "access_rules_status": "active",
        "availability_zone_id": zone["id"] if zone else None, **values,
    }  # fmt: skip
    names = ", ".join(instance)
    places = ", ".join(f"%({name})s" for name in instance)
    row = await conn.one(
        f"""
        INSERT INTO share_instances ({names}, replica_state, created_at, scheduled_at, deleted)
        VALUES ({places}, 'out_of_sync', {NOW}, {NOW}, 'False') RETURNING created_at
        """,
        instance,
    )
    assert row is not None
    await insert_many(
        conn,
        "share_instance_metadata",
        [{"share_instance_id": instance["id"], "key": key, "value": value} for key, value in metadata.items()],
    )
    await conn.run(
        f"""
        INSERT INTO share_snapshot_instances (id, snapshot_id, share_instance_id, status, progress, created_at, deleted)
        SELECT gen_random_uuid()::text, n.id, %(replica)s::text, 'creating', '0%%', {NOW}, 'False'
        FROM share_snapshots n WHERE n.share_id = %(share)s::text AND n.deleted = 'False'
        """,
        {"replica": instance["id"], "share": values["share_id"]},
    )
    shown = {"availability_zone": zone["name"] if zone else None, "metadata": dict(metadata)}
    return {**dict.fromkeys(_BLANK), **instance, **row, **shown}


async def change(conn: Conn, replica_id: str, values: Row, expected: Sequence[str] | None = None) -> bool:
    """Change columns of a replica, if its status is one of ``expected`` now; whether it was changed.

    A change of the status names the statuses that it expects.
    """
    assert expected is not None or "status" not in values
    where: Row = {"id": replica_id}
    if expected is not None:
        where["status"] = list(expected)
    return bool(await update(conn, "share_instances", where, values))


async def snapshots_of(conn: Conn, replica_id: str, statuses: Sequence[str] | None = None) -> list[str]:
    """Ids of the snapshot instances on a replica, in one of ``statuses`` (None: any)."""
    rows = await conn.all(
        """
        SELECT id FROM share_snapshot_instances
        WHERE share_instance_id = %(replica)s AND deleted = 'False'
          AND (%(statuses)s::text[] IS NULL OR status = ANY(%(statuses)s::text[])) ORDER BY created_at, id
        """,
        {"replica": replica_id, "statuses": None if statuses is None else list(statuses)},
    )
    return [row["id"] for row in rows]


async def secondaries_on(conn: Conn, host: str, kind: str) -> list[Row]:
    """Replicas of a back end (any pool of it) that are not active: ``instance_id``, ``share_id``.

    Those that a task ``kind`` waits for already are left out.
    """
    return await conn.all(
        """
        SELECT i.id AS instance_id, i.share_id FROM share_instances i
        WHERE split_part(i.host, '#', 1) = %(host)s AND i.deleted = 'False' AND i.replica_state <> 'active'
          AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t
                          WHERE t.resource = 'share:' || i.share_id AND t.state IN ('queued', 'running')
                            AND t.kind = %(kind)s AND t.payload->>'instance_id' = i.id)
        ORDER BY i.created_at, i.id
        """,
        {"host": host, "kind": kind},
    )


async def unsettled_snapshots_on(conn: Conn, host: str, kind: str) -> list[Row]:
    """Snapshot instances on replicas of ``secondaries_on`` that are being made or removed.

    ``snapshot_instance_id``, ``snapshot_id``, ``share_id``.
    """
    return await conn.all(
        """
        SELECT n.id AS snapshot_instance_id, n.snapshot_id, i.share_id
        FROM share_snapshot_instances n JOIN share_instances i ON i.id = n.share_instance_id
        WHERE split_part(i.host, '#', 1) = %(host)s AND i.deleted = 'False' AND i.replica_state <> 'active'
          AND n.deleted = 'False' AND n.status IN ('creating', 'deleting')
          AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t
                          WHERE t.resource = 'share:' || i.share_id AND t.state IN ('queued', 'running')
                            AND t.kind = %(kind)s AND t.payload->>'snapshot_instance_id' = n.id)
        ORDER BY n.created_at, n.id
        """,
        {"host": host, "kind": kind},
    )


async def copy_rules(conn: Conn, share_id: str, replica_id: str) -> None:
    """Queue the access rules of a share on a replica that does not know them yet."""
    await conn.run(
        f"""
        INSERT INTO share_instance_access_map (id, share_instance_id, access_id, state, created_at, deleted)
        SELECT gen_random_uuid()::text, %(replica)s::text, a.id, 'queued_to_apply', {NOW}, 'False'
        FROM share_access_map a
        WHERE a.share_id = %(share)s::text AND a.deleted = 'False'
          AND EXISTS (SELECT 1 FROM share_instance_access_map k WHERE k.access_id = a.id AND k.deleted = 'False')
          AND NOT EXISTS (SELECT 1 FROM share_instance_access_map m
                          WHERE m.access_id = a.id AND m.share_instance_id = %(replica)s::text AND m.deleted = 'False')
        """,
        {"share": share_id, "replica": replica_id},
    )


async def settle_rules(conn: Conn, replica_id: str, states: Mapping[str, str]) -> None:
    """The rules copied to a replica are in force, but those of ``states`` (rule id -> state) are as said there."""
    await conn.run(
        f"""
        UPDATE share_instance_access_map SET updated_at = {NOW},
               state = coalesce((%(states)s::jsonb)->>access_id, 'active')
        WHERE share_instance_id = %(replica)s AND deleted = 'False' AND state = 'queued_to_apply'
        """,
        {"replica": replica_id, "states": json.dumps(dict(states))},
    )
