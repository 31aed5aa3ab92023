"""Security services: how share servers of a network know their users."""

from __future__ import annotations

import builtins

from db import security_services as table
from db import uses
from db.connection import Conn
from generated.errors import InvalidInput
from generated.microversions import DEFAULT_AD_SITE
from generated.runtime import Fault, Json, Row
from generated.views.security_services import (
    SECURITY_SERVICE,
    SECURITY_SERVICE_LIST_ITEM,
    SECURITY_SERVICE_SUMMARY,
)
from handlers.call import Call, Reply
from handlers.paging import after_marker, page
from handlers.share_networks import all_tenants
from services import networks
from services.values import kept_text

TYPES = ("active_directory", "ldap", "kerberos")
TEXTS = {
    "name": 255, "description": 255, "dns_ip": 64, "server": 255, "domain": 255, "user": 255, "password": 255,
    "ou": 255, "default_ad_site": 255,
}  # fmt: skip
CHANGEABLE = (*TEXTS, "type")
CHANGEABLE_IN_USE = ("description", "name")
SEARCHABLE = ("name", "id", "type", "user", "server", "dns_ip", "domain")


async def show(call: Call) -> Reply:
    """One service."""
    async with call.core.db.read() as conn:
        row = await _find(call, conn)
    call.ctx.enforce("security_service:show", row)
    return Reply({"security_service": SECURITY_SERVICE[call.version](row, call.see)})


async def _find(call: Call, conn: Conn) -> Row:
    """A service of the requester's project. Raises Fault 404, also for one of another project."""
    row = await table.get(conn, call.path["id"], call.ctx.scope)
    if row is None:
        raise Fault(404)
    return row


def _values(call: Call) -> dict[str, Json]:
    values = call.body["security_service"] if call.has("security_service") else None
    if not isinstance(values, dict):
        raise Fault(422)
    return values


def _check_site(call: Call, values: dict[str, Json], kind: Json, sign: str) -> None:
    """An AD site is either named or found through a server. Raises Fault 400, InvalidInput (400)."""
    if not values.get("default_ad_site"):
        return
    if call.version < DEFAULT_AD_SITE:
        raise Fault(400, '"default_ad_site" is only supported from API version 2.76.')
    if kind == "active_directory" and values.get("server"):
        raise InvalidInput(
            reason="Cannot create security service because both server and 'default_ad_site' were provided"
            f"{sign} Specify either server or 'default_ad_site'."
        )


async def create(call: Call) -> Reply:
    """A new service of the requester's project."""
    call.ctx.enforce("security_service:create")
    values = _values(call)
    kind = values.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        raise InvalidInput(
            reason=f"Invalid type {kind} specified for security service. Valid types are {','.join(TYPES)}"
        )
    _check_site(call, values, kind, ",")
    networks.check_texts(values, TEXTS)
    given = {name: kept_text(values[name]) for name in CHANGEABLE if name in values}
    async with call.core.db.write() as conn:
        new = await table.create(conn, {**given, "project_id": call.ctx.project_id})
        row = await table.get(conn, new, None)
    assert row is not None
    shown = networks.as_sent(row, values, CHANGEABLE)
    return Reply({"security_service": SECURITY_SERVICE[call.version](shown, call.see)})


async def update(call: Call) -> Reply:
    """Change a service; one that share servers use keeps all but its name and description."""
    if not call.has("security_service"):
        raise Fault(422)
    values = call.body["security_service"]
    async with call.core.db.write() as conn:
        row = await _find(call, conn)
        call.ctx.enforce("security_service:update", row)
        named = values if isinstance(values, (str, dict)) else ()
        if any(one not in CHANGEABLE_IN_USE for one in named) and await table.used_by_servers(conn, row["id"]):
            raise Fault(
                403,
                f"Cannot update security service {row['id']}. It is attached to share network with share server "
                "associated. Only 'name' and 'description' fields are available for update.",
            )
        if not isinstance(values, dict):
            raise Fault(400)
        _check_site(call, values, row["type"], ".")
        networks.check_texts(values, TEXTS | {"type": 32})
        if values.get("type", "") is None:
            raise Fault(400)
        given = {name: kept_text(values[name]) for name in CHANGEABLE if name in values}
        await table.update(conn, row["id"], networks.changed(row, given))
        row = networks.as_sent(await _find(call, conn), values, CHANGEABLE)
    return Reply({"security_service": SECURITY_SERVICE[call.version](row, call.see)})


async def delete(call: Call) -> Reply:
    """Remove a service that no network has."""
    async with call.core.db.write() as conn:
        await uses.take(conn, table.TABLE, call.path["id"])
        row = await _find(call, conn)
        if row["share_networks"]:
            raise Fault(403, "Cannot delete security service. It is assigned to share network(s)")
        call.ctx.enforce("security_service:delete", row)
        await table.delete(conn, row["id"])
    return Reply()


async def list(call: Call) -> Reply:
    """Ids, names and types."""
    call.ctx.enforce("security_service:index")
    view = SECURITY_SERVICE_SUMMARY[call.version]
    return Reply({"security_services": await call.shown(view, await _listed(call))})


async def detail(call: Call) -> Reply:
    """Whole services, with the networks they are added to."""
    call.ctx.enforce("security_service:detail")
    view = SECURITY_SERVICE_LIST_ITEM[call.version]
    return Reply({"security_services": await call.shown(view, await _listed(call))})


async def _listed(call: Call) -> builtins.list[Row]:
    given = call.query.as_dict()
    given.pop("status", None)
    network = given.pop("share_network_id", None)
    async with call.core.db.read() as conn:
        if network is not None:
            await networks.find(conn, call.ctx, network)
            rows = await table.list_all(conn, call.ctx.scope, network)
        else:
            everyone = all_tenants(call) and call.ctx.allows("security_service:get_all_security_services")
            rows = await table.list_all(conn, None if everyone else call.ctx.project_id or "")
    for name in ("all_tenants", "marker"):
        given.pop(name, None)
    for name, value in given.items():
        if call.ctx.is_admin or name in SEARCHABLE:
            rows = [row for row in rows if row.get(name) == value]
    return builtins.list(page(call, after_marker(call, rows)))
