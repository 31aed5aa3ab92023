"""The later life of a share server's migration, all on the back end that it goes to: go on, complete, cancel."""

from __future__ import annotations

from typing import Any

from db import (
    driver_rows,
    export_locations,
    network_allocations,
    security_services,
    share_servers,
    snapshot_instances,
    subnets,
    write,
)
from db import migrations_of_servers as table
from db.connection import Conn, Row
from db.migrations_of_shares import service
from services.share_migration import IN_PROGRESS, PHASE1_DONE
from services.work import (
    ServerMigrateCancel,
    ServerMigrateComplete,
    ServerMigrateContinue,
    ServerMoving,
)
from worker import extending, last_share
from worker.operation import Operation, Step, Work
from worker.operations.server_migrate import driver_progress
from worker.server_migration import Servers, back_to_source, both, find, remove_server, restore_rules
from worker.server_setup import NetworkInfo, network_info

COMPLETING, CANCELLING, ERROR = "migration_completing", "migration_cancel_in_progress", "migration_error"


# ---- go on


async def go_on(work: Work) -> None:
    """Let the driver go on, and note how far it is."""
    job = work.job(ServerMigrateContinue)
    parts = await both(work, job, (IN_PROGRESS,), job.destination_id)
    finished = await work.driver.share_server_migration_continue(*parts.arguments)
    progress = {"total_progress": 100} if finished else await driver_progress(work, parts.arguments)
    async with work.write() as conn:
        await find(conn, job, (IN_PROGRESS,))
        await table.note(conn, job.server_id, progress=progress)
        if finished:
            await table.set_task_state(conn, [job.server_id, job.destination_id], PHASE1_DONE)


async def go_on_failed(work: Work, error: Exception) -> None:
    """All is where it was; the new server is in error, for an administrator to look at."""
    job = work.job(ServerMigrateContinue)
    await extending.retract(work, job.server_id)
    async with work.write() as conn:
        if await back_to_source(work, conn, job.server_id, ERROR, (IN_PROGRESS,)):
            await table.set_task_state(conn, [job.destination_id], ERROR, "error")


# ---- complete


async def move(work: Work) -> None:
    """Let the driver cut over."""
    job = work.job(ServerMigrateComplete)
    async with work.write() as conn:
        await find(conn, job, (PHASE1_DONE, COMPLETING))
        await table.set_task_state(conn, [job.server_id, job.destination_id], COMPLETING)
    parts = await both(work, job, (COMPLETING,), job.destination_id)
    network: Any = await _network(work, parts)
    updates = await work.driver.share_server_migration_complete(
        parts.source, parts.destination, parts.shares, parts.snapshots, network
    )
    work.state |= {"parts": parts, "updates": dict(updates or {})}


async def cut_over(work: Work) -> None:
    """The addresses that the server takes along are carried to where it is now."""
    if extending.wanted(work):
        parts: Servers = work.state["parts"]
        await extending.cut_over(work, parts.source, parts.destination["id"])


async def _network(work: Work, parts: Servers) -> list[NetworkInfo]:
    """The new server's networks; its addresses are the old one's if it has none of its own."""
    async with work.core.db.read() as conn:
        on = await subnets.of_server(conn, parts.destination["id"])
        own = await network_allocations.of_server(conn, parts.destination["id"])
        services = await security_services.of_network(conn, on[0]["share_network_id"]) if on else []
        if not own:
            own = await network_allocations.of_server(conn, parts.source["id"])
    return network_info(parts.destination, on, services, own)


async def record(work: Work) -> None:
    """Put everything on the new server; the old one goes."""
    job = work.job(ServerMigrateComplete)
    parts, updates = work.state["parts"], work.state["updates"]
    destination = parts.destination
    async with work.write() as conn:
        await find(conn, job, (COMPLETING,))
        await subnets.hold_network(conn, job.destination_id)
        await table.hold(conn, [job.server_id, job.destination_id])
        reused = not destination["identifier"]
        if extending.wanted(work):
            await extending.take(conn, job.server_id, job.destination_id)
        if reused:
            await table.take_allocations(conn, job.server_id, job.destination_id)
            details = updates.get("server_backend_details") or parts.source["backend_details"]
            await share_servers.set_details(conn, job.destination_id, details)
        await _write_shares(work, conn, parts, updates.get("share_updates") or {})
        await _write_snapshots(conn, parts, updates.get("snapshot_updates") or {})
        await table.set_statuses(conn, job.destination_id, "available", (table.SOURCE,))
        moved = await table.instances(conn, job.destination_id)
        await restore_rules(work, conn, moved)
        await table.set_task_state(conn, [job.server_id], "migration_success", "inactive")
        identifier = {"identifier": parts.source["identifier"]} if reused else {}
        await share_servers.set_status(
            conn, job.destination_id, "active", task_state="migration_success", **identifier
        )  # fmt: skip
        await table.forget_notes(conn, job.server_id)
        if reused:
            await share_servers.remove(conn, job.server_id)
        else:
            await remove_server(work, conn, job.server_id)


