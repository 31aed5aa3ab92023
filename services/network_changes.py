"""Changes of share networks in use: first the back ends are asked whether they could, then they do it.

The answers of the back ends are kept as one object, host -> True, False or None (not answered yet), under a key that
names the change; the change itself starts only when all have said yes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from db import async_operations, network_shares, security_services, share_networks, share_servers, subnets
from db.connection import Conn
from generated.errors import InvalidSecurityService, InvalidShareNetwork
from generated.runtime import Fault, Row
from services import shares as rules
from services.context import Context
from services.core import Core
from services.share_migration import service_of
from services.work import NetworkApply, NetworkCheck, enqueue

Hosts = dict[str, bool | None]


def security_key(new_id: str, current_id: str | None) -> str:
    """Where the outcome of a security service check is kept; the original's key."""
    if current_id:
        return f"share_network_sec_service_update_{current_id}_{new_id}_hosts_check"
    return f"share_network_sec_service_add_{new_id}_hosts_check"


def subnet_key(network_id: str, zone_id: str | None) -> str:
    """Where the outcome of a subnet check is kept; the original's key."""
    return f"share_server_update_allocations_{network_id}_{zone_id}_hosts_check"


def check_active(network: Row) -> None:
    """Raise Fault 400 for a network that is being changed already."""
    if network["status"] != "active":
        raise Fault(
            400,
            f"The share network {network['id']} used isn't in an 'active' state. Current status is "
            f"{network['status']}. The action may be retried after the share network has changed its state.",
        )


async def _security_hosts(core: Core, conn: Conn, network: Row, new: Row, current: Row | None) -> list[str]:
    """The hosts a security service change concerns; none for a network that is not in use.

    Raises:
        InvalidSecurityService: the services don't fit the change.
        InvalidShareNetwork: servers or shares are in a state that forbids it.
        ServiceIsDown, ServiceNotFound: a back end can't be asked.
        Fault: 400, the network is not active.
    """
    check_active(network)
    await _check_services(conn, network, new, current)
    servers = await subnets.servers_on(conn, [one["id"] for one in network["share_network_subnets"]])
    if not servers:
        return []
    if not network["security_service_update_support"]:
        raise InvalidShareNetwork(
            reason=f"Updating security services is not supported on this share network ({network['id']}) while it has "
            "shares. See the capability 'security_service_update_support'."
        )
    if any(server["status"] != "active" for server in servers):
        raise InvalidShareNetwork(
            reason=f"Some resources exported on share network {network['id']} are not currently available."
        )
    for host in _hosts(servers):
        await service_of(core, conn, host)
    shares = await network_shares.shares_of(conn, network_id=network["id"])
    if any(share["deleted_soon"] for share in shares):
        raise InvalidShareNetwork(reason=f"Some shares with share network {network['id']} have been soft deleted.")
    wrong = [share["id"] for share in shares if share["status"] != "available"]
    if wrong:
        raise InvalidShareNetwork(
            reason=f"Some shares exported on share network {network['id']} are not available: {wrong}."
        )
    wrong = [share["id"] for share in shares if share["access_rules_status"] != "active"]
    if wrong:
        raise InvalidShareNetwork(
            reason="Either these shares or one of their replicas or migration copies exported on share network "
            f"{network['id']} are not available: {wrong}."
        )
    wrong = _busy(shares)
    if wrong:
        raise InvalidShareNetwork(reason=f"Some shares exported on share network {network['id']} are busy: {wrong}.")
    return _hosts(servers)


def _busy(shares: Sequence[Row]) -> list[str]:
    """Ids of the shares that a migration works on."""
    return [share["id"] for share in shares if share["task_state"] in rules.BUSY]


def _hosts(servers: Sequence[Row]) -> list[str]:
    return sorted({str(server["host"]) for server in servers})


