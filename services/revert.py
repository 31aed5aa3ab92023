"""Putting a share back to its newest snapshot."""

from __future__ import annotations

from db import access as shares
from db import quotas as usage
from db import snapshots as rows
from db.connection import Conn
from db.shares import set_status
from generated.errors import NotFound, ShareSnapshotNotFound
from generated.runtime import Fault, Row
from services import quotas, share_facts, share_quota, snapshots
from services.context import Context
from services.core import Core
from services.shares import BUSY
from services.work import ShareRevert, enqueue


async def revert(conn: Conn, core: Core, ctx: Context, share_id: str, snapshot_id: str) -> None:
    """Queue the revert of a share.

    Raises:
        NotFound: the share can't be seen. Fault: 400, 403, 404 or 409, whatever forbids the revert.
    """
    await shares.lock_share(conn, share_id)
    share = share_facts.require_visible(ctx, await shares.share(conn, share_id))
    try:
        snapshot = await snapshots.get(conn, ctx, snapshot_id)
    except ShareSnapshotNotFound as error:
        raise Fault(400, error.msg) from error
    _check(share, snapshot)
    newest = await rows.newest(conn, share_id)
    if newest is None:
        raise Fault(400, f"Could not determine the latest snapshot for share {share_id}.")
    if newest != snapshot_id:
        raise Fault(
            409,
            f"Snapshot {snapshot_id} may not be restored because it is not the most recent snapshot of share "
            f"{share_id}. Currently the latest snapshot is {newest}.",
        )
    if any(one["access_rules_status"] != "active" for one in share["instances"]):
        raise Fault(
            409, f"Snapshot {snapshot_id} belongs to a share {share_id} which has access rules that are not active."
        )
    instance = share_facts.primary(share)
    if instance is None:
        raise NotFound
    ahead = await _take_quota(conn, core, ctx, share, snapshot, instance["share_type_id"])
    await set_status(conn, instance["id"], "reverting", (instance["status"],))
    await rows.set_status(conn, [snapshot["instance"]["id"]], "restoring")
    job = ShareRevert(
        share_id=share_id,
        instance_id=instance["id"],
        snapshot_id=snapshot_id,
        snapshot_instance_id=snapshot["instance"]["id"],
        ahead=ahead,
    )
    await enqueue(conn, job, instance["host"], request_id=ctx.request_id)


def _check(share: Row, snapshot: Row) -> None:
    """What share and snapshot forbid by themselves."""
    share_id, snapshot_id = share["id"], snapshot["id"]
    if share["is_soft_deleted"]:
        raise Fault(403, f"Share '{share_id} cannot revert to snapshot, since it has been soft deleted.")
    if not share["revert_to_snapshot_support"]:
        raise Fault(
            400,
            f"Share {share_id} may not be reverted to snapshot {snapshot_id}, because the share does not have that "
            "capability.",
        )
    if snapshot["share_id"] != share_id:
        raise Fault(400, f"Snapshot {snapshot_id} is not associated with share {share_id}.")
    if share["status"] != "available":
        raise Fault(
            409,
            f"Share {share_id} is in '{share['status']}' state, but it must be in 'available' state to be reverted to "
            "a snapshot.",
        )
    if snapshot["instance"] is None or snapshot["instance"]["status"] != "available":
        state = None if snapshot["instance"] is None else snapshot["instance"]["status"]
        raise Fault(
            409, f"Snapshot {snapshot_id} is in '{state}' state, but it must be in 'available' state to be restored."
        )
    if share["task_state"] in BUSY:
        raise Fault(409, f"Share {share_id} may not be reverted while it has an active task.")


async def _take_quota(
    conn: Conn, core: Core, ctx: Context, share: Row, snapshot: Row, share_type_id: str | None
) -> Row | None:
    """Take the GiB by which the share will grow, and say what was taken. Raises Fault 403 over a limit."""
    growth: int = snapshot["size"] - share["size"]
    if growth <= 0:
        return None
    limits = await quotas.limits_for(conn, core, share["project_id"], share["user_id"], share_type_id)
    try:
        await usage.reserve(conn, share["project_id"], share["user_id"], {"gigabytes": growth}, limits, share_type_id)
    except usage.OverQuota as error:
        used = error.usages["gigabytes"]
        consumed = used["in_use"] + used["reserved"]
        raise Fault(
            403,
            f"Quota exceeded for {ctx.project_id}. Reverting share {share['id']} to snapshot {snapshot['id']} will "
            f"increase the share's size by {growth}G, ({consumed}G of {error.quotas['gigabytes']}G already consumed).",
        ) from error
    return share_quota.ahead({**share, "share_type_id": share_type_id}, {"gigabytes": growth})
