"""Begin to move a share server: ask the driver of the back end it goes to, make the new server, start.

The driver may also answer that it moves the old server as it is (``nondisruptive``); then the new one is only rows,
with addresses of its own if the network changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from db import async_operations, driver_rows, share_networks, share_servers, subnets
from db import migrations_of_servers as table
from db.connection import Conn, Row
from db.migrations_of_shares import cast_rules
from generated.errors import (
    OperationNotSupportedByDriverMode,
    ShareNetworkSubnetNotFound,
    ShareServerMigrationFailed,
)
from services.server_migration import same_subnets
from services.work import (
    AccessUpdate,
    ServerMigrate,
    ServerMigrateCheck,
    ServerMigrateStart,
    ServerMove,
    enqueue,
)
from worker import extending, servers
from worker.operation import Operation, Retry, Step, Work
from worker.server_migration import STARTING, back_to_source, both, find, remove_server, restore_rules

IN_PROGRESS = "migration_driver_in_progress"
CONDITIONS = (
    ("nondisruptive", "work without a disruption"),
    ("writable", "keep shares writable"),
    ("preserve_snapshots", "preserve snapshots"),
)
WAIT, PATIENCE = 0.2, 180.0
"""Seconds between looks whether the old back end has made the rules read-only, and how long that may take."""


async def _ask(work: Work, job: ServerMove) -> dict[str, Any]:
    """What the driver can, ``segments`` with it if the server takes its addresses along; raises what it raises."""
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, job.server_id)
        shares = await table.instances(conn, job.server_id)
        copies = await table.snapshots(conn, job.server_id)
        old = await share_networks.get(conn, shares[0]["share_network_id"], None) if shares else None
        new = await share_networks.get(conn, job.share_network_id, None)
    if server is None or old is None or new is None:
        raise ShareServerMigrationFailed(reason="the server or its network is gone")
    request = {
        "shares_size": sum(one["size"] for one in shares),
        "snapshots_size": sum(one["size"] for one in copies),
        "shares_req_spec": [_specs(one, job) for one in shares],
    }
    segments = await extending.extend(work, server) if extending.wanted(work) else {}
    able = await work.driver.share_server_migration_check_compatibility(server, job.host, old, new, request)
    return {**able, "segments": segments}


def _specs(share: Row, job: ServerMove) -> Row:
    names = ("size", "user_id", "project_id", "share_proto", "share_type_id", "is_public", "snapshot_id", "metadata")
    place = {"availability_zone_id": job.zone_id, "share_network_id": job.share_network_id}
    return {
        "share_id": share["share_id"],
        "share_properties": {name: share.get(name) for name in names},
        "share_instance_properties": {**place, "share_id": share["share_id"], "host": share["host"]},
        "share_type": {"id": share["share_type_id"], "extra_specs": share["extra_specs"]},
    }


async def _judge(work: Work, job: ServerMove, able: Mapping[str, Any]) -> None:
    """Raise ShareServerMigrationFailed unless what the driver can is what the request demands."""
    if not able.get("compatible"):
        raise ShareServerMigrationFailed(reason=f"the back end {job.host} cannot take the server")
    for name, text in CONDITIONS:
        if getattr(job, name) and not able.get(name):
            raise ShareServerMigrationFailed(reason=f"the driver cannot {text}")
    async with work.core.db.read() as conn:
        copies = await table.snapshots(conn, job.server_id)
    if copies and not able.get("preserve_snapshots"):
        raise ShareServerMigrationFailed(reason="there are snapshots and the driver cannot preserve them")


# ---- only a question


async def ask(work: Work) -> None:
    """Ask the driver; what it can't say or does not fulfil the request is not compatible."""
    job = work.job(ServerMigrateCheck)
    names = ("writable", "preserve_snapshots", "nondisruptive", "migration_cancel", "migration_get_progress")
    found: Row = {"compatible": False, **dict.fromkeys(names), "share_network_id": job.share_network_id}
    if work.driver.driver_handles_share_servers:
        able: dict[str, Any] = {}
        try:
            able = await _ask(work, job)
            await _judge(work, job, able)
        except (ShareServerMigrationFailed, NotImplementedError):
            able["compatible"] = False
        await extending.retract(work, job.server_id)
        found |= {name: value for name, value in able.items() if name != "segments"}
    work.state["found"] = found


async def answer(work: Work) -> None:
    """Write the answer for the client that waits."""
    job = work.job(ServerMigrateCheck)
    async with work.write() as conn:
        await async_operations.put(conn, job.server_id, job.key, work.state["found"])


async def not_able(work: Work, error: Exception) -> None:
    """A question that the driver or the network failed at is a no."""
    job = work.job(ServerMigrateCheck)
    await extending.retract(work, job.server_id)
    names = ("writable", "preserve_snapshots", "nondisruptive", "migration_cancel", "migration_get_progress")
    found = {"compatible": False, **dict.fromkeys(names), "share_network_id": job.share_network_id}
    async with work.write() as conn:
        await async_operations.put(conn, job.server_id, job.key, found)


# ---- the new server