async def _check_services(conn: Conn, network: Row, new: Row, current: Row | None) -> None:
    have = await security_services.of_network(conn, network["id"])
    if current is None:
        if any(one["type"] == new["type"] for one in have):
            raise InvalidSecurityService(
                reason=f"Cannot add security service to share network. Security service with '{new['type']}' type "
                f"already added to '{network['id']}' share network"
            )
        return
    if current["id"] not in [one["id"] for one in have]:
        raise InvalidSecurityService(
            reason=f"The specified current security service {current['id']} is not associated to the share network "
            f"{network['id']}."
        )
    if current["type"] != new["type"]:
        raise InvalidSecurityService(
            reason="A security service can only be replaced by one of the same type. The current security service "
            f"type is '{current['type']}' and the new security service type is '{new['type']}'"
        )


async def _outcome(
    conn: Conn, network_id: str, key: str, hosts: Sequence[str], payload: Row, request_id: str | None
) -> tuple[bool | None, Hosts]:
    """What is known of a check; hosts that were not asked yet are asked now."""
    known = await async_operations.get(conn, network_id, key)
    answers: Hosts = {host: (known or {}).get(host) for host in hosts}
    missing = [host for host in hosts if known is None or host not in known]
    if known is not None and any(answers[host] is False for host in hosts):
        return False, answers
    if missing:
        await async_operations.put(conn, network_id, key, answers)
        for host in missing:
            check = NetworkCheck(share_network_id=network_id, host=host, key=key, **payload)
            await enqueue(conn, check, host, request_id=request_id)
        return None, answers
    return (True if all(answers.values()) else None), answers


async def _apply(conn: Conn, ctx: Context, network_id: str, hosts: Sequence[str], **change: str | None) -> None:
    """Order a change from back ends: ``subnet_id``, or ``new_service_id`` and ``current_service_id``."""
    for host in hosts:
        job = NetworkApply(share_network_id=network_id, host=host, **change)
        await enqueue(conn, job, host, request_id=ctx.request_id)


def _payload(new: Row, current: Row | None) -> Row:
    return {"new_service_id": new["id"], "current_service_id": current["id"] if current else None}


async def check_security_change(
    core: Core, conn: Conn, ctx: Context, network: Row, new: Row, current: Row | None, *, reset: bool
) -> tuple[bool | None, Hosts]:
    """Whether the back ends could add or replace a service; None while they think. Raises as ``_security_hosts``."""
    hosts = await _security_hosts(core, conn, network, new, current)
    if not hosts:
        return True, {}
    payload = _payload(new, current)
    key = security_key(payload["new_service_id"], payload["current_service_id"])
    if reset:
        await async_operations.remove(conn, network["id"], key)
    return await _outcome(conn, network["id"], key, hosts, payload, ctx.request_id)


async def start_security_change(
    core: Core, conn: Conn, ctx: Context, network: Row, new: Row, current: Row | None
) -> None:
    """Order the change from the back ends that a check found able; nothing for a network that is not in use.

    Raises:
        InvalidShareNetwork: no check, one that goes on, or one with a no. Otherwise as ``_security_hosts``.
    """
    hosts = await _security_hosts(core, conn, network, new, current)
    if not hosts:
        return
    payload = _payload(new, current)
    key = security_key(payload["new_service_id"], payload["current_service_id"])
    refused = (
        f"The share network {network['id']} cannot be updated since at least one of its backend hosts do not support "
        "this operation."
    )
    await _require(conn, ctx, network, key, hosts, payload, refused)
    servers = await subnets.servers_on(conn, [one["id"] for one in network["share_network_subnets"]])
    await _begin(conn, network["id"], servers)
    await _apply(conn, ctx, network["id"], hosts, **payload)
    await async_operations.remove(conn, network["id"], key)


async def _require(
    conn: Conn, ctx: Context, network: Row, key: str, hosts: Sequence[str], payload: Row, refused: str
) -> None:
    if await async_operations.get(conn, network["id"], key) is None:
        raise InvalidShareNetwork(
            reason=f"The share network {network['id']} cannot start the update process since no check operation was "
            'found. Before starting the update operation, a "check" operation must be triggered to validate if all '
            "backend hosts support the provided configuration paramaters."
        )
    outcome, _ = await _outcome(conn, network["id"], key, hosts, payload, ctx.request_id)
    if outcome is False:
        raise InvalidShareNetwork(reason=refused)
    if outcome is None:
        raise InvalidShareNetwork(
            reason="Not all of the validation has been completed yet. A validation check is in progress. This "
            "operation can be retried."
        )


