"""Pages of lists, one after the other, are the list: in the order of the sort key, then of the id, NULL the largest."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest

from db import instances, pages, share_lists, snapshots
from db.connection import Conn, Database, Row
from db.keyset import Place
from db.pages import Page
from tests.hostile.shares import TENANT_A, TENANT_B, fill

OWN: Row = {"is_soft_deleted": False, "project_id": TENANT_A, "is_public": True}
ODD = (
    "UPDATE {table} SET created_at = NULL WHERE left(id, 1) IN ('3', '7')",
    "UPDATE {table} SET created_at = '2026-01-01' WHERE left(id, 1) IN ('1', '2', '8', 'a')",
)
Find = Callable[[Conn, str, bool, Any, int | None, int], Awaitable[list[Row]]]
"""By sort key, direction, marker, limit and offset."""


def _shares(detail: bool) -> Find:
    return lambda conn, key, down, mark, limit, offset: share_lists.find(
        conn, OWN, sort_key=key, descending=down, marker=mark, limit=limit, offset=offset, detail=detail
    )


LISTS: dict[str, tuple[Find, tuple[str, ...]]] = {
    "shares": (_shares(False), ("created_at", "display_name", "is_public", "size", "host", "status", "updated_at")),
    "shares with details": (_shares(True), ("created_at", "project_id", "host")),
    "snapshots": (
        lambda conn, key, down, mark, limit, offset: snapshots.find(
            conn, {"owner": TENANT_A}, sort_key=key, descending=down, marker=mark, limit=limit, offset=offset
        ),
        ("created_at", "display_name", "size"),
    ),
    "messages": (
        lambda conn, key, down, mark, limit, offset: pages.rows(
            conn, "messages", Page(key, down, 1000 if limit is None else limit, offset, mark), TENANT_A
        ),
        ("created_at", "resource_id", "expires_at"),
    ),
}


@pytest.fixture
def odd(database_url: str) -> None:
    """Equal times, none, public shares of another project, and one with two instances."""
    fill(database_url, TENANT_A, 40, whole=True)
    fill(database_url, TENANT_B, 20, whole=True)
    with psycopg.connect(database_url, autocommit=True) as conn:
        for table, statement in itertools.product(("shares", "share_instances", "share_snapshots", "messages"), ODD):
            conn.execute(statement.format(table=table).encode())
        conn.execute("UPDATE shares SET is_public = left(id, 1) IN ('0', '3', '8') WHERE project_id = %s", (TENANT_B,))
        conn.execute("UPDATE shares SET is_public = NULL WHERE left(id, 1) = '4'")
        conn.execute("UPDATE share_instances SET host = NULL WHERE left(id, 1) = '5'")
        conn.execute("UPDATE share_instances SET host = 'h@' || left(id, 1) WHERE left(id, 1) IN ('6', '7', 'b')")
        conn.execute(
            "INSERT INTO share_instances (id, share_id, host, status, cast_rules_to_readonly, deleted, replica_state)"
            " SELECT left(id, 20) || i, id, 'h@2', 'available', false, 'False', 'in_sync'"
            " FROM (SELECT id FROM shares LIMIT 5) s, generate_series(1, 2) i"
        )


def _sorted(rows: list[Row], down: bool, key: str = "v") -> list[Row]:
    def place(row: Row) -> tuple[bool, Any, str]:
        return row[key] is None, "" if row[key] is None else row[key], row["id"]

    return sorted(rows, key=place, reverse=down)


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("name", LISTS)
async def test_pages_are_the_list(db: Database, name: str) -> None:
    find, keys = LISTS[name]
    async with db.read() as conn:
        for key, down in itertools.product(keys, (True, False)):
            whole = await find(conn, key, down, None, None, 0)
            ids = [row["id"] for row in whole]
            assert len(ids) == len(set(ids)) > 39
            if key not in ("display_name", "host", "status"):  # in the order of a language
                assert whole == _sorted(whole, down, key if name == "messages" else "v")
            for size in (1, 7):
                by_mark: list[Row] = []
                while page := await find(conn, key, down, by_mark[-1]["id"] if by_mark else None, size, 0):
                    by_mark += page
                assert [row["id"] for row in by_mark] == ids, (key, down)
            by_offset = [await find(conn, key, down, None, 7, at) for at in range(0, len(ids), 7)]
            assert [row["id"] for page in by_offset for row in page] == ids, (key, down)
            assert [row["id"] for row in await find(conn, key, down, "unknown", None, 0)] == ids
            if name != "messages":
                rest = await find(conn, key, down, Place(whole[9]["v"], whole[9]["id"]), None, 5)
                assert [row["id"] for row in rest] == ids[10:]


@pytest.mark.usefixtures("odd")
async def test_pages_of_instances_are_the_list(db: Database) -> None:
    async with db.read() as conn:
        whole = await instances.find(conn, {})
        assert len(whole) == 70 and whole == _sorted(whole, False)
        found: list[Row] = []
        while page := await instances.find(conn, {}, limit=7, marker=found[-1]["id"] if found else None):
            found += page
        assert [row["id"] for row in found] == [row["id"] for row in whole]


@pytest.mark.usefixtures("odd")
async def test_counts_are_those_of_lists(db: Database) -> None:
    async with db.read() as conn:
        for filters in (OWN, {**OWN, "is_public": False}, {"is_soft_deleted": False}, {"is_soft_deleted": True}):
            assert await share_lists.count(conn, filters) == len(await share_lists.find(conn, filters))
