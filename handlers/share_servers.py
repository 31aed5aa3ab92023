"""Share servers, for administrators."""

from __future__ import annotations

from db import share_servers
from generated.errors import InvalidInput, ShareServerInUse, ShareServerNotFound
from generated.runtime import Fault, Json
from generated.views.share_servers import SHARE_SERVER, SHARE_SERVER_SUMMARY
from handlers.call import Call, Reply
from services import manage as taking
from services import networks
from services.manage_requests import read_server
from services.values import query_bool

BOOLEANS = ("is_auto_deletable", "security_service_update_support", "network_allocation_update_support")
DELETABLE = ["error", "active"]


async def list(call: Call) -> Reply:
    """The servers that meet the filters; an unknown filter is met by none."""
    filters: dict[str, Json] = {}
    for name, value in call.query.as_dict().items():
        if name not in share_servers.FILTERS:
            return Reply({"share_servers": []})
        if name in share_servers.COLUMN_FILTERS or value:
            filters[name] = query_bool(name, value) if name in BOOLEANS else value
    async with call.core.db.read() as conn:
        rows = await share_servers.list_all(conn, filters)
    view = SHARE_SERVER_SUMMARY[call.version]
    return Reply({"share_servers": await call.shown(view, rows, _row)})


async def show(call: Call) -> Reply:
    """One server."""
    row = await _get(call)
    if row["share_network_id"] is None:
        raise Fault(404, "Share server could not be found. Its associated share network does not exist.")
    return Reply({"share_server": SHARE_SERVER[call.version](_row(row), call.see)})


async def manage(call: Call) -> Reply:
    """Take over a server that exists on a back end."""
    if isinstance(call.body, (bool, int, float)):
        raise Fault(400)
    wish = read_server(call.body, call.version)
    async with call.core.db.write() as conn:
        try:
            made = await taking.server(call.core, conn, call.ctx, wish)
        except InvalidInput as error:
            raise Fault(400, error.msg) from None
        row = await share_servers.get(conn, made)
    assert row is not None
    return Reply({"share_server": SHARE_SERVER[call.version](_row(row), call.see)})


async def details(call: Call) -> Reply:
    """What the driver keeps of a server."""
    return Reply({"details": (await _get(call))["backend_details"]})


async def delete(call: Call) -> Reply:
    """Remove a server that nothing is on."""
    row = await _get(call)
    if row["status"] not in DELETABLE:
        raise Fault(
            403,
            f"Share server's actual status is {row['status']}, allowed statuses for deletion are {DELETABLE}.",
        )
    call.ctx.enforce("share_server:delete", row)
    async with call.core.db.write() as conn:
        try:
            await networks.delete_unused_server(conn, row, call.ctx.request_id)
        except ShareServerInUse as error:
            raise Fault(409, error.msg) from error
    return Reply()


async def _get(call: Call) -> dict[str, Json]:
    async with call.core.db.read() as conn:
        row = await share_servers.get(conn, call.path["id"])
    if row is None:
        raise Fault(404, ShareServerNotFound(share_server_id=call.path["id"]).msg)
    return row


def _row(row: dict[str, Json]) -> dict[str, Json]:
    """The row with the first subnet, which versions 2.51 to 2.69 show, and all of them in order of their ids."""
    ids = row["share_network_subnet_ids"]
    return {**row, "share_network_subnet_id": ids[0] if ids else None, "share_network_subnet_ids": sorted(ids)}
