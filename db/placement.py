"""What the scheduler reads of a share that it places or lets grow."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row


async def subject(conn: Conn, instance_id: str) -> Row | None:
    """A share instance with its share's columns and ``extra_specs`` (None: it has no type); None when it is gone."""
    return await conn.one(
        """
        SELECT i.id AS instance_id, i.share_id, i.status, i.host, i.share_type_id, i.share_network_id,
               i.availability_zone_id, i.share_server_id, s.size, s.share_proto, s.project_id, s.user_id,
               s.snapshot_id, s.is_public, s.share_group_id, s.replication_type, s.snapshot_support,
               s.create_share_from_snapshot_support, s.revert_to_snapshot_support, s.mount_snapshot_support,
               CASE WHEN t.id IS NULL THEN NULL ELSE coalesce((
                   SELECT json_object_agg(e.spec_key, e.spec_value) FROM share_type_extra_specs e
                   WHERE e.share_type_id = t.id AND e.deleted = 0), '{}') END AS extra_specs,
               coalesce((SELECT json_object_agg(m.key, m.value) FROM share_metadata m
                         WHERE m.share_id = s.id AND m.deleted = 0), '{}') AS metadata
        FROM share_instances i JOIN shares s ON s.id = i.share_id
        LEFT JOIN share_types t ON t.id = i.share_type_id AND t.deleted = 'False'
        WHERE i.id = %s AND i.deleted = 'False'
        """,
        (instance_id,),
    )


async def hosts_of(conn: Conn, share_ids: Sequence[str]) -> dict[str, list[str]]:
    """Live share -> hosts of its instances."""
    rows = await conn.all(
        """
        SELECT i.share_id, json_agg(i.host) AS hosts FROM share_instances i
        WHERE i.share_id = ANY(%s) AND i.deleted = 'False' GROUP BY i.share_id
        """,
        (list(share_ids),),
    )
    return {row["share_id"]: row["hosts"] for row in rows}
