"""Take over a share that exists on a back end: the scheduler checks its pool, then the driver finds it."""

from __future__ import annotations

from db import (
    driver_rows,
    export_locations,
    manage,
    metadata,
    placement,
    quotas,
    reports,
    share_changes,
    shares,
    write,
    zones,
)
from db.connection import Conn
from generated.errors import InvalidShare, ManageInvalidShare
from generated.runtime import Row
from scheduler.choose import passes
from scheduler.pools import pools_of
from scheduler.requests import of_managed, rules_of
from services.shares import check_size_of_type
from services.work import ShareManage, ShareManagePlace, enqueue
from worker import announce
from worker.operation import Finished, Operation, Step, Work

STARTING = ("manage_starting",)


async def place(work: Work) -> None:
    """Check that the pool would take such a share, and hand it to its back end."""
    job, settings = work.job(ShareManagePlace), work.core.settings
    async with work.write() as conn:
        subject = await placement.subject(conn, job.instance_id)
        if subject is None or subject["status"] not in STARTING:
            raise Finished
        pools = pools_of(await reports.backends(conn, settings.default.service_down_time))
        decision = passes(pools, subject["host"], of_managed(subject), rules_of(settings))
        if decision.host is None:
            reason = announce.not_there(subject["share_id"], subject["host"], decision.last_filter)
            state = {"status": "manage_error", "size": 0}
            await announce.unscheduled(work, conn, "manage_share", job.instance_id, state, reason)
            await _fail(conn, job)
            return
        await enqueue(conn, job.placed(), subject["host"], request_id=work.task["request_id"])


async def _share(work: Work) -> Row:
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.job(ShareManage).instance_id)
    if share is None or share["status"] not in STARTING:
        raise Finished
    return share


async def note(work: Work) -> None:
    """Write down since when it is managed."""
    share = await _share(work)
    async with work.write() as conn:
        row = await shares.get(conn, share["share_id"])
        assert row is not None
        moment = str(row["created_at"]).replace("T", " ")
        await metadata.put(conn, metadata.SHARE, share["share_id"], {manage.MANAGED_AT: moment})


async def take_over(work: Work) -> None:
    """Let the driver find it. Raises ManageInvalidShare, InvalidShare, InvalidInput or what the driver raises."""
    share = await _share(work)
    servers = work.driver.driver_handles_share_servers
    if servers != bool(share["share_server_id"]):
        raise ManageInvalidShare(reason="the share's type does not go with the back end's mode")
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, share["share_server_id"])
        share_type = await share_changes.share_type(conn, share["share_type_id"])
    options = work.job(ShareManage).driver_options
    if servers:
        found = await work.driver.manage_existing_with_server(share, options, server)
    else:
        found = await work.driver.manage_existing(share, options)
    size = (found or {}).get("size")
    if not size:
        raise InvalidShare(reason="Driver cannot calculate share size.")
    check_size_of_type(share_type, int(size), "create")
    work.state["found"] = {**found, "size": int(size)}


async def record(work: Work) -> None:
    """Show it, and count it: what exists counts even beyond a limit."""
    found: Row = work.state["found"]
    async with work.write() as conn:
        share = await shares.get(conn, work.job(ShareManage).share_id, lock=True)
        instance_id = work.job(ShareManage).instance_id
        if share is None or not await shares.set_status(conn, instance_id, "available", STARTING):
            raise Finished
        deltas = {"shares": 1, "gigabytes": found["size"]}
        values: Row = {}
        if share["replication_type"]:
            deltas |= {"share_replicas": 1, "replica_gigabytes": found["size"]}
            values["replica_state"] = "active"
        await quotas.reserve(conn, share["project_id"], share["user_id"], deltas, None, share["share_type_id"])
        await manage.set_size(conn, share["id"], found["size"])
        zone = await zones.find(conn, work.core.settings.default.storage_availability_zone)
        if zone is not None:
            values["availability_zone_id"] = zone["id"]
        await shares.set_instance(conn, instance_id, touch=("launched_at",), **values)
        if "export_locations" in found:
            await export_locations.write(conn, instance_id, [dict(one) for one in found["export_locations"]])


async def failed(work: Work, error: Exception) -> None:
    """``manage_error`` and no size, so that it is never counted."""
    async with work.write() as conn:
        await _fail(conn, work.job(ShareManage))


async def _fail(conn: Conn, job: ShareManage) -> None:
    await write.hold_share(conn, job.instance_id)
    if await shares.set_status(conn, job.instance_id, "manage_error", STARTING):
        await manage.set_size(conn, job.share_id, 0)


OPERATIONS = (
    Operation(ShareManagePlace, (Step("place", place),), failed),
    Operation(ShareManage, (Step("note", note), Step("take_over", take_over), Step("record", record)), failed),
)
