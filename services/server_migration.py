"""Moving a share server to another back end or network: the rules, in the original's order."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db import async_operations, share_changes, share_lists, share_servers, subnets
from db import migrations_of_servers as table
from db.connection import Conn
from db.migrations_of_shares import snapshot_statuses
from db.write import new_id
from generated.errors import (
    InvalidInput,
    InvalidShareInstance,
    InvalidShareServer,
    InvalidShareSnapshotInstance,
    ShareBusyException,
    ShareTypeNotFound,
)
from generated.runtime import Fault, Row
from services import shares as rules
from services.context import Context
from services.core import Core
from services.share_migration import IN_PROGRESS, PHASE1_DONE, by_state, service_of, why_not
from services.work import (
    ReplicaSnapshotUpdate,
    ServerMigrate,
    ServerMigrateCancel,
    ServerMigrateCheck,
    ServerMigrateComplete,
    enqueue,
)

CHECK_SECONDS, CHECK_PAUSE = 60.0, 0.02
"""How long a back end may think about a check, and how often its answer is looked for."""
_UNABLE = {
    "compatible": False, "writable": False, "nondisruptive": False, "preserve_snapshots": False,
    "migration_cancel": False, "migration_get_progress": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for. ``host`` is a back end; ``network`` a row, or None to keep the server's."""

    host: str
    writable: bool
    nondisruptive: bool
    preserve_snapshots: bool
    network: Row | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What the checks found out. ``changes``: the server gets other addresses."""

    network_id: str
    zone_id: str | None
    changes: bool


async def _plan(core: Core, conn: Conn, server: Row, wish: Wish) -> Plan:
    """The checks that come before everything.

    Raises:
        InvalidShareServer: 409 by the handlers. ServiceIsDown: 400. ServiceNotFound, ShareTypeNotFound: 404.
    """
    found = await share_lists.find(conn, {"share_server_id": server["id"], "is_soft_deleted": False, "deferred": True})
    await _check_server(conn, server, wish, found)
    service = await service_of(core, conn, wish.host)
    await _check_zones(conn, server, wish, found, service)
    network_id = wish.network["id"] if wish.network else found[0]["share_network_id"]
    compatible = await subnets.in_zone(conn, network_id, service["zone_id"], fall_back=True)
    if not compatible:
        raise InvalidShareServer(
            reason=f"The share network {network_id} does not have a subnet that spans the destination host "
            "availability zone."
        )
    changes = False
    if wish.network:
        changes = not same_subnets(await subnets.of_server(conn, server["id"]), compatible)
    for share in found:
        await _check_share(conn, server, share)
    return Plan(network_id, service["zone_id"], changes)


async def _check_server(conn: Conn, server: Row, wish: Wish, found: Sequence[Row]) -> None:
    name = server["id"]
    if not found:
        raise InvalidShareServer(reason=f"Share server {name} does not have shares.")
    if await share_lists.find(conn, {"share_server_id": name, "is_soft_deleted": True, "deferred": True}):
        raise InvalidShareServer(reason=f"Share server {name} has at least one share that has been soft deleted.")
    if server["status"] != "active":
        raise InvalidShareServer(
            reason=f"Share server {name} status must be active, but current status is: {server['status']}."
        )
    if (await share_servers.in_use(conn, name))[1]:
        raise InvalidShareServer(
            reason=f"The share server {name} can not be migrated because it is related to a share group."
        )
    stays = server["host"].partition("@")[2] == wish.host.partition("@")[2]
    if stays and (wish.network is None or wish.network["id"] == found[0]["share_network_id"]):
        raise InvalidShareServer(
            reason="There is no difference between source and destination backends and between source and destination "
            "share networks. Share server migration will not proceed."
        )
    if await table.destinations(conn, name, table.DESTINATION):
        raise InvalidShareServer(
            reason="There is at least one destination share server pointing to this source share server. Clean up your "
            "environment before starting a new migration."
        )


async def _check_zones(conn: Conn, server: Row, wish: Wish, found: Sequence[Row], service: Row) -> None:
    for type_id in dict.fromkeys(share["share_type_id"] for share in found):
        share_type = await share_changes.share_type(conn, type_id)
        if share_type is None:
            raise ShareTypeNotFound(share_type_id=type_id)
        zones = share_type["extra_specs"].get("availability_zones", "")
        if zones and service["zone"] not in zones:
            raise InvalidShareServer(
                reason=f"Share server {server['id']} cannot be migrated to host {wish.host} because the share type "
                f"{share_type['name'] or ''}(ID: {share_type['id']}) is used by one of the shares, and this share type "
                f"is not supported within the availability zone ({service['zone']}) that the host is in."
            )


async def _check_share(conn: Conn, server: Row, share: Row) -> None:
    if share["status"] != "available":
        raise InvalidShareServer(
            reason=f"Share {share['id']} status must be available, but current status is: {share['status']}."
        )
    if not server["share_replicas_migration_support"] and share["has_replicas"]:
        raise InvalidShareServer(
            reason=f"Share {share['id']} has replicas. Remove the replicas of all shares in the share server before "
            "attempting to migrate it."
        )
    if any(status != "available" for status in await snapshot_statuses(conn, share["id"])):
        raise InvalidShareServer(
            reason="All snapshots must have 'available' status to be migrated by the driver along with share "
            f"{share['id']}."
        )
    if share["share_group_id"]:
        raise InvalidShareServer(
            reason=f"Share {share['id']} is a member of a group. This operation is not currently supported for share "
            "servers that contain shares members of  groups."
        )
    if share["access_rules_status"] == "error":
        raise InvalidShareServer(
            reason=f"Share instance {share['instance_id']} access rules status must not be in error when attempting to "
            "start a share server migration."
        )
    try:
        rules.require_idle(share)
    except ShareBusyException as error:
        raise InvalidShareServer(reason=error.msg) from None


def same_subnets(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two lists of subnets lie in the same subnets of Neutron."""
    place = [(row["neutron_net_id"], row["neutron_subnet_id"]) for row in other]
    return len(one) == len(other) and all((row["neutron_net_id"], row["neutron_subnet_id"]) in place for row in one)


