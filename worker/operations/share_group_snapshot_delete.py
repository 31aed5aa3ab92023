"""Remove a share group snapshot from its back end, then from the database."""

from __future__ import annotations

import contextlib

from db import share_group_snapshots
from generated.errors import StorageResourceNotFound
from services.share_groups import forget_snapshot
from services.work import ShareGroupSnapshotDelete
from worker.operation import Operation, Step, Work
from worker.operations.share_group_snapshot_create import waiting


async def remove(work: Work) -> None:
    """Let the driver remove it; one that is not there is removed."""
    snapshot, server = await waiting(work, "deleting")
    with contextlib.suppress(StorageResourceNotFound):
        await work.driver.delete_share_group_snapshot(snapshot, share_server=server)


async def forget_rows(work: Work) -> None:
    """Remove the rows and give the quota back."""
    async with work.write() as conn:
        snapshot_id = work.job(ShareGroupSnapshotDelete).group_snapshot_id
        snapshot = await share_group_snapshots.get(conn, snapshot_id, lock=True)
        if snapshot is not None and snapshot["status"] == "deleting":
            await forget_snapshot(conn, snapshot_id)


async def failed(work: Work, error: Exception) -> None:
    """Error: its owner may ask again."""
    snapshot_id = work.job(ShareGroupSnapshotDelete).group_snapshot_id
    async with work.write() as conn:
        await share_group_snapshots.change(conn, snapshot_id, {"status": "error"}, ("deleting",))


OPERATION = Operation(ShareGroupSnapshotDelete, (Step("remove", remove), Step("forget", forget_rows)), failed)
