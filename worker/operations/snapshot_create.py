"""Take a snapshot of a share instance."""

from __future__ import annotations

from db import access, driver_rows, snapshot_instances
from generated.messages import Action, Resource
from generated.runtime import Row
from services.work import SnapshotCreate, SnapshotJob
from worker.operation import Finished, Operation, Step, Work


async def take(work: Work) -> None:
    """Let the driver take it."""
    work.state["snapshot"] = snapshot = await waiting(work, "creating")
    async with work.core.db.read() as conn:
        share = snapshot["share"]
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    work.state["update"] = dict(await work.driver.create_snapshot(snapshot, share_server=server) or {})


async def record(work: Work) -> None:
    """Show it, with its export locations if snapshots of the share can be mounted."""
    update, snapshot = work.state["update"], work.state["snapshot"]
    locations = update.pop("export_locations", [])
    values = {name: update[name] for name in ("provider_location", "size", "status") if name in update}
    if values.get("status") in (None, "available"):
        values |= {"status": "available", "progress": "100%"}
    async with work.write() as conn:
        share = await access.share(conn, snapshot["share_id"])
        if share is not None and share["mount_snapshot_support"]:
            await snapshot_instances.set_locations(conn, snapshot["id"], locations)
        await snapshot_instances.change(conn, snapshot["id"], values, ("creating",))


async def waiting(work: Work, *statuses: str) -> Row:
    """The task's snapshot instance, as drivers know it.

    Raises:
        Finished: it is gone, or somebody gave it another status than ``statuses``.
    """
    async with work.core.db.read() as conn:
        snapshot = await driver_rows.snapshot(conn, work.job(SnapshotJob).snapshot_instance_id)
    if snapshot is None or snapshot["status"] not in statuses:
        raise Finished
    return snapshot


async def failed(work: Work, error: Exception) -> None:
    """The snapshot ends in error, and its owner is told."""
    instance_id = work.job(SnapshotCreate).snapshot_instance_id
    async with work.write() as conn:
        snapshot = await driver_rows.snapshot(conn, instance_id)
        if snapshot is None:
            return
        if await snapshot_instances.change(conn, instance_id, {"status": "error"}, ("creating",)):
            owner, kind = snapshot["project_id"], Resource.SHARE_SNAPSHOT
            await work.tell(conn, Action.CREATE, owner, instance_id, resource_type=kind, error=error)


OPERATION = Operation(SnapshotCreate, (Step("take", take), Step("record", record)), failed)
