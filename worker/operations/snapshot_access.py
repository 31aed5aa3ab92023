"""Make a back end enforce the access rules of a mountable snapshot, as ``access_update`` does for shares.

A back end that has to copy the snapshot first is asked again by another task, so that the share is not kept waiting.
"""

from __future__ import annotations

from collections.abc import Mapping

import structlog

from db import driver_rows, snapshot_access, tasks
from drivers.base import RuleUpdate, Unfinished
from generated.errors import StorageResourceNotFound
from generated.runtime import Row
from services.work import SnapshotAccess, enqueue
from worker.operation import Finished, Operation, Step, Work

LOG = structlog.get_logger("worker")
PAUSE = 5.0
"""Seconds until a back end that copies a snapshot is asked again."""


async def take_up(work: Work) -> None:
    """Queued rules become ``applying`` or ``denying``."""
    async with work.write() as conn:
        work.state["rules"] = rules = await snapshot_access.mark(conn, work.job(SnapshotAccess).snapshot_instance_id)
    if all(rule["state"] == "active" for rule in rules):
        raise Finished


async def enforce(work: Work) -> None:
    """Let the driver apply them."""
    async with work.core.db.read() as conn:
        snapshot = await driver_rows.snapshot(conn, work.job(SnapshotAccess).snapshot_instance_id)
        share = None if snapshot is None else snapshot["share"]
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    if snapshot is None or share is None:
        raise Finished
    try:
        found = await _update(work, snapshot, server, work.state["rules"])
    except StorageResourceNotFound:
        # what is to go has gone; the others are asked for without it
        left = [rule for rule in work.state["rules"] if rule["state"] != "denying"]
        if len(left) == len(work.state["rules"]):
            raise
        adding = any(rule["state"] == "applying" for rule in left)
        found = await _update(work, snapshot, server, left) if adding else {}
    except Unfinished as error:
        await _later(work, error)
        raise Finished from None
    work.state["results"] = found or {}


async def _later(work: Work, error: Unfinished) -> None:
    """Ask again by another task: this one would keep all that is asked of the share after it."""
    job, task = work.job(SnapshotAccess), work.task
    LOG.info("rules of a snapshot wait", snapshot=job.snapshot_id, why=str(error))
    async with work.write() as conn:
        if not await tasks.later(conn, task, [job.KIND], "snapshot_instance_id"):
            await enqueue(conn, job, task["queue"], request_id=task["request_id"], delay=PAUSE)


async def _update(work: Work, snapshot: Row, server: Row | None, rules: list[Row]) -> Mapping[str, RuleUpdate] | None:
    by_state = {state: [rule for rule in rules if rule["state"] == state] for state in ("applying", "denying")}
    return await work.driver.snapshot_update_access(
        snapshot,
        [rule for rule in rules if rule["state"] != "denying"],
        by_state["applying"],
        by_state["denying"],
        share_server=server,
    )


async def record(work: Work) -> None:
    """Write what came of it."""
    async with work.write() as conn:
        await snapshot_access.settle(conn, work.job(SnapshotAccess).snapshot_instance_id, work.state["results"])


async def failed(work: Work, error: Exception) -> None:
    """The changes taken up end in error."""
    async with work.write() as conn:
        await snapshot_access.fail(conn, work.job(SnapshotAccess).snapshot_instance_id)


OPERATION = Operation(
    SnapshotAccess, (Step("take_up", take_up), Step("enforce", enforce), Step("record", record)), failed
)
