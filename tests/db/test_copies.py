"""Copies that run: progress and the wish to end them."""

from __future__ import annotations

from db import copies
from db.connection import Database


async def test_a_copy_from_begin_to_end(db: Database) -> None:
    async with db.read() as conn:
        assert await copies.progress(conn, "s") is None
        assert not await copies.cancel(conn, "s")
        await copies.begin(conn, "s")
        assert await copies.report(conn, "s", 40, "a/b", 12.5)
        assert await copies.progress(conn, "s") == {
            "total_progress": 40, "current_file_path": "a/b", "current_file_progress": 12.5,
        }  # fmt: skip
        assert await copies.cancel(conn, "s")
        assert not await copies.report(conn, "s", 50, None, 0)
        await copies.begin(conn, "s")
        assert await copies.report(conn, "s", 1, None, 0)
        await copies.end(conn, "s")
        await copies.end(conn, "s")
        assert not await copies.report(conn, "s", 2, None, 0)
