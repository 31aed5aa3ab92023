"""Moving a share server; ``share_servers_action`` offers this under the operations' names."""

from __future__ import annotations

from db import share_servers
from db.connection import Conn
from db.write import lock
from generated.errors import InvalidInput, InvalidShareServer, ServiceIsDown, ShareServerNotFound
from generated.runtime import Fault, Json, Row
from handlers.call import Call, Reply
from handlers.shares_migration import flag, hold_network, new_network
from services import server_migration as migration

_FLAGS = ("writable", "nondisruptive", "preserve_snapshots")
MANDATORY = [*_FLAGS, "host"]
JSON = {"Content-Type": "application/json"}


async def _found(call: Call, conn: Conn) -> Row:
    server_id = call.path["id"]
    row = None if "\0" in server_id else await share_servers.get(conn, server_id)
    if row is None:
        raise Fault(404, ShareServerNotFound(share_server_id=server_id).msg)
    return row


async def _wish(call: Call, conn: Conn) -> tuple[Row, migration.Wish]:
    """The server and what is wanted of it. Raises Fault 404, 400."""
    server, arguments = await _found(call, conn), call.action_args
    if not arguments:
        raise Fault(400, "Request is missing body.")
    if server["encryption_key_ref"]:
        raise Fault(400, "Cannot migrate the share server containing encryption key reference")
    if isinstance(arguments, (int, float)):
        raise Fault(400)
    if not isinstance(arguments, dict) or set(MANDATORY) - set(arguments):
        raise Fault(400, f"Must specify all mandatory parameters: {MANDATORY}")
    flags = {name: flag(arguments, name) for name in _FLAGS}
    host = arguments["host"]
    if not isinstance(host, str):
        raise Fault(400, "host must be a string.")
    if "#" in host:
        raise Fault(400, "The destination host can not contain pool information.")
    network = await new_network(call, conn, arguments, server["share_network_id"])
    return server, migration.Wish(host=host, network=network, **flags)


async def migration_start(call: Call) -> Reply:
    """Move a server with all that is on it."""
    async with call.core.db.write() as conn:
        await hold_network(call, conn)
        await lock(conn, "share_servers", call.path["id"])
        server, wish = await _wish(call, conn)
        try:
            await migration.start(call.core, conn, call.ctx, server, wish)
        except (ServiceIsDown, InvalidInput) as error:
            raise Fault(400, error.msg) from None
        except InvalidShareServer as error:
            raise Fault(409, error.msg) from None
    return Reply(headers=JSON)


async def migration_check(call: Call) -> Reply:
    """Whether a server could move."""
    async with call.core.db.read() as conn:
        server, wish = await _wish(call, conn)
    try:
        found = await migration.check(call.core, call.ctx, server, wish)
    except ServiceIsDown as error:
        raise Fault(400, error.msg) from None
    except InvalidShareServer as error:
        raise Fault(409, error.msg) from None
    if "new_share_network_id" not in call.action_args:
        raise Fault(400, "new_share_network_id is required.")
    return Reply(_checked(call.action_args, found))


def _checked(arguments: Json, found: Row) -> Json:
    names = ("writable", "nondisruptive", "preserve_snapshots")
    supported = (*names, "share_network_id", "migration_cancel", "migration_get_progress")
    return {
        "compatible": found["compatible"],
        "requested_capabilities": {
            **{name: arguments[name] for name in names},
            "share_network_id": arguments.get("new_share_network_id"),
            "host": arguments["host"],
        },
        "supported_capabilities": {name: found[name] for name in supported},
    }


async def migration_complete(call: Call) -> Reply:
    """Begin the second phase of a migration."""
    async with call.core.db.write() as conn:
        server = await _found(call, conn)
        try:
            destination = await migration.complete(call.core, conn, call.ctx, server)
        except (InvalidShareServer, ServiceIsDown) as error:
            raise Fault(400, error.msg) from None
    return Reply({"destination_share_server_id": destination})


async def migration_cancel(call: Call) -> Reply:
    """End a migration and leave the server where it was."""
    async with call.core.db.write() as conn:
        server = await _found(call, conn)
        try:
            await migration.cancel(call.core, conn, call.ctx, server)
        except (InvalidShareServer, ServiceIsDown) as error:
            raise Fault(400, error.msg) from None
    return Reply(headers=JSON)


async def migration_get_progress(call: Call) -> Reply:
    """How far a migration is, also of a server that is gone since it is through."""
    async with call.core.db.read() as conn:
        try:
            found = await migration.progress(call.core, conn, call.path["id"])
        except ServiceIsDown as error:
            raise Fault(409, error.msg) from None
        except InvalidShareServer as error:
            raise Fault(400, error.msg) from None
    return Reply(found)
