"""Share servers that nobody uses any more are removed after a while."""

from __future__ import annotations

from db import share_servers
from services.networks import delete_server
from worker.periodic import Now, Periodic

LOOK_EVERY = 600.0
"""Seconds between looks for unused servers."""


async def delete_free_share_servers(now: Now) -> None:
    """Order the removal of a back end's servers that have been unused for ``unused_share_server_cleanup_interval``."""
    backend, settings = now.backend, now.core.settings.default
    if backend is None or not backend.driver.driver_handles_share_servers:
        return
    if not settings.automatic_share_server_cleanup:
        return
    age = 0.0 if now.expired else settings.unused_share_server_cleanup_interval * 60.0
    async with now.core.db.write() as conn:
        for server in await share_servers.unused(conn, backend.host, age):
            await delete_server(conn, server, None)


PERIODIC = (Periodic("delete_free_share_servers", delete_free_share_servers, LOOK_EVERY),)
