"""A share server that its last share has left: gone at once, if ``delete_share_server_with_last_share`` says so.

Without that option an unused server waits for the periodic clean-up (``unused_share_server_cleanup_interval``).
"""

from __future__ import annotations

from db import share_servers
from db.connection import Conn
from services.networks import delete_server
from worker.operation import Work


async def left(work: Work, conn: Conn, server_id: str | None) -> None:
    """Order the removal of a server that a share has left, in the transaction that removes the share's rows.

    A server with another share or with a share group stays, as the task finds then (of two shares that leave at once
    neither sees here that the other goes too); and one that an administrator handed over.
    """
    if server_id is None or not work.core.settings.default.delete_share_server_with_last_share:
        return
    server = await share_servers.get(conn, server_id)
    if server is not None and server["is_auto_deletable"]:
        await delete_server(conn, server, work.task["request_id"])
