"""Share transfers: a share is offered under a key, and whoever knows the key takes it into his project."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping

from db import access as rules
from db import quotas, share_types, shares, snapshots
from db import transfers as table
from db.connection import Conn
from generated.errors import (
    Invalid,
    InvalidAuthKey,
    InvalidShare,
    InvalidSnapshot,
    NotFound,
    ShareLimitExceeded,
    ShareReplicaSizeExceedsAvailableQuota,
    ShareReplicasLimitExceeded,
    ShareSizeExceedsAvailableQuota,
    ShareTypeNotFound,
    SnapshotLimitExceeded,
    SnapshotSizeExceedsAvailableQuota,
    TransferNotFound,
)
from generated.runtime import Fault, Row
from services import share_quota
from services import shares as share_rules
from services.context import Context
from services.core import Core
from services.notifications import context_of, tell_share
from services.work import AccessUpdate, ShareTransfer, enqueue

OFFERED = "awaiting_transfer"
LONGEST_NAME = 255
SALT_LENGTH, KEY_LENGTH = 8, 16
"""Characters of what is generated, as the original's options have them by default."""


def crypt_hash(salt: str, key: object) -> str:
    """The hash of a key that the table keeps; a key that is no text counts as its text."""
    return hmac.new(str(salt).encode(), str(key).encode(), hashlib.sha256).hexdigest()


def _random(length: int) -> str:
    """Hexadecimal digits, which everybody can type."""
    return secrets.token_hex(length)[:length]


async def find(conn: Conn, ctx: Context, transfer_id: str) -> Row:
    """An offer of a share of the requester's project (an administrator sees all). Raises TransferNotFound (404)."""
    row = await table.get(conn, transfer_id, ctx.scope)
    if row is None:
        raise TransferNotFound(transfer_id=transfer_id)
    return row


async def create(core: Core, conn: Conn, ctx: Context, share_id: str, name: str | None) -> Row:
    """Offer a share; the row with ``auth_key``, which is shown this once.

    Raises:
        PolicyNotAuthorized: 403.
        Invalid, InvalidShare, InvalidSnapshot: 400, the share can't be given away as it is.
        Fault: 400, a name that its column can't have; the original fails so late, too, but with an error of its own.
    """
    try:
        share = await share_rules.get(conn, ctx, share_id, lock=True)
    except NotFound:
        raise InvalidShare(reason="Share specified was not found.") from None
    ctx.enforce("share_transfer:create", share)
    _require_giveable(share)
    for one in await snapshots.find(conn, {"share_id": share_id, "deferred": True}):
        if one["status"] != "available":
            raise InvalidSnapshot(reason=f"Snapshot: {one['id']} status must be available")
    if name is not None and (len(name) > LONGEST_NAME or "\0" in name):
        raise Fault(400, f"'name' must be a text of at most {LONGEST_NAME} characters.")
    await _announce(core, conn, ctx, share, "create")
    salt, key = _random(SALT_LENGTH), _random(KEY_LENGTH)
    values = {
        "resource_id": share["id"],
        "display_name": name,
        "salt": salt,
        "crypt_hash": crypt_hash(salt, key),
        "source_project_id": share["project_id"],
    }
    row = await table.create(conn, values, core.settings.default.transfer_retention_time)
    await shares.set_status(conn, share["instance_id"], OFFERED, ("available",))
    return {**row, "auth_key": key}


def _require_giveable(share: Row) -> None:
    mount_point = share["mount_point_name"]
    if mount_point and mount_point.startswith(share["project_id"]):
        raise Invalid  # the name carries the project's id; the original's text does not say so
    if share["status"] != "available":
        raise InvalidShare(reason="Share's status must be available")
    if share["share_network_id"]:
        raise InvalidShare(reason="Shares exported over share networks cannot be transferred.")
    if share["share_group_id"]:
        raise InvalidShare(reason="Shares within share groups cannot be transferred.")
    if share["has_replicas"]:
        raise InvalidShare(reason="Shares with replicas cannot be transferred.")


