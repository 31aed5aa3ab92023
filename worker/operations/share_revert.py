"""Put a share back to a snapshot, in place."""

from __future__ import annotations

from db import driver_rows, quotas, shares, snapshot_access, snapshot_instances, write
from db.connection import Conn
from generated.errors import ShareBackendException
from generated.messages import Action
from generated.runtime import Row
from services.work import ShareRevert
from worker.operation import Finished, Operation, Retry, Step, Work

POLL_SECONDS = 5.0
IN_BACKGROUND = "reverting_to_snapshot"


async def revert(work: Work) -> None:
    """Let the driver do it; one that works in the background is asked until it is done."""
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.job(ShareRevert).instance_id)
        snapshot = await driver_rows.snapshot(conn, work.job(ShareRevert).snapshot_instance_id)
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    if share is None or snapshot is None or share["status"] not in ("reverting", IN_BACKGROUND):
        raise Finished
    work.state |= {"share": share, "snapshot": snapshot, "size": None}
    if share["status"] == "reverting":
        await _start(work, share, snapshot, server)
        return
    status = (await work.driver.get_share_status(share, share_server=server)).get("status")
    if status == IN_BACKGROUND:
        raise Retry("the share is being reverted", POLL_SECONDS)
    if status != "available":
        raise ShareBackendException(msg=f"the share is {status} after the revert")


async def _start(work: Work, share: Row, snapshot: Row, server: Row | None) -> None:
    async with work.core.db.read() as conn:
        rules = (await driver_rows.rules(conn, [share["id"]]))[share["id"]]
        snapshot_rules = await snapshot_access.rules(conn, snapshot["id"])
        replicas = [] if share["replica_state"] is None else await driver_rows.replicas(conn, share["share_id"])
        instances = await driver_rows.replica_snapshots(conn, snapshot_id=snapshot["snapshot_id"])
    active = [rule for rule in rules if rule["state"] == "active"]
    if len(replicas) > 1:
        work.state["replicated"] = True
        await work.driver.revert_to_replicated_snapshot(
            share, replicas, snapshot, instances, active, snapshot_rules, share_server=server
        )
        return
    answer = await work.driver.revert_to_snapshot(snapshot, active, snapshot_rules, share_server=server)
    if not isinstance(answer, dict):
        work.state["size"] = answer
    elif answer.get("status") == IN_BACKGROUND:
        async with work.write() as conn:
            await shares.set_status(conn, share["id"], IN_BACKGROUND, ["reverting"])
        raise Retry("the share is being reverted", POLL_SECONDS)


async def record(work: Work) -> None:
    """Show share and snapshot again, and settle the quota for the size the share has now."""
    share, snapshot = work.state["share"], work.state["snapshot"]
    size = work.state["size"] or snapshot["size"]
    async with work.write() as conn:
        await write.hold_share(conn, share["id"])
        await write.hold_snapshot(conn, snapshot["id"])
        if not await shares.set_status(conn, share["id"], "available", ["reverting", IN_BACKGROUND]):
            return
        await shares.set_share(conn, share["share_id"], size=size)
        await snapshot_instances.change(conn, snapshot["id"], {"status": "available"}, ("restoring",))
        taken = work.job(ShareRevert).taken
        await _settle_quota(conn, share, size - share["size"] - taken if size == snapshot["size"] else -taken)


async def _settle_quota(conn: Conn, share: Row, change: int) -> None:
    if change:
        await quotas.reserve(
            conn, share["project_id"], share["user_id"], {"gigabytes": change}, None, share["share_type_id"]
        )


async def failed(work: Work, error: Exception) -> None:
    """The share ends in error, the snapshot stays, and the owner is told."""
    async with work.write() as conn:
        share = await driver_rows.share(conn, work.job(ShareRevert).instance_id)
        if share is None or share["status"] not in ("reverting", IN_BACKGROUND):
            return
        instance_id = work.job(ShareRevert).snapshot_instance_id
        await write.hold_share(conn, share["id"])
        await write.hold_snapshot(conn, instance_id)
        await shares.set_status(conn, share["id"], "reverting_error", ("reverting", IN_BACKGROUND))
        await snapshot_instances.change(conn, instance_id, {"status": "available"}, ("restoring",))
        await _settle_quota(conn, share, -work.job(ShareRevert).taken)
        if not work.state.get("replicated"):
            await work.tell(conn, Action.REVERT_TO_SNAPSHOT, share["project_id"], share["share_id"], error=error)


OPERATION = Operation(ShareRevert, (Step("revert", revert), Step("record", record)), failed)
