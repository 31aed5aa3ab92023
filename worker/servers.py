"""Share servers as the operations on shares need them: one that exists already, or a new one.

``ensure_server`` may run again after a crash: the share instance's row says which server was chosen, the server's
status whether it is ready, and ports that were made are found by the names they carry.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

import structlog

from db import (
    driver_rows,
    instances,
    network_allocations,
    share_groups,
    share_networks,
    share_servers,
    subnets,
    uses,
    write,
)
from db.connection import Conn, Row
from db.security_services import of_network
from generated.errors import InvalidShareServer, ManilaException, NetworkException, ShareNetworkSubnetNotFound
from generated.messages import Action, Detail, Resource
from network.base import BindingPlugin, NetworkPlugin, Sought, Unavailable
from worker import keys
from worker.operation import INFRASTRUCTURE, LostLease, Retry, Work
from worker.server_setup import NetworkInfo, network_info, security_details

LOG = structlog.get_logger("servers")
T = TypeVar("T")
NOT_FOUND = 404
"""What Neutron says of a network or subnet that is not there; the owner is told which subnet names it."""
PATIENCE, TRIES = 180.0, 5
"""Seconds and runs that a server waits for a network service that is away; then it is given up, and its owner told."""
WAIT = 0.2
"""Seconds between looks at a server that another share's operation is making."""


async def choose_server(
    work: Work, share_network_id: str | None, instance: Row, parent_server_id: str | None = None
) -> None:
    """The first part of ``ensure_server``: the instance is put on a server, a new row if none fits."""
    await _choose(work, share_network_id, instance, parent_server_id)


async def address_server(
    work: Work, share_network_id: str | None, instance: Row, parent_server_id: str | None = None
) -> None:
    """The second part of ``ensure_server``: a new server has its addresses. Raises as that."""
    await address(work, await _choose(work, share_network_id, instance, parent_server_id))


async def address(work: Work, server_id: str) -> None:
    """Give a server that is being made its addresses. Raises as ``ensure_server``."""
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, server_id)
    if server is not None and server["status"] == "creating":
        await _guarded(work, server_id, _allocate(work, server))


async def ensure_server(
    work: Work, share_network_id: str | None, instance: Row, parent_server_id: str | None = None
) -> Row:
    """A ready share server for a share instance, which is put on it; the parts before it need not have run.

    Args:
        work: the operation's run.
        share_network_id: network of the share; None: that of the parent's server.
        instance: row of the share instance as drivers get it (``db.driver_rows.share``).
        parent_server_id: server of the share whose snapshot is copied; used when it is of this back end.

    Returns:
        The server as drivers get it (``db.driver_rows.server``).

    Raises:
        Retry: another operation is making the server.
        ShareNetworkSubnetNotFound: the network has no subnet for the share's zone.
        InvalidShareServer: the server that was chosen is not usable.
        PortLimitExceeded, NetworkException, SecurityServiceFailedAuth, anything the driver raises: the server is in
            ``error``, its ports are released.
    """
    return await ready(
        work, await _choose(work, share_network_id, instance, parent_server_id), str(instance["host"])
    )  # fmt: skip


async def ready(work: Work, server_id: str, request_host: str) -> Row:
    """A server that was chosen, set up if it is not yet, as drivers get it. Raises as ``ensure_server``.

    Args:
        request_host: the pool for which the server is made, should it be new.
    """
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, server_id)
    if server is None or server["status"] not in ("active", "creating"):
        status = "deleted" if server is None else server["status"]
        raise InvalidShareServer(reason=f"share server {server_id} is {status}")
    if server["status"] == "creating":
        told = await _guarded(work, server["id"], keys.told(work, server))
        await make_server(work, server, {"request_host": request_host, **told})
    async with work.core.db.read() as conn:
        ready = await driver_rows.server(conn, server_id)
    if ready is None:
        raise InvalidShareServer(reason=f"share server {server_id} is gone")
    return ready


