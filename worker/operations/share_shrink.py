"""Make a share smaller; quota is given back when it is."""

from __future__ import annotations

from db import driver_rows, share_changes, shares
from generated.errors import ShareShrinkingPossibleDataLoss
from generated.messages import Action, Detail
from services import share_quota
from services.messages import create_message
from worker.operation import Finished, Operation, Step, Work


async def cut(work: Work) -> None:
    """Let the driver shrink it."""
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.payload["instance_id"])
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    if share is None or share["status"] != "shrinking":
        raise Finished
    await work.driver.shrink_share(share, work.payload["size"], share_server=server)


async def record(work: Work) -> None:
    """Write the new size and give the difference back."""
    async with work.write() as conn:
        share = await shares.get(conn, work.payload["share_id"], lock=True)
        if share is None or not await shares.set_status(conn, work.payload["instance_id"], "available", ("shrinking",)):
            return
        less = share["size"] - work.payload["size"]
        deltas = {"gigabytes": less}
        if replicas := await share_changes.replicas(conn, share["id"]):
            deltas["replica_gigabytes"] = less * replicas
        await share_quota.give_back(conn, share, deltas)
        await shares.set_share(conn, share["id"], size=work.payload["size"])


async def failed(work: Work, error: Exception) -> None:
    """A driver that refuses or cannot shrink leaves the share usable, with a message; else the share is in error."""
    detail = None
    if isinstance(error, ShareShrinkingPossibleDataLoss):
        detail = Detail.DRIVER_REFUSED_SHRINK
    elif isinstance(error, NotImplementedError):
        detail = Detail.DRIVER_FAILED_SHRINK
    async with work.write() as conn:
        status = "available" if detail else "shrinking_error"
        share = await shares.get(conn, work.payload["share_id"], lock=True)
        if share is None or not await shares.set_status(conn, work.payload["instance_id"], status, ("shrinking",)):
            return
        if detail:
            await create_message(
                conn, Action.SHRINK, share["project_id"], resource_id=share["id"], detail=detail,
                request_id=work.task["request_id"], ttl=work.core.settings.default.message_ttl,
            )  # fmt: skip


OPERATION = Operation("share_shrink", (Step("cut", cut), Step("record", record)), failed)
