"""Make a share smaller; quota is given back when it is."""

from __future__ import annotations

from db import driver_rows, shares
from generated.errors import ShareShrinkingPossibleDataLoss
from generated.messages import Action, Detail
from services import share_quota
from services.work import ShareShrink
from worker import announce
from worker.operation import Finished, Operation, Step, Work


async def cut(work: Work) -> None:
    """Let the driver shrink it."""
    job = work.job(ShareShrink)
    async with work.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, job.instance_id)
    if share is None or share["status"] != "shrinking":
        raise Finished
    async with work.write() as conn:
        await announce.share(work, conn, "shrink.start", share["id"])
    await work.driver.shrink_share(share, job.size, share_server=server)


async def record(work: Work) -> None:
    """Write the new size and give the difference back."""
    job = work.job(ShareShrink)
    async with work.write() as conn:
        share = await shares.get(conn, job.share_id, lock=True)
        if share is None or not await shares.set_status(conn, job.instance_id, "available", ("shrinking",)):
            return
        await share_quota.settle(conn, share["id"], job.size, None)
        await shares.set_share(conn, share["id"], size=job.size)
        await announce.share(work, conn, "shrink.end", job.instance_id, status="shrinking")


async def failed(work: Work, error: Exception) -> None:
    """A driver that refuses or cannot shrink leaves the share usable, with a message; else the share is in error."""
    job, detail = work.job(ShareShrink), None
    if isinstance(error, ShareShrinkingPossibleDataLoss):
        detail = Detail.DRIVER_REFUSED_SHRINK
    elif isinstance(error, NotImplementedError):
        detail = Detail.DRIVER_FAILED_SHRINK
    async with work.write() as conn:
        status = "available" if detail else "shrinking_error"
        share = await shares.get(conn, job.share_id, lock=True)
        if share is None or not await shares.set_status(conn, job.instance_id, status, ("shrinking",)):
            return
        if detail:
            await work.tell(conn, Action.SHRINK, share["project_id"], share["id"], detail=detail)


OPERATION = Operation(ShareShrink, (Step("cut", cut), Step("record", record)), failed)
