"""A share server that its last share has left: gone at once, if ``delete_share_server_with_last_share`` says so.

Without that option an unused server waits for the periodic clean-up (``unused_share_server_cleanup_interval``).
"""

from __future__ import annotations

from db import share_servers
from db.connection import Conn
from worker.operation import Work
from worker.server_migration import remove_server


async def left(work: Work, conn: Conn, server_id: str | None) -> None:
    """Order the removal of a server that a share has left, in the transaction that removes the share's rows.

    A server with another share or with a share group stays, and one that an administrator handed over.
    """
    if server_id is None or not work.core.settings.default.delete_share_server_with_last_share:
        return
    # locked first: of two shares that leave at once the second sees that the first is gone
    if await share_servers.is_deserted(conn, server_id):
        await remove_server(work, conn, server_id)
