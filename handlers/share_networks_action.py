"""Actions on share networks: security services, checks, reset."""

from __future__ import annotations

from collections.abc import Mapping

from db import security_services, share_networks, subnets, uses
from db.connection import Conn
from generated.enums import ShareNetwork
from generated.errors import (
    InvalidSecurityService,
    InvalidShareNetwork,
    SecurityServiceNotFound,
    ServiceIsDown,
    ShareNetworkNotFound,
    ShareNetworkSecurityServiceAssociationError,
    ShareNetworkSecurityServiceDissociationError,
)
from generated.microversions import CHANGES_OF_USED_NETWORKS
from generated.runtime import Fault, Json, Row
from handlers.call import Call, Reply
from handlers.share_network_subnets import checked, wanted
from handlers.share_networks import shown
from services import network_changes as changes
from services import networks
from services.reset import wanted_status
from services.values import query_bool

WITHOUT_PERIOD = ("add_security_service", "remove_security_service")


def _arguments(call: Call, *keys: str) -> dict[str, Json]:
    """The action's object with ids under ``keys``; an empty list is that of nothing. Raises Fault 400."""
    found = call.action_args
    if not isinstance(found, dict):
        raise Fault(400)
    if not all(key in found and (found[key] == [] or isinstance(found[key], str | None)) for key in keys):
        raise Fault(400, "Malformed request body" if call.route.action in WITHOUT_PERIOD else "Malformed request body.")
    return found


async def _network(call: Call, conn: Conn) -> Row:
    """The network of the path, locked; the action's policy holds for it."""
    row = await networks.find(conn, call.ctx, call.path["id"], lock=True)
    call.ctx.enforce(f"share_network:{call.route.action}", row)
    return row


async def _service(call: Call, conn: Conn, service_id: Json) -> Row:
    """A service of the requester's project, which stays. Raises SecurityServiceNotFound (404), also for another's."""
    row = None
    if isinstance(service_id, str):
        await uses.hold(conn, security_services.TABLE, [service_id])
        row = await security_services.get(conn, service_id, call.ctx.scope)
    if row is None:
        raise SecurityServiceNotFound(security_service_id=service_id)
    return row


async def _pair(call: Call, conn: Conn) -> tuple[Row, Row]:
    """The current and the new service of an update. Raises Fault 400."""
    given = call.action_args if isinstance(call.action_args, dict) else {}
    ids = [given.get(key) for key in ("current_service_id", "new_service_id")]
    await uses.hold(conn, security_services.TABLE, [one for one in ids if isinstance(one, str)])
    try:
        current = await _service(call, conn, _arguments(call, "current_service_id")["current_service_id"])
        return current, await _service(call, conn, _arguments(call, "new_service_id")["new_service_id"])
    except SecurityServiceNotFound as error:
        raise Fault(400, "The current security service or the new security service doesn't exist.") from error


def _refused(error: InvalidShareNetwork | InvalidSecurityService | ServiceIsDown) -> Fault:
    return Fault(400 if isinstance(error, InvalidShareNetwork) else 409, error.msg)


async def add_security_service(call: Call) -> Reply:
    """Add a service to a network; one in use needs a check before."""
    async with call.core.db.write() as conn:
        network = await _network(call, conn)
        service = await _service(call, conn, _arguments(call, "security_service_id")["security_service_id"])
        if network["servers"] and call.version < CHANGES_OF_USED_NETWORKS:
            raise Fault(403, "Cannot add security services. Share network is used.")
        try:
            await changes.start_security_change(call.core, conn, call.ctx, network, service, None)
        except (InvalidShareNetwork, InvalidSecurityService, ServiceIsDown) as error:
            raise _refused(error) from error
        if network["id"] in service["share_networks"]:
            raise Fault(400, _associated(network, service))
        await security_services.add(conn, network["id"], service["id"])
        row = await networks.find(conn, call.ctx, network["id"])
    return Reply({"share_network": shown(call, row)})


def _associated(network: Row, service: Row) -> str:
    return ShareNetworkSecurityServiceAssociationError(
        share_network_id=network["id"], security_service_id=service["id"], reason="Already associated"
    ).msg


async def remove_security_service(call: Call) -> Reply:
    """Take a service from a network that no share server uses."""
    async with call.core.db.write() as conn:
        network = await _network(call, conn)
        if network["servers"]:
            raise Fault(403, "Cannot remove security services. Share network is used.")
        service_id = _arguments(call, "security_service_id")["security_service_id"]
        try:
            service = await _service(call, conn, service_id)
        except SecurityServiceNotFound as error:
            raise Fault(404, error.msg) from error
        if not await security_services.take_away(conn, network["id"], service["id"]):
            raise Fault(400, _not_associated(network, service))
        row = await networks.find(conn, call.ctx, network["id"])
    return Reply({"share_network": shown(call, row)})


