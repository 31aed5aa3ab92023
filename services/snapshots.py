"""Snapshots: who may see them, and how a request changes them and their access rules."""

from __future__ import annotations

from collections.abc import Mapping

from db import access as shares
from db import quotas as usage
from db import snapshot_access as rules
from db import snapshots as rows
from db.connection import Conn
from db.manage import snapshot_counts
from db.snapshot_instances import share_type_of
from generated.errors import (
    InvalidInput,
    InvalidShare,
    InvalidShareSnapshot,
    InvalidShareSnapshotInstance,
    NotFound,
    ShareSnapshotNotFound,
    SnapshotLimitExceeded,
    SnapshotSizeExceedsAvailableQuota,
)
from generated.runtime import Fault, Json, Row
from services import quotas, share_facts
from services.access_input import check_client, same_client
from services.context import Context
from services.core import Core
from services.literals import items_of_new
from services.shares import require_idle
from services.values import kept_text
from services.work import (
    ReplicatedSnapshotCreate,
    ReplicatedSnapshotDelete,
    SnapshotAccess,
    SnapshotCreate,
    SnapshotDelete,
    SnapshotJob,
    enqueue,
)

LONGEST_NAME = 255
_DELETABLE = ("available", "error")


def check_length(value: Json, field: str) -> None:
    """Raise InvalidInput or Fault (400) for a name or description that is too long, or has no length."""
    if not value:
        return
    if isinstance(value, int | float):
        raise Fault(400)
    if len(value) > LONGEST_NAME:
        raise InvalidInput(reason=f"{field} can only be {LONGEST_NAME} characters long.")


def check_name(value: Json, field: str) -> str | None:
    """A name or description for people as it is kept. Raises InvalidInput or Fault 400 for what can't be."""
    value = kept_text(value)
    if value is None:
        return None
    if not isinstance(value, str) or "\0" in value:
        raise Fault(400, f"{field} must be a text.")
    check_length(value, field)
    return value


async def get(conn: Conn, ctx: Context, snapshot_id: str) -> Row:
    """A snapshot that the requester may see.

    Raises:
        ShareSnapshotNotFound: there is none in the requester's project (in any, for an administrator).
        NotFound: policies hide it.
    """
    snapshot = await rows.get(conn, snapshot_id, ctx.scope)
    if snapshot is None:
        raise ShareSnapshotNotFound(snapshot_id=snapshot_id)
    if not ctx.allows("share_snapshot:get_snapshot", snapshot):
        raise NotFound
    if snapshot["status"] in rows.DEFERRED and not ctx.allows(
        "share_snapshot:list_snapshots_in_deferred_deletion_states", snapshot
    ):
        raise NotFound
    return snapshot


async def share_of(conn: Conn, ctx: Context, snapshot: Row) -> Row:
    """The snapshot's share, if the requester may see it. Raises NotFound."""
    return share_facts.require_visible(ctx, await shares.share(conn, snapshot["share_id"]))


