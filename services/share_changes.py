"""Removing and resizing shares: the rules, in the original's order, and the tasks."""

from __future__ import annotations

from db import share_changes as table
from db import shares
from db.connection import Conn
from generated.errors import Conflict, InvalidInput, InvalidShare, InvalidShareInstance, ShareBusyException
from generated.runtime import Row
from services import share_hints, share_quota
from services import shares as rules
from services.context import Context
from services.core import Core
from services.snapshot_removal import forget_snapshots_on
from services.work import SCHEDULER, ShareDelete, ShareExtendPlace, ShareShrink, enqueue, hasten

REMOVABLE = ("available", "error", "inactive")
AFTER_FAILURE = "error_deleting"
"""A removal that failed may be asked for again by the owner; the texts don't name this status."""


async def remove(core: Core, conn: Conn, ctx: Context, share: Row, *, force: bool = False) -> None:
    """Check that a share may go, and queue it. ``share`` must be locked.

    Args:
        force: whatever its status is, and even if the back end fails.

    Raises:
        PolicyNotAuthorized: 403. InvalidShare, Conflict: it is in use, locked or not in a final status.
    """
    ctx.enforce("share:delete", share)
    found = await table.dependents(conn, share["id"], "delete")
    _require_unlocked(found)
    if not force and share["status"] not in (*REMOVABLE, AFTER_FAILURE):
        raise InvalidShare(reason=f"Share status must be one of {REMOVABLE}")
    if share["has_replicas"]:
        raise Conflict(err=f"Share {share['id']} has replicas. Remove the replicas before deleting the share.")
    for name, text in (("snapshots", "snapshots"), ("backups", "backups"), ("members", "share group snapshot members")):
        if found[name]:
            raise InvalidShare(reason=f"Share still has {found[name]} dependent {text}.")
    rules.require_idle(share)
    await share_hints.forget(conn, share["id"], share["metadata"])
    for instance in found["instances"]:
        await remove_instance(core, conn, ctx, instance, share["id"], force=force)


def _require_unlocked(found: Row) -> None:
    if found["locks"]:
        raise InvalidShare(f"Resource lock/s [{', '.join(found['locks'])}] prevent delete action.")


async def remove_instance(
    core: Core, conn: Conn, ctx: Context, instance: Row, share_id: str, *, force: bool = False
) -> None:
    """Queue the removal of a share instance; one that no back end knows goes at once.

    Raises:
        PolicyNotAuthorized: 403. InvalidShareInstance: 400, it is not in a final status.
    """
    if not instance["host"]:
        await forget(conn, instance["id"])
        return
    ctx.enforce("share:delete")
    if not force and instance["status"] not in (*REMOVABLE, AFTER_FAILURE):
        raise InvalidShareInstance(reason=f"Share instance status must be one of {REMOVABLE}")
    deferred = core.settings.default.is_deferred_deletion_enabled and not force
    if instance["status"] not in rules.DEFERRED:
        status = "deferred_deleting" if deferred else "deleting"
        gone = await table.leaving(conn, instance["id"]) if deferred else None
        if gone is not None:
            await _give_back(conn, gone)
        await table.start_removal(conn, instance["id"], status, instance["share_server_id"])
    job = ShareDelete(share_id=share_id, instance_id=instance["id"], force=force)
    if not await hasten(conn, job, request_id=ctx.request_id):
        await enqueue(conn, job, instance["host"], request_id=ctx.request_id)


async def forget(conn: Conn, instance_id: str, *, counted: bool = True) -> None:
    """Remove an instance's rows, and the share's with the last one, and give its quota back. May be repeated.

    Args:
        counted: give back what the share counts in a type that only this instance has.
    """
    gone = await table.forget_instance(conn, instance_id)
    if gone is None:
        return
    if gone["replica_state"] is not None and not gone["last"]:
        await forget_snapshots_on(conn, instance_id)
    if gone["was"] not in rules.DEFERRED:
        await _give_back(conn, {**gone, "last": gone["last"] or (counted and gone["alone"])})


async def _give_back(conn: Conn, gone: Row) -> None:
    """Give back what an instance counted; ``gone`` is a row of ``db.share_changes.leaving``."""
    deltas = {}
    if not gone["size"]:
        return  # its take-over failed, so it was never counted
    if gone["last"]:
        deltas = {"shares": 1, "gigabytes": gone["size"]}
    if gone["replica_state"] is not None or (gone["last"] and gone["replication_type"] is not None):
        deltas |= {"share_replicas": 1, "replica_gigabytes": gone["size"]}
    if deltas:
        await share_quota.give_back(conn, gone, deltas)


