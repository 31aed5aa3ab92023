"""Take over a share server that exists on a back end: its ports are found, then the driver takes it."""

from __future__ import annotations

from collections.abc import Mapping

from db import driver_rows, manage, network_allocations, share_networks, share_servers, subnets
from db.connection import Row
from db.security_services import of_network
from generated.errors import ManageShareServerError
from network.base import NetworkPlugin, canonical
from services.work import ServerManage
from worker.operation import Finished, Operation, Step, Work
from worker.server_setup import security_details


async def _server(work: Work) -> Row:
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, work.job(ServerManage).server_id)
    if server is None or server["status"] != "manage_starting":
        raise Finished
    return server


async def adopt(work: Work) -> None:
    """Find the server's ports and write them down.

    Raises:
        ManageShareServerError: the back end has no servers, names no address, or one that no network knows.
    """
    server = await _server(work)
    driver, backend = work.driver, work.on_backend
    if not driver.driver_handles_share_servers:
        raise ManageShareServerError(reason="the back end does not handle share servers")
    number = driver.get_network_allocations_number()
    if backend.admin_network is not None:
        number += driver.get_admin_network_allocations_number()
    if not number:
        return
    job = work.job(ServerManage)
    told = await driver.get_share_server_network_info(server, job.identifier, job.driver_options or {})
    left = [canonical(one) for one in told]
    if not left:
        raise ManageShareServerError(reason=f"the driver named none of the server's {number} addresses")
    async with work.core.db.read() as conn:
        on = await subnets.of_server(conn, server["id"])
    if backend.admin_network is not None:
        left = await _adopt(work, backend.admin_network, server["id"], left, None)
    if backend.network is not None and on:
        left = await _adopt(work, backend.network, server["id"], left, on[0])
    if left:
        raise ManageShareServerError(reason=f"the addresses {left} belong to no port")


async def _adopt(
    work: Work, plugin: NetworkPlugin, server_id: str, addresses: list[str], subnet: Row | None
) -> list[str]:
    """Write down the ports that a plugin finds; the addresses it does not know."""
    async with work.core.db.read() as conn:
        project = await share_networks.project_of(conn, subnet["share_network_id"] if subnet else None)
    found = await plugin.adopt(server_id, addresses, subnet, project)
    async with work.write() as conn:
        known = {one["ip_address"] for one in await network_allocations.of_server(conn, server_id)}
        fresh = [one for one in found.allocations if one["ip_address"] not in known]
        for one in fresh:
            holder = await manage.holder_of(conn, one["id"])
            if holder is not None and holder != server_id:
                raise ManageShareServerError(reason=f"the port {one['id']} belongs to share server {holder}")
        await manage.adopt(conn, fresh)
        if subnet is not None:
            await subnets.describe(conn, subnet["id"], found.subnet)
    taken = {one["ip_address"] for one in found.allocations}
    return [one for one in addresses if one not in taken]


async def take_over(work: Work) -> None:
    """Let the driver take it, and write what it says of it."""
    server = await _server(work)
    job, driver = work.job(ServerManage), work.driver
    identifier, details = await driver.manage_server(server, job.identifier, job.driver_options or {})
    async with work.write() as conn:
        on = await subnets.of_server(conn, server["id"])
        services = await of_network(conn, on[0]["share_network_id"]) if on else []
        kept = dict(details) if isinstance(details, Mapping) else {}
        await share_servers.set_details(conn, server["id"], {**kept, **security_details(services)})
        await share_servers.set_status(
            conn, server["id"], "active", identifier=identifier or server["id"],
            network_allocation_update_support=driver.network_allocation_update_support,
            share_replicas_migration_support=driver.share_replicas_migration_support,
        )  # fmt: skip


async def failed(work: Work, error: Exception) -> None:
    """The server stays, in ``manage_error``; it may be forgotten again."""
    async with work.write() as conn:
        await share_servers.set_status(conn, work.job(ServerManage).server_id, "manage_error")


OPERATION = Operation(ServerManage, (Step("adopt", adopt), Step("take_over", take_over)), failed)
