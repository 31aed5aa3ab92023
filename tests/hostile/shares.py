"""Shares by the thousand, written straight into the tables."""

from __future__ import annotations

import psycopg

TENANT_A, TENANT_B = "b0000000000000000000000000000000", "c0000000000000000000000000000000"


def fill(database: str, project: str, number: int) -> str:
    """Make so many shares of a project, and return the id of one."""
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute(
            """
            WITH made AS (
                INSERT INTO shares (id, project_id, user_id, size, display_name, share_proto, is_public,
                                    is_soft_deleted, deleted, snapshot_inherit_share_access_support, created_at)
                SELECT gen_random_uuid()::text, %s, 'u', 1, 'share ' || n, 'NFS', false, false, 'False', false, now()
                FROM generate_series(1, %s) n RETURNING id)
            INSERT INTO share_instances (id, share_id, host, status, cast_rules_to_readonly, deleted, created_at)
            SELECT gen_random_uuid()::text, id, 'h@alpha#p', 'available', false, 'False', now() FROM made
            """,
            (project, number),
        )
        conn.execute("ANALYZE shares, share_instances")
        row = conn.execute("SELECT id FROM shares WHERE project_id = %s LIMIT 1", (project,)).fetchone()
    assert row is not None
    return str(row[0])
