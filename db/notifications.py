"""The outbox of notifications: events are added with the rows they tell of, and handed on afterwards."""

from __future__ import annotations

import dataclasses
import json

from db.connection import Conn, Row
from db.write import live

_ADD = """
    INSERT INTO openkeel_notifications (priority, publisher_id, event_type, payload, context, once)
    VALUES (%(priority)s, %(publisher)s, %(event)s, %(payload)s, %(context)s, %(once)s)
    ON CONFLICT (once) WHERE once IS NOT NULL DO NOTHING
"""

_ADD_SHARE = f"""
    INSERT INTO openkeel_notifications (priority, publisher_id, event_type, payload, context, once)
    SELECT %(priority)s, %(publisher)s, %(event)s,
           jsonb_build_object(
               'share_id', s.id, 'user_id', s.user_id, 'project_id', s.project_id, 'snapshot_id', s.snapshot_id,
               'share_group_id', s.share_group_id, 'size', s.size, 'name', s.display_name,
               'description', s.display_description, 'proto', s.share_proto, 'is_public', s.is_public,
               'availability_zone', z.name, 'host', i.host, 'status', coalesce(%(status)s, i.status),
               'share_type_id', i.share_type_id, 'share_type', t.name) || %(extra)s::jsonb,
           %(context)s::jsonb || jsonb_build_object('project_id', s.project_id, 'user_id', s.user_id), %(once)s
    FROM share_instances i
    JOIN shares s ON s.id = i.share_id
    LEFT JOIN share_types t ON t.id = i.share_type_id
    LEFT JOIN availability_zones z ON z.id = i.availability_zone_id
    WHERE i.id = %(instance)s AND {live("i", "share_instances")}
    ON CONFLICT (once) WHERE once IS NOT NULL DO NOTHING
"""

_TEXT = "to_char(created_at AT TIME ZONE 'utc', 'YYYY-MM-DD HH24:MI:SS.US')"


@dataclasses.dataclass(frozen=True, slots=True)
class Envelope:
    """What an event says besides its payload.

    ``publisher`` is ``SERVICE.HOST``; ``context`` has ``request_id``, ``user_id`` and ``project_id`` of who asked, as
    far as known. An event whose ``once`` is there already is not added.
    """

    event: str
    publisher: str
    priority: str = "INFO"
    context: Row | None = None
    once: str | None = None

    @property
    def params(self) -> Row:
        """Parameters of the statements that add it."""
        return {**dataclasses.asdict(self), "context": json.dumps(self.context or {})}


async def add(conn: Conn, envelope: Envelope, payload: Row) -> None:
    """Add an event in the caller's transaction."""
    await conn.run(_ADD, {**envelope.params, "payload": json.dumps(payload)})


async def add_share(
    conn: Conn, envelope: Envelope, instance_id: str, *, status: str | None = None, extra: Row | None = None
) -> None:
    """Add an event about a live share instance, described as it is in the caller's transaction.

    Args:
        status: told instead of the row's.
        extra: further keys of the payload.
    """
    params = {"instance": instance_id, "status": status, "extra": json.dumps(extra or {})}
    await conn.run(_ADD_SHARE, {**envelope.params, **params})


async def scheduled(conn: Conn, instance_id: str) -> Row | None:
    """What the scheduler knows of a share instance; ``share_type`` is the type's row with its extra specs, or None."""
    return await conn.one(
        """
        SELECT i.id AS instance_id, i.share_id, i.availability_zone_id, i.share_network_id, i.share_server_id, i.host,
               i.status, i.qos_type_id, i.replica_state, i.share_type_id, i.encryption_key_ref, s.size, s.user_id,
               s.project_id, s.snapshot_support, s.create_share_from_snapshot_support, s.revert_to_snapshot_support,
               s.mount_snapshot_support, s.share_proto, s.is_public, s.share_group_id, s.replication_type,
               s.source_share_group_snapshot_member_id, s.snapshot_id,
               coalesce((SELECT json_object_agg(m.key, m.value) FROM share_metadata m
                         WHERE m.share_id = s.id AND m.deleted = 0), '{}') AS metadata,
               (SELECT json_build_object(
                    'id', t.id, 'deleted', t.deleted, 'name', t.name, 'description', t.description,
                    'is_public', t.is_public, 'created_at', t.created_at, 'updated_at', t.updated_at,
                    'deleted_at', t.deleted_at, 'extra_specs', coalesce((
                        SELECT json_object_agg(e.spec_key, e.spec_value) FROM share_type_extra_specs e
                        WHERE e.share_type_id = t.id AND e.deleted = 0), '{}'))
                FROM share_types t WHERE t.id = i.share_type_id) AS share_type
        FROM share_instances i JOIN shares s ON s.id = i.share_id
        WHERE i.id = %s AND i.deleted = 'False'
        """,
        (instance_id,),
    )


async def waiting(conn: Conn, limit: int) -> list[Row]:
    """The oldest events that are not done, in their order."""
    return await conn.all(
        f"""
        SELECT id, message_id::text AS message_id, priority, publisher_id, event_type, payload, context, attempts,
               delivered, {_TEXT} AS timestamp
        FROM openkeel_notifications WHERE done_at IS NULL ORDER BY id LIMIT %s
        """,
        (limit,),
    )


async def delivered(conn: Conn, ident: int, transport: str) -> None:
    """A transport took an event."""
    await conn.run(
        "UPDATE openkeel_notifications SET delivered = delivered || %s::text WHERE id = %s", (transport, ident)
    )


async def done(conn: Conn, ident: int, error: str | None = None) -> None:
    """Nothing more is to be done with an event; ``error`` says why it was given up."""
    await conn.run(
        "UPDATE openkeel_notifications SET done_at = clock_timestamp(), last_error = %s WHERE id = %s", (error, ident)
    )


async def failed(conn: Conn, ident: int, error: str) -> int:
    """A transport did not take an event; how often that happened."""
    row = await conn.one(
        """
        UPDATE openkeel_notifications SET attempts = attempts + 1, last_error = %s WHERE id = %s RETURNING attempts
        """,
        (error[:2000], ident),
    )
    return int(row["attempts"]) if row else 0


async def count_waiting(conn: Conn) -> int:
    """Events that are not done."""
    row = await conn.one("SELECT count(*)::int AS n FROM openkeel_notifications WHERE done_at IS NULL")
    return int(row["n"]) if row else 0


async def purge(conn: Conn, older_than: float, batch: int = 1000) -> tuple[int, int]:
    """Remove at most ``batch`` events older than ``older_than`` seconds; how many, and how many were never sent."""
    row = await conn.one(
        """
        WITH old AS (
            SELECT id FROM openkeel_notifications
            WHERE created_at < clock_timestamp() - %s * interval '1 second' ORDER BY created_at LIMIT %s),
        gone AS (
            DELETE FROM openkeel_notifications n USING old WHERE n.id = old.id RETURNING n.done_at)
        SELECT count(*)::int AS n, count(*) FILTER (WHERE done_at IS NULL)::int AS unsent FROM gone
        """,
        (older_than, batch),
    )
    return (int(row["n"]), int(row["unsent"])) if row else (0, 0)


async def since(conn: Conn, ident: int) -> list[Row]:
    """Events after the event ``ident``, in their order, sent or not."""
    return await conn.all(
        """
        SELECT id, priority, publisher_id, event_type, payload FROM openkeel_notifications WHERE id > %s ORDER BY id
        """,
        (ident,),
    )
