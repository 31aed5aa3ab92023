"""Let go of a snapshot: the driver is told, its rows go, what is on the back end stays."""

from __future__ import annotations

from db import driver_rows, manage, quotas, snapshot_access, snapshot_instances
from generated.runtime import Row
from services.work import SnapshotUnmanage
from worker.operation import Operation, Step, Work
from worker.operations.snapshot_create import waiting

STARTING = "unmanage_starting"


async def _snapshot(work: Work) -> tuple[Row, Row | None]:
    snapshot = await waiting(work, STARTING)
    share = snapshot["share"]
    async with work.core.db.read() as conn:
        server = None if share is None else await driver_rows.server(conn, share["share_server_id"])
    return snapshot, server


async def cut(work: Work) -> None:
    """Take all access away, if the back end's option ``unmanage_remove_access_rules`` says so."""
    snapshot, server = await _snapshot(work)
    if not work.on_backend.section.unmanage_remove_access_rules:
        return
    async with work.core.db.read() as conn:
        rules = await snapshot_access.rules(conn, snapshot["id"])
    if rules:
        await work.driver.snapshot_update_access(snapshot, [], [], rules, share_server=server)
    async with work.write() as conn:
        await snapshot_access.forget(conn, snapshot["id"])


async def let_go(work: Work) -> None:
    """Tell the driver; it may refuse."""
    snapshot, server = await _snapshot(work)
    if work.driver.driver_handles_share_servers:
        await work.driver.unmanage_snapshot_with_server(snapshot, server)
    else:
        await work.driver.unmanage_snapshot(snapshot)


async def remove(work: Work) -> None:
    """Remove the rows and give the quota back."""
    snapshot, _ = await _snapshot(work)
    async with work.write() as conn:
        counted = await manage.snapshot_counts(conn, snapshot["id"])
        await snapshot_access.forget(conn, snapshot["id"])
        gone = await snapshot_instances.remove(conn, snapshot["id"])
        if gone is None or not counted:
            return
        deltas = {"snapshots": -1, "snapshot_gigabytes": -gone["size"]}
        share_type = await snapshot_instances.share_type_of(conn, gone["share_id"])
        await quotas.reserve(conn, gone["project_id"], gone["user_id"], deltas, None, share_type)


async def failed(work: Work, error: Exception) -> None:
    """The snapshot stays, in ``unmanage_error``; it may be let go again."""
    async with work.write() as conn:
        await snapshot_instances.change(
            conn, work.job(SnapshotUnmanage).snapshot_instance_id, {"status": "unmanage_error"}, (STARTING,)
        )


OPERATION = Operation(SnapshotUnmanage, (Step("cut", cut), Step("let_go", let_go), Step("remove", remove)), failed)
