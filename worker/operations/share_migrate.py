"""Begin to move a share: ask the scheduler, write the instance that will be filled, and let the driver start.

A chain over queues: the scheduler, the back end that the share leaves, for a share with a server the back end that it
goes to, and the first one again. When the driver can't, the data service may (``share_migrate_host``).
"""

from __future__ import annotations

from typing import Any

from db import driver_rows, placement, reports, share_changes, share_create
from db import migrations_of_shares as table
from db.connection import Conn, Row
from generated.errors import ShareMigrationFailed
from scheduler.choose import Decision, passes
from scheduler.requests import of_move, rules_of
from services.work import (
    ShareMigrate,
    ShareMigrateHost,
    ShareMigrateMake,
    ShareMigratePlace,
    ShareMigrateServe,
    ShareMigrateStart,
    ShareMove,
    enqueue,
)
from worker import ahead, announce, placing
from worker.migration import STARTING, back_to_source, cast_to_readonly, charge_of, find, forget_instance, parties
from worker.operation import Operation, Step, Work
from worker.servers import address_server, choose_server, ensure_server

SCHEDULED = ("migration_starting",)
DRIVER_STARTING, IN_PROGRESS = "migration_driver_starting", "migration_driver_in_progress"
CONDITIONS = (
    ("nondisruptive", "perform a non-disruptive migration"),
    ("preserve_metadata", "preserve all metadata"),
    ("writable", "keep the share writable"),
    ("preserve_snapshots", "preserve snapshots"),
)


async def place(work: Work) -> None:
    """Check that the pool passes the filters, and hand the share to its back end; or leave it where it is."""
    job, settings = work.job(ShareMigratePlace), work.core.settings
    async with work.write() as conn:
        pools = await placing.pools_in_turn(conn, settings.default.service_down_time)
        share = await find(conn, job, SCHEDULED, lock=True)
        subject = await placement.subject(conn, job.instance_id)
        share_type = await share_changes.share_type(conn, job.share_type_id)
        decision = Decision(None)
        if subject is not None and share_type is not None:
            request = await of_move(conn, subject, share_type["extra_specs"])
            decision = passes(pools, job.host, request, rules_of(settings))
        if decision.host is None:
            await back_to_source(work, conn, share, "migration_error")
            reason = announce.not_there(job.share_id, job.host, decision.last_filter)
            state = {"task_state": "migration_error"}
            await announce.unscheduled(work, conn, "migrate_share_to_host", job.instance_id, state, reason)
            return
        await reports.reserve(conn, job.host, share["size"])
        await enqueue(conn, job.next(ShareMigrate), share["source"]["host"], request_id=work.task["request_id"])
        await ahead.passed_on(work, conn)


async def placing_failed(work: Work, error: Exception) -> None:
    """The share is as it was."""
    job = work.job(ShareMigratePlace)
    async with work.write() as conn:
        share = await table.state(conn, job.share_id, lock=True)
        if share is not None and share["source"] is not None:
            await back_to_source(work, conn, share, "migration_error")


# ---- the back end that the share leaves


async def prepare(work: Work) -> None:
    """Write the instance that will be filled, once, which counts in its type from then on, and hand on."""
    job = work.job(ShareMigrate)
    async with work.write() as conn:
        share = await find(conn, job, STARTING, lock=True)
        if share["destination"] is not None:
            return
        await table.set_task_state(conn, share["id"], "migration_in_progress")
        request = work.task["request_id"]
        await ahead.passed_on(work, conn)
        if job.force_host:
            await enqueue(conn, job.next(ShareMigrateHost), share["source"]["host"], request_id=request)
            return
        server_id = share["source"]["share_server_id"] if job.share_network_id and job.nondisruptive else None
        destination_id = await write_destination(conn, job, share_server_id=server_id)
        if job.share_network_id and not job.nondisruptive:
            serve = job.next(ShareMigrateServe, destination_id=destination_id, ahead=None)
            await enqueue(conn, serve, job.host, request_id=request)
        else:
            start = job.next(ShareMigrateStart, destination_id=destination_id, ahead=None)
            await enqueue(conn, start, share["source"]["host"], request_id=request)


async def write_destination(conn: Conn, job: ShareMove, **more: Any) -> str:
    """The row of the instance that will be filled; its id."""
    share_type = await share_changes.share_type(conn, job.share_type_id)
    qos_type = (share_type or {}).get("extra_specs", {}).get("default_qos_type")
    values = {
        "host": job.host,
        "status": table.DESTINATION,
        "share_network_id": job.share_network_id,
        "share_type_id": job.share_type_id,
        "availability_zone_id": job.zone_id,
        "qos_type_id": await share_create.qos_type_id(conn, qos_type) if qos_type else None,
        **more,
    }
    return await table.add_destination(conn, job.share_id, values)


