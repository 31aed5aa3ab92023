"""A page of a list reads the rows of a page, whatever is stored and however PostgreSQL plans it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from db import instances, pages, share_lists, snapshots
from db.connection import Conn, Database, Row
from db.pages import Page
from tests.hostile.shares import TENANT_A, TENANT_B, fill

NUMBER, OTHERS, PAGE = 5000, 40, 50
SEEN: Row = {"is_soft_deleted": False}
OWN: Row = {**SEEN, "project_id": TENANT_A, "is_public": False}
READ = """
    SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint AS n FROM pg_stat_xact_user_tables
    WHERE relname NOT IN ('availability_zones', 'share_types')
"""
List = Callable[[Conn, Any], Awaitable[list[Row]]]
"""With the marker, which is the id of a row in the middle, or None."""
LISTS: dict[str, List] = {
    "shares": lambda conn, mark: share_lists.find(conn, OWN, limit=PAGE, marker=mark, detail=False),
    "shares, oldest first": lambda conn, mark: share_lists.find(
        conn, OWN, limit=PAGE, marker=mark, descending=False, detail=False
    ),
    "shares with details": lambda conn, mark: share_lists.find(conn, OWN, limit=PAGE, marker=mark, exports=True),
    "own and public shares": lambda conn, mark: share_lists.find(
        conn, {**OWN, "is_public": True}, limit=PAGE, marker=mark
    ),
    "soft-deleted shares": lambda conn, mark: share_lists.find(
        conn, {**OWN, "is_soft_deleted": True}, limit=PAGE, marker=mark
    ),
    "shares of all": lambda conn, mark: share_lists.find(conn, SEEN, limit=PAGE, marker=mark),
    "shares of one with few": lambda conn, mark: share_lists.find(
        conn, {**OWN, "project_id": TENANT_B}, limit=PAGE, marker=mark
    ),
    "share instances": lambda conn, mark: instances.find(conn, {}, limit=PAGE, marker=mark),
    "snapshots": lambda conn, mark: snapshots.find(conn, {"owner": TENANT_A}, limit=PAGE, marker=mark),
    "snapshots of all": lambda conn, mark: snapshots.find(conn, {}, limit=PAGE, marker=mark, descending=False),
    "messages": lambda conn, mark: pages.rows(conn, "messages", Page(limit=PAGE, marker=mark), TENANT_A),
    "messages of all": lambda conn, mark: pages.rows(conn, "messages", Page(limit=PAGE, marker=mark), None),
}
TABLE_OF = {"share instances": "share_instances", "snapshots": "share_snapshots", "snapshots of all": "share_snapshots"}
TABLE_OF |= {"messages": "messages", "messages of all": "messages"}


async def _read(conn: Conn) -> int:
    row = await conn.one(READ)
    assert row is not None
    return int(row["n"])


async def _middle(conn: Conn, table: str) -> str:
    row = await conn.one(f"SELECT id FROM {table} ORDER BY created_at, id OFFSET {NUMBER // 2} LIMIT 1")
    assert row is not None
    return str(row["id"])


@pytest.fixture
def many(database_url: str) -> None:
    """One project with many, a few with few: what a plan for any project's number of rows is not made for."""
    for other in range(OTHERS):
        fill(database_url, f"{other:032x}", 20)
    fill(database_url, TENANT_B, 3, whole=True)
    fill(database_url, TENANT_A, NUMBER, whole=True)


@pytest.mark.usefixtures("many")
async def test_a_page_reads_the_rows_of_a_page(db: Database) -> None:
    wrong = []
    for mode in ("auto", "force_generic_plan"):
        async with db.write() as conn:
            await conn.run(f"SET LOCAL plan_cache_mode = {mode}")
            for name, ask in LISTS.items():
                middle = await _middle(conn, TABLE_OF.get(name, "shares"))
                for mark in (None, middle):
                    for _ in range(8):  # from a number on PostgreSQL may keep a plan
                        before = await _read(conn)
                        found = await ask(conn, mark)
                        read = await _read(conn) - before
                    if read > 8 * PAGE:
                        wrong.append(f"{name}, marker {mark is not None}, {mode}: {read} rows read for {len(found)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("many")
async def test_many_details_are_looked_up_not_searched_for(db: Database) -> None:
    """A thousand of five thousand: a planner would rather read all instances, all metadata and all exports."""
    async with db.write() as conn:
        begin = await _read(conn)
        assert len(await share_lists.find(conn, OWN, limit=1000, exports=True)) == 1000
        assert len(await snapshots.find(conn, {"owner": TENANT_A}, limit=1000)) == 1000
        assert len(await instances.find(conn, {}, limit=1000)) == 1000
        assert await _read(conn) - begin <= 18000
