"""Choose a pool for a new share. The size counts on the pool from the decision on, in the same transaction."""

from __future__ import annotations

from db import reports, shares
from db.connection import Conn
from generated.errors import InvalidParameterValue, WillNotSchedule
from generated.messages import Action, Detail
from scheduler.choose import Decision, choose
from scheduler.requests import of_new_share, rules_of
from services.work import SharePlace, enqueue
from worker import announce, placing
from worker.operation import Operation, Step, Work


async def place(work: Work) -> None:
    """Decide, note the decision and hand the share to its back end; or leave it in error with a message."""
    job, settings = work.job(SharePlace), work.core.settings
    async with work.write() as conn:
        subject = await placing.waiting(conn, job.instance_id)
        pools = await placing.pools_in_turn(conn, settings.default.service_down_time, job.only_host)
        decision = choose(pools, await of_new_share(conn, subject, job, pools), rules_of(settings))
        if decision.host is None:
            await _refuse(work, conn, decision)
            return
        await reports.place(conn, job.instance_id, decision.host)
        await enqueue(conn, job.placed(), decision.host, request_id=work.task["request_id"])


async def _refuse(work: Work, conn: Conn, decision: Decision) -> None:
    """No pool: the share is in error, and a message says which filter left none."""
    job, reason = work.job(SharePlace), announce.no_host(decision.last_filter)
    await announce.unscheduled(
        work, conn, "create_share", job.instance_id, {"status": "error"}, reason, wanted=job.payload
    )
    nobody = decision.detail is Detail.SHARE_BACKEND_NOT_READY_YET
    await _fail(work, conn, Action.CREATE if nobody else Action.ALLOCATE_HOST, decision.detail)


async def _fail(work: Work, conn: Conn, action: Action | None, detail: Detail | None) -> None:
    job = work.job(SharePlace)
    await shares.set_status(conn, job.instance_id, "error", ("creating",))
    if action is not None:
        await work.tell(conn, action, job.project_id, job.share_id, detail=detail)


async def failed(work: Work, error: Exception) -> None:
    """Error; a missing share type has a message of its own."""
    no_type = isinstance(error, InvalidParameterValue) and not isinstance(error, WillNotSchedule)
    async with work.write() as conn:
        await _fail(work, conn, Action.CREATE if no_type else None, Detail.NO_DEFAULT_SHARE_TYPE if no_type else None)


OPERATION = Operation(SharePlace, (Step("place", place),), failed)
