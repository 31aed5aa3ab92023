"""Rows in a transitional status end when nobody works on them, and only then."""

from __future__ import annotations

import pytest

from db import stuck
from db.connection import Database, Row
from db.write import insert
from generated import enums
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


@pytest.mark.parametrize("one", stuck.ALL, ids=lambda one: f"{one.table}.{one.column}")
def test_every_status_of_the_contract_is_final_or_ends(one: stuck.Ends) -> None:
    assert not set(one.ends) & set(one.resting)
    known = {*one.ends, *one.resting}
    for statuses in one.statuses:
        assert {str(status) for status in statuses} <= known, statuses
    assert set(one.ends.values()) <= set(one.resting)


def test_every_transitional_status_of_a_share_ends() -> None:
    assert {str(one) for one in enums.Transitional} <= set(stuck.INSTANCES.ends)


STATUSES = ("status", "state", "task_state", "access_rules_status", "replica_state")
ELSEWHERE = {
    ("openkeel_tasks", "state"): "a task's own, ended by its lease",
    ("services", "state"): "``mark_services_down`` looks at its heartbeats",
    ("share_instances", "replica_state"): "asked of the back end by a periodic task",
}
"""Columns with a status that something else than ``db.stuck`` ends, and what does."""


async def test_every_column_with_a_status_is_looked_at(db: Database) -> None:
    async with db.read() as conn:
        rows = await conn.all(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE column_name = ANY(%s) AND table_schema = current_schema()",
            (list(STATUSES),),
        )
    found = {(row["table_name"], row["column_name"]) for row in rows}
    lacking = found - {(one.table, one.column) for one in stuck.ALL} - ELSEWHERE.keys()
    assert not lacking, sorted(lacking)
    assert found >= {(one.table, one.column) for one in stuck.ALL} | ELSEWHERE.keys()


async def test_rules_of_a_snapshot_that_is_made_wait_for_it(db: Database) -> None:
    table = "share_snapshot_instance_access_map"
    async with db.write() as conn:
        for parent, values in PARENTS[table]:
            status = {"status": "creating", "updated_at": FRESH} if parent == "share_snapshot_instances" else {}
            await insert(conn, parent, {"updated_at": OLD, **values, **status})
        await insert(conn, table, {"id": "left", "updated_at": OLD, "state": "queued_to_apply", **PLACES[table]})
        assert await stuck.end(conn, HOUR) == []
        await conn.run("UPDATE share_snapshot_instances SET status = 'available'")
        assert [(row["id"], row["now"]) for row in await stuck.end(conn, HOUR)] == [("left", "error")]


PLACES: dict[str, Row] = {
    "share_servers": {"host": "node1@alpha"},
    "share_networks": {"user_id": "u", "project_id": "p"},
    "share_instances": {"share_id": "s", "host": "node1@alpha", "cast_rules_to_readonly": False},
    "share_snapshot_instances": {"snapshot_id": "n", "share_instance_id": "i"},
    "shares": {"size": 1, "share_proto": "NFS", "project_id": "p"},
    "share_groups": {"user_id": "u", "project_id": "p"},
    "share_group_snapshots": {"user_id": "u", "project_id": "p", "share_group_id": "g"},
    "share_backups": {"share_id": "s", "user_id": "u", "project_id": "p"},
    "share_instance_access_map": {"access_id": "a", "share_instance_id": "i"},
    "share_snapshot_instance_access_map": {"access_id": "a", "share_snapshot_instance_id": "x"},
}
PARENTS: dict[str, list[tuple[str, Row]]] = {
    "share_instances": [("shares", {"id": "s", **PLACES["shares"]})],
    "share_backups": [("shares", {"id": "s", **PLACES["shares"]})],
    "share_group_snapshots": [("share_groups", {"id": "g", "status": "available", **PLACES["share_groups"]})],
    "share_snapshot_instances": [
        ("shares", {"id": "s", **PLACES["shares"]}),
        ("share_instances", {"id": "i", "status": "available", **PLACES["share_instances"]}),
        ("share_snapshots", {"id": "n", "share_id": "s", "size": 1}),
    ],
    "share_instance_access_map": [
        ("shares", {"id": "s", **PLACES["shares"]}),
        ("share_instances", {"id": "i", "status": "available", **PLACES["share_instances"]}),
        ("share_access_map", {"id": "a", "share_id": "s", "access_type": "ip", "access_to": "10.0.0.1"}),
    ],
}
PARENTS["share_snapshot_instance_access_map"] = [
    *PARENTS["share_snapshot_instances"],
    ("share_snapshot_instances", {"id": "x", "status": "available", **PLACES["share_snapshot_instances"]}),
    (
        "share_snapshot_access_map",
        {"id": "a", "share_snapshot_id": "n", "access_type": "ip", "access_to": "10.0.0.1"},
    ),
]
JOBS: dict[str, work.Job] = {
    "share_servers": work.ServerDelete(server_id="left"),
    "share_networks": work.NetworkApply(share_network_id="left", host="node1@alpha"),
    "shares": work.ShareEnsure(share_id="left", instance_id="i"),
    "share_groups": work.ShareGroupDelete(group_id="left"),
    "share_group_snapshots": work.ShareGroupDelete(group_id="g"),
}
OF_SHARE = work.ShareEnsure(share_id="s", instance_id="i")
EVERY = [(one, status) for one in stuck.ALL for status in sorted({*one.ends, *one.resting})]


