"""Let go of a share: the driver is told, its rows go, what is on the back end stays."""

from __future__ import annotations

from db import driver_rows, manage, shares
from generated.runtime import Row
from services.share_changes import forget
from services.work import ShareUnmanage
from worker.operation import Finished, Operation, Step, Work
from worker.operations.access_update import remove_all

STARTING = ("unmanage_starting", "manage_error_unmanage_starting")


async def _share(work: Work) -> tuple[Row, Row | None]:
    async with work.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, work.job(ShareUnmanage).instance_id)
    if share is None or share["status"] not in STARTING:
        raise Finished
    return share, server


async def let_go(work: Work) -> None:
    """Tell the driver; it may refuse."""
    share, server = await _share(work)
    if work.driver.driver_handles_share_servers:
        await work.driver.unmanage_with_server(share, server)
    else:
        await work.driver.unmanage(share)


async def cut(work: Work) -> None:
    """Take all access away, if the back end's option ``unmanage_remove_access_rules`` says so."""
    share, server = await _share(work)
    if work.on_backend.section.unmanage_remove_access_rules:
        await remove_all(work, share, server)


async def remove(work: Work) -> None:
    """Remove the rows and give the quota back; the share's server is kept until somebody removes it."""
    share, server = await _share(work)
    async with work.write() as conn:
        if server is not None:
            await manage.keep_server(conn, server["id"])
        await forget(conn, share["id"])


async def failed(work: Work, error: Exception) -> None:
    """The share stays, in ``unmanage_error``; it may be let go again."""
    async with work.write() as conn:
        await shares.set_status(conn, work.job(ShareUnmanage).instance_id, "unmanage_error", STARTING)


OPERATION = Operation(ShareUnmanage, (Step("let_go", let_go), Step("cut", cut), Step("remove", remove)), failed)
