"""Make a share larger: ask the scheduler whether there is room, then the driver. Its quota was taken by the request.

An administrator may give the share another status meanwhile, or remove it: what the driver has grown is written all the
same, and otherwise the quota is given back. A newer request takes the place of one that has not begun.
"""

from __future__ import annotations

from db import driver_rows, placement, reports, shares, tasks
from db.connection import Conn
from generated.messages import Action, Detail
from scheduler.choose import passes
from scheduler.requests import of_growth, rules_of
from services.shares import DEFERRED
from services.work import ShareExtend, ShareExtendPlace, enqueue
from worker import ahead, announce, placing
from worker.operation import Finished, Operation, Step, Work


async def _superseded(work: Work, conn: Conn) -> bool:
    """Whether the share's status is that of a newer request."""
    return await tasks.later(conn, work.task, (ShareExtendPlace.KIND, ShareExtend.KIND))


async def place(work: Work) -> None:
    """Check that the pool has room for what is added, and hand the work to the back end."""
    job, settings = work.job(ShareExtendPlace), work.core.settings
    async with work.write() as conn:
        subject = await placement.subject(conn, job.instance_id)
        if subject is None or subject["status"] != "extending" or await _superseded(work, conn):
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
        await ahead.passed_on(work, conn)


async def _refuse(work: Work, conn: Conn, status: str, detail: Detail | None) -> None:
    """The share keeps its size, the quota is given back, and a message says why."""
    job = work.job(ShareExtend)
    share = await shares.get(conn, job.share_id, lock=True)
    newer = await _superseded(work, conn)
    if share is not None and not newer and await shares.set_status(conn, job.instance_id, status, ("extending",)):
        await work.tell(conn, Action.EXTEND, share["project_id"], share["id"], detail=detail)
    await ahead.give_back(work, conn)


async def placing_failed(work: Work, error: Exception) -> None:
    """The share is as it was."""
    async with work.write() as conn:
        await _refuse(work, conn, "available", None)


async def grow(work: Work) -> None:
    """Let the driver grow it."""
    job = work.job(ShareExtend)
    async with work.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, job.instance_id)
        newer = await _superseded(work, conn)
    if share is None or share["status"] in DEFERRED:
        raise Finished
    if not job.begun and (newer or share["status"] != "extending"):
        raise Finished
    async with work.write() as conn:
        await work.remember(conn, begun=True)
        await announce.share(work, conn, "extend.start", share["id"])
    await work.driver.extend_share(share, job.size, share_server=server)


async def record(work: Work) -> None:
    """Write the new size, which counts from now; whatever status the share has."""
    job = work.job(ShareExtend)
    async with work.write() as conn:
        share = await shares.get(conn, job.share_id, lock=True)
        if share is None:
            return
        if not await _superseded(work, conn):
            await shares.set_status(conn, job.instance_id, "available", ("extending",))
        await ahead.settle(work, conn, job.share_id, job.size)
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