def _not_associated(network: Row, service: Row) -> str:
    return ShareNetworkSecurityServiceDissociationError(
        share_network_id=network["id"], security_service_id=service["id"], reason="No association defined"
    ).msg


async def update_security_service(call: Call) -> Reply:
    """Replace a service of a network by another of the same type; one in use needs a check before."""
    async with call.core.db.write() as conn:
        network = await _network(call, conn)
        current, new = await _pair(call, conn)
        try:
            await changes.start_security_change(call.core, conn, call.ctx, network, new, current)
        except (InvalidShareNetwork, InvalidSecurityService, ServiceIsDown) as error:
            raise _refused(error) from error
        await security_services.take_away(conn, network["id"], current["id"])
        await security_services.add(conn, network["id"], new["id"])
        row = await networks.find(conn, call.ctx, network["id"])
    return Reply({"share_network": shown(call, row)})


async def add_security_service_check(call: Call) -> Reply:
    """Whether the back ends of a network could add a service."""
    async with call.core.db.write() as conn:
        network = await _network(call, conn)
        data = _arguments(call, "security_service_id")
        try:
            service = await _service(call, conn, data["security_service_id"])
        except SecurityServiceNotFound as error:
            raise Fault(400, f"Security service {data['security_service_id']} doesn't exist.") from error
        return await _check(call, conn, network, data, service, None)


async def update_security_service_check(call: Call) -> Reply:
    """Whether the back ends of a network could replace a service."""
    async with call.core.db.write() as conn:
        network = await _network(call, conn)
        current, new = await _pair(call, conn)
        return await _check(call, conn, network, call.action_args, new, current)


def _reset(data: Mapping[str, Json]) -> bool:
    """Whether an earlier check's outcome is thrown away. Raises Fault 400."""
    return query_bool("reset_operation", data.get("reset_operation", False))


async def _check(
    call: Call, conn: Conn, network: Row, data: Mapping[str, Json], new: Row, current: Row | None
) -> Reply:
    try:
        compatible, hosts = await changes.check_security_change(
            call.core, conn, call.ctx, network, new, current, reset=_reset(data)
        )
    except (InvalidShareNetwork, InvalidSecurityService, ServiceIsDown) as error:
        raise _refused(error) from error
    body: dict[str, Json] = {
        "compatible": compatible,
        "requested_operation": {
            "operation": "update_security_service" if current else "add_security_service",
            "current_security_service": current["id"] if current else None,
            "new_security_service": new["id"],
        },
    }
    if call.ctx.is_admin:
        body["hosts_check_result"] = hosts
    return Reply(body)


async def share_network_subnet_create_check(call: Call) -> Reply:
    """Whether the back ends of a network could work with a further subnet."""
    call.ctx.enforce("share_network:subnet_create_check")  # the original never asks this rule
    missing = "Share Network Subnet Create Check is missing from the request body."
    data = wanted(call.body, "share_network_subnet_create_check", missing)
    async with call.core.db.write() as conn:
        network, zone, existing = await checked(conn, call, call.path["id"], data, several=True)
        reset = _reset(data)
        compatible: bool | None = True
        hosts: dict[str, bool | None] = {}
        servers = await subnets.servers_on(conn, [existing[0]["id"]]) if existing else []
        if servers:
            try:
                compatible, hosts = await changes.check_subnet_change(
                    call.core, conn, call.ctx, network, servers, {**data, "availability_zone_id": zone}, reset=reset
                )
            except InvalidShareNetwork as error:
                raise Fault(400, error.msg) from error
            except ServiceIsDown as error:  # a 500 in the original
                raise Fault(409, "A share network subnet update check cannot be performed at this time.") from error
    body: dict[str, Json] = {"compatible": compatible}
    if call.ctx.is_admin:
        body["hosts_check_result"] = hosts
    return Reply(body)


async def reset_status(call: Call) -> Reply:
    """Set a network's status, whatever it is now."""
    status = wanted_status(call.action_args, tuple(ShareNetwork))
    async with call.core.db.write() as conn:
        try:
            network = await networks.find(conn, call.ctx, call.path["id"], lock=True)
        except ShareNetworkNotFound as error:
            raise Fault(404) from error
        call.ctx.enforce("share_network:reset_status", network)
        await share_networks.change(conn, network["id"], networks.changed(network, {"status": status}))
    return Reply()
