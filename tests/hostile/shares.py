"""Shares by the thousand with all that lists show of them, written straight into the tables."""

from __future__ import annotations

import psycopg

TENANT_A, TENANT_B = "b0000000000000000000000000000000", "c0000000000000000000000000000000"
_SHARES = """
    WITH made AS (
        INSERT INTO shares (id, project_id, user_id, size, display_name, share_proto, is_public,
                            is_soft_deleted, deleted, snapshot_inherit_share_access_support, created_at)
        SELECT gen_random_uuid()::text, %s, 'u', 1, 'share ' || n, 'NFS', false, false, 'False', false,
               timezone('utc', now()) - n / 3 * interval '1 second'
        FROM generate_series(1, %s) n RETURNING id, created_at)
    INSERT INTO share_instances (id, share_id, host, status, cast_rules_to_readonly, deleted, created_at)
    SELECT gen_random_uuid()::text, id, 'h@alpha#p', 'available', false, 'False', created_at FROM made
"""
_MORE = (
    """
    INSERT INTO share_metadata (share_id, key, value, deleted, created_at)
    SELECT id, 'env', left(id, 1), 0, created_at FROM shares WHERE project_id = %s
    """,
    """
    INSERT INTO share_instance_export_locations (uuid, share_instance_id, path, is_admin_only, deleted, created_at)
    SELECT gen_random_uuid()::text, i.id, '10.0.0.1:/' || i.id, false, 0, i.created_at
    FROM share_instances i JOIN shares s ON s.id = i.share_id WHERE s.project_id = %s
    """,
    """
    WITH made AS (
        INSERT INTO share_snapshots (id, share_id, project_id, user_id, size, share_size, display_name, share_proto,
                                     deleted, created_at)
        SELECT gen_random_uuid()::text, id, project_id, 'u', 1, 1, display_name, 'NFS', 'False', created_at
        FROM shares WHERE project_id = %s RETURNING id, share_id, created_at)
    INSERT INTO share_snapshot_instances (id, snapshot_id, share_instance_id, status, progress, deleted, created_at)
    SELECT gen_random_uuid()::text, m.id, i.id, 'available', '100%%', 'False', m.created_at
    FROM made m JOIN share_instances i ON i.share_id = m.share_id
    """,
    """
    INSERT INTO messages (id, project_id, action_id, message_level, resource_id, deleted, created_at)
    SELECT gen_random_uuid()::text, project_id, '001', 'ERROR', id, 'False', created_at
    FROM shares WHERE project_id = %s
    """,
)


def fill(database: str, project: str, number: int, *, whole: bool = False) -> str:
    """Make so many shares of a project, and return the id of one.

    Args:
        whole: with metadata, an export location, a snapshot and a message each.
    """
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(_SHARES, (project, number))
        for statement in _MORE if whole else ():
            conn.execute(statement, (project,))
        conn.execute("ANALYZE")
        row = conn.execute("SELECT id FROM shares WHERE project_id = %s LIMIT 1", (project,)).fetchone()
    assert row is not None
    return str(row[0])
