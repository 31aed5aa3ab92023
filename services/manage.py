"""Taking over shares, snapshots and share servers that exist on a back end: the rules, in the original's order."""

from __future__ import annotations

from typing import Any

from db import manage as table
from db import share_networks, share_servers, shares, snapshots, subnets, uses
from db.connection import Conn
from generated.errors import (
    AdminRequired,
    InvalidInput,
    InvalidShare,
    InvalidShareServer,
    ManageInvalidShareSnapshot,
    NotFound,
    ServiceIsDown,
    ServiceNotFound,
    ShareNetworkNotFound,
    ShareNotFound,
    ShareTypeNotFound,
    ShareTypeNotFoundByName,
)
from generated.runtime import Fault, Row
from services import share_types
from services import shares as rules
from services.capabilities import backend_of
from services.context import Context
from services.core import Core
from services.literals import kept_items
from services.manage_requests import LONGEST_NAME, ShareWish, SnapshotWish, kept, looked_up, text
from services.network_changes import check_active
from services.share_attributes import of_type, prefixed_mount_point
from services.share_request import public_flag, stored_text
from services.work import SCHEDULER, ServerManage, ShareManagePlace, SnapshotManage, enqueue

PUBLIC_RULE = "share:create_public_share"


async def _service(core: Core, conn: Conn, ctx: Context, host: str) -> Row:
    """The share service of a host, which must be enabled and have reported lately.

    Raises:
        AdminRequired, ServiceNotFound, ServiceIsDown: their statuses differ from operation to operation.
    """
    if not ctx.is_admin:
        raise AdminRequired
    found = await table.share_service(conn, host, core.settings.default.service_down_time)
    if found is None or found["disabled"]:
        raise ServiceNotFound(service_id=host)
    if not found["up"]:
        raise ServiceIsDown(service=host)
    return found


# ---- shares


async def share(core: Core, conn: Conn, ctx: Context, wish: ShareWish) -> str:
    """Take over a share; its id. The scheduler checks the pool, then the back end is asked.

    Raises:
        Fault, ManilaError: 400, 403, 404; InvalidShare and InvalidShareServer are 409 by the handler.
    """
    try:
        await _service(core, conn, ctx, backend_of(wish.host))
    except ServiceNotFound as error:
        raise Fault(404, error.msg) from None
    if wish.server_id:
        await subnets.hold_network(conn, wish.server_id)
        await uses.hold(conn, "share_servers", [wish.server_id])
    await uses.hold(conn, "share_types", [(await _type(core, conn, ctx, wish))["id"]])
    share_type = await _type(core, conn, ctx, wish)
    is_public = public_flag(ctx, wish.is_public, PUBLIC_RULE)
    if await table.knows_export(conn, wish.path, wish.host, wish.server_id):
        raise InvalidShare(reason="A share already exists with the export path specified.")
    qos_type = await share_types.default_qos_type(conn, share_type)
    network_id = await _network(conn, wish, share_type)
    attributes = of_type(share_type)
    mount_point = prefixed_mount_point(core, ctx, wish.mount_point_name, share_type, attributes)
    made = await table.insert_share(
        conn,
        {
            "user_id": ctx.user_id, "project_id": ctx.project_id, **kept(wish), "is_public": is_public,
            **{name: value for name, value in attributes.items() if name != "mount_point_name_support"},
        },
        {
            "host": wish.host, "status": "manage_starting", "share_type_id": share_type["id"],
            "share_server_id": wish.server_id, "share_network_id": network_id, "mount_point_name": mount_point,
            "qos_type_id": qos_type,
        },
        wish.path,
    )  # fmt: skip
    row = await shares.get(conn, made)
    assert row is not None
    job = ShareManagePlace(share_id=made, instance_id=row["instance_id"], driver_options=wish.driver_options)
    await enqueue(conn, job, SCHEDULER, request_id=ctx.request_id)
    return made


async def _type(core: Core, conn: Conn, ctx: Context, wish: ShareWish) -> Row:
    if wish.share_type and not isinstance(wish.share_type, str):
        raise Fault(400, "Invalid share type: the share type's name parameter was badly formatted.")
    try:
        return await share_types.find(conn, core, ctx, wish.share_type)
    except (ShareTypeNotFound, ShareTypeNotFoundByName) as error:
        raise Fault(404, error.msg) from None


async def _network(conn: Conn, wish: ShareWish, share_type: Row) -> str | None:
    """Id of the share network of the server that the share is on; None for a share without one."""
    servers = share_types.parse_boolean(share_types.DHSS, share_type["extra_specs"][share_types.DHSS])
    if servers and not wish.server_id:
        raise InvalidInput(
            reason="Share Server ID parameter is required when managing a share using a share type with "
            "driver_handles_share_servers extra-spec set to True."
        )
    if not servers and wish.server_id:
        raise InvalidInput(
            reason="Share Server ID parameter is not expected when managing a share using a share type with "
            "driver_handles_share_servers extra-spec set to False."
        )
    if not wish.server_id:
        return None
    server = await share_servers.get(conn, wish.server_id)
    if server is None:
        raise InvalidInput(reason="Share Server specified was not found.")
    if server["status"] != "active":
        raise InvalidShareServer(reason="The provided share server is not active.")
    network = await share_networks.owner_of(conn, server["share_network_id"])
    if network is None:
        raise InvalidInput(reason=f"Share network {server['share_network_id']} was not found.")
    check_active(network)
    return str(network["id"])


