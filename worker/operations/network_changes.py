"""Changes of a share network in use, on one back end: whether it could (check), and doing it (apply)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog

from db import (
    access_sync,
    async_operations,
    driver_rows,
    export_locations,
    network_allocations,
    network_shares,
    security_services,
    share_networks,
    share_servers,
    snapshot_instances,
    subnets,
    write,
)
from db import migrations_of_servers as on_servers
from db.connection import Row
from services.work import NetworkApply, NetworkCheck, NetworkJob
from worker.operation import INFRASTRUCTURE, Operation, Step, Work
from worker.server_setup import check_segment, network_info, security_details
from worker.servers import allocate_on, bound

LOG = structlog.get_logger("networks")
Change = Callable[[Work, Row], Awaitable[Any]]
SNAPSHOT_COLUMNS = ("provider_location", "status", "progress")
"""What a driver may say of a snapshot instance."""


async def ask(work: Work) -> None:
    """Ask the driver for every server of the network; one refusal is the back end's."""
    change = _check_security if work.job(NetworkCheck).subnet is None else _check_subnet
    work.state["able"] = True
    for server in await _servers(work):
        try:
            able = await change(work, server)
        except INFRASTRUCTURE:
            raise
        except Exception as error:
            LOG.warning("the back end can't change the network", server=server["id"], error=repr(error))
            able = False
        if not able:
            work.state["able"] = False
            return


async def answer(work: Work) -> None:
    """Write this back end's answer, if somebody still waits for it."""
    network_id, key = work.job(NetworkCheck).share_network_id, work.job(NetworkCheck).key
    async with work.write() as conn:
        await share_networks.lock(conn, network_id)
        known = await async_operations.get(conn, network_id, key)
        if known is not None:
            await async_operations.put(conn, network_id, key, {**known, work.on_backend.host: work.state["able"]})


async def not_able(work: Work, error: Exception) -> None:
    """A check that could not be made is a no."""
    work.state["able"] = False
    await answer(work)


async def change_servers(work: Work) -> None:
    """Change every server; one that fails is left in ``error`` and does not stop the others."""
    change = _apply_subnet if work.job(NetworkApply).subnet_id else _apply_security
    for server in await _servers(work):
        if server["status"] != "network_change":
            continue
        try:
            await change(work, server)
        except INFRASTRUCTURE:
            raise
        except Exception as error:
            LOG.error("the server could not be changed", server=server["id"], error=repr(error))
            await _server_failed(work, server["id"], error)
            continue
        async with work.write() as conn:
            await share_servers.set_status(conn, server["id"], "active")


async def _server_failed(work: Work, server_id: str, error: Exception) -> None:
    """The server is in error, with the details that a driver's error names, and what is on it with it.

    A security service that was only to be added leaves the shares as they are; one that was to be replaced may let in
    whom it should not, so the rules are in error too.
    """
    job, details = work.job(NetworkApply), _details_of(error)
    async with work.write() as conn:
        await on_servers.hold(conn, [server_id])
        if job.subnet_id is not None:
            await share_servers.set_details(conn, server_id, details)
        await share_servers.set_status(conn, server_id, "error")
        if job.subnet_id is None and not job.current_service_id:
            return
        ids = await network_shares.instances_on(conn, server_id)
        rules = {} if job.subnet_id else {"access_rules_status": "error"}
        await write.update(conn, "share_instances", {"id": ids}, {"status": "error", **rules})
        if job.subnet_id is not None:
            await write.update(conn, "share_snapshot_instances", {"share_instance_id": ids}, {"status": "error"})


def _details_of(error: Exception) -> Row:
    data = getattr(error, "detail_data", None)
    details = data.get("server_details") if isinstance(data, dict) else None
    return details if isinstance(details, dict) else {}


async def finish(work: Work) -> None:
    """The network is active again when the last back end is done."""
    async with work.write() as conn:
        await network_shares.finish(conn, work.job(NetworkJob).share_network_id)


async def failed(work: Work, error: Exception) -> None:
    """Nothing is left in transition."""
    network_id = work.job(NetworkJob).share_network_id
    async with work.write() as conn:
        for server in await network_shares.servers_of(conn, network_id, work.on_backend.host):
            if server["status"] == "network_change":
                await share_servers.set_status(conn, server["id"], "error")
        await network_shares.finish(conn, network_id)


async def _servers(work: Work) -> list[Row]:
    async with work.core.db.read() as conn:
        rows = await network_shares.servers_of(conn, work.job(NetworkJob).share_network_id, work.on_backend.host)
        found = [await driver_rows.server(conn, row["id"]) for row in rows]
    return [one for one in found if one is not None]


async def _instances(work: Work, server: Row) -> tuple[list[Row], list[Row]]:
    """The share instances on a server, and their rules as ``{share_instance_id, access_rules}``."""
    async with work.core.db.read() as conn:
        ids = await network_shares.instances_on(conn, server["id"])
        found = [await driver_rows.share(conn, one) for one in ids]
        rules = await driver_rows.rules(conn, ids)
    held = [{"share_instance_id": one, "access_rules": rules[one]} for one in ids]
    return [one for one in found if one is not None], held


async def _services(work: Work) -> tuple[Row, Row | None]:
    job = work.job(NetworkJob)
    async with work.core.db.read() as conn:
        new = await security_services.get(conn, job.new_service_id or "", None)
        old = await security_services.get(conn, job.current_service_id, None) if job.current_service_id else None
    if new is None:
        raise LookupError(f"security service {job.new_service_id} is gone")
    return new, old


