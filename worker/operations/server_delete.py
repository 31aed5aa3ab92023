"""Remove a share server: its ports, what the driver made, its rows."""

from __future__ import annotations

import contextlib

from db import driver_rows, encryption, share_servers, subnets, write
from db.connection import Row
from generated.errors import StorageResourceNotFound
from services.work import ServerDelete
from worker import keys, servers
from worker.operation import Finished, Operation, Step, Work
from worker.server_setup import security_services_of


async def claim(work: Work) -> None:
    """Nothing may be put on the server from now; one that is used or gone is left alone."""
    server = await _server(work)
    subnet_ids = server["share_network_subnet_ids"]
    async with work.write() as conn:
        await share_servers.lock_subnet(conn, subnet_ids[0] if subnet_ids else None)
        await write.lock(conn, "share_servers", server["id"])
        if any(await share_servers.in_use(conn, server["id"])):
            raise Finished
        await share_servers.set_status(conn, server["id"], "deleting")


async def release(work: Work) -> None:
    """Give the ports back, also those that nobody wrote down while the subnet is known."""
    server = await _server(work)
    async with work.core.db.read() as conn:
        on = await subnets.of_server(conn, server["id"])
    await servers.release(work, server["id"], on[0] if on else None)


async def tear_down(work: Work) -> None:
    """Let the driver remove what it made; what is not there is removed."""
    server = await _server(work)
    details: dict[str, str] = server["backend_details"]
    await keys.give_up(work, server)
    with contextlib.suppress(StorageResourceNotFound):
        await work.driver.teardown_server(details, security_services_of(details))


async def remove(work: Work) -> None:
    """Remove the rows."""
    server_id = work.job(ServerDelete).server_id
    async with work.write() as conn:
        await share_servers.remove(conn, server_id)
        await encryption.drop(conn, server_id=server_id)


async def failed(work: Work, error: Exception) -> None:
    """The server stays, in ``error``; it may be removed again."""
    async with work.write() as conn:
        await share_servers.set_status(conn, work.job(ServerDelete).server_id, "error")


async def _server(work: Work) -> Row:
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, work.job(ServerDelete).server_id)
    if server is None:
        raise Finished
    return server


OPERATION = Operation(
    ServerDelete,
    steps=(
        Step("claim", claim),
        Step("release", release),
        Step("tear_down", tear_down),
        Step("remove", remove),
    ),
    failed=failed,
)
