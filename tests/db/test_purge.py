"""Purging removes what was deleted long ago, breaks no reference, and covers every table of the schema."""

from __future__ import annotations

from typing import Any

import pytest

from db import purge
from db.connection import Conn, Database
from generated.columns import COLUMNS, ID_KIND, SOFT_DELETE

OLD = "2020-01-01 00:00:00"
KINDS = {"integer": 1, "bigint": 1, "boolean": False, "double precision": 1.0, "timestamp without time zone": OLD}


async def facts(conn: Conn) -> dict[str, dict[str, str]]:
    """Table -> column -> type, of the columns that must have a value and have none by default."""
    rows = await conn.all(
        """
        SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name <> 'alembic_version' AND NOT starts_with(table_name, 'openkeel')
        """
    )
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        known = found.setdefault(row["table_name"], {})
        if row["is_nullable"] == "NO" and row["column_default"] is None:
            known[row["column_name"]] = row["data_type"]
    return found


async def fill(conn: Conn, tag: int, deleted_at: str | None) -> None:
    """A row in every table, each referring to the rows of the same ``tag``."""
    known = await facts(conn)
    references = await purge.references(conn)
    values: dict[str, dict[str, Any]] = {}
    for table in reversed(purge.children_first(references)):
        row: dict[str, Any] = {}
        for column, kind in known[table].items():
            row[column] = KINDS.get(kind, f"{column[:8]}-{tag}")
        if "id" in COLUMNS[table]:
            row["id"] = (
                tag if known[table].get("id") in ("integer", None) and _is_number(table) else f"{table[:30]}-{tag}"
            )
        for one in references:
            if one.child == table and one.parent != table:
                row[one.column] = values[one.parent][one.key]
        number = SOFT_DELETE[table] == "integer"
        dead = (
            (row.get("id") if number and isinstance(row.get("id"), int) else 1)
            if number
            else str(row.get("id", "True"))
        )
        row["deleted"] = (0 if number else "False") if deleted_at is None else dead
        row["deleted_at"] = deleted_at
        values[table] = row
        names = ", ".join(f'"{name}"' for name in row)
        await conn.run(f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(row))})", list(row.values()))


def _is_number(table: str) -> bool:
    return ID_KIND[table] not in ("string", "composite")


async def left(conn: Conn) -> set[str]:
    """The tables that have rows."""
    found = set()
    for table in SOFT_DELETE:
        if await conn.one(f"SELECT 1 AS yes FROM {table} LIMIT 1"):
            found.add(table)
    return found


async def test_every_table_with_soft_deletion_is_purged(db: Database) -> None:
    async with db.write() as conn:
        await fill(conn, 1, OLD)
    removed = await purge.purge(db, 0)
    async with db.read() as conn:
        assert await left(conn) == set()
    assert set(removed) == set(SOFT_DELETE)


async def test_live_rows_and_young_ones_stay(db: Database) -> None:
    async with db.write() as conn:
        await fill(conn, 1, None)
        await fill(conn, 2, "2999-01-01 00:00:00")
    assert await purge.purge(db, 0) == {}


async def test_age_counts(db: Database) -> None:
    async with db.write() as conn:
        await fill(conn, 1, OLD)
        await conn.run("UPDATE shares SET deleted_at = timezone('utc', clock_timestamp()) - interval '2 days'")
    removed = await purge.purge(db, 3)
    assert "shares" not in removed
    assert "share_metadata" in removed
    assert (await purge.purge(db, 2))["shares"] == 1


async def test_a_deleted_row_that_a_live_one_refers_to_stays(db: Database) -> None:
    async with db.write() as conn:
        await fill(conn, 1, OLD)
        await conn.run("UPDATE share_instances SET deleted = 'False', deleted_at = NULL")
    await purge.purge(db, 0)
    async with db.read() as conn:
        kept = await left(conn)
    assert {"share_instances", "shares", "share_types", "availability_zones", "share_servers"} <= kept
    assert not {"share_snapshot_instances", "security_services", "messages"} & kept


async def test_what_belongs_to_a_deleted_row_goes_with_it(db: Database) -> None:
    async with db.write() as conn:
        await fill(conn, 1, OLD)
    for table in ("share_metadata", "share_type_extra_specs", "share_instance_export_locations_metadata"):
        async with db.write() as conn:
            await conn.run(f"UPDATE {table} SET deleted = 0, deleted_at = NULL")
    await purge.purge(db, 0)
    async with db.read() as conn:
        assert await left(conn) == set()


@pytest.mark.parametrize("table", sorted(purge.OWNED))
def test_owners_are_columns(table: str) -> None:
    assert set(purge.OWNED[table]) <= set(COLUMNS[table])
