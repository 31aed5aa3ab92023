"""Take a snapshot of all shares of a group."""

from __future__ import annotations

from db import driver_rows, group_rows, share_group_snapshots
from generated.columns import COLUMNS
from generated.runtime import Row
from services.work import ShareGroupSnapshotCreate, ShareGroupSnapshotJob
from worker.operation import Finished, Operation, Step, Work


async def waiting(work: Work, status: str) -> tuple[Row, Row | None]:
    """The task's group snapshot as drivers know it, and the share server of its group.

    Raises:
        Finished: it is gone, or somebody gave it another status.
    """
    async with work.core.db.read() as conn:
        snapshot = await group_rows.snapshot(conn, work.job(ShareGroupSnapshotJob).group_snapshot_id)
        group = None if snapshot is None else snapshot["share_group"]
        server = None if group is None else await driver_rows.server(conn, group["share_server_id"])
    if snapshot is None or snapshot["status"] != status:
        raise Finished
    return snapshot, server


async def take(work: Work) -> None:
    """Let the driver take it."""
    snapshot, server = await waiting(work, "creating")
    update, members = await work.driver.create_share_group_snapshot(snapshot, share_server=server)
    work.state |= {
        "snapshot": snapshot,
        "update": update or {},
        "members": {one.get("id"): one for one in members or ()},
    }


async def record(work: Work) -> None:
    """Show it. Members have no export locations, whatever the driver says."""
    snapshot, updates = work.state["snapshot"], work.state["members"]
    async with work.write() as conn:
        values = {key: value for key, value in work.state["update"].items() if key in COLUMNS["share_group_snapshots"]}
        if not await share_group_snapshots.change(
            conn, snapshot["id"], {**values, "status": "available"}, ("creating",)
        ):
            raise Finished
        for member in snapshot["share_group_snapshot_members"]:
            given = updates.get(member["id"], {})
            values = {"status": given.get("status", "available")}
            values |= {key: given[key] for key in ("provider_location", "size") if key in given}
            await share_group_snapshots.change_member(conn, member["id"], snapshot["id"], values)


async def failed(work: Work, error: Exception) -> None:
    """The group snapshot ends in error, and its members with it."""
    snapshot_id = work.job(ShareGroupSnapshotCreate).group_snapshot_id
    async with work.write() as conn:
        if await share_group_snapshots.change(conn, snapshot_id, {"status": "error"}, ("creating",)):
            await share_group_snapshots.fail_members(conn, snapshot_id)


OPERATION = Operation(ShareGroupSnapshotCreate, (Step("take", take), Step("record", record)), failed)