# ---- snapshots


async def snapshot(conn: Conn, ctx: Context, wish: SnapshotWish) -> Row:
    """Take over a snapshot of a share; the row as ``db.snapshots.get`` gives it.

    Raises:
        ShareNotFound: 404. Fault: 400, 403. InvalidShare, ManageInvalidShareSnapshot: 409 by the handler.
    """
    try:
        owner = await rules.get(conn, ctx, wish.share_id, lock=True)
    except NotFound:
        raise ShareNotFound(share_id=wish.share_id) from None
    if owner["is_soft_deleted"]:
        raise Fault(403, f"Can not manage snapshot for share '{wish.share_id}' since it has been soft deleted.")
    if owner["has_replicas"]:
        raise InvalidShare(
            reason=f"Share {owner['id']} has replicas. Snapshots of this share cannot currently be managed until all "
            "replicas are removed."
        )
    known = await table.snapshot_at(conn, owner["id"], wish.location)
    if known is not None:
        raise ManageInvalidShareSnapshot(
            reason=f"A share snapshot {known} is already managed for provider location {wish.location}."
        )
    if not owner["host"]:
        raise InvalidShare(reason=f"Share {owner['id']} is on no back end.")
    values: dict[str, Any] = {
        "share_id": owner["id"], "user_id": ctx.user_id, "project_id": ctx.project_id, "share_size": owner["size"],
        "share_proto": owner["share_proto"], "display_name": stored_text(wish.name, "name"),
        "display_description": stored_text(wish.description, "description"),
    }  # fmt: skip
    location = text({"provider_location": wish.location}, "provider_location", LONGEST_NAME)
    instance = {"share_instance_id": owner["instance_id"], "provider_location": location}
    metadata = kept_items(wish.metadata) if wish.metadata else {}
    made = await snapshots.get(conn, await table.insert_snapshot(conn, values, instance, metadata))
    assert made is not None
    job = SnapshotManage(
        share_id=owner["id"], snapshot_id=made["id"], snapshot_instance_id=made["instance"]["id"],
        driver_options=wish.driver_options,
    )  # fmt: skip
    await enqueue(conn, job, owner["host"], request_id=ctx.request_id)
    return {**made, "display_name": wish.name, "display_description": wish.description}


# ---- share servers


async def server(core: Core, conn: Conn, ctx: Context, wish: Row) -> str:
    """Take over a share server; its id. ``wish`` as ``manage_requests.read_server`` gives it.

    Raises:
        Fault, InvalidInput: 400. AdminRequired: 403.
    """
    await uses.hold(conn, share_networks.TABLE, [wish["share_network_id"]])
    first = await table.network_of_subnet(conn, await _subnet(conn, wish))
    if first is not None and first["id"] != wish["share_network_id"]:
        await uses.hold(conn, share_networks.TABLE, [first["id"]])
    subnet_id = await _subnet(conn, wish)
    network = await table.network_of_subnet(conn, subnet_id)
    if network is None:
        raise Fault(400, ShareNetworkNotFound(share_network_id=wish["share_network_id"]).msg)
    check_active(network)
    host = looked_up(wish, "host")
    if "#" in host:
        raise Fault(400, "Host parameter should not contain pool.")
    try:
        await _service(core, conn, ctx, host)
    except ServiceNotFound as error:
        raise Fault(400, error.msg) from None
    if await share_networks.owner_of(conn, wish["share_network_id"]) is None:
        raise Fault(400, ShareNetworkNotFound(share_network_id=wish["share_network_id"]).msg)
    options = wish["driver_options"]
    if options is not None and not isinstance(options, dict):
        raise Fault(400, "Driver options must be in dictionary format.")
    identifier = looked_up(wish, "identifier")
    await share_servers.lock_subnet(conn, subnet_id)
    alike = await table.servers_like(conn, identifier)
    if alike:
        raise InvalidInput(
            reason=f"Identifier {identifier} specified matches existing share servers: {', '.join(alike)}."
        )
    text(wish, "identifier", 255)
    made = await table.insert_server(conn, {"host": host, "identifier": identifier}, subnet_id)
    job = ServerManage(server_id=made, identifier=identifier, driver_options=options)
    await enqueue(conn, job, host, request_id=ctx.request_id)
    return made


async def _subnet(conn: Conn, wish: Row) -> str:
    """Id of the one subnet that the server is on: the one named, or the network's default subnet."""
    named = wish["share_network_subnet_id"]
    if named:
        found = await table.subnets_beside(conn, named)
        if not found:
            raise Fault(400, f"The share network subnet {named} does not exist.")
    else:
        found = await table.default_subnets(conn, wish["share_network_id"])
    if not found:
        raise Fault(
            400,
            f"The share network {wish['share_network_id']} does have a default subnet. Create one or use a specific "
            "subnet to manage this share server with API version >= 2.51.",
        )
    if len(found) > 1:
        raise Fault(
            400,
            f"Cannot manage the share server, since the share network subnet {named} has more subnets in its "
            "availability zone and share network.",
        )
    return found[0]