async def _begin(conn: Conn, network_id: str, servers: Sequence[Row]) -> None:
    await share_networks.change(conn, network_id, {"status": "network_change"})
    for server in servers:
        await share_servers.set_status(conn, server["id"], "network_change")


async def _subnet_hosts(core: Core, conn: Conn, network: Row, servers: Sequence[Row]) -> list[str]:
    """The hosts of servers that a further subnet concerns. Raises as ``_security_hosts``."""
    check_active(network)
    if not network["network_allocation_update_support"]:
        raise InvalidShareNetwork(
            reason=f"Updating network allocations is not supported on this share network ({network['id']}) while it "
            "has shares. See the capability 'network_allocation_update_support'."
        )
    for server in servers:
        if server["status"] != "active":
            raise InvalidShareNetwork(
                reason=f"The share server {server['id']} in the specified availability zone subnet is not currently "
                "available."
            )
        await service_of(core, conn, server["host"])
        shares = await network_shares.shares_of(conn, server_ids=[server["id"]])
        head = f"The share server ({server['id']}) in the specified availability zone subnet has"
        wrong = [share["id"] for share in shares if share["status"] != "available"]
        if wrong:
            raise InvalidShareNetwork(reason=f"{head} some shares that are not available: {wrong}.")
        wrong = [share["id"] for share in shares if share["access_rules_status"] != "active"]
        if wrong:
            raise InvalidShareNetwork(
                reason=f"{head} either these shares or one of their replicas or migration copies that are not "
                f"available: {wrong}."
            )
        wrong = _busy(shares)
        if wrong:
            raise InvalidShareNetwork(reason=f"{head} some shares that are busy as part of an active task: {wrong}.")
    return _hosts(servers)


async def check_subnet_change(
    core: Core,
    conn: Conn,
    ctx: Context,
    network: Row,
    servers: Sequence[Row],
    wanted: Mapping[str, Any],
    *,
    reset: bool,
) -> tuple[bool | None, Hosts]:
    """Whether the back ends of ``servers`` could work on a further subnet too. Raises as ``_security_hosts``."""
    hosts = await _subnet_hosts(core, conn, network, servers)
    key = subnet_key(network["id"], wanted["availability_zone_id"])
    if reset:
        await async_operations.remove(conn, network["id"], key)
    return await _outcome(conn, network["id"], key, hosts, _subnet_payload(wanted), ctx.request_id)


def _subnet_payload(wanted: Mapping[str, Any]) -> Row:
    names = ("neutron_net_id", "neutron_subnet_id", "availability_zone_id")
    return {"subnet": {name: wanted.get(name) for name in names}}


async def start_subnet_change(
    core: Core, conn: Conn, ctx: Context, network: Row, servers: Sequence[Row], wanted: Mapping[str, Any]
) -> Row:
    """Make the subnet and order the back ends to extend their servers to it.

    Raises:
        InvalidShareNetwork: no check, one that goes on, or one with a no. Otherwise as ``_security_hosts``.
    """
    hosts = await _subnet_hosts(core, conn, network, servers)
    zone = wanted["availability_zone_id"]
    key, payload = subnet_key(network["id"], zone), _subnet_payload(wanted)
    refused = (
        f"The server's allocations cannot be updated on availability zone {zone} of the share network "
        f"{network['id']}, since at least one of its backend hosts do not support this operation."
    )
    await _require(conn, ctx, network, key, hosts, payload, refused)
    await _begin(conn, network["id"], servers)
    row = await subnets.create(conn, {**payload["subnet"], "share_network_id": network["id"]})
    await share_servers.put_on(conn, [str(server["id"]) for server in servers], row["id"])
    await _apply(conn, ctx, network["id"], hosts, subnet_id=row["id"])
    await async_operations.remove(conn, network["id"], key)
    return row
