"""Share servers that nobody uses any more are removed after a while."""

from __future__ import annotations

import structlog

from db import network_allocations, share_servers
from network.base import AuditedPlugin
from services.networks import delete_server
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("servers")
LOOK_EVERY = 600.0
"""Seconds between looks for unused servers."""
AUDIT_EVERY = 3600.0
"""Seconds between looks for ports that nobody knows any more."""


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


async def leaked_ports(now: Now) -> None:
    """Name the ports that stayed when their server went, or that nobody wrote down.

    They are not removed: a server that was let go (unmanaged) keeps its ports on purpose, and its row says no more
    than that of one that was removed.
    """
    backend = now.backend
    if backend is None or not backend.driver.driver_handles_share_servers:
        return
    held: dict[str, str] = {}
    for network in (backend.network, backend.admin_network):
        if isinstance(network, AuditedPlugin):
            held |= {one.port_id: one.server_id for one in await network.held()}
    if not held:
        return
    async with now.core.db.read() as conn:
        found = await network_allocations.leaked(conn, backend.host, held)
    for row in found:
        LOG.warning("a port is left over", backend=backend.host, port=row["port_id"], server=row["server_id"],
                    server_status=row["status"])  # fmt: skip


PERIODIC = (
    Periodic("delete_free_share_servers", delete_free_share_servers, LOOK_EVERY),
    Periodic("leaked_ports", leaked_ports, AUDIT_EVERY),
)
