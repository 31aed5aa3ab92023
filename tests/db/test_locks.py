"""Who waited for a lock sees what the one before has written, in other tables too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from db import migrations_of_shares, share_changes, shares
from db.connection import Conn, Database
from db.write import insert, update


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
