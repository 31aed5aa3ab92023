"""The declared tables are the migrated schema."""

from __future__ import annotations

import sqlalchemy as sa

from db.embedded import EmbeddedPostgres
from generated import tables
from generated.columns import COLUMNS
from tests.db.test_migrate import facts


def test_every_table_of_the_original_is_declared() -> None:
    declared = {name: tuple(table.columns.keys()) for name, table in tables.Table.metadata.tables.items()}
    assert declared == COLUMNS
    assert len(declared) == 52


def test_the_declared_tables_are_identical_to_the_migrated_ones(postgres: EmbeddedPostgres, database_url: str) -> None:
    made = postgres.create("declared")
    engine = sa.create_engine(made.replace("postgresql://", "postgresql+psycopg://", 1))
    tables.Table.metadata.create_all(engine)
    engine.dispose()
    ours, theirs = facts(made), facts(database_url)
    for kind, rows in theirs.items():
        wanted = [row for row in rows if row[0] != "alembic_version"]
        assert ours[kind] == wanted, kind
