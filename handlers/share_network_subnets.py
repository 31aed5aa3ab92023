"""Subnets of share networks."""

from __future__ import annotations

import builtins

from db import metadata as table
from db import subnets
from db.connection import Conn
from generated.errors import InvalidShareNetwork, ServiceIsDown, ShareNetworkSubnetNotFound
from generated.microversions import SEVERAL_SUBNETS, SUBNET_METADATA
from generated.runtime import Fault, Json, Row
from generated.views.share_networks import SHARE_NETWORK_SUBNET
from handlers.call import Call, Reply
from services import network_changes as changes
from services import networks
from services.literals import items_of_new
from services.values import kept_text


async def list(call: Call) -> Reply:
    """All subnets of a network."""
    async with call.core.db.read() as conn:
        network = await networks.find_or_404(conn, call.ctx, call.path["share_network_id"])
        rows = await subnets.of_network(conn, network["id"])
    view = SHARE_NETWORK_SUBNET[call.version]
    return Reply({"share_network_subnets": await call.shown(view, rows)})


async def show(call: Call) -> Reply:
    """One subnet."""
    async with call.core.db.read() as conn:
        return Reply({"share_network_subnet": _shown(call, await _subnet(call, conn))})


async def create(call: Call) -> Reply:
    """A further subnet; one in use by share servers is extended through its check."""
    call.has("share-network-subnet")
    data = wanted(call.body, "share-network-subnet", "Share Network Subnet is missing from the request body.")
    items = items_of_new(data.get("metadata")) if call.version >= SUBNET_METADATA else {}
    async with call.core.db.write() as conn:
        network, zone, existing = await checked(
            conn, call, call.path["share_network_id"], data, several=call.version >= SEVERAL_SUBNETS
        )
        servers = await subnets.servers_on(conn, [existing[0]["id"]]) if existing else []
        networks.check_texts(data, dict.fromkeys(networks.NEUTRON_IDS, 36))
        given = {name: kept_text(data[name]) for name in networks.NEUTRON_IDS if name in data}
        given["availability_zone_id"] = zone
        if servers:
            try:
                row = await changes.start_subnet_change(call.core, conn, call.ctx, network, servers, given)
            except InvalidShareNetwork as error:
                raise Fault(400, error.msg) from error
            except ServiceIsDown as error:  # a 500 in the original
                raise Fault(409, "Could not add the share network subnet.") from error
        else:
            row = await subnets.create(conn, {**given, "share_network_id": network["id"]})
        await table.put(conn, table.SUBNET, row["id"], items)
        row = await networks.find_subnet(conn, network["id"], row["id"])
    return Reply({"share_network_subnet": _shown(call, row)})


def wanted(body: Json, key: str, missing: str) -> dict[str, Json]:
    """The object under ``key``. Raises Fault 400 with the text ``missing``."""
    if not isinstance(body, dict) or not isinstance(body.get(key), dict):
        raise Fault(400, missing)
    found: dict[str, Json] = body[key]
    return found


async def checked(
    conn: Conn, call: Call, network_id: str, data: dict[str, Json], *, several: bool
) -> tuple[Row, str | None, builtins.list[Row]]:
    """Network, zone's id and the subnets already there, for a new subnet.

    Raises:
        Fault: 400, 404, or 409 when there may be only one subnet in the zone.
    """
    networks.check_neutron_ids(data)
    network = await networks.find_or_404(conn, call.ctx, network_id, lock=True)
    name = data.get("availability_zone")
    zone = await networks.zone_id(conn, name) if name else None
    existing = await subnets.in_zone(conn, network["id"], zone)
    if existing and not several:
        raise Fault(
            409,
            "Another share network subnet was found in the specified availability zone. Only one share network subnet "
            f"is allowed per availability zone for share network {network_id}.",
        )
    return network, zone, existing


async def delete(call: Call) -> Reply:
    """Remove a subnet without shares, with its idle share servers."""
    async with call.core.db.write() as conn:
        subnet = await _subnet(call, conn, lock=True)
        network_id = subnet["share_network_id"]
        servers = await subnets.servers_on(conn, [subnet["id"]])
        head = f"Cannot delete share network subnet {subnet['id']} of share network {network_id}, it has one or more"
        coming = await subnets.coming(conn, network_id, subnet["availability_zone_id"])
        for server in [*servers, coming]:
            if server["instances"]:
                raise Fault(409, f"{head} shares.")
            if server["groups"]:
                raise Fault(409, f"{head} share groups.")
        if not all(server["is_auto_deletable"] for server in servers):
            raise Fault(
                409,
                "The service cannot determine if there are any non-managed shares on the share network subnet "
                f"{subnet['id']} of share network {network_id}, so it cannot be deleted. Please contact the cloud "
                "administrator to rectify.",
            )
        for server in servers:
            await networks.delete_server(conn, server, call.ctx.request_id)
        await subnets.remove(conn, [subnet["id"]])
    return Reply()


async def _subnet(call: Call, conn: Conn, *, lock: bool = False) -> Row:
    """The subnet of the path, within the network of the path, which is locked if need be. Raises Fault 404."""
    network = await networks.find_or_404(conn, call.ctx, call.path["share_network_id"], lock=lock)
    try:
        return await networks.find_subnet(conn, network["id"], call.path["share_network_subnet_id"])
    except ShareNetworkSubnetNotFound as error:
        raise Fault(404, error.msg) from error


def _shown(call: Call, row: Row) -> Json:
    return SHARE_NETWORK_SUBNET[call.version](row, call.see)