async def prepare(work: Work) -> None:
    """Ask the driver, write the new server, once, and hand on. Raises what makes the move impossible."""
    job = work.job(ServerMigrate)
    if not work.driver.driver_handles_share_servers:
        raise OperationNotSupportedByDriverMode
    async with work.write() as conn:
        await find(conn, job, STARTING)
        await table.set_task_state(conn, [job.server_id], "migration_in_progress")
    able = await _ask(work, job)
    await _judge(work, job, able)
    async with work.write() as conn:
        await find(conn, job, STARTING)
        if (await table.notes(conn, job.server_id)).get("destination_id"):
            return
        destination = await _write_server(work, conn, job)
        reused = bool(able.get("nondisruptive"))
        kept = {"destination_id": destination, "writable": bool(able.get("writable")), "segments": able["segments"]}
        await table.note(conn, job.server_id, **kept)
        start = ServerMigrateStart.read(job.payload | {"destination_id": destination, "reused": reused})
        await enqueue(conn, start, job.host, request_id=work.task["request_id"])


async def _write_server(work: Work, conn: Conn, job: ServerMove) -> str:
    on = await subnets.in_zone(conn, job.share_network_id, job.zone_id, fall_back=True)
    if not on:
        raise ShareNetworkSubnetNotFound(share_network_subnet_id=None)
    row = await share_servers.create(conn, servers.new_server(work), [one["id"] for one in on])
    return str(row["id"])


async def make(work: Work) -> None:
    """Have the new server ready: set up on the back end, or with addresses of its own if only those change."""
    job = work.job(ServerMigrateStart)
    parts = await both(work, job, STARTING, job.destination_id)
    if parts.destination["status"] == "creating":
        if not job.reused:
            about = {
                "migration_destination": True, "request_host": job.host, "source_share_server": parts.source
            }  # fmt: skip
            await servers.make_server(work, parts.destination, about)
        else:
            async with work.core.db.read() as conn:
                old = await subnets.of_server(conn, job.server_id)
                new = await subnets.of_server(conn, job.destination_id)
            if not same_subnets(new, old):
                await servers.give_addresses(work, parts.destination)
    async with work.write() as conn:
        await find(conn, job, STARTING)
        await table.set_task_state(conn, [job.destination_id], "migration_in_progress", table.DESTINATION)
        await share_servers.set_status(
            conn, job.destination_id, table.DESTINATION, source_share_server_id=job.server_id
        )  # fmt: skip


async def protect(work: Work) -> None:
    """Unless the driver keeps them writable, clients may only read from now: the old back end sees to it."""
    job = work.job(ServerMigrateStart)
    async with work.core.db.read() as conn:
        if (await table.notes(conn, job.server_id)).get("writable"):
            return
        shares = await table.instances(conn, job.server_id)
    for share in shares:
        if share["cast_rules_to_readonly"]:
            continue
        async with work.write() as conn:
            await cast_rules(conn, share["id"], readonly=True)
            update = AccessUpdate(share_id=share["share_id"], instance_id=share["id"])
            await enqueue(conn, update, share["host"], request_id=work.task["request_id"])
    async with work.core.db.read() as conn:
        if await table.rules_are_settled(conn, job.server_id):
            return
    if work.task["attempts"] * WAIT > PATIENCE:
        raise ShareServerMigrationFailed(reason="the old back end did not make the rules read-only in time")
    raise Retry("rules are being made read-only", WAIT)


async def start(work: Work) -> None:
    """Let the driver begin."""
    job = work.job(ServerMigrateStart)
    async with work.write() as conn:
        await find(conn, job, STARTING)
        await table.set_task_state(conn, [job.server_id, job.destination_id], "migration_driver_starting")
    parts = await both(work, job, STARTING, job.destination_id)
    await extending.tell(work, parts.source)
    work.state["info"] = dict(await work.driver.share_server_migration_start(*parts.arguments) or {})
    work.state["progress"] = await driver_progress(work, parts.arguments)


async def driver_progress(work: Work, arguments: tuple[Any, ...]) -> Row:
    """What the driver says about how far it is; one that can't say it is at the beginning."""
    try:
        return dict(await work.driver.share_server_migration_get_progress(*arguments) or {})
    except NotImplementedError:
        return {"total_progress": 0}


async def record(work: Work) -> None:
    """The driver is at work."""
    job = work.job(ServerMigrateStart)
    async with work.write() as conn:
        await find(conn, job, STARTING)
        await share_servers.set_details(conn, job.destination_id, work.state["info"].get("backend_details") or {})
        await extending.show(conn, job.server_id, job.destination_id)
        await table.set_task_state(conn, [job.server_id, job.destination_id], IN_PROGRESS)
        await table.note(conn, job.server_id, progress=work.state["progress"])


async def failed(work: Work, error: Exception) -> None:
    """All is where it was, and the new server goes; one that could not be set up stays in error."""
    job = work.job(ServerMove)
    await extending.retract(work, job.server_id)
    async with work.core.db.read() as conn:
        kept = await table.notes(conn, job.server_id)
        destination = await driver_rows.server(conn, kept.get("destination_id"))
    reused = bool(work.payload.get("reused"))
    if destination is not None and reused:
        await servers.release(work, destination["id"], None)
    async with work.write() as conn:
        if not await back_to_source(work, conn, job.server_id, "migration_error", STARTING):
            return
        if destination is None or destination["status"] == "error":
            return
        await table.set_task_state(conn, [destination["id"]], "migration_error", "error")
        if reused:
            await share_servers.remove(conn, destination["id"])
        else:
            await remove_server(work, conn, destination["id"])


__all__ = ["OPERATIONS", "driver_progress", "restore_rules"]

OPERATIONS = (
    Operation(ServerMigrateCheck, (Step("ask", ask), Step("answer", answer)), not_able),
    Operation(ServerMigrate, (Step("prepare", prepare),), failed),
    Operation(
        ServerMigrateStart,
        (Step("make", make), Step("protect", protect), Step("start", start), Step("record", record)),
        failed,
    ),
)
