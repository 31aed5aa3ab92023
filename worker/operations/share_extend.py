"""Make a share larger: ask the scheduler whether there is room, then the driver. Its quota was taken by the request."""

from __future__ import annotations

from db import driver_rows, placement, reports, shares, write
from db.connection import Conn
from generated.messages import Action, Detail
from scheduler.choose import passes
from scheduler.requests import of_growth, rules_of
from services import share_quota
from services.work import ShareExtend, ShareExtendPlace, enqueue
from worker import announce, placing
from worker.operation import Finished, Operation, Step, Work


async def place(work: Work) -> None:
    """Check that the pool has room for what is added, and hand the work to the back end."""
    job, settings = work.job(ShareExtendPlace), work.core.settings
    async with work.write() as conn:
        subject = await placement.subject(conn, job.instance_id)
        if subject is None or subject["status"] != "extending":
            raise Finished
        pools = await placing.pools_in_turn(conn, settings.default.service_down_time)
        decision = passes(pools, subject["host"], of_growth(subject, job.increase), rules_of(settings))
        if decision.host is None:
            reason = announce.not_there(job.share_id, subject["host"], decision.last_filter)
            await announce.unscheduled(work, conn, "extend_share", job.instance_id, {"status": "available"}, reason)
            await _refuse(work, conn, "available", decision.detail)
            return
        await reports.reserve(conn, subject["host"], job.increase)
        await enqueue(conn, job.placed(), subject["host"], request_id=work.task["request_id"])


async def _refuse(work: Work, conn: Conn, status: str, detail: Detail | None) -> None:
    """The share keeps its size, the quota is given back, and a message says why. Happens once: the status changes."""
    job = work.job(ShareExtend)
    share = await shares.get(conn, job.share_id, lock=True)
    if share is None or not await shares.set_status(conn, job.instance_id, status, ("extending",)):
        return
    deltas = {"gigabytes": job.increase}
    if job.replicas:
        deltas["replica_gigabytes"] = job.increase * job.replicas
    await share_quota.give_back(conn, share, deltas)
    await work.tell(conn, Action.EXTEND, share["project_id"], share["id"], detail=detail)


async def placing_failed(work: Work, error: Exception) -> None:
    """The share is as it was."""
    async with work.write() as conn:
        await _refuse(work, conn, "available", None)


async def grow(work: Work) -> None:
    """Let the driver grow it."""
    job = work.job(ShareExtend)
    async with work.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, job.instance_id)
    if share is None or share["status"] != "extending":
        raise Finished
    async with work.write() as conn:
        await announce.share(work, conn, "extend.start", share["id"])
    await work.driver.extend_share(share, job.size, share_server=server)


async def record(work: Work) -> None:
    """Write the new size."""
    job = work.job(ShareExtend)
    async with work.write() as conn:
        await write.hold_share(conn, job.instance_id)
        if await shares.set_status(conn, job.instance_id, "available", ("extending",)):
            await shares.set_share(conn, job.share_id, size=job.size)
            await announce.share(work, conn, "extend.end", job.instance_id, status="extending")


async def failed(work: Work, error: Exception) -> None:
    """The driver could not: an administrator must look at it."""
    async with work.write() as conn:
        await _refuse(work, conn, "extending_error", Detail.DRIVER_FAILED_EXTEND)


OPERATIONS = (
    Operation(ShareExtendPlace, (Step("place", place),), placing_failed),
    Operation(ShareExtend, (Step("grow", grow), Step("record", record)), failed),
)
