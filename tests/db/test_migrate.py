"""The migrated schema is the contract's, and ours leaves it as it was."""

from __future__ import annotations

import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from db import migrate
from db.connection import Database, UnknownSchema, WrongDatabase, libpq
from db.embedded import EmbeddedPostgres

FACTS = {
    "columns": """
        SELECT table_name, column_name, data_type, is_nullable, column_default, character_maximum_length, udt_name
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'openkeel%'
        ORDER BY table_name, column_name""",
    "constraints": """
        SELECT conrelid::regclass::text AS t, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'openkeel%'
        ORDER BY 1, 2, 3""",
    "indexes": """
        SELECT tablename, indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND indexname NOT LIKE 'openkeel%' ORDER BY 1, 2""",
}


def facts(url: str) -> dict[str, list[tuple[object, ...]]]:
    with psycopg.connect(url) as conn:
        return {name: conn.execute(query).fetchall() for name, query in FACTS.items()}


def test_the_adopted_schema_is_identical_by_reflection(postgres: EmbeddedPostgres, database_url: str) -> None:
    dump = pathlib.Path("spec/schema-postgresql_stable-2026.2.sql").read_text()
    reference = postgres.create("reference")
    with psycopg.connect(reference) as conn:
        conn.execute(dump.encode())
    assert facts(database_url) == facts(reference)
    assert len(facts(reference)["columns"]) == 538


def test_a_database_of_the_original_is_adopted_in_place(postgres: EmbeddedPostgres) -> None:
    url = postgres.create("original")
    with psycopg.connect(url) as conn:
        conn.execute(pathlib.Path("spec/schema-postgresql_stable-2026.2.sql").read_bytes())
        conn.execute("INSERT INTO alembic_version VALUES ('afc3b5e1f406')")
        conn.execute(
            "INSERT INTO shares (id, is_soft_deleted, snapshot_inherit_share_access_support)"
            " VALUES ('s1', false, false)"
        )
    before = facts(url)
    migrate.sync(url)
    assert facts(url) == before
    assert migrate.version(url) == migrate.BASELINE
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT id FROM shares").fetchall() == [("s1",)]
        assert conn.execute("SELECT version_num FROM openkeel_version").fetchone() is not None


def test_another_revision_of_the_original_is_refused(postgres: EmbeddedPostgres) -> None:
    url = postgres.create("older")
    with psycopg.connect(url) as conn:
        conn.execute("CREATE TABLE alembic_version (version_num varchar(32) NOT NULL)")
        conn.execute("INSERT INTO alembic_version VALUES ('162a3e673105')")
    with pytest.raises(UnknownSchema, match="162a3e673105"):
        migrate.sync(url)


def test_the_packaged_baseline_is_the_contracts() -> None:
    """``spec/`` is not in the wheel, so the migration carries a copy."""
    packaged = pathlib.Path(migrate.__file__).parent / "migrations" / "original" / "baseline.sql"
    assert packaged.read_bytes() == pathlib.Path("spec/schema-postgresql_stable-2026.2.sql").read_bytes()


@pytest.mark.parametrize("scheme", ["mysql+pymysql", "mysql", "mariadb+pymysql", "sqlite", "postgresql+pg8000"])
def test_another_database_is_refused_in_a_sentence_without_its_password(scheme: str) -> None:
    url = f"{scheme}://manila:hunter2@db/manila"
    for read in (migrate.version, Database):
        with pytest.raises(WrongDatabase, match="only PostgreSQL") as caught:
            read(url)
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg2"])
def test_sqlalchemys_names_of_postgresql_are_read(scheme: str) -> None:
    assert libpq(f"{scheme}://u:p@db/manila?sslmode=require") == "postgresql://u:p@db/manila?sslmode=require"
    assert libpq("host=db dbname=manila options=-cx://y") == "host=db dbname=manila options=-cx://y"


def indexes(url: str) -> dict[str, bool]:
    """Our indexes on the original's tables, and whether they can be used."""
    with psycopg.connect(url) as conn:
        rows = conn.execute(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " JOIN pg_class t ON t.oid = i.indrelid WHERE c.relname LIKE 'openkeel%' AND t.relname NOT LIKE 'openkeel%'"
        )
        return {str(name): bool(valid) for name, valid in rows}


def test_several_processes_may_bring_the_schema_at_once(postgres: EmbeddedPostgres) -> None:
    url = postgres.create("several")
    with ThreadPoolExecutor() as pool:
        list(pool.map(migrate.sync, [url] * 4))
    assert migrate.version(url) == migrate.BASELINE and all(indexes(url).values())


def test_indexes_are_made_beside_a_writer_and_can_be_taken_back(database_url: str) -> None:
    after = indexes(database_url)
    migrate.back(database_url, "0004")
    before = indexes(database_url)
    assert before.keys() - after.keys() and after.keys() - before.keys()
    with psycopg.connect(database_url) as writer, ThreadPoolExecutor() as pool:
        writer.execute("UPDATE shares SET size = 1")
        made = pool.submit(migrate.sync, database_url)
        with psycopg.connect(database_url, autocommit=True) as watcher:
            waits = (
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%' AND wait_event IS NOT NULL"
            )
            while watcher.execute(waits).fetchone() != (1,):
                time.sleep(0.05)
            watcher.execute("SET lock_timeout = '5s'")
            watcher.execute("UPDATE share_instances SET status = 'error'")  # nobody waits for the index
            watcher.execute("UPDATE shares SET size = 2")
        assert not made.done()
        writer.commit()
        made.result(60)
    assert indexes(database_url) == after


def test_an_index_that_was_left_half_made_is_made_anew(database_url: str) -> None:
    after = indexes(database_url)
    migrate.back(database_url, "0004")
    with psycopg.connect(database_url, autocommit=True) as conn:
        insert = "INSERT INTO messages (id, project_id, action_id, message_level) VALUES (%s, 'p', 'a', 'ERROR')"
        for number in ("1", "2"):
            conn.execute(insert, (number,))
        with pytest.raises(psycopg.errors.UniqueViolation):
            conn.execute("CREATE UNIQUE INDEX CONCURRENTLY openkeel_messages_in_order ON messages (project_id)")
    assert indexes(database_url)["openkeel_messages_in_order"] is False
    migrate.sync(database_url)
    assert indexes(database_url) == after and all(after.values())
