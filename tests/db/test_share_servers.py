"""Backend details: one row a key, whoever writes them, and how often."""

from __future__ import annotations

import asyncio
from typing import Any

from db import share_servers
from db.connection import Database
from db.write import insert


async def _server(db: Database) -> str:
    async with db.write() as conn:
        return str((await insert(conn, "share_servers", {"host": "node1@gamma", "status": "active"}))["id"])


async def _write(db: Database, server: str, **details: Any) -> None:
    async with db.write() as conn:
        await share_servers.set_details(conn, server, details)


async def _rows(db: Database, server: str) -> list[tuple[str, str]]:
    async with db.read() as conn:
        found = await conn.all(
            f"SELECT key, value FROM {share_servers.DETAILS} WHERE share_server_id = %s AND deleted = 'False'"
            " ORDER BY key, id",
            (server,),
        )
    return [(row["key"], row["value"]) for row in found]


async def test_a_key_that_is_written_again_has_one_row_with_the_last_value(db: Database) -> None:
    server = await _server(db)
    await _write(db, server, ip="10.0.0.1", name="a")
    await _write(db, server, ip="10.0.0.2")
    await _write(db, server, ip="10.0.0.2", port=5)
    await _write(db, server)
    assert await _rows(db, server) == [("ip", "10.0.0.2"), ("name", "a"), ("port", "5")]


async def test_several_workers_that_write_one_key_leave_one_row(db: Database) -> None:
    server, other = await _server(db), await _server(db)
    await asyncio.gather(
        *(_write(db, one, ip=f"10.0.0.{number}", last=number) for number in range(12) for one in (server, other))
    )
    for one in (server, other):
        rows = dict(await _rows(db, one))
        assert len(await _rows(db, one)) == 2
        assert rows["ip"] == f"10.0.0.{rows['last']}", "both values are of one writer"