async def extend(core: Core, conn: Conn, ctx: Context, share: Row, size: int, *, force: bool) -> None:
    """Check that a share may grow to ``size`` GiB, take the quota and queue it. ``share`` must be locked.

    Args:
        force: without asking the scheduler whether there is room.

    Raises:
        PolicyNotAuthorized: 403. InvalidShare, InvalidInput: 400. ShareSizeExceedsLimit,
        ShareSizeExceedsAvailableQuota, ShareReplicaSizeExceedsAvailableQuota: quota.
    """
    ctx.enforce("share:force_extend" if force else "share:extend", share)
    if share["status"] != "available":
        raise InvalidShare(
            reason=f"Share {share['id']} status must be 'available' to extend, but current status is: "
            f"{share['status']}."
        )
    rules.require_idle(share)
    increase = size - share["size"]
    if increase <= 0:
        raise InvalidInput(
            reason="New size for extend must be greater than current size. "
            f"(current: {share['size']}, extended: {size})."
        )
    own = await share_quota.limits(core, conn, str(ctx.project_id), str(ctx.user_id), None)
    share_quota.check_share_size(own, size)
    share_type = await table.share_type(conn, share["share_type_id"])
    beyond = ctx.allows("share:extend_beyond_max_share_size_spec", share)
    rules.check_size_of_type(share_type, size, "admin-extend" if beyond else "extend")
    limits = await share_quota.limits(core, conn, share["project_id"], share["user_id"], share["share_type_id"])
    replicas = await table.replicas(conn, share["id"])
    ahead = await share_quota.take_growth(conn, share, increase, replicas, limits)
    ctx.enforce("share:update", share)
    await shares.set_status(conn, share["instance_id"], "extending", ("available",))
    job = ShareExtendPlace(
        share_id=share["id"], instance_id=share["instance_id"], size=size, increase=increase, ahead=ahead
    )
    if force:
        await enqueue(conn, job.placed(), share["host"], request_id=ctx.request_id)
    else:
        await enqueue(conn, job, SCHEDULER, request_id=ctx.request_id)


async def shrink(conn: Conn, ctx: Context, share: Row, size: int) -> None:
    """Check that a share may shrink to ``size`` GiB and queue it. ``share`` must be locked.

    Raises:
        PolicyNotAuthorized: 403. InvalidShare, InvalidInput: 400.
    """
    status = str(share["status"]).lower()
    valid = ("available", "shrinking_possible_data_loss_error")
    if status not in valid:
        raise InvalidShare(
            reason=f"Share {share['id']} status must in ({', '.join(valid)}) to shrink, but current status is: "
            f"{status}."
        )
    rules.require_idle(share)
    if size >= share["size"] or size <= 0:
        raise InvalidInput(
            reason="New size for shrink must be less than current size and greater than 0 "
            f"(current: {share['size']}, new: {size})"
        )
    share_type = await table.share_type(conn, share["share_type_id"])
    rules.check_size_of_type(share_type, size, "shrink")
    ctx.enforce("share:update", share)
    await shares.set_status(conn, share["instance_id"], "shrinking", (share["status"],))
    job = ShareShrink(share_id=share["id"], instance_id=share["instance_id"], size=size)
    await enqueue(conn, job, share["host"], request_id=ctx.request_id)


REFUSED = (InvalidShare, ShareBusyException, Conflict)
"""What ``recycle`` raises."""


async def recycle(core: Core, conn: Conn, share: Row) -> None:
    """Put a share into the recycle bin. ``share`` must be locked.

    Raises:
        InvalidShare, ShareBusyException, Conflict: it is in use or not in a final status.
    """
    found = await table.dependents(conn, share["id"], "delete")
    _require_unlocked(found)
    if share["is_soft_deleted"]:
        raise InvalidShare(reason="The share has been soft deleted already")
    if share["status"] not in REMOVABLE:
        raise InvalidShare(reason=f"Share status must be one of {REMOVABLE}")
    if share["has_replicas"]:
        raise Conflict(err=f"Share {share['id']} has replicas. Remove the replicas before soft deleting the share.")
    if share["share_group_id"]:
        raise InvalidShare(reason=f"Share {share['id']} belongs to a share group")
    for name, text in (("snapshots", "snapshots"), ("backups", "backups"), ("members", "share group snapshot members")):
        if found[name]:
            raise InvalidShare(reason=f"Share still has {found[name]} dependent {text}.")
    rules.require_idle(share)
    await table.recycle(conn, share["id"], core.settings.default.soft_deleted_share_retention_time)
