"""Forget a share server: the driver lets go of it, its rows are removed, its ports and exports stay."""

from __future__ import annotations

from db import driver_rows, network_allocations, share_servers, write
from services.work import ServerUnmanage
from worker.operation import Finished, Operation, Step, Work
from worker.server_setup import security_services_of


async def let_go(work: Work) -> None:
    """Tell the driver; one that can't is passed over with ``force`` only."""
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, work.job(ServerUnmanage).server_id)
    if server is None:
        raise Finished
    details = server["backend_details"]
    try:
        await work.driver.unmanage_server(details, security_services_of(details))
    except NotImplementedError:
        if not work.job(ServerUnmanage).force:
            raise


async def remove(work: Work) -> None:
    """Remove the rows."""
    server_id = work.job(ServerUnmanage).server_id
    async with work.write() as conn:
        have = await network_allocations.of_server(conn, server_id)
        await write.lock(conn, "share_servers", server_id)
        await network_allocations.remove(conn, [one["id"] for one in have])
        await share_servers.remove(conn, server_id)


async def failed(work: Work, error: Exception) -> None:
    """The server stays, in ``unmanage_error``."""
    async with work.write() as conn:
        await share_servers.set_status(conn, work.job(ServerUnmanage).server_id, "unmanage_error")


OPERATION = Operation(ServerUnmanage, steps=(Step("let_go", let_go), Step("remove", remove)), failed=failed)
