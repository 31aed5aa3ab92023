"""Access rules of shares: who may see them, and how a request changes them.

A change is queued in the rows and a task ``access_update`` per share instance makes the back end follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from db import access as rows
from db import access_sync
from db.connection import Conn
from generated.enums import Transitional
from generated.errors import InvalidShare, InvalidShareAccess, NotFound
from generated.runtime import Fault, Json, Row
from services import locks, share_facts
from services.access_input import LEVELS, check_client, same_client
from services.context import Context
from services.literals import items_of_new
from services.work import AccessUpdate, enqueue

HIDDEN = "******"


@dataclass(frozen=True, slots=True)
class Can:
    """What a microversion adds to access rules."""

    ceph: bool
    rules_in_error: bool
    """New rules are taken while others are in error."""
    ipv6: bool
    metadata: bool
    share_in_error: bool
    """Rules of a share in status error change."""
    locks: bool

    @classmethod
    def at(cls, minor: int) -> Can:
        """What version 2.``minor`` can."""
        return cls(minor >= 13, minor >= 28, minor >= 38, minor >= 45, minor >= 74, minor >= 82)


async def share_to_change(conn: Conn, ctx: Context, share_id: str, refusal: str) -> Row:
    """The share whose rules are to change, kept from other such changes until the transaction ends.

    Args:
        refusal: ``allow`` or ``deny``, for the text about a share in the recycle bin.

    Raises:
        NotFound, PolicyNotAuthorized: as ``share_facts.require_visible``.
        Fault: 403 for a soft-deleted share, 400 while its network is being changed.
    """
    await rows.lock_share(conn, share_id)
    share = share_facts.require_visible(ctx, await rows.share(conn, share_id), to_change=True)
    if share["is_soft_deleted"]:
        raise Fault(403, f"Cannot {refusal} access for share '{share_id}' since it has been soft deleted.")
    share_facts.require_network_active(share)
    return share


async def allow(conn: Conn, ctx: Context, share_id: str, data: Json, can: Can) -> tuple[Row, Row]:
    """Add a rule; the rule and its share as they are now.

    Args:
        data: what the request says about the rule, unchecked.
    """
    if isinstance(data, list) and not can.metadata:
        raise Fault(400)
    share = await share_to_change(conn, ctx, share_id, "allow")
    if not can.rules_in_error and any(one["access_rules_status"] == "error" for one in share["instances"]):
        raise Fault(
            400,
            "Access rules cannot be added while the share or any of its replicas or migration copies has its "
            "access_rules_status set to error. Deny any rules in error state and try again.",
        )
    if not isinstance(data, dict):
        raise Fault(400)
    deletion, visibility, reason = (
        (bool(data.get("lock_deletion")), bool(data.get("lock_visibility")), data.get("lock_reason"))
        if can.locks
        else (False, False, None)
    )
    if reason and not (deletion or visibility):
        raise Fault(
            400,
            "Lock reason can only be specified when locking the visibility or the deletion of an access rule.",
        )
    values, metadata = await _checked(conn, share, data, can)
    instance_ids = [one["id"] for one in share["instances"]]
    rule = await rows.create(conn, values, metadata, instance_ids)
    if deletion or visibility:
        await locks.place(conn, ctx, share, rule["id"], reason, deletion=deletion, visibility=visibility)
    await _follow(conn, ctx, share, instance_ids)
    return rule, share


async def _checked(conn: Conn, share: Row, data: Mapping[str, Json], can: Can) -> tuple[Row, dict[str, str]]:
    """The rule's row and metadata. Raises a fault or error of status 400 for the first thing that is wrong."""
    for name in ("access_type", "access_to"):
        if name not in data:
            raise Fault(400, f"{name} is required.")
    access_type, access_to, level = data["access_type"], data["access_to"], data.get("access_level")
    check_client(access_type, access_to, ceph=can.ceph, ipv6=can.ipv6)
    if level is not None and level not in LEVELS:
        raise InvalidShareAccess(reason=f"Invalid share access level: {level}.")
    metadata = items_of_new(data.get("metadata")) if can.metadata else {}
    if any(same_client(access_type, access_to, other) for other in await rows.clients(conn, share["id"], access_type)):
        raise Fault(400, f"Share access {access_type}:{access_to} exists.")
    if _unfit(share, can.share_in_error):
        raise InvalidShare(
            "New access rules cannot be applied while the share or any of its replicas or migration copies lacks a "
            "valid host or is in an invalid state."
        )
    values = {
        "share_id": share["id"],
        "access_type": access_type,
        "access_to": access_to,
        "access_level": level or "rw",
    }
    return values, metadata