def _move(server: Row, wish: Wish, plan: Plan) -> dict[str, Any]:
    return {
        "server_id": server["id"],
        "host": wish.host,
        "zone_id": plan.zone_id,
        "share_network_id": plan.network_id,
        "writable": wish.writable,
        "nondisruptive": wish.nondisruptive,
        "preserve_snapshots": wish.preserve_snapshots,
    }


async def leave_question(core: Core, server: Row, wish: Wish, request_id: str | None) -> tuple[str | None, Plan]:
    """Ask the back end's worker whether the server could move. Raises as ``_plan``.

    Returns:
        the key under which the answer will be, None when it is a no already; and what the checks found out.
    """
    async with core.db.write() as conn:
        plan = await _plan(core, conn, server, wish)
        if plan.changes and wish.nondisruptive:
            return None, plan
        job = ServerMigrateCheck(**_move(server, wish, plan), key=f"server_migration_check_{new_id()}")
        await enqueue(conn, job, wish.host, request_id=request_id)
    return job.key, plan


async def check(core: Core, ctx: Context, server: Row, wish: Wish) -> Row:
    """What the back end says: ``compatible`` and what it could do. Asks its worker and waits.

    Raises:
        as ``_plan``. Fault: 503, the back end does not answer.
    """
    key, plan = await leave_question(core, server, wish, ctx.request_id)
    if key is None:
        return {**_UNABLE, "share_network_id": plan.network_id}
    found = await _answer(core, server["id"], key)
    if found["nondisruptive"] and plan.changes:
        found["nondisruptive"] = False
    return found


async def _answer(core: Core, server_id: str, key: str) -> Row:
    deadline = asyncio.get_running_loop().time() + CHECK_SECONDS
    while asyncio.get_running_loop().time() < deadline:
        async with core.db.read() as conn:
            found = await async_operations.get(conn, server_id, key)
            if found is not None:
                await async_operations.remove(conn, server_id, key)
                return found
        await asyncio.sleep(CHECK_PAUSE)
    raise Fault(503, "The destination back end did not answer in time.")


async def start(core: Core, conn: Conn, ctx: Context, server: Row, wish: Wish) -> None:
    """Check that a server may move, and queue it.

    Raises:
        InvalidShareServer: 409 by the handler. InvalidInput, ServiceIsDown, InvalidShareInstance,
        InvalidShareSnapshotInstance: 400. ServiceNotFound, ShareTypeNotFound: 404.
    """
    plan = await _plan(core, conn, server, wish)
    if wish.nondisruptive and plan.changes:
        raise InvalidInput(
            reason="Nondisruptive migration would only be feasible when the current and new share networks carry the "
            "same 'neutron_net_id' and 'neutron_subnet_id', or when no network changes are occurring."
        )
    shares_, copies = await table.statuses(conn, server["id"])
    if shares_ - {"available"}:
        raise InvalidShareInstance(reason="At least one of the shares is not in the available status.")
    if copies - {"available"}:
        raise InvalidShareSnapshotInstance(reason="At least one of the snapshots is not in the available status.")
    for copy in await table.unsettled_copies(conn, server["id"]):
        # else a snapshot is shown as being made until somebody looks at the replica the next time
        await enqueue(conn, ReplicaSnapshotUpdate.read(copy), copy["host"], request_id=ctx.request_id)
    await table.set_task_state(conn, [server["id"]], "migration_starting", table.SOURCE)
    await table.set_statuses(conn, server["id"], table.SOURCE, ("available",))
    await table.forget_notes(conn, server["id"])
    await enqueue(conn, ServerMigrate(**_move(server, wish, plan)), wish.host, request_id=ctx.request_id)