async def _choose(work: Work, network_id: str | None, instance: Row, parent_id: str | None) -> str:
    """The id of the server the instance is on from now; a new row in ``creating`` when none fits."""
    async with work.core.db.read() as conn:
        row = await instances.get(conn, instance["id"])
        parent = await driver_rows.server(conn, parent_id)
        on = await _subnets(conn, network_id, instance, parent_id)
    if row is not None and row["share_server_id"]:
        return str(row["share_server_id"])
    if not on:
        raise ShareNetworkSubnetNotFound(share_network_subnet_id=None)
    host, key = work.on_backend.host, keys.wanted(work, instance)
    await keys.require(work, key)
    async with work.write() as conn:
        await uses.hold(conn, "share_networks", [on[0]["share_network_id"]])
        on = await _subnets(conn, network_id, instance, parent_id)
        if not on:
            raise ShareNetworkSubnetNotFound(share_network_subnet_id=None)
        await share_servers.lock_subnet(conn, on[0]["id"])
        if parent is not None and parent["host"] == host:
            if parent["status"] != "active":
                raise InvalidShareServer(
                    reason=f"Parent share server {parent['id']} has invalid status '{parent['status']}'."
                )
            candidates = [parent]
        else:
            candidates = await share_servers.on_subnet(conn, host, on[0]["id"], ("active", "creating"))
            candidates = [one for one in keys.fitting(candidates, key) if _has_room(work, one, instance)]
        group = await share_groups.get(conn, instance["share_group_id"]) if instance["share_group_id"] else None
        chosen = await work.driver.choose_share_server_compatible_with_share(
            candidates, instance, share_group=group, encryption_key_ref=key
        )
        if chosen is not None and chosen["status"] == "creating":
            raise Retry(f"share server {chosen['id']} is being made", WAIT)
        if chosen is None:
            made = {**new_server(work), "encryption_key_ref": key}
            chosen = await share_servers.create(conn, made, [one["id"] for one in on])
            await keys.note(conn, chosen["id"], key, instance["project_id"])
        else:
            await require_usable(conn, chosen["id"])
        await write.update(conn, "share_instances", {"id": instance["id"]}, {"share_server_id": chosen["id"]})
        return str(chosen["id"])


async def require_usable(conn: Conn, server_id: str) -> None:
    """A server that was found active is so still, and stays. Raises Retry: it is being let go, moved or changed."""
    await uses.hold(conn, "share_servers", [server_id])
    now = await share_servers.get(conn, server_id)
    if now is None or now["status"] != "active":
        raise Retry(f"share server {server_id} is not to be had any more", WAIT)


async def _subnets(conn: Any, network_id: str | None, instance: Row, parent_id: str | None) -> list[Row]:
    if network_id is not None:
        return await subnets.in_zone(conn, network_id, instance.get("availability_zone_id"), fall_back=True)
    return [] if parent_id is None else await subnets.of_server(conn, parent_id)


def _has_room(work: Work, server: Row, instance: Row) -> bool:
    """Whether the limits of shares and GiB per server leave room for one more; an empty server always has it."""
    options = work.driver.options
    if not server["shares"]:
        return True
    if 0 < options.max_shares_per_share_server <= server["shares"]:  # 0 is no limit, as with the original
        return False
    return not 0 < options.max_share_server_size < server["gigabytes"] + instance["size"]


def new_server(work: Work) -> Row:
    """Columns of a new server of the task's back end."""
    driver = work.driver
    return {
        "host": work.on_backend.host,
        "status": "creating",
        "security_service_update_support": driver.security_service_update_support,
        "network_allocation_update_support": driver.network_allocation_update_support,
        "share_replicas_migration_support": driver.share_replicas_migration_support,
    }


async def give_addresses(work: Work, server: Row) -> None:
    """Addresses for a server in ``creating`` that nobody sets up. Raises as ``ensure_server``."""
    await _guarded(work, server["id"], _allocate(work, server))


async def make_server(work: Work, server: Row, metadata: Row) -> None:
    """Allocate what is missing, set up, write. Raises as ``ensure_server``.

    Args:
        metadata: what the driver is told of the request: ``request_host`` and, of a migration, where it comes from.
    """
    info = await _guarded(work, server["id"], _allocate(work, server))
    details = await _guarded(work, server["id"], work.driver.setup_server(info, metadata))
    await _guarded(work, server["id"], bound(work, server["id"]))
    async with work.write() as conn:
        identifier = (details or {}).get("identifier", server["id"])
        await share_servers.set_status(conn, server["id"], "active", identifier=identifier)
        await share_servers.set_details(conn, server["id"], details or {})


async def bound(work: Work, server_id: str) -> None:
    """Wait until a server's addresses are carried to it, for networks that bind them when it is there.

    Raises NetworkException, NetworkBindException: a binding failed.
    """
    backend = work.on_backend
    plugins = [one for one in (backend.network, backend.admin_network) if isinstance(one, BindingPlugin)]
    if not plugins:
        return
    async with work.core.db.read() as conn:
        have = await network_allocations.of_server(conn, server_id)
    for plugin in plugins:
        await plugin.bound([one for one in have if one["label"] == plugin.label])


async def _guarded(work: Work, server_id: str, doing: Awaitable[T]) -> T:
    """What ``doing`` gives; when it fails the server is left in ``error`` without ports.

    Raises NetworkException: a network service was away too long; what ports there are is found when the server goes.
    """
    try:
        return await doing
    except Unavailable as error:
        if work.task["failures"] < TRIES or float(work.task.get("age") or 0.0) < PATIENCE:
            raise
        away = NetworkException(f"the network service was away for {work.task['age']:.0f} s: {error}", code=503)
        away.detail_data |= error.detail_data
        with contextlib.suppress(Unavailable):
            await _failed(work, server_id, away)
        raise away from error
    except (LostLease, *INFRASTRUCTURE):
        raise
    except Exception as error:
        await _failed(work, server_id, error)
        raise


