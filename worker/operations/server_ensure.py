"""Make a share server run again whose gateway is gone or was changed."""

from __future__ import annotations

import structlog

from db import driver_rows
from services.work import ServerEnsure
from worker.operation import Operation, Step, Work

LOG = structlog.get_logger("share")


async def ensure(work: Work) -> None:
    """Let the driver make what is missing; a server that is not active any more is left alone."""
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, work.job(ServerEnsure).server_id)
    if server is not None and server["status"] == "active":
        await work.driver.ensure_server(server)


async def failed(work: Work, error: Exception) -> None:
    """The server stays as it is; the next comparison finds it again."""
    LOG.error("the share server does not come up", server=work.job(ServerEnsure).server_id, error=repr(error))


OPERATION = Operation(ServerEnsure, (Step("ensure", ensure),), failed)
