"""Rows in a transitional status end when nobody works on them, and only then."""

from __future__ import annotations

import pytest

from db import stuck
from db.connection import Database, Row
from db.write import insert
from services import work

HOUR = 3600.0
OLD, FRESH = "2026-01-01T00:00:00", "2999-01-01T00:00:00"


async def _share(db: Database, id_: str, status: str, at: str = OLD) -> None:
    async with db.write() as conn:
        await insert(conn, "shares", {"id": id_, "size": 1, "share_proto": "NFS", "project_id": "p"})
        values: Row = {"id": f"i-{id_}", "share_id": id_, "status": status, "host": "node1@alpha", "updated_at": at}
        values["cast_rules_to_readonly"] = False
        await insert(conn, "share_instances", values)


async def _statuses(db: Database) -> dict[str, str]:
    async with db.read() as conn:
        return {
            row["share_id"]: row["status"] for row in await conn.all("SELECT share_id, status FROM share_instances")
        }


async def test_only_what_nobody_works_on_ends(db: Database) -> None:
    for id_, status, at in (
        ("left", "creating", OLD),
        ("worked-on", "creating", OLD),
        ("young", "creating", FRESH),
        ("fine", "available", OLD),
        ("growing", "extending", OLD),
    ):
        await _share(db, id_, status, at)
    async with db.write() as conn:
        await work.enqueue(conn, work.ShareDelete(share_id="worked-on", instance_id="i-worked-on"), "node1@alpha")
        ended = await stuck.end(conn, HOUR)
    assert {(row["id"], row["was"], row["now"]) for row in ended} == {
        ("i-left", "creating", "error"),
        ("i-growing", "extending", "extending_error"),
    }
    assert await _statuses(db) == {
        "left": "error",
        "worked-on": "creating",
        "young": "creating",
        "fine": "available",
        "growing": "extending_error",
    }
    async with db.write() as conn:
        assert await stuck.end(conn, HOUR) == []


@pytest.mark.parametrize("worked_on", [True, False])
async def test_a_server_that_a_share_waits_for_is_not_stuck(db: Database, worked_on: bool) -> None:
    await _share(db, "s", "available")
    async with db.write() as conn:
        await insert(conn, "share_servers", {"id": "v", "host": "node1@alpha", "status": "creating", "updated_at": OLD})
        await conn.run("UPDATE share_instances SET share_server_id = 'v'")
        if worked_on:
            await work.enqueue(conn, work.ShareCreate(share_id="s", instance_id="i-s"), "node1@alpha")
        assert [row["now"] for row in await stuck.end(conn, HOUR)] == ([] if worked_on else ["error"])
