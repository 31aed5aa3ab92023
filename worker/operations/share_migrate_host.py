"""A migration that the data service does: clients may only read, an empty share is made, and the data is copied.

It takes the place of the driver's migration where that cannot be had, unless the request demands what only a driver
can do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from db import driver_rows, export_locations
from db import migrations_of_shares as table
from db.connection import Row
from generated.errors import ShareMigrationFailed
from generated.messages import Action
from services.work import DATA, ShareCopy, ShareMigrateHost, ShareMigrateMake, ShareMove, enqueue
from worker import ahead, announce
from worker.connection import connection
from worker.migration import STARTING, back_to_source, cast_to_readonly, find
from worker.operation import Operation, Step, Work
from worker.operations.share_migrate import write_destination
from worker.servers import address_server, choose_server, ensure_server

DEMANDS = ("writable", "preserve_metadata", "nondisruptive", "preserve_snapshots")


async def decide(work: Work) -> None:
    """Whether the data service may do it. Raises ShareMigrationFailed."""
    job = work.job(ShareMigrateHost)
    async with work.write() as conn:
        await find(conn, job, STARTING, lock=True)
        await table.set_task_state(conn, job.share_id, "migration_in_progress")
        statuses = await table.snapshot_statuses(conn, job.share_id)
    if any(getattr(job, name) for name in DEMANDS):
        raise ShareMigrationFailed(reason="only a driver could do what the request demands")
    if statuses:
        raise ShareMigrationFailed(reason="the data service cannot move snapshots")


async def protect(work: Work) -> None:
    """Clients may only read from now."""
    await cast_to_readonly(work, work.job(ShareMigrateHost).instance_id)


async def prepare(work: Work) -> None:
    """Write the instance that will be filled, once, and let its back end make it."""
    job = work.job(ShareMigrateHost)
    async with work.core.db.read() as conn:
        await find(conn, job, STARTING)
        source = await driver_rows.share(conn, job.instance_id)
        server = None if source is None else await driver_rows.server(conn, source["share_server_id"])
    assert source is not None
    mount = await connection(work, source, server)
    async with work.write() as conn:
        share = await find(conn, job, STARTING, lock=True)
        if share["destination"] is not None:
            return
        destination_id = await write_destination(conn, job)
        make = job.next(ShareMigrateMake, destination_id=destination_id, source_mount=mount, ahead=None)
        await enqueue(conn, make, job.host, request_id=work.task["request_id"])
        await ahead.passed_on(work, conn)


async def failed(work: Work, error: Exception) -> None:
    """The share is where it was; what was made of the destination is removed."""
    job = work.job(ShareMove)
    async with work.write() as conn:
        share = await table.state(conn, job.share_id, lock=True)
        if share is None or share["source"] is None or share["task_state"] not in STARTING:
            return
        await back_to_source(work, conn, share, "migration_error", remove=False)


# ---- the back end that the share goes to


async def _destination(work: Work) -> Row:
    job = work.job(ShareMigrateMake)
    async with work.core.db.read() as conn:
        await find(conn, job, STARTING, job.destination_id)
        found = await driver_rows.share(conn, job.destination_id)
    assert found is not None
    return found


async def _on_server(work: Work, do: Callable[[Work, str | None, Row], Awaitable[Any]]) -> None:
    job = work.job(ShareMigrateMake)
    if job.share_network_id:
        await do(work, job.share_network_id, await _destination(work))


async def choose(work: Work) -> None:
    """Tell of the start, and put the destination on a share server, if it needs one."""
    job = work.job(ShareMigrateMake)
    async with work.write() as conn:
        await find(conn, job, STARTING, job.destination_id)
        await announce.share(work, conn, "create.start", job.destination_id, status="creating")
    await _on_server(work, choose_server)


async def address(work: Work) -> None:
    """Give a new share server its addresses."""
    await _on_server(work, address_server)


async def serve(work: Work) -> None:
    """Have the share server ready."""
    await _on_server(work, ensure_server)


async def provision(work: Work) -> None:
    """Let the driver make the empty share."""
    share = await _destination(work)
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, share["share_server_id"])
    work.state["locations"] = await work.driver.create_share(share, share_server=server)


async def hand_on(work: Work) -> None:
    """Write where it is mounted from, and let the data service copy."""
    job = work.job(ShareMigrateMake)
    async with work.write() as conn:
        await find(conn, job, STARTING, job.destination_id, lock=True)
        await export_locations.write(conn, job.destination_id, [dict(one) for one in work.state["locations"]])
        await announce.share(work, conn, "create.end", job.destination_id, status="creating")
        share, server = await driver_rows.share_on_server(conn, job.destination_id)
    assert share is not None
    mount = await connection(work, share, server)
    section = work.on_backend.section
    copy = ShareCopy(
        share_id=job.share_id, instance_id=job.instance_id, destination_id=job.destination_id,
        source_mount=job.source_mount, destination_mount=mount, ignore=list(section.migration_ignore_files),
    )  # fmt: skip
    async with work.write() as conn:
        await find(conn, job, STARTING, job.destination_id, lock=True)
        await table.set_task_state(conn, job.share_id, "data_copying_starting")
        await enqueue(conn, copy, DATA, request_id=work.task["request_id"])


async def make_failed(work: Work, error: Exception) -> None:
    """As ``failed``, with the message that any share gets that cannot be made."""
    job = work.job(ShareMigrateMake)
    async with work.write() as conn:
        share = await driver_rows.share(conn, job.destination_id)
        if share is not None and share["status"] == table.DESTINATION:
            await work.tell(conn, Action.CREATE, share["project_id"], job.share_id, error=error)
    await failed(work, error)


OPERATIONS = (
    Operation(
        ShareMigrateHost, (Step("decide", decide), Step("protect", protect), Step("prepare", prepare)), failed
    ),
    Operation(
        ShareMigrateMake,
        (
            Step("choose_server", choose),
            Step("address_server", address),
            Step("set_up_server", serve),
            Step("provision", provision),
            Step("hand_on", hand_on),
        ),
        make_failed,
    ),
)  # fmt: skip
