"""Tell a back end that a share belongs to another project; what it refuses is taken back."""

from __future__ import annotations

from db import driver_rows, shares
from generated.errors import DriverCannotTransferShareWithRules
from generated.messages import Action, Detail
from generated.runtime import Row
from services.transfers import take_back
from services.work import ShareTransfer
from worker.operation import Finished, Operation, Step, Work


async def hand_over(work: Work) -> None:
    """Let the driver adapt the share to its new project."""
    job = work.job(ShareTransfer)
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, job.instance_id)
        if share is None or share["project_id"] != job.project_id:
            raise Finished
        server = await driver_rows.server(conn, share["share_server_id"])
        rules = (await driver_rows.rules(conn, [share["id"]]))[share["id"]]
    await work.driver.transfer_accept(share, job.user_id, job.project_id, access_rules=rules, share_server=server)


async def failed(work: Work, error: Exception) -> None:
    """The share is its old owner's again and on offer, unless the new one has begun to work with it."""
    job = work.job(ShareTransfer)
    async with work.write() as conn:
        share = await shares.get(conn, job.share_id, lock=True)
        if share is None or not _still(share, job):
            return
        await take_back(conn, share, job.transfer_id, job.old_project_id, job.old_user_id)
        refused = isinstance(error, DriverCannotTransferShareWithRules)
        detail = Detail.DRIVER_FAILED_TRANSFER_ACCEPT if refused else Detail.UNKNOWN_ERROR
        await work.tell(conn, Action.TRANSFER_ACCEPT, job.project_id, share["id"], detail=detail)


def _still(share: Row, job: ShareTransfer) -> bool:
    return bool(share["project_id"] == job.project_id and share["status"] == "available")


OPERATION = Operation(ShareTransfer, (Step("hand_over", hand_over),), failed)