async def cancel(core: Core, conn: Conn, ctx: Context, transfer_id: str) -> None:
    """Take an offer back.

    Raises:
        TransferNotFound: 404. PolicyNotAuthorized: 403. InvalidShare: 400, the share is not on offer any more.
    """
    offer = await find(conn, ctx, transfer_id)
    ctx.enforce("share_transfer:delete", {"project_id": offer["source_project_id"]})
    share = await shares.get(conn, offer["resource_id"], lock=True)
    if share is not None and share["status"] != OFFERED:
        raise InvalidShare(reason=_not_offered(transfer_id, share["id"]))
    await withdraw(core, conn, ctx, transfer_id, share)


async def withdraw(core: Core, conn: Conn, ctx: Context, transfer_id: str, share: Row | None) -> None:
    """End an offer; its share, if it still is on offer, is available again. ``share`` must be locked."""
    if share is not None and share["status"] == OFFERED:
        await _announce(core, conn, ctx, share, "delete")
        await shares.set_status(conn, share["instance_id"], "available", (OFFERED,))
    await table.remove(conn, transfer_id)


def _not_offered(transfer_id: str, share_id: str) -> str:
    return f"Transfer {transfer_id}: share id {share_id} expected in awaiting_transfer state."


async def accept(core: Core, conn: Conn, ctx: Context, transfer_id: str, key: object, *, clear_rules: bool) -> None:
    """Take an offered share into the requester's project; quota moves with it.

    The back end is told by a task; what it refuses is taken back there.

    Raises:
        TransferNotFound, InvalidAuthKey, InvalidShare, InvalidSnapshot: 400 by the handler.
        ShareTypeNotFound: 404. Errors of quota: 413.
    """
    offer = await table.get(conn, transfer_id)
    if offer is None:
        raise TransferNotFound(transfer_id=transfer_id)
    if not hmac.compare_digest(crypt_hash(offer["salt"], key), str(offer["crypt_hash"])):
        raise InvalidAuthKey(reason=f"Attempt to transfer {transfer_id} with invalid auth key.")
    share = await shares.get(conn, offer["resource_id"], lock=True)
    if share is None:
        raise InvalidShare(reason="Share specified was not found.")
    if share["status"] != OFFERED or await table.get(conn, transfer_id) is None:
        raise InvalidShare(reason=_not_offered(transfer_id, share["id"]))
    await _require_type(conn, ctx, share)
    project, user = str(ctx.project_id), str(ctx.user_id)
    await _move_quota(core, conn, transfer_id, share, project, user)
    await _announce(core, conn, ctx, share, "accept")
    await table.give(conn, share["id"], project, user)
    await shares.set_status(conn, share["instance_id"], "available", (OFFERED,))
    await table.accept(conn, transfer_id, project)
    await _tell_back_end(conn, ctx, share, transfer_id, clear_rules=clear_rules)


async def _announce(core: Core, conn: Conn, ctx: Context, share: Row, event: str) -> None:
    """Tell start and end of an event; as by the original, both show the share as it was before."""
    for phase in ("start", "end"):
        await tell_share(
            conn, core.settings, share["instance_id"], f"transfer.{event}.{phase}", context=context_of(ctx)
        )


async def _require_type(conn: Conn, ctx: Context, share: Row) -> None:
    type_id = share["share_type_id"]
    if not type_id:
        return
    share_type = await share_types.get(conn, type_id, ctx.scope)
    if share_type is None:
        raise ShareTypeNotFound(share_type_id=type_id)
    if not share_type["is_public"] and ctx.project_id not in await share_types.projects(conn, type_id):
        raise InvalidShare(
            reason=f"Share type of share {share['id']} is not public, and current project can not access the share "
            "type "
        )


def _of_share(share: Row) -> dict[str, int]:
    deltas = {"shares": 1, "gigabytes": int(share["size"])}
    if share["replication_type"]:
        deltas |= {"share_replicas": 1, "replica_gigabytes": int(share["size"])}
    return deltas


