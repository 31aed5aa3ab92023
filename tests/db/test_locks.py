"""Who waited for a lock sees what the one before has written, in other tables too."""

from __future__ import annotations

import asyncio
import pathlib
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import db
from db import migrations_of_shares, quotas, share_changes, shares, snapshot_access, snapshot_instances, snapshots
from db.connection import Conn, Database
from db.order import ORDER, PARTS
from db.write import insert, lock, update
from generated.columns import COLUMNS
from tests.locks import Watched, broken, taken

OWN = pathlib.Path(db.__file__).parent / "migrations" / "own" / "versions"


@pytest.fixture
async def share(db: Database) -> None:
    async with db.write() as conn:
        values = {"id": "s", "project_id": "p", "user_id": "u", "size": 1, "is_soft_deleted": False}
        await insert(conn, "shares", {**values, "snapshot_inherit_share_access_support": False})
        instance = {"id": "i", "share_id": "s", "host": "h@a#p", "status": "available", "cast_rules_to_readonly": False}
        await insert(conn, "share_instances", instance)


async def second(db: Database, first: Callable[[Conn], Awaitable[Any]], read: Callable[[Conn], Awaitable[Any]]) -> Any:
    """What ``read``, which locks, sees when ``first`` holds the lock and changes things meanwhile."""
    begun = asyncio.Event()

    async def later() -> Any:
        await begun.wait()
        async with db.write() as conn:
            return await read(conn)

    waiting = asyncio.create_task(later())
    async with db.write() as conn:
        await read(conn)
        begun.set()
        await asyncio.sleep(0.2)  # the other one is waiting for the lock by now
        await first(conn)
    return await waiting


@pytest.mark.usefixtures("share")
async def test_a_locked_share_shows_its_instances_newest_status(db: Database) -> None:
    found = await second(
        db,
        lambda conn: shares.set_status(conn, "i", "extending", ("available",)),
        lambda conn: shares.get(conn, "s", lock=True),
    )
    assert found["status"] == "extending"


@pytest.mark.usefixtures("share")
async def test_a_migrations_state_shows_the_newest_instances(db: Database) -> None:
    found = await second(
        db,
        lambda conn: update(conn, "share_instances", {"id": "i"}, {"status": migrations_of_shares.SOURCE}),
        lambda conn: migrations_of_shares.state(conn, "s", lock=True),
    )
    assert found["source"]["id"] == "i"


@pytest.mark.usefixtures("share")
async def test_an_instance_goes_once(db: Database) -> None:
    """Whatever it gives back would be given back twice."""
    found = await second(
        db,
        lambda conn: update(conn, "share_instances", {"id": "i"}, {"deleted": "i"}),
        lambda conn: share_changes.leaving(conn, "i"),
    )
    assert found is None


@pytest.mark.usefixtures("share")
async def test_a_snapshot_that_is_removed_twice_at_once_waits_in_one_order(db: Database) -> None:
    """A request holds the snapshot and then its instance; so must the worker that forgets both."""
    async with db.write() as conn:
        await insert(
            conn, "share_snapshots", {"id": "n", "share_id": "s", "project_id": "p", "user_id": "u", "size": 1}
        )
        instance = {"id": "x", "snapshot_id": "n", "share_instance_id": "i", "status": "error_deleting"}
        await insert(conn, "share_snapshot_instances", instance)
    held = asyncio.Event()

    async def forget() -> Any:
        await held.wait()
        async with db.write() as conn:
            return await snapshot_instances.remove(conn, "x")

    forgetting = asyncio.create_task(forget())
    async with db.write() as conn:
        await snapshot_access.lock_snapshot(conn, "n")
        held.set()
        await asyncio.sleep(0.2)  # the worker waits by now; with the instance in its hand, nobody could go on
        await snapshots.set_status(conn, ["x"], "deleting")
    assert (await forgetting)["id"] == "n"


@pytest.mark.parametrize(
    ("sql", "locks"),
    [
        ("UPDATE share_instances SET a = 1", ["share_instances"]),
        ("SELECT 1 FROM shares WHERE id = (SELECT x FROM share_instances) FOR NO KEY UPDATE", ["shares"]),
        ("SELECT a, (SELECT 1 FROM specs) FROM share_groups g JOIN kinds k ON true FOR SHARE OF g", ["share_groups"]),
        ("UPDATE a SET b = 1 WHERE id = (SELECT id FROM a FOR UPDATE SKIP LOCKED)", []),
        ("INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET b = 2", []),
        ("SELECT pg_advisory_xact_lock(hashtextextended(%s, 7))", ["lock 7"]),
        ("SELECT 1 FROM shares", []),
    ],
)
def test_what_a_statement_may_wait_for(sql: str, locks: list[str]) -> None:
    assert taken(sql) == locks


@pytest.mark.parametrize(
    ("locks", "wrong"),
    [
        (["shares", "share_instances", "share_snapshots", "lock 7", "share_metadata"], None),
        (["openkeel_tasks", "share_instances"], None),
        (["openkeel_tasks", "share_instances", "lock 7"], "share_instances without shares, then lock 7"),
        (["lock 7", "shares"], "shares after lock 7"),
        (
            ["share_snapshot_instances", "share_snapshots"],
            "share_snapshot_instances without share_snapshots or share_group_snapshots, then",
        ),
        (["shares", "unheard_of"], "unheard_of has no place in the order"),
    ],
)
def test_an_order_that_could_end_in_a_circle_is_seen(locks: list[str], wrong: str | None) -> None:
    found = broken(locks)
    assert found is None if wrong is None else found is not None and wrong in found


async def test_a_transaction_of_the_service_in_another_order_is_noted(db: Watched) -> None:
    async with db.watched() as conn:
        await quotas.lock(conn, "p")
        await lock(conn, "shares", "s")
    assert [wrong.partition(":")[0] for wrong in db.disorder] == ["shares after lock 7"]
    db.disorder.clear()


def test_every_table_has_its_place() -> None:
    own = set(re.findall(r"CREATE TABLE (\w+)", "".join(file.read_text() for file in OWN.glob("*.py"))))
    placed = {*ORDER, *PARTS, *(part for parts in PARTS.values() for part in parts)}
    assert own and {*COLUMNS, *own} <= placed
    assert set(PARTS) <= set(ORDER) and len(ORDER) == len(set(ORDER))
