"""Take over a snapshot that exists on a back end."""

from __future__ import annotations

from db import access, driver_rows, manage, metadata, quotas, snapshot_instances, snapshots, write
from generated.runtime import Row
from services.work import SnapshotManage
from worker.operation import Operation, Step, Work
from worker.operations.snapshot_create import waiting

STARTING = "manage_starting"


async def note(work: Work) -> None:
    """Write down since when it is managed."""
    await waiting(work, STARTING)
    async with work.write() as conn:
        row = await snapshots.get(conn, work.job(SnapshotManage).snapshot_id)
        assert row is not None
        moment = str(row["created_at"]).replace("T", " ")
        await metadata.put(conn, metadata.SNAPSHOT, row["id"], {manage.MANAGED_AT: moment})


async def take_over(work: Work) -> None:
    """Let the driver find it."""
    snapshot = await waiting(work, STARTING)
    share: Row = snapshot["share"]
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, share["share_server_id"])
    options = work.job(SnapshotManage).driver_options
    if work.driver.driver_handles_share_servers:
        found = await work.driver.manage_existing_snapshot_with_server(snapshot, options, server)
    else:
        found = await work.driver.manage_existing_snapshot(snapshot, options)
    work.state |= {"found": found or {}, "share": share}


async def record(work: Work) -> None:
    """Show it, and count it: what exists counts even beyond a limit. A size nobody knows is the share's."""
    found, share = work.state["found"], work.state["share"]
    size = int(found.get("size") or share["size"])
    snapshot = await waiting(work, STARTING)
    values = {"status": "available", "progress": "100%"}
    if found.get("provider_location"):
        values["provider_location"] = found["provider_location"]
    async with work.write() as conn:
        await write.hold_snapshot(conn, snapshot["id"])
        if not await snapshot_instances.change(conn, snapshot["id"], values, (STARTING,)):
            return
        deltas = {"snapshots": 1, "snapshot_gigabytes": size}
        await quotas.reserve(conn, snapshot["project_id"], snapshot["user_id"], deltas, None, share["share_type_id"])
        await manage.set_snapshot_size(conn, snapshot["snapshot_id"], size)
        owner = await access.share(conn, snapshot["share_id"])
        if owner is not None and owner["mount_snapshot_support"] and found.get("export_locations"):
            given = [dict(one) for one in found["export_locations"]]
            await snapshot_instances.set_locations(conn, snapshot["id"], given)


async def failed(work: Work, error: Exception) -> None:
    """``manage_error``; a size of 1 is shown, and nothing was counted."""
    job, end = work.job(SnapshotManage), {"status": "manage_error"}
    async with work.write() as conn:
        await write.hold_snapshot(conn, job.snapshot_instance_id)
        if await snapshot_instances.change(conn, job.snapshot_instance_id, end, (STARTING,)):
            await manage.set_snapshot_size(conn, job.snapshot_id, 1)


OPERATION = Operation(
    SnapshotManage, (Step("note", note), Step("take_over", take_over), Step("record", record)), failed
)
