"""Share servers that nobody uses any more are removed after a while."""

from __future__ import annotations

import structlog

from db import network_allocations, ports_left, share_servers
from db.connection import Row
from db.write import lock
from network.base import AuditedPlugin, Held
from services.core import Core
from services.networks import delete_server
from worker.periodic import Now, Periodic

LOG = structlog.get_logger("servers")
LOOK_EVERY = 600.0
"""Seconds between looks for unused servers."""
AUDIT_EVERY = 600.0
"""Seconds between looks for ports that nobody knows any more."""
GRACE = 300.0
"""Seconds after the first look that found a port before one may remove it: whoever makes a port writes it at once."""


async def delete_free_share_servers(now: Now) -> None:
    """Order the removal of a back end's servers that have been unused for ``unused_share_server_cleanup_interval``."""
    backend = now.backend
    if backend is None or not backend.driver.driver_handles_share_servers:
        return
    if not backend.section.automatic_share_server_cleanup:
        return
    age = 0.0 if now.expired else backend.section.unused_share_server_cleanup_interval * 60.0
    async with now.core.db.write() as conn:
        for server in await share_servers.unused(conn, backend.host, age):
            await delete_server(conn, server, None)


async def leaked_ports(now: Now) -> None:
    """Name the ports that stayed when their server went, or that nobody wrote down; remove those that nobody keeps.

    Only what two looks have found, ``GRACE`` seconds apart, and what is certainly ours is removed: see
    ``db.network_allocations.leaked``. The rest is for an operator, who sees it in the log and in the figures.
    """
    backend = now.backend
    if backend is None or not backend.driver.driver_handles_share_servers:
        return
    held: dict[str, tuple[AuditedPlugin, Held]] = {}
    for network in (backend.admin_network, backend.network):
        if isinstance(network, AuditedPlugin):
            held |= {one.port_id: (network, one) for one in await network.held()}
    async with now.core.db.write() as conn:
        found = await network_allocations.leaked(conn, backend.host, [_told(one) for _, one in held.values()])
        await ports_left.see(conn, backend.host, found)
    for row in found:
        LOG.warning("a port is left over", backend=backend.host, port=row["port_id"], server=row["server_id"],
                    server_status=row["status"], ours=row["ours"])  # fmt: skip
    async with now.core.db.read() as conn:
        ripe = await ports_left.ripe(conn, backend.host, 0.0 if now.expired else GRACE)
    for row in ripe:
        await _discard(now.core, backend.host, *held[row["port_id"]])


def _told(port: Held) -> Row:
    """A port as ``db.network_allocations.leaked`` is told of it."""
    where = {"project_id": port.project_id, "network_id": port.network_id}
    return {"port_id": port.port_id, "server_id": port.server_id, **where, "mark": port.ours}


async def _discard(core: Core, host: str, network: AuditedPlugin, port: Held) -> None:
    """Remove a port while its server's row is held: who begins to change the server asks for its ports afterwards."""
    async with core.db.write() as conn:
        await lock(conn, "share_servers", port.server_id)
        still = await network_allocations.leaked(conn, host, [_told(port)])
        if not still or not still[0]["ours"] or not await network.discard(port):
            return
        await ports_left.forget(conn, port.port_id)
    LOG.warning("a port that was left over is removed", backend=host, port=port.port_id, server=port.server_id)


PERIODIC = (
    Periodic("delete_free_share_servers", delete_free_share_servers, LOOK_EVERY),
    Periodic("leaked_ports", leaked_ports, AUDIT_EVERY),
)
