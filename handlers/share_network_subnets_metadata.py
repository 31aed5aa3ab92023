"""Metadata of share network subnets."""

from __future__ import annotations

from typing import Any

from db import metadata as table
from db import share_networks, subnets
from db.connection import Conn
from generated.messages import Action, Detail, Resource
from generated.microversions import SUBNET_METADATA_FOR_DRIVERS
from generated.runtime import Fault
from handlers.call import Call, Reply
from handlers.metadata_of import MetadataOf
from services import driver_metadata, metadata
from services.messages import create_message


async def _subnet(call: Call, conn: Conn, to_change: bool) -> str:
    """Id of the path's subnet, within a network the requester may see. Raises Fault 404."""
    row = await share_networks.get(conn, call.path["share_network_id"], call.ctx.scope)
    found = None if row is None else await subnets.get(conn, row["id"], call.path["resource_id"])
    if found is None:
        raise Fault(404, "Share_network_subnet not found.")
    return str(found["id"])


async def _changed(call: Call, conn: Conn, subnet_id: str, items: dict[str, Any]) -> None:
    if call.version >= SUBNET_METADATA_FOR_DRIVERS:
        network_id = call.path["share_network_id"]
        await driver_metadata.of_subnet(call.core, conn, call.ctx, network_id, subnet_id, items)


_METADATA = MetadataOf(table.SUBNET, _subnet, changed=_changed)
list, show_item, create = _METADATA.list, _METADATA.show_item, _METADATA.create
update_item, update_all = _METADATA.update_item, _METADATA.update_all


async def delete_item(call: Call) -> Reply:
    """Remove one item. A driver that acts on it is not told, and a message says so."""
    settings = call.core.settings.default
    async with call.core.db.write() as conn:
        owner = await _subnet(call, conn, True)
        await metadata.drop(conn, table.SUBNET, owner, call.path["key"])
        if (
            call.version >= SUBNET_METADATA_FOR_DRIVERS
            and call.path["key"] in settings.driver_updatable_subnet_metadata
        ):
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
