"""Metadata of share network subnets."""

from __future__ import annotations

from db import metadata as table
from db import share_networks, subnets
from db.connection import Conn
from generated.errors import InvalidMetadata, InvalidMetadataSize
from generated.messages import Action, Detail, Resource
from generated.runtime import Fault
from handlers.call import Call, Reply
from services import metadata
from services.messages import create_message

DRIVER_SINCE = 89
"""From here on a driver may act on metadata; nothing tells it of an item that goes, and a message says so."""


async def list(call: Call) -> Reply:
    """All items."""
    async with call.core.db.read() as conn:
        return Reply({"metadata": await table.get(conn, table.SUBNET, await _subnet(call, conn))})


async def show_item(call: Call) -> Reply:
    """One item."""
    async with call.core.db.read() as conn:
        owner = await _subnet(call, conn)
        return Reply({"meta": await metadata.show(conn, table.SUBNET, owner, call.path["key"])})


async def create(call: Call) -> Reply:
    """Set items; the others stay."""
    return await _add(call, _items(call))


async def update_item(call: Call) -> Reply:
    """Set one item."""
    try:
        items = metadata.body_item(call.body, call.path["key"])
    except (InvalidMetadata, InvalidMetadataSize) as error:
        raise Fault(400, error.msg) from error
    return await _add(call, items)


async def update_all(call: Call) -> Reply:
    """Make the given items the whole metadata."""
    items = _items(call)
    async with call.core.db.write() as conn:
        owner = await _subnet(call, conn)
        return Reply({"metadata": await metadata.replace(conn, table.SUBNET, owner, items)})


async def delete_item(call: Call) -> Reply:
    """Remove one item."""
    settings = call.core.settings.default
    async with call.core.db.write() as conn:
        owner = await _subnet(call, conn)
        await metadata.drop(conn, table.SUBNET, owner, call.path["key"])
        if call.version >= DRIVER_SINCE and call.path["key"] in settings.driver_updatable_subnet_metadata:
            network = await share_networks.owner_of(conn, call.path["share_network_id"])
            await create_message(
                conn,
                Action.UPDATE_METADATA,
                None if network is None else network["project_id"],
                resource_type=Resource.SHARE_NETWORK_SUBNET,
                resource_id=owner,
                detail=Detail.UPDATE_METADATA_NOT_DELETED,
                request_id=call.ctx.request_id,
                ttl=settings.message_ttl,
            )
    return Reply()


def _items(call: Call) -> dict[str, str]:
    try:
        return metadata.body_items(call.body)
    except (InvalidMetadata, InvalidMetadataSize) as error:
        raise Fault(400, error.msg) from error


async def _add(call: Call, items: dict[str, str]) -> Reply:
    async with call.core.db.write() as conn:
        await metadata.add(conn, table.SUBNET, await _subnet(call, conn), items)
    return Reply({"metadata": items})


async def _subnet(call: Call, conn: Conn) -> str:
    """Id of the path's subnet, within a network the requester may see. Raises Fault 404."""
    row = await share_networks.get(conn, call.path["share_network_id"], call.ctx.scope)
    found = None if row is None else await subnets.get(conn, row["id"], call.path["resource_id"])
    if found is None:
        raise Fault(404, "Share_network_subnet not found.")
    return str(found["id"])