async def _write_shares(work: Work, conn: Conn, parts: Servers, updates: Row) -> None:
    on = await subnets.of_server(conn, parts.destination["id"])
    host = parts.destination["host"]
    found = await service(conn, host, work.core.settings.default.service_down_time)
    for share in parts.shares:
        update = updates.get(share["id"]) or {}
        pool = update.get("pool_name")
        values = {
            "share_server_id": parts.destination["id"],
            "host": f"{host}#{pool}" if pool else host,
            "share_network_id": on[0]["share_network_id"],
            **({} if found is None else {"availability_zone_id": found["zone_id"]}),
        }
        await write.update(conn, "share_instances", {"id": share["id"]}, values)
        if update.get("export_locations"):
            await export_locations.write(conn, share["id"], [dict(one) for one in update["export_locations"]])


async def _write_snapshots(conn: Conn, parts: Servers, updates: Row) -> None:
    for snapshot in parts.snapshots:
        update = dict(updates.get(snapshot["id"]) or {})
        locations = update.pop("export_locations", [])
        values = {name: update[name] for name in ("provider_location",) if name in update}
        if values:
            await snapshot_instances.change(conn, snapshot["id"], values, (table.SOURCE, "available"))
        if locations:
            await snapshot_instances.set_locations(conn, snapshot["id"], locations)


async def complete_failed(work: Work, error: Exception) -> None:
    """Nobody knows where the data is: both servers and all that is on them are in error."""
    job = work.job(ServerMoving)
    async with work.write() as conn:
        server = await driver_rows.server(conn, job.server_id)
        if server is None or server["status"] != table.SOURCE:
            return
        await table.set_task_state(conn, [job.server_id, job.destination_id], ERROR, "error")
        await table.set_statuses(conn, job.server_id, "error", (table.SOURCE,))


# ---- cancel


async def stop(work: Work) -> None:
    """Let the driver take back what it has done."""
    job = work.job(ServerMigrateCancel)
    states = (IN_PROGRESS, PHASE1_DONE, CANCELLING)
    async with work.write() as conn:
        server = await find(conn, job, states)
        if server["task_state"] != CANCELLING:
            await table.set_task_state(conn, [job.server_id], CANCELLING)
            await table.note(conn, job.server_id, was=server["task_state"])
    parts = await both(work, job, states, job.destination_id)
    await work.driver.share_server_migration_cancel(*parts.arguments)
    await extending.retract(work, job.server_id)


async def put_back(work: Work) -> None:
    """All is where it was; the new server is not to be used, and may be removed."""
    job = work.job(ServerMigrateCancel)
    async with work.write() as conn:
        if not await back_to_source(work, conn, job.server_id, "migration_cancelled", (CANCELLING,)):
            return
        await table.set_task_state(conn, [job.destination_id], "migration_cancelled", "inactive")
        await last_share.left(work, conn, job.destination_id)


async def cancel_failed(work: Work, error: Exception) -> None:
    """The migration goes on as it was; it may be cancelled again."""
    job = work.job(ServerMigrateCancel)
    async with work.write() as conn:
        server = await driver_rows.server(conn, job.server_id)
        if server is not None and server["task_state"] == CANCELLING:
            was = (await table.notes(conn, job.server_id)).get("was", IN_PROGRESS)
            await table.set_task_state(conn, [job.server_id], was)


OPERATIONS = (
    Operation(ServerMigrateContinue, (Step("go_on", go_on),), go_on_failed),
    Operation(
        ServerMigrateComplete, (Step("move", move), Step("cut_over", cut_over), Step("record", record)), complete_failed
    ),
    Operation(ServerMigrateCancel, (Step("stop", stop), Step("put_back", put_back)), cancel_failed),
)
