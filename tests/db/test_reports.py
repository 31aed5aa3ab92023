"""Reports as rows: the newest counts, and what was placed since is taken off."""

from __future__ import annotations

from db import heartbeats, reports
from db.connection import Conn, Database
from db.write import insert
from scheduler.pools import pools_of

REPORT = {"pools": [{"pool_name": "p", "total_capacity_gb": 100, "free_capacity_gb": 50, "thin_provisioning": True}]}


async def _service(conn: Conn, host: str) -> None:
    await heartbeats.beat(conn, await heartbeats.register(conn, "manila-share", "manila-share", host, "nova"))


async def _instance(conn: Conn, size: int) -> str:
    share = await insert(conn, "shares", {"size": size, "project_id": "p", "user_id": "u", "share_proto": "NFS"})
    values = {"share_id": share["id"], "status": "creating", "cast_rules_to_readonly": False}
    row = await insert(conn, "share_instances", values)
    return str(row["id"])


async def test_an_older_report_does_not_replace_a_newer_one(db: Database) -> None:
    async with db.write() as conn:
        await _service(conn, "node1@alpha")
        assert await reports.save(conn, "node1@alpha", {"v": 2}, "2030-01-02T00:00:00Z")
        assert not await reports.save(conn, "node1@alpha", {"v": 1}, "2030-01-01T00:00:00Z")
        (row,) = await reports.backends(conn, 60)
    assert row["capabilities"] == {"v": 2}
    assert row["reported_at"] == "2030-01-02T00:00:00.000000"


async def test_a_placement_counts_at_once_until_the_next_report(db: Database) -> None:
    async with db.write() as conn:
        await _service(conn, "node1@alpha")
        await reports.save(conn, "node1@alpha", REPORT)
    async with db.write() as conn:
        await reports.lock_placement(conn)
        assert await reports.place(conn, await _instance(conn, 7), "node1@alpha#p") == 1
        (pool,) = pools_of(await reports.backends(conn, 60))
    assert (pool.free, pool.provisioned, pool.zone) == (43, 7, "nova")
    async with db.write() as conn:
        await reports.reserve(conn, "node1@alpha#p", 3)
        (pool,) = pools_of(await reports.backends(conn, 60))
    assert (pool.free, pool.provisioned) == (40, 7)
    async with db.write() as conn:
        await reports.save(conn, "node1@alpha", REPORT)
        (pool,) = pools_of(await reports.backends(conn, 60))
    assert (pool.free, pool.provisioned) == (50, 7)


async def test_back_ends_that_are_down_disabled_or_silent_are_left_out(db: Database) -> None:
    async with db.write() as conn:
        for host in ("node1@up", "node1@off", "node1@silent", "node1@dead"):
            await _service(conn, host)
            if host != "node1@silent":
                await reports.save(conn, host, REPORT)
        await conn.run("UPDATE services SET disabled = true WHERE host = 'node1@off'")
        await conn.run("UPDATE services SET updated_at = updated_at - interval '1 hour' WHERE host = 'node1@dead'")
        assert [row["host"] for row in await reports.backends(conn, 60)] == ["node1@up"]
        assert [row["host"] for row in await reports.backends(conn, 60, disabled=True)] == ["node1@up", "node1@off"]
        await reports.forget(conn, "node1@up")
        assert await reports.backends(conn, 60) == []
