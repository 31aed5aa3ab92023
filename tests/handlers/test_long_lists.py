"""Lists that go on behind their first rows are sent while they are read, with the bytes of one that is read at once."""

from __future__ import annotations

import itertools

import psycopg
import pytest

from db.connection import Conn, Database
from handlers import long
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over
from tests.hostile.shares import fill

NUMBER = 60
SHARES = ["", "?sort_key=name&sort_dir=asc", "?sort_key=host", "?limit=60", "?limit=45", "?limit=45&offset=8"]
SHARES += ["?limit=100", "?with_count=true", "?sort_dir=asc&limit=60&with_count=true", "?name~=1", "?limit=7"]
SHARES += ["?limit=60&sort_key=name"]
SNAPSHOTS = ["", "?offset=5", "?sort_key=name", "?limit=60&with_count=true", "?limit=59", "?sort_dir=asc"]
PATHS = [f"/v2/shares{way}{query}" for way, query in itertools.product(("", "/detail"), SHARES)]
PATHS += [f"/v2/snapshots{way}{query}" for way, query in itertools.product(("", "/detail"), SNAPSHOTS)]
PATHS += [f"/v2/share_instances{query}" for query in ("", "?limit=60", "?limit=59", "?host=h@alpha")]


@pytest.fixture
def ask(db: Database, database_url: str) -> Ask:
    fill(database_url, TENANT_A, NUMBER, whole=True)
    return asker(core_over(db))


def who_reads(path: str) -> str:
    return "admin" if "share_instances" in path else "member-a"


@pytest.mark.parametrize("version", ["2.99", "2.8"])
async def test_the_bytes_are_those_of_a_list_read_at_once(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    streamed = 0
    for path in PATHS:
        monkeypatch.setattr(long, "LONG", 1000)
        whole = await ask(who_reads(path), "GET", path, version=version)
        assert whole.status == 200 and whole.headers["content-length"] == str(len(whole.content))
        monkeypatch.setattr(long, "LONG", 7)
        parts = await ask(who_reads(path), "GET", path, version=version)
        assert (parts.status, parts.content) == (200, whole.content), path
        streamed += "content-length" not in parts.headers
    assert streamed == len(PATHS) - 2, "all but those of seven"


async def test_what_goes_meanwhile_ends_no_list(
    ask: Ask, db: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the shares is removed after the first rows were read; the others are all there, each once."""
    monkeypatch.setattr(long, "LONG", 7)
    read = Conn.all
    gone: list[str] = []

    async def reading(self: Conn, sql: str, params: object = ()) -> object:
        rows = await read(self, sql, params)  # type: ignore[arg-type]
        if not gone and "FROM shares" in sql:
            with psycopg.connect(database_url, autocommit=True) as conn:
                going = "UPDATE shares SET deleted = id WHERE id < '8' AND deleted = 'False' RETURNING id"
                gone.extend(row[0] for row in conn.execute(going))
        return rows

    monkeypatch.setattr(Conn, "all", reading)
    for path in ("/v2/shares/detail", "/v2/shares?sort_key=host"):
        gone.clear()
        with psycopg.connect(database_url, autocommit=True) as conn:
            conn.execute("UPDATE shares SET deleted = 'False'")
        seen = [one["id"] for one in (await ask("member-a", "GET", path)).json["shares"]]
        assert len(seen) == len(set(seen))
        with psycopg.connect(database_url) as conn:
            left = {row[0] for row in conn.execute("SELECT id FROM shares WHERE deleted = 'False'")}
        assert left <= set(seen) and len(seen) <= len(left) + 7


async def test_what_can_t_be_linked_is_refused_before_anything_is_sent(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long, "LONG", 7)
    assert (await ask("admin", "GET", "/v2/share_instances?limit=many")).status == 400