async def without_driver(work: Work, error: Exception) -> None:
    """The destination goes; the data service is asked in the driver's place. Happens once: the destination goes."""
    job = work.job(ShareMove)
    destination_id, taken = work.payload.get("destination_id"), job.ahead
    async with work.write() as conn:
        share = await table.state(conn, job.share_id, lock=True)
        if share is None or share["source"] is None or share["task_state"] not in STARTING:
            return
        if share["destination"] is not None:
            if share["destination"]["id"] != destination_id:
                return
            taken = await charge_of(conn, share)
            await forget_instance(work, conn, share["destination"])
        await table.set_snapshots(conn, [share["source"]["id"]], "available", (table.SOURCE,))
        await ahead.passed_on(work, conn)
        host_job = job.next(ShareMigrateHost, ahead=taken)
        await enqueue(conn, host_job, share["source"]["host"], request_id=work.task["request_id"])


# ---- the back end that it goes to


async def _destination(work: Work, job: ShareMigrateServe | ShareMigrateMake) -> Row:
    async with work.core.db.read() as conn:
        await find(conn, job, STARTING, job.destination_id)
        found = await driver_rows.share(conn, job.destination_id)
    assert found is not None
    return found


async def choose(work: Work) -> None:
    """Put the destination on a share server, a new row if none fits."""
    job = work.job(ShareMigrateServe)
    await choose_server(work, job.share_network_id, await _destination(work, job))


async def address(work: Work) -> None:
    """Give a new share server its addresses."""
    job = work.job(ShareMigrateServe)
    await address_server(work, job.share_network_id, await _destination(work, job))


async def serve(work: Work) -> None:
    """Have the share server ready, and hand back."""
    job = work.job(ShareMigrateServe)
    await ensure_server(work, job.share_network_id, await _destination(work, job))
    async with work.write() as conn:
        share = await find(conn, job, STARTING, job.destination_id, lock=True)
        await enqueue(
            conn, job.next(ShareMigrateStart, destination_id=job.destination_id), share["source"]["host"],
            request_id=work.task["request_id"],
        )  # fmt: skip


# ---- the driver


async def check(work: Work) -> None:
    """Ask the driver what it can, and compare with what the request demands. Raises ShareMigrationFailed."""
    job = work.job(ShareMigrateStart)
    both = await parties(work, job, STARTING, job.destination_id)
    try:
        able = await work.driver.migration_check_compatibility(
            both.source, both.destination, both.source_server, both.destination_server
        )
    except NotImplementedError:
        able = {}
    if not able.get("compatible"):
        raise ShareMigrationFailed(reason=f"the driver cannot move the share to {job.host}")
    for name, text in CONDITIONS:
        if getattr(job, name) and not able.get(name):
            raise ShareMigrationFailed(reason=f"the driver cannot {text}")
    async with work.core.db.read() as conn:
        statuses = await table.snapshot_statuses(conn, job.share_id)
    if able.get("preserve_snapshots"):
        if any(status not in ("available", table.SOURCE) for status in statuses):
            raise ShareMigrationFailed(reason="the share has snapshots that are not available")
    elif statuses:
        raise ShareMigrationFailed(reason="the share has snapshots and the driver cannot preserve them")
    work.state["able"] = able


async def copy_snapshots(work: Work) -> None:
    """Write the copies of the snapshots that the driver will fill."""
    job = work.job(ShareMigrateStart)
    if not work.state["able"].get("preserve_snapshots"):
        return
    async with work.write() as conn:
        share = await find(conn, job, STARTING, job.destination_id, lock=True)
        await table.copy_snapshots(conn, share["source"]["id"], job.destination_id)


async def protect(work: Work) -> None:
    """Unless the driver keeps it writable, clients may only read from now."""
    job = work.job(ShareMigrateStart)
    if not work.state["able"].get("writable"):
        await cast_to_readonly(work, job.instance_id)


async def start(work: Work) -> None:
    """Let the driver begin."""
    job = work.job(ShareMigrateStart)
    async with work.write() as conn:
        await find(conn, job, STARTING, job.destination_id, lock=True)
        await table.set_task_state(conn, job.share_id, DRIVER_STARTING)
    both = await parties(work, job, STARTING, job.destination_id)
    await work.driver.migration_start(*both.arguments)
    work.state["progress"] = await driver_progress(work, both.arguments)


async def driver_progress(work: Work, arguments: tuple[Any, ...]) -> Row:
    """What the driver says about how far it is; one that can't say it is at the beginning."""
    try:
        return dict(await work.driver.migration_get_progress(*arguments) or {})
    except NotImplementedError:
        return {"total_progress": 0}


async def record(work: Work) -> None:
    """The driver is at work."""
    job = work.job(ShareMigrateStart)
    async with work.write() as conn:
        await find(conn, job, STARTING, job.destination_id, lock=True)
        await table.set_progress(conn, job.share_id, work.state["progress"])
        await table.set_task_state(conn, job.share_id, IN_PROGRESS)


OPERATIONS = (
    Operation(ShareMigratePlace, (Step("place", place),), placing_failed),
    Operation(ShareMigrate, (Step("prepare", prepare),), without_driver),
    Operation(
        ShareMigrateServe,
        (Step("choose_server", choose), Step("address_server", address), Step("set_up_server", serve)),
        without_driver,
    ),
    Operation(
        ShareMigrateStart,
        (
            Step("check", check),
            Step("copy_snapshots", copy_snapshots),
            Step("protect", protect),
            Step("start", start),
            Step("record", record),
        ),
        without_driver,
    ),
)
