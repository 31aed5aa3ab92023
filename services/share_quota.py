"""Quota of shares: taken with the work, and refused with the texts that clients know."""

from __future__ import annotations

from collections.abc import Mapping

from db import share_changes, share_create
from db.connection import Conn
from db.quotas import Limits, OverQuota, lock, reserve
from generated.errors import (
    EncryptionKeysLimitExceeded,
    InvalidInput,
    ShareLimitExceeded,
    ShareReplicaSizeExceedsAvailableQuota,
    ShareReplicasLimitExceeded,
    ShareSizeExceedsAvailableQuota,
    ShareSizeExceedsLimit,
)
from generated.runtime import Row
from services.core import Core
from services.quotas import limits_for
from services.values import is_uuid_like

LONGEST_KEY = 36
"""Characters of a key's UUID as the database keeps it."""


async def limits(core: Core, conn: Conn, project_id: str, user_id: str, share_type_id: str | None) -> Limits:
    """The limits that hold for a share of this project, user and type."""
    return await limits_for(conn, core, project_id, user_id, share_type_id)


def check_share_size(limits: Limits, size: int) -> None:
    """Raise ShareSizeExceedsLimit (413) when one share of ``size`` GiB is more than is allowed."""
    allowed = min(
        (one for one in (limits.project.get("per_share_gigabytes", -1), limits.user.get("per_share_gigabytes", -1))
         if one >= 0),
        default=-1,
    )  # fmt: skip
    if 0 <= allowed < size:
        raise ShareSizeExceedsLimit(size=size, limit=allowed)


async def is_new_key(conn: Conn, key_ref: str, project_id: str) -> bool:
    """Whether the encryption key is one that the project doesn't use yet. Raises InvalidInput (400)."""
    if not is_uuid_like(key_ref) or len(key_ref) > LONGEST_KEY:
        raise InvalidInput(reason="Encryption key ref is not valid UUID")
    await lock(conn, project_id)  # two shares with one new key count one
    return not await share_create.has_key(conn, key_ref, project_id)


async def take(
    conn: Conn, project_id: str, user_id: str, share_type_id: str | None, deltas: Mapping[str, int], limits: Limits
) -> None:
    """Take quota for a new share in the caller's transaction.

    Raises:
        ShareSizeExceedsAvailableQuota, ShareLimitExceeded, EncryptionKeysLimitExceeded, ShareReplicasLimitExceeded,
        ShareReplicaSizeExceedsAvailableQuota: 413, nothing was taken.
    """
    try:
        await reserve(conn, project_id, user_id, deltas, limits, share_type_id)
    except OverQuota as over:
        if "gigabytes" in over.overs:
            raise ShareSizeExceedsAvailableQuota from None
        if "shares" in over.overs:
            raise ShareLimitExceeded(allowed=over.quotas["shares"]) from None
        if "encryption_keys" in over.overs:
            raise EncryptionKeysLimitExceeded from None
        head = "Failed while creating a share with replication support. "
        if "share_replicas" in over.overs:
            raise ShareReplicasLimitExceeded(head + "Maximum number of allowed share-replicas is exceeded.") from None
        raise ShareReplicaSizeExceedsAvailableQuota(
            head + "Requested share replica exceeds allowed project/user or share type gigabytes quota."
        ) from None


async def take_growth(conn: Conn, share: Row, increase: int, replicas: int, limits: Limits) -> Row:
    """Take quota for ``increase`` GiB more of a share with ``replicas`` replicas, and say what was taken (``ahead``).

    Raises:
        ShareSizeExceedsAvailableQuota, ShareReplicaSizeExceedsAvailableQuota: nothing was taken.
    """
    deltas = {"gigabytes": increase}
    if replicas:
        deltas["replica_gigabytes"] = increase * replicas
    try:
        await reserve(conn, share["project_id"], share["user_id"], deltas, limits, share["share_type_id"])
    except OverQuota as over:
        if "gigabytes" in over.overs:
            raise ShareSizeExceedsAvailableQuota from None
        raise ShareReplicaSizeExceedsAvailableQuota(
            "Failed while extending a share with replication support. There is no available quota to extend the share "
            f"and its {replicas} replicas. Maximum number of allowed replica_gigabytes is exceeded."
        ) from None
    return ahead(share, deltas)


async def give_back(conn: Conn, share: Row, deltas: Mapping[str, int]) -> None:
    """Give quota back (amounts positive) to the project, user and type of a share."""
    negative = {name: -amount for name, amount in deltas.items()}
    await reserve(conn, share["project_id"], share["user_id"], negative, None, share["share_type_id"])


# ---- usage that is taken before a row answers for it


def ahead(share: Row, deltas: Mapping[str, int]) -> Row:
    """What a job remembers of ``deltas`` taken for a share (``project_id``, ``user_id``, ``share_type_id``)."""
    return {name: share[name] for name in ("project_id", "user_id", "share_type_id")} | {"deltas": dict(deltas)}


async def settle(conn: Conn, share_id: str | None, size: int, taken: Row | None) -> None:
    """Let a locked share count as one of ``size`` GiB from now; what was taken ahead of that is part of it.

    The caller writes the size in the same transaction. A share that is gone, or that gave back what it counted when it
    left, takes nothing.

    Args:
        share_id: None when the row takes nothing.
        taken: what ``ahead`` remembered, if anything.
    """
    changes: dict[tuple[str, str, str | None], dict[str, int]] = {}
    for row in await share_changes.counted(conn, share_id) if share_id is not None else ():
        more = size - row["size"]
        key = (row["project_id"], row["user_id"], row["share_type_id"])
        changes[key] = {"gigabytes": more, "replica_gigabytes": more * row["replicas"]}
    if taken is not None:
        own = changes.setdefault((taken["project_id"], taken["user_id"], taken["share_type_id"]), {})
        for name, amount in taken["deltas"].items():
            own[name] = own.get(name, 0) - amount
    for project in sorted({key[0] for key in changes}):
        await lock(conn, project)
    for (project, user, share_type), deltas in changes.items():
        if wanted := {name: amount for name, amount in deltas.items() if amount}:
            await reserve(conn, project, user, wanted, None, share_type)


async def return_ahead(conn: Conn, taken: Row) -> None:
    """Give back what was taken ahead of something that did not come."""
    await settle(conn, None, 0, taken)
