"""Actions on share servers."""

from __future__ import annotations

from db import share_networks, share_servers
from db.write import lock, update
from generated.enums import ServerTaskState, ShareServer
from generated.errors import ShareNetworkNotFound, ShareServerInUse, ShareServerNotFound
from generated.runtime import Fault
from handlers import share_servers_migration
from handlers.call import Call, Reply
from services import networks
from services.network_changes import check_active
from services.reset import wanted_status, wanted_task_state, within

STATUSES = tuple(str(one) for one in ShareServer)
TASK_STATES = (*(str(one) for one in ServerTaskState), None)

UNMANAGEABLE = ("error", "active", "manage_error", "unmanage_error")


async def reset_status(call: Call) -> Reply:
    """Set a server's status, whatever it is now."""
    return await _reset(call, "status", wanted_status(call.action_args, STATUSES))


async def reset_task_state(call: Call) -> Reply:
    """Set a server's task state, whatever it is now."""
    return await _reset(call, "task_state", wanted_task_state(call.action_args, TASK_STATES))


async def unmanage(call: Call) -> Reply:
    """Forget a server without removing what the driver made."""
    arguments = call.action_args
    force = bool(arguments.get("force")) if isinstance(arguments, dict) else False
    async with call.core.db.write() as conn:
        await lock(conn, "share_servers", call.path["id"])
        row = await share_servers.get(conn, call.path["id"])
        if row is None:
            raise Fault(404, ShareServerNotFound(share_server_id=call.path["id"]).msg)
        if len(row["share_network_subnet_ids"]) > 1:
            raise Fault(400, "Cannot unmanage the share server containing multiple subnets.")
        if row["encryption_key_ref"]:
            raise Fault(400, "Cannot unmanage the share server containing encryption key reference")
        network = await share_networks.owner_of(conn, row["share_network_id"])
        if network is None:
            raise ShareNetworkNotFound(share_network_id=row["share_network_id"])
        check_active(network)
        if row["status"] not in UNMANAGEABLE:
            raise Fault(
                400,
                f"Share server's actual status is {row['status']}, allowed statuses for unmanaging are "
                f"{', '.join(UNMANAGEABLE)}.",
            )
        try:
            await networks.unmanage_server(conn, row, force=force, request_id=call.ctx.request_id)
        except ShareServerInUse as error:
            raise Fault(400, error.msg) from error
    return Reply()


migration_start = share_servers_migration.migration_start
migration_check = share_servers_migration.migration_check
migration_complete = share_servers_migration.migration_complete
migration_cancel = share_servers_migration.migration_cancel
migration_get_progress = share_servers_migration.migration_get_progress


async def _reset(call: Call, column: str, value: str | None) -> Reply:
    async with call.core.db.write() as conn:
        row = await share_servers.get(conn, call.path["id"])
        if row is None:
            raise Fault(404)
        call.ctx.enforce("share_server:reset_status", row)
        network = await share_networks.owner_of(conn, row["share_network_id"])
        within(call.ctx, None if network is None else network["project_id"])
        await update(conn, "share_servers", {"id": row["id"]}, {column: value})
    return Reply()