async def deny(conn: Conn, ctx: Context, share_id: str, data: Json, can: Can) -> None:
    """Queue a rule's removal on every instance; a rule that none knows is removed at once."""
    if not isinstance(data, dict):
        raise Fault(400)
    access_id = data.get("access_id", 0)
    if access_id is None or access_id == []:
        access_id = ""
    if not isinstance(access_id, str) or "\x00" in access_id:
        raise Fault(400, "access_id is required and must be a text.")
    # the share's row before its locks are looked at: see ``db.resource_locks.hold``
    await rows.lock_share(conn, share_id)
    # whose rule it is before its locks: "locked" would tell a stranger that there is such a rule
    share_facts.require_visible(ctx, await rows.share(conn, share_id), to_change=True)
    rule = await rows.get(conn, access_id)
    known = rule is not None and rule["share_id"] == share_id
    if known:
        await locks.require_deletable(conn, ctx, access_id, share_id, bool(data.get("unrestrict")))
    share = await share_to_change(conn, ctx, share_id, "deny")
    ctx.enforce("share:access_get")
    if not known:
        raise Fault(404, "Resource could not be found.")
    if _unfit(share, can.share_in_error):
        raise InvalidShare(
            "Access rules cannot be denied while the share, any of its replicas or migration copies lacks a valid "
            "host or is in an invalid state."
        )
    instances = await rows.queue(conn, access_id, "queued_to_deny")
    if not instances:
        await access_sync.drop_orphans(conn, [access_id])
    await _follow(conn, ctx, share, instances)


async def change_level(conn: Conn, ctx: Context, access_id: str, level: str) -> Row:
    """Give a rule another level; the rule as it is now, with the state it had.

    Raises:
        NotFound, PolicyNotAuthorized: as ``share_facts.require_visible``.
        InvalidShare: 400, the share's instances are not fit for it.
    """
    ctx.enforce("share:access_get")
    rule = await rows.get(conn, access_id)
    if rule is None:
        raise NotFound
    await rows.lock_share(conn, rule["share_id"])
    share = share_facts.require_visible(ctx, await rows.share(conn, rule["share_id"]), to_change=True)
    if level == rule["access_level"]:
        return rule
    if _unfit(share, True):
        raise InvalidShare(
            "Access rules cannot be updated while the share, any of its replicas or migration copies lacks a valid "
            "host or is in an invalid state."
        )
    changed = await rows.set_level(conn, access_id, level)
    if changed is None:
        raise NotFound
    await _follow(conn, ctx, share, await rows.queue(conn, access_id, "queued_to_update"))
    return {**rule, "access_level": level, "updated_at": changed["updated_at"]}


async def visible(conn: Conn, ctx: Context, access_id: str) -> tuple[Row, Row]:
    """A rule and its share. Raises NotFound unless the requester is one of the share's owners."""
    ctx.enforce("share:access_get")
    rule = await rows.get(conn, access_id)
    if rule is None:
        raise NotFound
    return rule, share_facts.require_owner(ctx, await rows.share(conn, rule["share_id"]))


def shown(ctx: Context, rule: Row) -> Row:
    """The rule as the requester may see it: a visibility lock hides its client and key."""
    if not locks.hides(ctx, rule["show_lock"]):
        return rule
    return {**rule, "access_to": HIDDEN, "access_key": HIDDEN}


def with_old_state(rule: Row, share: Row) -> Row:
    """Before 2.28 a rule's state is that of all the share's rules together."""
    status = share_facts.rules_status(share)
    return {**rule, "state": "new" if status == "syncing" else status}


def _unfit(share: Row, share_in_error: bool) -> bool:
    """Whether an instance has no back end yet or is in a state in which its rules don't change."""
    refused = set(Transitional) | (set() if share_in_error else {"error"})
    return any(not one["host"] or one["status"] in refused for one in share["instances"])


async def _follow(conn: Conn, ctx: Context, share: Row, instance_ids: list[str]) -> None:
    """Let the back ends of these instances follow the rows; ``share`` is brought up to date."""
    if not instance_ids:
        return
    await rows.start_syncing(conn, instance_ids)
    for instance in share["instances"]:
        if instance["id"] not in instance_ids:
            continue
        if instance["access_rules_status"] == "active":
            instance["access_rules_status"] = "syncing"
        job = AccessUpdate(share_id=share["id"], instance_id=instance["id"])
        await enqueue(conn, job, instance["host"], request_id=ctx.request_id)