async def _move_quota(core: Core, conn: Conn, transfer_id: str, share: Row, project: str, user: str) -> None:
    """Take the quota of a share and its snapshots in the new project and give it back in the old one."""
    type_id = share["share_type_id"]
    await table.hold_snapshots(conn, share["id"])
    limits = await share_quota.limits(core, conn, project, user, type_id)
    share_quota.check_share_size(limits, share["size"])
    owners = await table.snapshot_owners(conn, share["id"])
    for one in sorted({project, share["project_id"], *(owner["project_id"] for owner in owners)}):
        await quotas.lock(conn, one)  # two transfers in opposite directions wait in one order
    await _take(conn, project, user, type_id, _of_share(share), limits)
    await share_quota.give_back(conn, share, _of_share(share))
    found = await snapshots.find(conn, {"share_id": share["id"], "deferred": True})
    for one in found:
        if one["status"] != "available":
            reason = f"Transfer {transfer_id}: Snapshot {one['id']} is not in the expected available state."
            raise InvalidSnapshot(reason=reason)
    for owner in owners:
        deltas = {"snapshots": owner["number"], "snapshot_gigabytes": owner["gigabytes"]}
        await _take(conn, project, user, type_id, deltas, limits)
        await _give_back(conn, owner, type_id, deltas)


async def _take(
    conn: Conn, project: str, user: str, type_id: str | None, deltas: Mapping[str, int], limits: quotas.Limits
) -> None:
    try:
        await quotas.reserve(conn, project, user, deltas, limits, type_id)
    except quotas.OverQuota as over:
        raise _over(over) from None


def _over(over: quotas.OverQuota) -> Exception:
    """The error that stands for a limit that would be passed, the heaviest first."""
    if "gigabytes" in over.overs:
        return ShareSizeExceedsAvailableQuota()
    if "shares" in over.overs:
        return ShareLimitExceeded(allowed=over.quotas["shares"])
    if "snapshot_gigabytes" in over.overs:
        return SnapshotSizeExceedsAvailableQuota()
    if "snapshots" in over.overs:
        return SnapshotLimitExceeded(allowed=over.quotas["snapshots"])
    return ShareReplicasLimitExceeded() if "share_replicas" in over.overs else ShareReplicaSizeExceedsAvailableQuota()


async def _give_back(conn: Conn, owner: Row, type_id: str | None, deltas: Mapping[str, int]) -> None:
    negative = {name: -amount for name, amount in deltas.items()}
    await quotas.reserve(conn, owner["project_id"], owner["user_id"], negative, None, type_id)


async def _tell_back_end(conn: Conn, ctx: Context, share: Row, transfer_id: str, *, clear_rules: bool) -> None:
    host, subject = share["host"], {"share_id": share["id"], "instance_id": share["instance_id"]}
    if clear_rules and await _deny_all(conn, share["id"]):
        await rules.start_syncing(conn, [share["instance_id"]])
        await enqueue(conn, AccessUpdate(**subject), host, request_id=ctx.request_id)
    job = ShareTransfer(
        **subject, transfer_id=transfer_id, project_id=str(ctx.project_id), user_id=str(ctx.user_id),
        old_project_id=share["project_id"], old_user_id=share["user_id"],
    )  # fmt: skip
    await enqueue(conn, job, host, request_id=ctx.request_id)


async def _deny_all(conn: Conn, share_id: str) -> bool:
    """Queue the removal of every access rule; whether there was one."""
    found = await rules.of_share(conn, share_id)
    for rule in found:
        await rules.queue(conn, rule["id"], "queued_to_deny")
    return bool(found)


async def take_back(conn: Conn, share: Row, offer_id: str, project: str, user: str) -> None:
    """Undo ``accept``: the share is its old owner's again and on offer. ``share`` must be locked.

    Args:
        project, user: the old owner.
    """
    type_id = share["share_type_id"]
    parts: Iterable[tuple[Row, dict[str, int]]] = [
        (share, _of_share(share)),
        *(
            (one, {"snapshots": one["number"], "snapshot_gigabytes": one["gigabytes"]})
            for one in await table.snapshot_owners(conn, share["id"])
        ),
    ]
    await table.hold_snapshots(conn, share["id"])
    for one in sorted({project, share["project_id"]}):
        await quotas.lock(conn, one)
    for owner, deltas in parts:
        await _give_back(conn, owner, type_id, deltas)
        await quotas.reserve(conn, project, user, deltas, None, type_id)
    await table.give(conn, share["id"], project, user)
    await shares.set_status(conn, share["instance_id"], OFFERED, ("available",))
    await table.reopen(conn, offer_id)
