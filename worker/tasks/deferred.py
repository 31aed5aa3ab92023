"""Removals in the background that a back end refused are asked for again, snapshots before their shares."""

from __future__ import annotations

from db import deferred, tasks
from generated.settings import Settings
from services.work import ShareDelete, SnapshotDelete, enqueue, hasten
from worker.periodic import Now, Periodic


async def deferred_share_deletion(now: Now) -> None:
    """Ask for the shares of a back end again; a removal that waits by itself runs now."""
    if now.backend is None:
        return
    async with now.core.db.write() as conn:
        for row in await deferred.shares_on(conn, now.backend.host):
            job = ShareDelete(**row)
            if not await hasten(conn, job):
                await enqueue(conn, job, now.backend.host)


async def deferred_snapshot_deletion(now: Now) -> None:
    """Ask for the snapshots of a back end again; a removal that waits by itself runs now."""
    if now.backend is None:
        return
    async with now.core.db.write() as conn:
        for row in await deferred.snapshots_on(conn, now.backend.host):
            job = SnapshotDelete(**row, tried=1)
            same = {"snapshot_instance_id": job.snapshot_instance_id}
            if not await tasks.hasten(conn, job.KIND, job.resource, same, {}):
                await enqueue(conn, job, now.backend.host)


def _interval(settings: Settings) -> float:
    return settings.default.periodic_deferred_delete_interval


PERIODIC = (
    Periodic("deferred_snapshot_deletion", deferred_snapshot_deletion, _interval),
    Periodic("deferred_share_deletion", deferred_share_deletion, _interval),
)