async def create(conn: Conn, core: Core, ctx: Context, data: Mapping[str, Json], with_metadata: bool) -> Row:
    """Make a snapshot of the share that ``data`` names; it belongs to the requester's project."""
    share_id = data.get("share_id")
    if share_id == []:
        raise NotFound  # the original looks for none of several ids
    if "share_id" not in data or not isinstance(share_id, (str, type(None))):
        raise Fault(400, "share_id is required and must be a text.")
    if share_id is not None:
        await shares.lock_share(conn, share_id)
    share = share_facts.require_visible(ctx, None if share_id is None else await shares.share(conn, share_id))
    if not share["snapshot_support"]:
        raise Fault(422, f"Snapshots cannot be created for share '{share_id}' since it does not have that capability.")
    if share["is_soft_deleted"]:
        raise Fault(403, f"Snapshots cannot be created for share '{share_id}' since it has been soft deleted.")
    texts = {short: data[short] if short in data else data.get(f"display_{short}") for short in ("name", "description")}
    for short in ("name", "description"):
        if short in data:  # the long keys are not measured
            check_length(data[short], short)
    ctx.enforce("share:create_snapshot", share)
    metadata = items_of_new(data.get("metadata")) if with_metadata else {}
    if share["status"] != "available":
        raise InvalidShare(reason="Source share status must be available")
    require_idle(share)
    stored = {f"display_{short}": check_name(value, short) for short, value in texts.items()}
    instance = share_facts.primary(share)
    assert instance is not None
    await _take_quota(conn, core, ctx, share["size"], instance["share_type_id"])
    values = {
        "share_id": share_id,
        "size": share["size"],
        "share_size": share["size"],
        "share_proto": share["share_proto"],
        "user_id": ctx.user_id,
        "project_id": ctx.project_id,
        **stored,
    }
    snapshot = await rows.create(conn, values, instance["id"], metadata)
    # the answer shows what was sent; a number or boolean is a text from the next look on
    snapshot |= {f"display_{short}": value for short, value in texts.items() if not isinstance(value, str)}
    replicas = share_facts.replicas(share)
    if len(replicas) > 1:
        others = [one["id"] for one in replicas if one["id"] != instance["id"]]
        await rows.add_instances(conn, snapshot["id"], others)
        await enqueue(conn, ReplicatedSnapshotCreate(**about(snapshot)), instance["host"], request_id=ctx.request_id)
        return snapshot
    await _leave(conn, ctx, SnapshotCreate, snapshot, snapshot["instance"])
    return snapshot


async def _take_quota(conn: Conn, core: Core, ctx: Context, size: int, share_type_id: str | None) -> None:
    project_id, user_id = str(ctx.project_id), str(ctx.user_id)
    limits = await quotas.limits_for(conn, core, project_id, user_id, share_type_id)
    deltas = {"snapshots": 1, "snapshot_gigabytes": size}
    try:
        await usage.reserve(conn, project_id, user_id, deltas, limits, share_type_id)
    except usage.OverQuota as error:
        if "snapshot_gigabytes" in error.overs:
            raise SnapshotSizeExceedsAvailableQuota from error
        raise SnapshotLimitExceeded(allowed=error.quotas["snapshots"]) from error


async def delete(core: Core, conn: Conn, ctx: Context, snapshot: Row, *, force: bool = False) -> None:
    """Queue a snapshot's removal. Its owner may try again what failed before.

    With deferred deletion its quota is given back at once, and the owner does not see it any more.
    """
    ctx.enforce("share:delete_snapshot", snapshot)
    if not force and snapshot["status"] not in (*_DELETABLE, "error_deleting"):
        raise InvalidShareSnapshot(reason=f"Share Snapshot status must be one of {_DELETABLE}.")
    instances = snapshot["instances"]
    replicated = any(one["replica_state"] for one in instances)
    deferred = core.settings.default.is_deferred_deletion_enabled and not force and not replicated
    if snapshot["status"] not in rows.DEFERRED:
        if deferred:
            await _give_back(conn, snapshot)
        await rows.set_status(conn, [one["id"] for one in instances], "deferred_deleting" if deferred else "deleting")
    share = await shares.share(conn, snapshot["share_id"]) if replicated else None
    if share is not None and len(share_facts.replicas(share)) > 1:
        primary = share_facts.primary(share)
        assert primary is not None
        job = ReplicatedSnapshotDelete(**about(snapshot), force=force)
        await enqueue(conn, job, primary["host"], request_id=ctx.request_id)
        return
    for instance in instances:
        await _leave(conn, ctx, SnapshotDelete, snapshot, instance, force=force)


async def _give_back(conn: Conn, snapshot: Row) -> None:
    """Give the quota of a snapshot back before it is gone."""
    if snapshot["instance"] is None or not await snapshot_counts(conn, snapshot["instance"]["id"]):
        return
    deltas = {"snapshots": -1, "snapshot_gigabytes": -snapshot["size"]}
    share_type = await share_type_of(conn, snapshot["share_id"])
    await usage.reserve(conn, snapshot["project_id"], snapshot["user_id"], deltas, None, share_type)


