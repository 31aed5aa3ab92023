"""The later life of a share's migration: go on, complete, finish at the destination, cancel."""

from __future__ import annotations

from typing import Any

from db import export_locations, share_changes, shares, snapshot_instances
from db import migrations_of_shares as table
from db.connection import Conn, Row
from generated.columns import COLUMNS
from generated.errors import ShareMigrationFailed
from services import share_quota
from services.share_attributes import of_type
from services.share_migration import COPIED, IN_PROGRESS, PHASE1_DONE, quota_of
from services.work import (
    ShareMigrateCancel,
    ShareMigrateComplete,
    ShareMigrateContinue,
    ShareMigrateFinish,
    ShareMoving,
    enqueue,
)
from worker.migration import back_to_source, enforce, find, forget_instance, parties, remove_instance
from worker.operation import Finished, Operation, Step, Work
from worker.operations.share_migrate import driver_progress

COMPLETING, ERROR = "migration_completing", "migration_error"
COPY_FAILED, COPY_CANCELLED = "data_copying_error", "data_copying_cancelled"
_COPIES = (table.DESTINATION, "available")
_COMPLETABLE = (PHASE1_DONE, COPIED, COMPLETING, COPY_FAILED, COPY_CANCELLED)


# ---- go on


async def go_on(work: Work) -> None:
    """Let the driver go on, and note how far it is."""
    job = work.job(ShareMigrateContinue)
    both = await parties(work, job, (IN_PROGRESS,), job.destination_id)
    finished = await work.driver.migration_continue(*both.arguments)
    progress = {"total_progress": 100} if finished else await driver_progress(work, both.arguments)
    async with work.write() as conn:
        await find(conn, job, (IN_PROGRESS,), job.destination_id, lock=True)
        await table.set_progress(conn, job.share_id, progress)
        if finished:
            await table.set_task_state(conn, job.share_id, PHASE1_DONE)


async def go_on_failed(work: Work, error: Exception) -> None:
    """The share is where it was; the driver takes back what it has done."""
    job = work.job(ShareMigrateContinue)
    async with work.write() as conn:
        share = await table.state(conn, job.share_id, lock=True)
        if share is None or share["source"] is None or share["task_state"] != IN_PROGRESS:
            return
        await back_to_source(work, conn, share, ERROR)


# ---- complete


async def move(work: Work) -> None:
    """Let the driver cut over; a copy of the data service that did not succeed is removed."""
    job = work.job(ShareMigrateComplete)
    if job.copied:
        await _judge_copy(work, job)
        return
    async with work.write() as conn:
        await find(conn, job, (PHASE1_DONE, COMPLETING), job.destination_id, lock=True)
        await table.set_task_state(conn, job.share_id, COMPLETING)
    both = await parties(work, job, (COMPLETING,), job.destination_id)
    work.state["copies"] = both.copies
    work.state["updates"] = dict(await work.driver.migration_complete(*both.arguments) or {})


async def _judge_copy(work: Work, job: ShareMigrateComplete) -> None:
    async with work.write() as conn:
        share = await find(conn, job, (COPIED, COMPLETING, COPY_FAILED, COPY_CANCELLED), job.destination_id, lock=True)
        well = share["task_state"] in (COPIED, COMPLETING)
        if well:
            await table.set_task_state(conn, job.share_id, COMPLETING)
        else:
            state = "migration_cancelled" if share["task_state"] == COPY_CANCELLED else ERROR
            await back_to_source(work, conn, share, state, remove=False)
    if not well:
        raise Finished
    work.state |= {"copies": {}, "updates": {}}


async def hand_over(work: Work) -> None:
    """Write what the driver made, queue the rules on the destination, and let its back end finish."""
    job = work.job(ShareMigrateComplete)
    updates = work.state["updates"]
    async with work.write() as conn:
        share = await find(conn, job, (COMPLETING,), job.destination_id, lock=True)
        if updates.get("export_locations"):
            await export_locations.write(conn, job.destination_id, [dict(one) for one in updates["export_locations"]])
        await _write_snapshots(conn, share, work.state["copies"], updates.get("snapshot_updates") or {})
        await table.copy_rules(conn, job.share_id, job.destination_id)
        finish = ShareMigrateFinish(
            share_id=job.share_id, instance_id=job.instance_id, destination_id=job.destination_id, copied=job.copied
        )
        await enqueue(conn, finish, share["destination"]["host"], request_id=work.task["request_id"])