@pytest.mark.parametrize("worked_on", [False, True])
async def test_every_transitional_status_ends_when_nobody_works_on_it(db: Database, worked_on: bool) -> None:
    """Row by row: what is in transition ends, what rests stays; neither while a task waits."""
    for one, status in EVERY:
        table = one.table
        async with db.write() as conn:
            for parent, values in PARENTS.get(table, []):
                await insert(conn, parent, {"updated_at": OLD, **values})
            await insert(conn, table, {"id": "left", "updated_at": OLD, one.column: status, **PLACES[table]})
            if worked_on:
                await work.enqueue(conn, JOBS.get(table, OF_SHARE), "node1@alpha")
            ended = [(row["table"], row["was"], row["now"]) for row in await stuck.end(conn, HOUR)]
            now = await conn.one(f"SELECT {one.column} AS status FROM {table} WHERE id = 'left'")
            expected = status if worked_on else one.ends.get(status, status)
            assert now == {"status": expected}, (table, status)
            assert ended == ([] if expected == status else [(table, status, expected)])
            for name in [table, *reversed([parent for parent, _ in PARENTS.get(table, [])]), "openkeel_tasks"]:
                await conn.run(f"DELETE FROM {name}")


@pytest.mark.parametrize("state", stuck.WAITING)
async def test_a_migration_that_waits_for_its_administrator_is_not_stuck(db: Database, state: str) -> None:
    await _share(db, "s", "migrating")
    async with db.write() as conn:
        await conn.run("UPDATE shares SET task_state = %s, updated_at = %s", (state, OLD))
        assert await stuck.end(conn, HOUR) == []
        await conn.run("UPDATE shares SET task_state = 'migration_completing', updated_at = %s", (OLD,))
        assert [(row["was"], row["now"]) for row in await stuck.end(conn, HOUR)] == [
            ("migrating", "error"),
            ("migration_completing", "migration_error"),
        ]


async def test_a_share_whose_server_moves_ends_with_it(db: Database) -> None:
    await _share(db, "s", "server_migrating")
    async with db.write() as conn:
        server: Row = {"id": "v", "host": "node1@alpha", "status": "server_migrating", "updated_at": OLD}
        await insert(conn, "share_servers", {**server, "task_state": "migration_driver_phase1_done"})
        moved = {**server, "id": "w", "status": "server_migrating_to", "source_share_server_id": "v"}
        await insert(conn, "share_servers", moved)
        await conn.run("UPDATE share_instances SET share_server_id = 'v'")
        assert await stuck.end(conn, HOUR) == []
        await conn.run("UPDATE share_servers SET task_state = 'migration_completing', updated_at = %s", (OLD,))
        assert {(row["id"], row["now"]) for row in await stuck.end(conn, HOUR)} == {
            ("v", "error"), ("w", "error"), ("i-s", "error"),
        }  # fmt: skip


async def test_a_share_whose_backup_is_made_is_not_stuck(db: Database) -> None:
    await _share(db, "s", "backup_creating")
    async with db.write() as conn:
        values: Row = {"share_id": "s", "user_id": "u", "project_id": "p", "status": "creating", "updated_at": FRESH}
        await insert(conn, "share_backups", {"id": "b", **values})
        assert await stuck.end(conn, HOUR) == []
        await conn.run("UPDATE share_backups SET updated_at = %s", (OLD,))
        assert [row["now"] for row in await stuck.end(conn, HOUR)] == ["error", "available"]


@pytest.mark.parametrize("worked_on", [True, False])
async def test_a_server_that_a_share_waits_for_is_not_stuck(db: Database, worked_on: bool) -> None:
    await _share(db, "s", "available")
    async with db.write() as conn:
        await insert(conn, "share_servers", {"id": "v", "host": "node1@alpha", "status": "creating", "updated_at": OLD})
        await conn.run("UPDATE share_instances SET share_server_id = 'v'")
        if worked_on:
            await work.enqueue(conn, work.ShareCreate(share_id="s", instance_id="i-s"), "node1@alpha")
        assert [row["now"] for row in await stuck.end(conn, HOUR)] == ([] if worked_on else ["error"])
