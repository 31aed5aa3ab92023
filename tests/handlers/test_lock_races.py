"""A lock and the removal that it forbids, asked for at once: one of them is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from db.connection import Database
from tests.handlers.share_world import World, make_share, world

TRIES = 12


@pytest.fixture
async def w(db: Database) -> AsyncIterator[World]:
    async with world(db) as made:
        yield made


async def lock(w: World, kind: str, resource_id: str) -> int:
    """Ask for a lock against deletion; the status of the answer."""
    body = {"resource_lock": {"resource_type": kind, "resource_id": resource_id, "resource_action": "delete"}}
    return (await w.ask("member-a", "POST", "/v2/resource-locks", body)).status


async def unlock(w: World) -> None:
    """Lift every lock of the project."""
    for one in (await w.ask("member-a", "GET", "/v2/resource-locks")).json["resource_locks"]:
        assert (await w.ask("member-a", "DELETE", f"/v2/resource-locks/{one['id']}")).status == 204


async def test_a_share_in_the_recycle_bin_has_no_lock(w: World) -> None:
    for _ in range(TRIES):
        gone, locked = await asyncio.gather(w.action({"soft_delete": None}), lock(w, "share", w.share))
        assert (gone.status, locked) in {(202, 400), (202, 409), (403, 200)}
        await unlock(w)
        await w.action({"restore": None})


async def test_a_rule_that_goes_has_no_lock(w: World) -> None:
    for n in range(TRIES):
        rule = await w.allow(f"10.3.0.{n}")
        await w.settle()
        deny = w.action({"deny_access": {"access_id": rule}})
        gone, locked = await asyncio.gather(deny, lock(w, "access_rule", rule))
        assert (gone.status, locked) in {(202, 400), (202, 409), (403, 200)}
        await unlock(w)
        await w.settle()


@pytest.mark.parametrize("action", ["delete", "force_delete", "unmanage"])
async def test_a_share_that_goes_has_no_lock(w: World, db: Database, action: str) -> None:
    for _ in range(TRIES):
        share, _instance = await make_share(db)
        if action == "delete":
            leave = w.ask("member-a", "DELETE", f"/v2/shares/{share}")
        else:
            leave = w.ask("admin", "POST", f"/v2/shares/{share}/action", {action: None})
        gone, locked = await asyncio.gather(leave, lock(w, "share", share))
        kept = 400 if action == "force_delete" else 403
        assert (gone.status, locked) in {(202, 400), (202, 409), (kept, 200)}
