"""Lists without an end over the wire: in chunks, to an old client until the connection ends, and to nobody no more."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pathlib

import psycopg

from tests.hostile.shares import TENANT_A, fill
from tests.hostile.target import Wire, get, running

NUMBER = 3500
LIST = "/v2/shares/detail"


async def _chunks(wire: Wire) -> bytes:
    parts = []
    while size := int(await wire.reader.readline(), 16):
        parts.append(await wire.reader.readexactly(size))
        assert await wire.reader.readexactly(2) == b"\r\n"
    assert await wire.reader.readexactly(2) == b"\r\n"
    return b"".join(parts)


async def test_a_list_comes_whole_in_chunks_or_until_the_end(tmp_path: pathlib.Path, database_url: str) -> None:
    fill(database_url, TENANT_A, NUMBER)
    async with running(tmp_path, database_url) as target:
        async with contextlib.aclosing(await target.connect()) as wire:
            await wire.send(get(LIST) + get("/v2/shares?limit=1"))
            head = (await wire.reader.readuntil(b"\r\n\r\n")).lower()
            assert b"transfer-encoding: chunked" in head and b"content-length" not in head
            body = await _chunks(wire)
            assert (await wire.answer()).status == 200, "the connection goes on"
        async with contextlib.aclosing(await target.connect()) as wire:
            await wire.send(get(LIST).replace(b"HTTP/1.1", b"HTTP/1.0"))
            head = (await wire.reader.readuntil(b"\r\n\r\n")).lower()
            assert b"transfer-encoding" not in head and b"connection: close" in head
            assert await wire.reader.read() == body
        ids = [one["id"] for one in json.loads(body)["shares"]]
        assert len(ids) == len(set(ids)) == NUMBER


async def test_nothing_is_read_for_a_client_that_left(tmp_path: pathlib.Path, database_url: str) -> None:
    """Or that reads nothing: the rest is read when it has taken what there is."""
    fill(database_url, TENANT_A, 30_000)
    async with running(tmp_path, database_url) as target, contextlib.aclosing(await target.connect()) as wire:
        before = await _scanned(database_url)
        await wire.send(get(LIST))
        await wire.reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(3)
        assert (await target.get("/v2/shares?limit=1")).status == 200
        await wire.aclose()
        await asyncio.sleep(1)
        assert await _scanned(database_url) - before < 15_000


async def test_an_answer_ends_with_its_database(tmp_path: pathlib.Path, database_url: str) -> None:
    """Cut, so that nobody takes a part for the whole; the service goes on."""
    fill(database_url, TENANT_A, 30_000)
    async with running(tmp_path, database_url) as target, contextlib.aclosing(await target.connect()) as wire:
        await wire.send(get(LIST))
        await wire.reader.readuntil(b"\r\n\r\n")
        reading = asyncio.create_task(wire.reader.read())
        with psycopg.connect(database_url) as conn:
            conn.execute("LOCK TABLE shares")
            end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while conn.execute(end).fetchone() == (0,):
                await asyncio.sleep(0.1)
        data = await reading
        assert len(data) < 25_000_000 and not data.endswith(b"0\r\n\r\n")
        assert "the database was lost in the middle of an answer" in target.log
        assert (await target.get("/v2/shares?limit=1")).status == 200


async def _scanned(url: str) -> int:
    """Rows of shares that were read through an index; what a busy backend has not told yet is missing."""
    await asyncio.sleep(1.5)
    with psycopg.connect(url, autocommit=True) as conn:
        row = conn.execute("SELECT idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'shares'").fetchone()
    return int(row[0]) if row else 0
