"""What removing and resizing a share reads and writes."""

from __future__ import annotations

from db import encryption, export_locations
from db.connection import Conn, Row
from db.write import NOW, hold_share


async def dependents(conn: Conn, share_id: str, action: str) -> Row:
    """What stands in the way of a share's removal.

    Returns:
        ``locks`` (ids of resource locks on ``action``), and the numbers of live ``snapshots`` (those removed in the
        background apart), ``backups`` and share group snapshot ``members``; ``instances`` (id, host, status,
        share_server_id) of the share.
    """
    row = await conn.one(
        """
        SELECT (SELECT coalesce(json_agg(l.id ORDER BY l.created_at DESC, l.id DESC), '[]') FROM resource_locks l
                WHERE l.resource_id = %(id)s AND l.resource_action = %(action)s AND l.deleted = 'False') AS locks,
               (SELECT count(*)::int FROM share_snapshots n WHERE n.share_id = %(id)s AND n.deleted = 'False'
                AND NOT EXISTS (SELECT 1 FROM share_snapshot_instances x
                                WHERE x.snapshot_id = n.id AND x.deleted = 'False' AND x.status IN
                                      ('deferred_deleting', 'error_deferred_deleting'))) AS snapshots,
               (SELECT count(*)::int FROM share_backups b WHERE b.share_id = %(id)s AND b.deleted = 'False')
                   AS backups,
               (SELECT count(*)::int FROM share_group_snapshots g
                JOIN share_snapshot_instances m ON m.share_group_snapshot_id = g.id
                JOIN share_instances i ON i.id = m.share_instance_id
                WHERE i.share_id = %(id)s AND g.deleted = 'False' AND m.deleted = 'False') AS members,
               (SELECT coalesce(json_agg(json_build_object('id', i.id, 'host', i.host, 'status', i.status,
                                                           'share_server_id', i.share_server_id)), '[]')
                FROM share_instances i WHERE i.share_id = %(id)s AND i.deleted = 'False') AS instances
        """,
        {"id": share_id, "action": action},
    )
    assert row is not None
    return row


async def start_removal(conn: Conn, instance_id: str, status: str, server_id: str | None) -> None:
    """The instance is being removed; its share server counts as used now, so that it is not swept too early."""
    await conn.run(
        f"""
        UPDATE share_instances SET status = %s, terminated_at = {NOW}, updated_at = {NOW}
        WHERE id = %s AND deleted = 'False'
        """,
        (status, instance_id),
    )
    if server_id is not None:
        # one that somebody else changes just now gets its time from that (``db.order``: servers come before shares)
        await conn.run(
            f"""
            UPDATE share_servers SET updated_at = {NOW}
            WHERE id = (SELECT id FROM share_servers WHERE id = %s AND deleted = 'False' FOR UPDATE SKIP LOCKED)
            """,
            (server_id,),
        )


_OF_TYPE = """
    CASE WHEN i.share_type_id IS NOT DISTINCT FROM
              (SELECT f.share_type_id FROM share_instances f WHERE f.share_id = s.id
               ORDER BY f.created_at, f.id LIMIT 1)
         THEN s.replication_type
         ELSE (SELECT e.spec_value FROM share_type_extra_specs e WHERE e.share_type_id = i.share_type_id
                 AND e.spec_key = 'replication_type' AND e.deleted = 0) END
"""
"""How an instance is replicated: as its share says, but in a type that it migrates to as that says."""


async def counted(conn: Conn, share_id: str) -> list[Row]:
    """What a share counts, which is locked: a row for its type, and one for a type that a migration left it with.

    Instances don't count that have given back what they counted before they go.

    Returns:
        ``project_id``, ``user_id``, ``size`` (GiB) of the share, ``share_type_id`` and its number of ``replicas``.
    """
    return await conn.all(
        f"""
        SELECT n.project_id, n.user_id, n.size, n.share_type_id,
               CASE WHEN bool_or(n.replica) THEN count(*) FILTER (WHERE n.replica) ELSE max(n.replicated) END::int
                   AS replicas
        FROM (SELECT s.project_id, s.user_id, s.size, i.share_type_id, i.replica_state IS NOT NULL AS replica,
                     (({_OF_TYPE}) IS NOT NULL)::int AS replicated
              FROM share_instances i JOIN shares s ON s.id = i.share_id
              WHERE s.id = %(share)s AND s.size > 0 AND s.deleted = 'False' AND i.deleted = 'False'
                AND i.status NOT IN ('deferred_deleting', 'error_deferred_deleting')
                AND NOT EXISTS (SELECT 1 FROM openkeel_tasks t
                                WHERE t.resource = 'share:' || s.id AND t.state IN ('queued', 'running')
                                  AND t.kind = 'share_delete' AND t.payload ->> 'instance_id' = i.id
                                  AND t.payload ->> 'counted' = 'false')) AS n
        GROUP BY n.project_id, n.user_id, n.size, n.share_type_id
        """,
        {"share": share_id},
    )


