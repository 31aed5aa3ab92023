"""Kinds of work: each has an operation, and its payload survives the database."""

from __future__ import annotations

import dataclasses
import json

import pytest

from db import tasks
from db.connection import Database
from services import work
from worker.registry import operations


def test_every_kind_of_work_has_its_operation() -> None:
    assert work.kinds() == {name: one.job for name, one in operations().items()}


@pytest.mark.parametrize("kind", sorted(work.kinds()))
def test_a_payload_of_an_older_or_newer_release_is_read(kind: str) -> None:
    job = work.kinds()[kind]
    needed = {one.name: one.name for one in dataclasses.fields(job) if one.default is dataclasses.MISSING}
    assert job.read({**needed, "from_the_future": 1}).payload == job(**needed).payload


async def test_a_job_is_read_as_it_was_left(db: Database) -> None:
    left = work.ShareExtendPlace(share_id="s", instance_id="i", size=3, increase=2, begun=True)
    async with db.write() as conn:
        await work.enqueue(conn, left, "node1@alpha#pool", request_id="req-1", delay=0)
        (row,) = await tasks.claim(conn, "me", ["node1@alpha"], 5, 30.0)
    assert (row["kind"], row["resource"], row["request_id"]) == ("share_extend_place", "share:s", "req-1")
    assert work.ShareExtendPlace.read(row["payload"]) == left
    assert left.placed() == work.ShareExtend.read(json.loads(json.dumps(left.payload)))


async def test_a_waiting_removal_is_hastened_with_new_force(db: Database) -> None:
    calm, forced = (work.ShareDelete(share_id="s", instance_id="i", force=one) for one in (False, True))
    async with db.write() as conn:
        assert not await work.hasten(conn, calm)
        await work.enqueue(conn, calm, "node1@alpha", delay=60)
        assert not await work.hasten(conn, work.ShareDelete(share_id="s", instance_id="another"))
        assert await work.hasten(conn, forced)
        (row,) = await tasks.claim(conn, "me", ["node1@alpha"], 5, 30.0)
    assert work.ShareDelete.read(row["payload"]) == forced
