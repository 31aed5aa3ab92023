"""Rules of share networks, their subnets and servers that more than one operation needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from db import metadata as items
from db import quotas, share_networks, share_servers, subnets, zones
from db.connection import Conn
from generated.errors import (
    ShareNetworkNotFound,
    ShareNetworksLimitExceeded,
    ShareNetworkSubnetNotFound,
    ShareServerInUse,
)
from generated.runtime import Fault, Json, Row
from services import quotas as limits
from services.context import Context
from services.core import Core
from services.values import kept_text
from services.work import ServerDelete, ServerUnmanage, enqueue

NEUTRON_IDS = ("neutron_net_id", "neutron_subnet_id")
SHOWN_ABOVE = (*NEUTRON_IDS, "network_type", "segmentation_id", "cidr", "ip_version", "gateway", "mtu")
"""Fields of the default subnet that old versions show as the network's own."""


async def find(conn: Conn, ctx: Context, network_id: str, *, lock: bool = False) -> Row:
    """A network the requester may see. Raises ShareNetworkNotFound (404).

    Args:
        lock: nobody else changes it, begins to use it or ends that until the transaction ends.
    """
    if lock:
        await share_networks.lock(conn, network_id)
    row = await share_networks.get(conn, network_id, ctx.scope)
    if row is None:
        raise ShareNetworkNotFound(share_network_id=network_id)
    return row


async def find_or_404(conn: Conn, ctx: Context, network_id: str, *, lock: bool = False) -> Row:
    """The same; the fault 404 carries the plain text."""
    try:
        return await find(conn, ctx, network_id, lock=lock)
    except ShareNetworkNotFound as error:
        raise Fault(404, error.msg) from error


async def find_subnet(conn: Conn, network_id: str, subnet_id: str) -> Row:
    """A subnet of this network. Raises ShareNetworkSubnetNotFound (404), also for one of another network."""
    row = await subnets.get(conn, network_id, subnet_id)
    if row is None:
        raise ShareNetworkSubnetNotFound(share_network_subnet_id=subnet_id)
    return row


def changed(row: Mapping[str, Any], values: Mapping[str, Any]) -> Row:
    """The values that differ from the row's; writing none of them keeps ``updated_at`` as it is."""
    return {name: value for name, value in values.items() if row[name] != value}


def as_sent(row: Row, values: Mapping[str, Json], names: Iterable[str]) -> Row:
    """The row with numbers and booleans that were sent where texts belong: they are kept as text, but shown once."""
    sent = {name: values[name] for name in names if name in values}
    return {**row, **{name: value for name, value in sent.items() if isinstance(value, int | float)}}


def with_default_subnet(network: Row) -> Row:
    """The row with the default subnet's fields at its top, where versions before 2.51 show them."""
    default: Mapping[str, Any] = {}
    for subnet in network["share_network_subnets"]:
        if subnet["is_default"]:
            default = subnet
    return {**network, **{name: default.get(name) for name in SHOWN_ABOVE}}


def check_neutron_ids(values: Mapping[str, Json]) -> None:
    """Both ids of a subnet, or none. Raises Fault 400."""
    if ("neutron_net_id" in values) != ("neutron_subnet_id" in values):
        raise Fault(
            400,
            "When creating a new share network subnet you need to specify both neutron_net_id and "
            "neutron_subnet_id or none of them.",
        )


def check_texts(values: Mapping[str, Json], longest: Mapping[str, int], too_long: str | None = None) -> None:
    """Each given value is null or a text that fits its column.

    Raises:
        Fault: 400, naming the field; with the text ``too_long`` for one that does not fit, if it is given.
    """
    for name, length in longest.items():
        value = kept_text(values.get(name))
        if value is not None and not isinstance(value, str):
            raise Fault(400, f"{name} must be a string.")
        if value is not None and len(value) > length:
            raise Fault(400, too_long or f"{name} can only be {length} characters long.")


async def zone_id(conn: Conn, name: str) -> str:
    """Id of a zone by its name or id. Raises Fault 400."""
    row = await zones.find(conn, name) if isinstance(name, str) else None
    if row is None:
        raise Fault(400, f"The provided availability zone {name} does not exist.")
    return str(row["id"])


async def create(conn: Conn, core: Core, ctx: Context, network: Row, subnet: Row, metadata: Mapping[str, str]) -> Row:
    """A network with its first subnet, which gets the metadata, counted against the quota.

    Raises:
        ShareNetworksLimitExceeded: 413.
    """
    project, user = ctx.project_id or "", ctx.user_id or ""
    allowed = await limits.limits_for(conn, core, project, user)
    try:
        await quotas.reserve(conn, project, user, {"share_networks": 1}, allowed)
    except quotas.OverQuota as error:
        raise ShareNetworksLimitExceeded(allowed=error.quotas["share_networks"]) from error
    row = await share_networks.create(conn, {**network, "project_id": project, "user_id": user})
    first = await subnets.create(conn, {**subnet, "share_network_id": row["id"]})
    await items.put(conn, items.SUBNET, first["id"], dict(metadata))
    return await find(conn, ctx, row["id"])


async def delete_server(conn: Conn, server: Row, request_id: str | None) -> None:
    """Order the removal of a share server; the worker looks again whether it is unused."""
    await enqueue(conn, ServerDelete(server_id=server["id"]), server["host"], request_id=request_id)


async def unmanage_server(conn: Conn, server: Row, *, force: bool, request_id: str | None) -> None:
    """Order a server, which must be locked, to be forgotten. Raises ShareServerInUse (400 by its handler)."""
    if any(await share_servers.in_use(conn, server["id"])):
        raise ShareServerInUse(share_server_id=server["id"])
    await share_servers.set_status(conn, server["id"], "unmanage_starting")
    await enqueue(conn, ServerUnmanage(server_id=server["id"], force=force), server["host"], request_id=request_id)


async def delete_unused_server(conn: Conn, server: Row, request_id: str | None) -> None:
    """Order the removal of a server that nothing is on. Raises ShareServerInUse (409 by its handler)."""
    if any(await share_servers.in_use(conn, server["id"])):
        raise ShareServerInUse(share_server_id=server["id"])
    await delete_server(conn, server, request_id)