async def _leave(
    conn: Conn, ctx: Context, kind: type[SnapshotJob], snapshot: Row, instance: Row, **fields: Json
) -> None:
    """Leave work on one snapshot instance for the back end that has its share."""
    named = {**about(snapshot), "snapshot_instance_id": instance["id"]}
    await enqueue(conn, kind.read({**named, **fields}), instance["host"], request_id=ctx.request_id)


def about(snapshot: Row) -> dict[str, str]:
    """What work on a snapshot names."""
    return {"share_id": snapshot["share_id"], "snapshot_id": snapshot["id"]}


# ---- access rules of mountable snapshots


async def allow(conn: Conn, ctx: Context, snapshot_id: str, access_type: str, access_to: str, ipv6: bool) -> Row:
    """Let a client mount a snapshot; the rule."""
    check_client(access_type, access_to, ceph=False, ipv6=ipv6)
    await rules.lock_snapshot(conn, snapshot_id)
    snapshot = await get(conn, ctx, snapshot_id)
    share = await shares.share(conn, snapshot["share_id"])
    if share is not None:
        share_facts.require_network_active(share)
    require_mountable(snapshot, share_facts.require_visible(ctx, share))
    known = await rules.of_snapshot(conn, snapshot_id)
    if any(
        one["access_type"] == access_type and same_client(access_type, access_to, one["access_to"]) for one in known
    ):
        raise Fault(400, f"Share snapshot access {access_type}:{access_to} exists.")
    _require_available(snapshot, "New access rules cannot be applied while the snapshot or any of its replicas or")
    instances = snapshot["instances"]
    values = {"share_snapshot_id": snapshot_id, "access_type": access_type, "access_to": access_to}
    rule = await rules.create(conn, values, [one["id"] for one in instances])
    for instance in instances:
        await _leave(conn, ctx, SnapshotAccess, snapshot, instance)
    return rule


async def deny(conn: Conn, ctx: Context, snapshot_id: str, access_id: str) -> None:
    """Queue the removal of a snapshot's rule."""
    await rules.lock_snapshot(conn, snapshot_id)
    snapshot = await get(conn, ctx, snapshot_id)
    share = await share_of(conn, ctx, snapshot)
    require_mountable(snapshot, share)
    share_facts.require_network_active(share)
    rule = await rules.get(conn, access_id)
    if rule is None:
        raise NotFound
    if rule["share_snapshot_id"] != snapshot["id"]:
        try:
            await get(conn, ctx, rule["share_snapshot_id"])
        except ShareSnapshotNotFound:
            raise NotFound from None
        raise Fault(400, "Access rule provided is not associated with given snapshot.")
    _require_available(snapshot, "Access rules cannot be denied while the snapshot or any of its replicas or")
    known = await rules.queue_removal(conn, access_id)
    for instance in snapshot["instances"]:
        if instance["id"] in known:
            await _leave(conn, ctx, SnapshotAccess, snapshot, instance)


def require_mountable(snapshot: Row, share: Row, *, to_change: bool = True) -> None:
    """Raise Fault 400 for a snapshot that can't be mounted, or whose rules are those of its share."""
    if not share["mount_snapshot_support"]:
        raise Fault(
            400,
            f"Cannot control access to the snapshot {snapshot['id']} since the parent share {share['id']} does not "
            "support mounting its snapshots.",
        )
    if to_change and share["snapshot_inherit_share_access_support"]:
        raise Fault(
            400,
            f"Cannot modify access rules for the snapshot {snapshot['id']} since the parent share {share['id']} has "
            "snapshot_inherit_share_access_support enabled. Snapshot access rules are inherited from the base share.",
        )


def _require_available(snapshot: Row, start: str) -> None:
    if any(one["status"] != "available" or one["host"] is None for one in snapshot["instances"]):
        raise InvalidShareSnapshotInstance(
            reason=f"{start} migration copies lacks a valid host or is not in available state."
        )