async def leaving(conn: Conn, instance_id: str) -> Row | None:
    """What an instance that goes gives back; its share is locked.

    Returns:
        None when it is gone; else ``last``, ``was`` (its status until now), ``replica_state`` and the share's
        ``project_id``, ``user_id``, ``size`` and ``share_id``; ``share_type_id`` of the instance, the
        ``replication_type`` that holds for it, and whether it is ``alone`` with the type (a migration to another one
        has come to nothing).
    """
    # locked before it is looked at: see db.write.lock
    await hold_share(conn, instance_id)
    return await conn.one(
        f"""
        SELECT i.share_id, i.status AS was, i.replica_state, i.share_type_id, s.project_id, s.user_id, s.size,
               ({_OF_TYPE}) AS replication_type,
               NOT EXISTS (SELECT 1 FROM share_instances o
                           WHERE o.share_id = s.id AND o.id <> i.id AND o.deleted = 'False'
                             AND o.share_type_id IS NOT DISTINCT FROM i.share_type_id) AS alone,
               NOT EXISTS (SELECT 1 FROM share_instances o
                           WHERE o.share_id = s.id AND o.id <> i.id AND o.deleted = 'False') AS last
        FROM share_instances i JOIN shares s ON s.id = i.share_id
        WHERE i.id = %s AND i.deleted = 'False'
        """,
        (instance_id,),
    )


async def forget_instance(conn: Conn, instance_id: str) -> Row | None:
    """Soft-delete an instance and, with the last one, its share and all that belongs to it; the row of ``leaving``."""
    row = await leaving(conn, instance_id)
    if row is None:
        return None
    await export_locations.remove(conn, instance_id)
    await conn.run(
        f"""
        UPDATE share_instances SET status = 'deleted', deleted = id, deleted_at = {NOW}, updated_at = {NOW}
        WHERE id = %s
        """,
        (instance_id,),
    )
    await encryption.drop(conn, instance_id=instance_id)
    if row["last"]:
        for table, owner, mark in (
            ("share_metadata", "share_id", "id"),
            ("share_access_map", "share_id", "id"),
            ("shares", "id", "id"),
        ):
            live = "0" if table == "share_metadata" else "'False'"
            await conn.run(
                f"UPDATE {table} SET deleted = {mark}, deleted_at = {NOW} WHERE {owner} = %s AND deleted = {live}",
                (row["share_id"],),
            )
    return row


async def has_snapshots(conn: Conn, instance_id: str) -> bool:
    """Whether a share instance still has snapshots, even such as are removed in the background."""
    row = await conn.one(
        "SELECT 1 AS yes FROM share_snapshot_instances WHERE share_instance_id = %s AND deleted = 'False' LIMIT 1",
        (instance_id,),
    )
    return row is not None


async def share_type(conn: Conn, type_id: str | None) -> Row | None:
    """A share type with its extra specs, whoever may use it; None without one."""
    if type_id is None:
        return None
    return await conn.one(
        """
        SELECT t.id, t.name, coalesce((SELECT json_object_agg(e.spec_key, e.spec_value) FROM share_type_extra_specs e
                                       WHERE e.share_type_id = t.id AND e.deleted = 0), '{}') AS extra_specs
        FROM share_types t WHERE t.id = %s AND t.deleted = 'False'
        """,
        (type_id,),
    )


async def replicas(conn: Conn, share_id: str) -> int:
    """Number of replicas of a share, the active one included."""
    row = await conn.one(
        """
        SELECT count(*)::int AS n FROM share_instances
        WHERE share_id = %s AND deleted = 'False' AND replica_state IS NOT NULL
        """,
        (share_id,),
    )
    return int(row["n"]) if row else 0


async def recycle(conn: Conn, share_id: str, seconds: float) -> None:
    """Put a share into the recycle bin for so many seconds."""
    await conn.run(
        f"""
        UPDATE shares SET is_soft_deleted = true, updated_at = {NOW},
               scheduled_to_be_deleted_at = {NOW} + %s * interval '1 second'
        WHERE id = %s AND deleted = 'False'
        """,
        (seconds, share_id),
    )


async def expired(conn: Conn, *, ahead: bool = False) -> list[str]:
    """Ids of the shares whose time in the recycle bin is over; with ``ahead`` of all that are in it."""
    rows = await conn.all(
        f"""
        SELECT id FROM shares WHERE is_soft_deleted AND deleted = 'False'
          AND (%s OR scheduled_to_be_deleted_at <= {NOW}) ORDER BY scheduled_to_be_deleted_at
        """,
        (ahead,),
    )
    return [row["id"] for row in rows]