async def _network_info(work: Work, server: Row) -> list[Row]:
    async with work.core.db.read() as conn:
        on = await subnets.of_server(conn, server["id"])
        services = await security_services.of_network(conn, work.job(NetworkJob).share_network_id)
        return network_info(server, on, services, await network_allocations.of_server(conn, server["id"]))


async def _check_security(work: Work, server: Row) -> Any:
    new, current = await _services(work)
    info: Any = await _network_info(work, server)
    shares, rules = await _instances(work, server)
    check = work.driver.check_update_share_server_security_service
    return await check(server, info, shares, rules, new, current)


async def _apply_security(work: Work, server: Row) -> None:
    new, current = await _services(work)
    info: Any = await _network_info(work, server)
    shares, rules = await _instances(work, server)
    async with work.write() as conn:
        await share_servers.set_details(conn, server["id"], security_details([new]))
    found = await work.driver.update_share_server_security_service(server, info, shares, rules, new, current) or {}
    for instance_id in sorted(found):
        async with work.write() as conn:
            await access_sync.settle(conn, instance_id, found[instance_id])


async def _current(work: Work, server: Row, without: str | None) -> Any:
    """The server's allocations, subnet by subnet, as drivers are told of them."""
    async with work.core.db.read() as conn:
        on = await subnets.of_server(conn, server["id"])
        have = await network_allocations.of_server(conn, server["id"])
    return {
        "admin_network_allocations": [one for one in have if one["label"] == "admin"],
        "subnets": [_of_subnet(one, have) for one in on if one["id"] != without],
    }


def _of_subnet(subnet: Row, allocations: list[Row]) -> Row:
    return {
        "share_network_subnet_id": subnet["id"],
        "neutron_net_id": subnet["neutron_net_id"],
        "neutron_subnet_id": subnet["neutron_subnet_id"],
        "network_allocations": [one for one in allocations if one["share_network_subnet_id"] == subnet["id"]],
    }


async def _check_subnet(work: Work, server: Row) -> Any:
    async with work.core.db.read() as conn:
        project = await share_networks.project_of(conn, work.job(NetworkJob).share_network_id)
        services = await security_services.of_network(conn, work.job(NetworkJob).share_network_id)
    plugin, subnet = work.on_backend.network, dict(work.job(NetworkCheck).subnet or {})
    if plugin is not None:
        subnet |= await plugin.describe(subnet, project)
    shares, rules = await _instances(work, server)
    check = work.driver.check_update_share_server_network_allocations
    return await check(server, await _current(work, server, None), subnet, services, shares, rules)


async def _apply_subnet(work: Work, server: Row) -> None:
    subnet_id, network_id = work.job(NetworkApply).subnet_id or "", work.job(NetworkApply).share_network_id
    plugin = work.on_backend.network
    async with work.core.db.read() as conn:
        network = await share_networks.owner_of(conn, network_id)
        subnet = await subnets.get(conn, network_id, subnet_id)
        services = await security_services.of_network(conn, network_id)
        have = await network_allocations.of_server(conn, server["id"])
    if network is None or subnet is None or plugin is None:
        raise LookupError(f"the subnet {subnet_id} is gone")
    if not any(one["share_network_subnet_id"] == subnet_id for one in have):
        count = work.driver.get_network_allocations_number()
        await allocate_on(work, plugin, server["id"], network["project_id"], subnet, count)
    async with work.core.db.read() as conn:
        new = _of_subnet(subnet, await network_allocations.of_server(conn, server["id"]))
    first = new["network_allocations"][0]
    check_segment(first["network_type"], first["segmentation_id"])
    shares, _ = await _instances(work, server)
    async with work.core.db.read() as conn:
        snapshots = await on_servers.snapshots(conn, server["id"])
    update = work.driver.update_share_server_network_allocations
    found = await update(server, await _current(work, server, subnet_id), new, services, shares, snapshots) or {}
    await bound(work, server["id"])
    await _record(work, server["id"], shares, snapshots, found)


async def _record(work: Work, server_id: str, shares: Sequence[Row], snapshots: Sequence[Row], found: Row) -> None:
    """Write what the driver says of the server and of what is on it."""
    async with work.write() as conn:
        await on_servers.hold(conn, [server_id])
        await share_servers.set_details(conn, server_id, found.get("server_details") or {})
        for share in shares:
            wanted = (found.get("share_updates") or {}).get(share["id"])
            if wanted is not None:
                await export_locations.write(conn, share["id"], [dict(one) for one in wanted])
        for snapshot in snapshots:
            said = (found.get("snapshot_updates") or {}).get(snapshot["id"]) or {}
            values = {name: said[name] for name in SNAPSHOT_COLUMNS if name in said}
            if values:
                await write.update(conn, "share_snapshot_instances", {"id": snapshot["id"]}, values)
            if said.get("export_locations"):
                await snapshot_instances.set_locations(conn, snapshot["id"], said["export_locations"])


OPERATIONS = (
    Operation(NetworkCheck, steps=(Step("ask", ask), Step("answer", answer)), failed=not_able),
    Operation(NetworkApply, steps=(Step("change_servers", change_servers), Step("finish", finish)), failed=failed),
)
