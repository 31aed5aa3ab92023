"""Put a share back to a snapshot, in place."""

from __future__ import annotations

from db import driver_rows, export_locations, shares, snapshot_access, snapshot_instances, write
from db.connection import Conn
from generated.messages import Action, Detail
from generated.runtime import Row
from services.work import ShareRevert
from worker import ahead
from worker.operation import INFRASTRUCTURE, Finished, Operation, Retry, Step, Work

POLL_SECONDS = 5.0
IN_BACKGROUND = "reverting_to_snapshot"


class BackgroundRevertFailed(Exception):
    """A revert that the back end went on with by itself came to nothing; ``status`` is what the share is left in."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status


async def revert(work: Work) -> None:
    """Let the driver do it; one that works in the background is asked until it is done."""
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.job(ShareRevert).instance_id)
        snapshot = await driver_rows.snapshot(conn, work.job(ShareRevert).snapshot_instance_id)
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    if share is None or snapshot is None or share["status"] not in ("reverting", IN_BACKGROUND):
        await _leave_alone(work)
        raise Finished
    work.state |= {"share": share, "snapshot": snapshot, "size": None}
    if share["status"] == "reverting":
        await _start(work, share, snapshot, server)
        return
    await _look(work, share, server)


async def _leave_alone(work: Work) -> None:
    """Somebody has decided otherwise about the share: the snapshot is free again, the quota is given back."""
    async with work.write() as conn:
        await _release(work, conn)
        await ahead.give_back(work, conn)


async def _release(work: Work, conn: Conn) -> None:
    job = work.job(ShareRevert)
    await write.hold_share(conn, job.instance_id)
    await write.hold_snapshot(conn, job.snapshot_instance_id)
    await snapshot_instances.change(conn, job.snapshot_instance_id, {"status": "available"}, ("restoring",))


async def _look(work: Work, share: Row, server: Row | None) -> None:
    """Ask how a revert in the background is. Raises Retry: it goes on; BackgroundRevertFailed."""
    try:
        found = dict(await work.driver.get_share_status(share, share_server=server))
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        raise BackgroundRevertFailed("reverting_error", repr(error)) from error
    status = str(found.get("status"))
    if "error" in status:
        raise BackgroundRevertFailed(status, f"the share is {status} after the revert")
    work.state["locations"] = found.get("export_locations")
    if status == "available":
        work.state["size"] = found.get("size")
        return
    async with work.write() as conn:
        await write.hold_share(conn, share["id"])
        if status == IN_BACKGROUND and found.get("progress") is not None:
            await shares.set_instance(conn, share["id"], progress=found["progress"])
        await _write_locations(work, conn, share["id"])
    raise Retry("the share is being reverted", POLL_SECONDS)


async def _write_locations(work: Work, conn: Conn, instance_id: str) -> None:
    if work.state.get("locations"):
        await export_locations.write(conn, instance_id, [dict(one) for one in work.state["locations"]])


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
    """Show share and snapshot again, and write the size that the share has, which counts from now."""
    share, snapshot = work.state["share"], work.state["snapshot"]
    size = work.state["size"] or snapshot["size"]
    async with work.write() as conn:
        await _release(work, conn)
        if await driver_rows.share(conn, share["id"]) is None:
            return
        shown = await shares.set_status(conn, share["id"], "available", ["reverting", IN_BACKGROUND])
        if shown and share["status"] == IN_BACKGROUND:
            await shares.set_instance(conn, share["id"], progress="100%")
            await _write_locations(work, conn, share["id"])
        await ahead.settle(work, conn, share["share_id"], size)
        await shares.set_share(conn, share["share_id"], size=size)


async def failed(work: Work, error: Exception) -> None:
    """The share ends in error, the snapshot stays, and the owner is told."""
    async with work.write() as conn:
        await _release(work, conn)
        share = await driver_rows.share(conn, work.job(ShareRevert).instance_id)
        if share is not None and share["status"] in ("reverting", IN_BACKGROUND):
            await _end_in_error(work, conn, share, error)
        await ahead.give_back(work, conn)


async def _end_in_error(work: Work, conn: Conn, share: Row, error: Exception) -> None:
    late = share["status"] == IN_BACKGROUND
    status = error.status if isinstance(error, BackgroundRevertFailed) else "reverting_error"
    await shares.set_status(conn, share["id"], status, ("reverting", IN_BACKGROUND))
    if late:
        await shares.set_instance(conn, share["id"], progress=None)
        detail = Detail.DRIVER_FAILED_REVERTING_TO_SNAPSHOT
        await work.tell(conn, Action.UPDATE, share["project_id"], share["share_id"], detail=detail)
    elif not work.state.get("replicated"):
        await work.tell(conn, Action.REVERT_TO_SNAPSHOT, share["project_id"], share["share_id"], error=error)


OPERATION = Operation(ShareRevert, (Step("revert", revert), Step("record", record)), failed)