async def _allocate(work: Work, server: Row) -> list[NetworkInfo]:
    """Addresses on every subnet and on the admin network, written as they come; what the driver is told of them."""
    server_id = str(server["id"])
    async with work.core.db.read() as conn:
        on = await subnets.of_server(conn, server_id)
        network = await share_networks.owner_of(conn, on[0]["share_network_id"]) if on else None
        have = await network_allocations.of_server(conn, server_id)
    if network is None:
        raise ShareNetworkSubnetNotFound(share_network_subnet_id=None)
    backend, driver = work.on_backend, work.driver
    for subnet in on:
        if backend.network is not None and not [one for one in have if one["share_network_subnet_id"] == subnet["id"]]:
            count = driver.get_network_allocations_number()
            await allocate_on(work, backend.network, server_id, network["project_id"], subnet, count)
    admin = driver.get_admin_network_allocations_number()
    if admin and not [one for one in have if one["label"] == "admin"]:
        if backend.admin_network is None:
            raise ManilaException("the back end needs an admin network: set admin_network_config_group")
        await allocate_on(work, backend.admin_network, server_id, network["project_id"], None, admin)
    async with work.write() as conn:
        on = await subnets.of_server(conn, server_id)
        services = await of_network(conn, network["id"])
        info = network_info(server, on, services, await network_allocations.of_server(conn, server_id))
        info = [{**one, "project_id": network["project_id"]} for one in info]
        await share_servers.set_details(conn, server_id, security_details(services))
    return info


async def allocate_on(
    work: Work, plugin: NetworkPlugin, server_id: str, project_id: str, subnet: Row | None, count: int
) -> None:
    """Addresses for a server on one subnet or the admin network, written with what was learned of the subnet."""
    again = int(work.task["attempts"]) > 1
    if plugin.local:
        cidr = str((await plugin.describe(subnet))["cidr"])
        async with work.write() as conn:
            await network_allocations.lock(conn, cidr)
            used = await network_allocations.used(conn, cidr)
            got = await plugin.allocate(server_id, project_id, subnet, count, used=used)
            await network_allocations.save(conn, got.allocations)
            if subnet is not None:
                await subnets.describe(conn, subnet["id"], got.subnet)
        return
    try:
        got = await plugin.allocate(server_id, project_id, subnet, count, again=again)
    except ManilaException as error:
        if subnet is not None:
            async with work.write() as conn:
                await subnets.describe(conn, subnet["id"], error.detail_data.get("subnet") or {})
                if isinstance(error, NetworkException) and error.values.get("code") == NOT_FOUND:
                    kind, detail = Resource.SHARE_NETWORK_SUBNET, Detail.NO_SHARE_SERVER
                    await work.tell(conn, Action.CREATE, project_id, subnet["id"], resource_type=kind, detail=detail)
        raise
    async with work.write() as conn:
        await network_allocations.save(conn, got.allocations)
        if subnet is not None:
            await subnets.describe(conn, subnet["id"], got.subnet)


async def _failed(work: Work, server_id: str, error: Exception) -> None:
    """Write the error and what the driver left behind, then give the ports back."""
    data: dict[str, Any] = getattr(error, "detail_data", {})
    details = data.get("server_details") or {}
    async with work.write() as conn:
        await network_allocations.save(conn, data.get("allocations") or [])
        if isinstance(details, dict):
            await share_servers.set_details(conn, server_id, details)
        await share_servers.set_status(conn, server_id, "error")
    try:
        await release(work, server_id, None)
    except INFRASTRUCTURE:
        raise
    except Exception as late:
        LOG.error("ports were not released; removing the server tries again", server=server_id, error=repr(late))


async def release(work: Work, server_id: str, subnet: Row | None) -> None:
    """Give a server's ports back. Raises NetworkException; the rows stay then, so that a later removal tries again.

    The tenant's plugin is asked for every address, also those of the admin network, as the original does.
    """
    async with work.core.db.read() as conn:
        have = await network_allocations.of_server(conn, server_id)
        project = await share_networks.project_of(conn, subnet["share_network_id"] if subnet else None)
    backend = work.on_backend
    if backend.network is not None:
        count = work.driver.get_network_allocations_number()
        await backend.network.deallocate(server_id, have, Sought(subnet, project, count) if subnet else None)
    if backend.admin_network is not None:
        await backend.admin_network.deallocate(server_id, _admin(have))
    async with work.write() as conn:
        await network_allocations.remove(conn, [one["id"] for one in have])


def _admin(allocations: Sequence[Row]) -> list[Row]:
    return [one for one in allocations if one["label"] == "admin"]