async def _destination(conn: Conn, source_id: str, status: str) -> Row:
    """The server that another one moves or moved to. Raises InvalidShareServer."""
    found = await table.destinations(conn, source_id, status)
    if not found:
        raise InvalidShareServer(reason=f"A destination share server wasn't found for source share server {source_id}.")
    if len(found) > 1:
        raise InvalidShareServer(
            reason=f"More than one destination share server was found for source share server {source_id}. Aborting..."
        )
    return found[0]


async def complete(core: Core, conn: Conn, ctx: Context, server: Row) -> str:
    """Queue the second phase; id of the new server. Raises InvalidShareServer, ServiceIsDown (400), ServiceNotFound."""
    if server["status"] != table.SOURCE:
        raise InvalidShareServer(reason=f"Share server {server['id']} is not migrating")
    if server["task_state"] != PHASE1_DONE:
        raise InvalidShareServer(
            reason="The first phase of migration has to finish to request the completion of server "
            f"{server['id']}'s migration."
        )
    destination = await _destination(conn, server["id"], table.DESTINATION)
    await service_of(core, conn, destination["host"])
    job = ServerMigrateComplete(server_id=server["id"], destination_id=destination["id"])
    await enqueue(conn, job, destination["host"], request_id=ctx.request_id)
    return str(destination["id"])


async def cancel(core: Core, conn: Conn, ctx: Context, server: Row) -> None:
    """Queue the end of a migration that is not through. Raises InvalidShareServer, ServiceIsDown, ServiceNotFound."""
    if server["status"] != table.SOURCE:
        raise InvalidShareServer(
            reason=f"Migration of share server {server['id']} cannot be cancelled because the provided share server "
            "is not being migrated."
        )
    if server["task_state"] not in (PHASE1_DONE, IN_PROGRESS):
        raise InvalidShareServer(
            reason=why_not(server, "share_server")
            or f"Migration of share server {server['id']} can be cancelled only after the driver already started the "
            "migration, or when the first phase of the migration gets completed."
        )
    destination = await _destination(conn, server["id"], table.DESTINATION)
    await service_of(core, conn, destination["host"])
    job = ServerMigrateCancel(server_id=server["id"], destination_id=destination["id"])
    await enqueue(conn, job, destination["host"], request_id=ctx.request_id)


async def progress(core: Core, conn: Conn, server_id: str) -> Row:
    """``total_progress`` (per cent), ``task_state`` and ``destination_share_server_id``; of a server that is gone too.

    Raises:
        InvalidShareServer: 400. ServiceIsDown: 409 by the handler. ServiceNotFound: 404.
    """
    server = None if "\0" in server_id else await share_servers.get(conn, server_id)
    if server is None:
        moved = await _destination(conn, server_id, "active")
        return _shown({"total_progress": 100}, moved["id"], moved["task_state"])
    if server["status"] != table.SOURCE:
        raise InvalidShareServer(
            reason=f"Migration progress of share server {server_id} cannot be obtained. The provided share server is "
            "not being migrated."
        )
    try:
        destination = await _destination(conn, server_id, table.DESTINATION)
    except InvalidShareServer:
        found = by_state(server["task_state"])
        if found is None:
            raise _unknown(server) from None
        return _shown(found, "", "")
    if server["task_state"] == IN_PROGRESS:
        await service_of(core, conn, destination["host"])
        found = (await table.notes(conn, server_id)).get("progress")
    else:
        found = by_state(server["task_state"])
    if not found or found.get("total_progress") is None:
        raise _unknown(server)
    return _shown(found, destination["id"], destination["task_state"])


def _shown(found: Row, destination_id: str, task_state: str | None) -> Row:
    return {
        "total_progress": found["total_progress"],
        "task_state": task_state,
        "destination_share_server_id": destination_id,
    }


def _unknown(server: Row) -> InvalidShareServer:
    reason = why_not(server, "share_server")
    return InvalidShareServer(
        reason=reason or f"Migration progress of share server {server['id']} cannot be obtained at this moment."
    )