async def _write_snapshots(conn: Conn, share: Row, copies: Row, updates: Row) -> None:
    share_type = await share_changes.share_type(conn, share["destination"]["share_type_id"])
    mountable = of_type(share_type)["mount_snapshot_support"]
    for copy in copies.values():
        found = dict(updates.get(copy["id"]) or {})
        paths = found.pop("export_locations", [])
        values = {name: found[name] for name in ("provider_location",) if name in found}
        await snapshot_instances.change(
            conn, copy["id"], {**values, "status": "available", "progress": "100%"}, _COPIES
        )
        if mountable:
            await snapshot_instances.set_locations(conn, copy["id"], paths)


async def complete_failed(work: Work, error: Exception) -> None:
    """Nobody knows where the data is: both instances are in error. A copy is removed, and the share is where it was."""
    job = work.job(ShareMoving)
    async with work.write() as conn:
        share = await table.state(conn, job.share_id, lock=True)
        if share is None or share["source"] is None or share["task_state"] not in _COMPLETABLE:
            return
        if work.payload.get("copied"):
            await back_to_source(work, conn, share, ERROR, remove=False)
            return
        both = [one["id"] for one in (share["source"], share["destination"]) if one is not None]
        for one in both:
            await table.set_instance_status(conn, one, "error", (table.SOURCE, table.DESTINATION))
        for one in reversed(both):  # of snapshots in error the one changed last speaks last
            await table.set_snapshots(conn, [one], "error", (table.SOURCE, table.DESTINATION))
        await table.set_task_state(conn, job.share_id, ERROR)


# ---- at the destination


async def let_in(work: Work) -> None:
    """Enforce the share's rules on the destination. Raises ShareMigrationFailed: one of them ended in error."""
    job = work.job(ShareMigrateFinish)
    async with work.core.db.read() as conn:
        await find(conn, job, (COMPLETING,), job.destination_id)
    if not await enforce(work, job.destination_id):
        raise ShareMigrationFailed(reason="the destination refused an access rule")


async def swap(work: Work) -> None:
    """The destination is the share; the source goes, from its back end too if the data was copied."""
    job = work.job(ShareMigrateFinish)
    async with work.write() as conn:
        share = await find(conn, job, (COMPLETING,), job.destination_id, lock=True)
        source, destination = share["source"], share["destination"]
        share_type = await share_changes.share_type(conn, destination["share_type_id"])
        attributes = of_type(share_type)
        values: dict[str, Any] = {"progress": "100%"}
        if attributes["replication_type"]:
            values["replica_state"] = "active"
        await table.set_instance_status(conn, destination["id"], "available", (table.DESTINATION,), **values)
        await table.set_instance_status(conn, source["id"], "inactive", (table.SOURCE,), replica_state=None)
        if job.copied:
            await remove_instance(work, conn, share["id"], {**source, "status": "inactive"})
        else:
            await forget_instance(work, conn, source)
        await _move_quota(conn, share, attributes["replication_type"])
        kept = {name: value for name, value in attributes.items() if name in COLUMNS["shares"]}
        await shares.set_share(conn, share["id"], task_state="migration_success", **kept)
        await table.forget_progress(conn, share["id"])


async def _move_quota(conn: Conn, share: Row, replication_type: str | None) -> None:
    """What a new type took is kept, what the old type took is given back."""
    source, destination = share["source"], share["destination"]
    if source["share_type_id"] != destination["share_type_id"]:
        await share_quota.give_back(
            conn,
            {**share, "share_type_id": source["share_type_id"]},
            quota_of(share["size"], share["replication_type"]),
        )


# ---- cancel


async def stop(work: Work) -> None:
    """Let the driver take back what it has done; what the data service copied is only rows and a share to remove."""
    job = work.job(ShareMigrateCancel)
    both = await parties(work, job, (IN_PROGRESS, PHASE1_DONE, COPIED), job.destination_id)
    if both.share["task_state"] != COPIED:
        await work.driver.migration_cancel(*both.arguments)


async def put_back(work: Work) -> None:
    """The share is where it was."""
    job = work.job(ShareMigrateCancel)
    async with work.write() as conn:
        share = await find(conn, job, (IN_PROGRESS, PHASE1_DONE, COPIED), job.destination_id, lock=True)
        copied = share["task_state"] == COPIED
        await back_to_source(work, conn, share, "migration_cancelled", remove=not copied)


async def cancel_failed(work: Work, error: Exception) -> None:
    """The migration goes on as it was; it may be cancelled again."""


OPERATIONS = (
    Operation(ShareMigrateContinue, (Step("go_on", go_on),), go_on_failed),
    Operation(ShareMigrateComplete, (Step("move", move), Step("hand_over", hand_over)), complete_failed),
    Operation(ShareMigrateFinish, (Step("let_in", let_in), Step("swap", swap)), complete_failed),
    Operation(ShareMigrateCancel, (Step("stop", stop), Step("put_back", put_back)), cancel_failed),
)
