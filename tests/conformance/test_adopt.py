"""What the original wrote into its database is shown here as the original showed it, and can be gone on with.

``original.json`` was written by the original (``python -m tests.conformance.adopt --dump``).
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from db import migrate
from db.connection import Database
from db.embedded import EmbeddedPostgres
from tests.conformance.adopt import CLOCKS
from tests.handlers.catalogue import Ask, asker, core_over

HERE = pathlib.Path(__file__).parent
ORIGINAL = json.loads((HERE / "original.json").read_text())
SCHEMA = pathlib.Path("spec/schema-postgresql_stable-2026.2.sql")


def load(url: str) -> None:
    """The schema and the rows of the original."""
    with psycopg.connect(url) as conn:
        conn.execute(SCHEMA.read_bytes())
        conn.execute("SET session_replication_role = replica")  # rows come in any order
        for table, rows in ORIGINAL["rows"].items():
            conn.execute(
                f"INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(NULL::{table}, %s::jsonb)".encode(),
                (json.dumps(rows),),
            )
            if rows and isinstance(rows[0].get("id"), int):
                sequence = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
                conn.execute(sequence.encode())


@pytest.fixture
async def adopted(postgres: EmbeddedPostgres) -> AsyncIterator[Ask]:
    """The API over an adopted database."""
    url = postgres.create("adopted")
    load(url)
    migrate.sync(url)
    db = Database(url, size=4, name="adopt")
    await db.open()
    try:
        yield asker(core_over(db, enabled_share_protocols=("NFS", "CIFS")))
    finally:
        await db.close()


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(one) for key, one in sorted(value.items()) if key not in CLOCKS}
    if isinstance(value, list):
        return sorted((plain(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


async def test_everything_is_shown_as_before(adopted: Ask) -> None:
    assert len(ORIGINAL["shown"]) > 20
    for path, shown in ORIGINAL["shown"].items():
        answer = await adopted("admin", "GET", f"/v2{path}", headers={"X-OpenStack-Manila-API-Experimental": "true"})
        assert (answer.status, plain(answer.json)) == (200, shown), path


async def test_the_rows_can_be_gone_on_with(adopted: Ask) -> None:
    shares = {one["name"]: one for one in ORIGINAL["shown"]["/shares/detail?all_tenants=1"]["shares"]}
    path = f"/v2/shares/{shares['first']['id']}"
    answer = await adopted("member-a", "DELETE", path)
    assert answer.status == 403  # the original's lock holds
    assert "prevent delete action" in str(answer.json)
    answer = await adopted("member-a", "POST", f"{path}/metadata", {"metadata": {"new": "value"}})
    assert answer.json == {"metadata": {"a": "b", "c": "d", "new": "value"}}
    answer = await adopted("member-a", "POST", f"{path}/action", {"extend": {"new_size": 9}})
    assert answer.status == 202
    used = await adopted("admin", "GET", "/v2/quota-sets/b0000000000000000000000000000000/detail")
    before = ORIGINAL["shown"]["/quota-sets/b0000000000000000000000000000000/detail"]["quota_set"]["gigabytes"]
    assert used.json["quota_set"]["gigabytes"]["in_use"] == before["in_use"] + 6
