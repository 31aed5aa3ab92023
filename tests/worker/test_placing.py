"""Placing a share asks the database as often with many shares as with none."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from db.connection import Database
from tests.handlers.share_stage import Stage, stage_over

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]
MANY = 500


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db):
        yield one


async def test_placing_takes_as_many_statements_with_many_shares(stage: Stage, statements: Statements) -> None:
    await stage.share()
    counts = []
    for _ in range(2):
        answer = await stage.ask("member-a", "POST", "/v2/shares", {"share": {"size": 1, "share_proto": "NFS"}})
        assert answer.status == 200, answer.json
        with statements() as seen:
            await stage.work()
        # how often the queue itself is looked at depends on time
        counts.append(len([one for one in seen if "openkeel_tasks" not in one]))
        async with stage.core.db.write() as conn:
            await conn.run(
                """
                WITH made AS (
                    INSERT INTO shares (id, project_id, user_id, size, is_soft_deleted, deleted,
                                        snapshot_inherit_share_access_support, created_at)
                    SELECT gen_random_uuid()::text, 'p', 'u', 1, false, 'False', false, now()
                    FROM generate_series(1, %s) RETURNING id)
                INSERT INTO share_instances (id, share_id, host, status, cast_rules_to_readonly, deleted, created_at)
                SELECT gen_random_uuid()::text, id, 'node1@alpha#fake_pool_for_ALPHA', 'available', false, 'False',
                       now() FROM made
                """,
                (MANY,),
            )
    print(f"placing and making a share: {counts[0]} statements, {counts[1]} with {MANY} shares")
    assert counts[0] == counts[1] > 5
