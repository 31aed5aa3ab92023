"""The database's dump and its restore, by the commands of docs/operations.md."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess

import psycopg
import pytest

from db.embedded import EmbeddedPostgres
from deploy.bootstrap import ROOT

COMMANDS = [
    line.removeprefix("$ ")
    for line in (ROOT / "docs" / "operations.md").read_text().splitlines()
    if re.match(r"\$ (pg_dump|psql) ", line)
]


def run(command: str, url: str, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """A command as an operator types it, with the programs of the server's own release: older ones refuse."""
    with psycopg.connect(url) as conn:
        found = conn.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'").fetchone()
    assert found is not None
    env = {**os.environ, "URL": url, "PATH": f"{found[0]}:/usr/bin:/bin"}
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def keys(url: str) -> list[str]:
    """Of all quotas of the default class."""
    with psycopg.connect(url) as conn:
        return [row[0] for row in conn.execute("SELECT resource FROM quota_classes ORDER BY 1")]


def add(url: str, name: str) -> None:
    with psycopg.connect(url) as conn:
        conn.execute("INSERT INTO quota_classes (class_name, resource, hard_limit) VALUES ('default', %s, 1)", (name,))


@pytest.fixture
def dumped(database_url: str, tmp_path: pathlib.Path) -> str:
    """URL of a database that was changed after its dump."""
    add(database_url, "kept")
    done = run(COMMANDS[0], database_url, tmp_path)
    assert done.returncode == 0, done.stderr
    add(database_url, "later")
    return database_url


def test_a_restore_brings_back_what_was_there(dumped: str, tmp_path: pathlib.Path) -> None:
    assert len(COMMANDS) == 2
    before = [name for name in keys(dumped) if name != "later"]
    assert "kept" in before
    done = run(COMMANDS[1], dumped, tmp_path)
    assert done.returncode == 0, done.stderr
    assert keys(dumped) == before


def test_it_fills_a_database_that_is_made_anew(dumped: str, postgres: EmbeddedPostgres, tmp_path: pathlib.Path) -> None:
    fresh = postgres.create(f"fresh_{os.getpid()}")
    done = run(COMMANDS[1], fresh, tmp_path)
    assert done.returncode == 0, done.stderr
    assert keys(fresh) == [name for name in keys(dumped) if name != "later"]


def test_one_that_fails_leaves_everything_as_it_was(dumped: str, tmp_path: pathlib.Path) -> None:
    with (tmp_path / "manila.sql").open("a") as file:
        file.write("SELECT 1 / 0;\n")
    assert run(COMMANDS[1], dumped, tmp_path).returncode != 0
    assert "later" in keys(dumped)
