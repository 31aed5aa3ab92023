"""Every migration of ours only expands: the programs of the release before run on what it makes.

They start before the migration and end after it, and are what a roll-back brings back. What nobody needs any more is
removed by a migration of ``CONTRACTS``, one release after the last program that read it.
"""

from __future__ import annotations

import psycopg
import pytest
from alembic.script import ScriptDirectory

from db import migrate
from db.embedded import EmbeddedPostgres

CONTRACTS: dict[str, str] = {}
"""Revision -> the release whose programs were the last to read what it removes."""
COLUMNS = """
    SELECT table_name || '.' || column_name, data_type, character_maximum_length, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public'"""
CHECKS = """
    SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'u')"""
Columns = dict[str, tuple[object, ...]]


def looked(url: str) -> tuple[Columns, dict[str, str]]:
    """Columns and constraints."""
    with psycopg.connect(url) as conn:
        columns = {str(row[0]): tuple(row[1:]) for row in conn.execute(COLUMNS).fetchall()}
        return columns, {str(name): str(text) for name, text in conn.execute(CHECKS).fetchall()}


def narrowed(url: str, before: tuple[Columns, dict[str, str]]) -> list[str]:
    """What a program that knows the schema before can't do any more."""
    columns, checks = looked(url)
    tables = {name.partition(".")[0] for name in before[0]}
    wrong = []
    for name, (kind, length, nullable, _) in before[0].items():
        if name not in columns:
            wrong.append(f"{name} is gone")
        elif columns[name][:2] != (kind, length):
            wrong.append(f"{name} has another type")
        elif nullable == "YES" and columns[name][2] == "NO":
            wrong.append(f"{name} must not be empty any more")
    for name, (_, _, nullable, default) in columns.items():
        if name not in before[0] and name.partition(".")[0] in tables and nullable == "NO" and default is None:
            wrong.append(f"{name} is new and has no default")
    wrong += [f"{name} is a new condition" for name in checks.keys() - before[1].keys() if name.split(".")[0] in tables]
    return wrong


def revisions() -> list[str]:
    """Ours, the oldest first."""
    scripts = ScriptDirectory(str(migrate.HERE / "own"))
    return [one.revision for one in reversed(list(scripts.walk_revisions()))]


def test_every_migration_expands(postgres: EmbeddedPostgres) -> None:
    first, *later = revisions()
    url = postgres.create("expanded")
    migrate.sync(url, own=first)
    for revision in later:
        before = looked(url)
        migrate.sync(url, own=revision)
        if revision not in CONTRACTS:
            assert narrowed(url, before) == [], revision
    assert len(later) >= 2 and CONTRACTS.keys() <= set(later)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("ALTER TABLE openkeel_copies DROP COLUMN {column}", "is gone"),
        ("ALTER TABLE shares ALTER COLUMN size TYPE bigint", "shares.size has another type"),
        ("ALTER TABLE shares ALTER COLUMN size SET NOT NULL", "shares.size must not be empty any more"),
        ("ALTER TABLE shares ADD COLUMN colour text NOT NULL", "shares.colour is new and has no default"),
        ("ALTER TABLE shares ADD CONSTRAINT small CHECK (size < 9)", "shares.small is a new condition"),
        ("DROP TABLE openkeel_copies", "is gone"),
    ],
)
def test_what_narrows_is_noticed(database_url: str, statement: str, said: str) -> None:
    before = looked(database_url)
    column = next(name.partition(".")[2] for name in before[0] if name.startswith("openkeel_copies."))
    with psycopg.connect(database_url) as conn:
        conn.execute(statement.format(column=column).encode())
    assert any(said in one for one in narrowed(database_url, before))


@pytest.mark.parametrize(
    "statement",
    ["ALTER TABLE shares ADD COLUMN colour text", "ALTER TABLE shares ADD COLUMN colour text NOT NULL DEFAULT 'red'",
     "CREATE TABLE openkeel_new (id text NOT NULL, CHECK (id <> ''))", "CREATE INDEX fast ON shares (size)"],
)  # fmt: skip
def test_what_expands_is_let_be(database_url: str, statement: str) -> None:
    before = looked(database_url)
    with psycopg.connect(database_url) as conn:
        conn.execute(statement.encode())
    assert narrowed(database_url, before) == []
