"""Moving a share to another pool, type or network: the rules, in the original's order, and the quota of both types."""

from __future__ import annotations

from dataclasses import dataclass

from db import copies, quotas, share_changes, share_create, shares
from db import migrations_of_shares as table
from db.connection import Conn
from generated.errors import (
    Conflict,
    InvalidInput,
    InvalidShare,
    ServiceIsDown,
    ServiceNotFound,
    ShareLimitExceeded,
    ShareReplicaSizeExceedsAvailableQuota,
    ShareReplicasLimitExceeded,
    ShareSizeExceedsAvailableQuota,
    ShareTypeNotFound,
)
from generated.runtime import Row
from services import share_quota
from services import shares as rules
from services.capabilities import backend_of, read_bool
from services.context import Context
from services.core import Core
from services.work import SCHEDULER, ShareMigrateCancel, ShareMigrateComplete, ShareMigratePlace, enqueue

PHASE1_DONE, COPIED = "migration_driver_phase1_done", "data_copying_completed"
IN_PROGRESS, COPYING = "migration_driver_in_progress", "data_copying_in_progress"
ENDED = ("migration_success", "data_copying_error", "migration_cancelled", "migration_cancel_in_progress",
         "migration_completing", PHASE1_DONE, COPIED, "data_copying_completing", "data_copying_cancelled",
         "migration_error")  # fmt: skip
"""Task states whose progress is 100 per cent."""
BEGUN = ("migration_starting", "migration_driver_starting", "data_copying_starting", "migration_in_progress")
"""Task states whose progress is 0 per cent."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for. ``host`` is a pool; network and type are rows, or None to keep the share's."""

    host: str
    force_host: bool
    preserve_metadata: bool
    writable: bool
    nondisruptive: bool
    preserve_snapshots: bool
    network: Row | None = None
    share_type: Row | None = None


async def start(core: Core, conn: Conn, ctx: Context, share: Row, wish: Wish) -> bool:
    """Check that a share may move, take the quota of a new type, and queue the placement. ``share`` must be locked.

    Returns:
        False when the share is where it should be already.

    Raises:
        InvalidInput, InvalidShare, ShareBusyException, ServiceIsDown: 400. ServiceNotFound, ShareTypeNotFound: 404.
        Conflict: 409. ShareSizeExceedsAvailableQuota and its like: 413.
    """
    if wish.force_host and (wish.preserve_metadata or wish.writable or wish.nondisruptive or wish.preserve_snapshots):
        raise InvalidInput(
            reason='Invalid parameter combination. Cannot set parameters "nondisruptive", "writable", '
            '"preserve_snapshots" or "preserve_metadata" to True when enabling the "force_host_assisted_migration" '
            "option."
        )
    await _check_share(conn, share, wish)
    service = await service_of(core, conn, wish.host)
    share_type, ahead = await _type(core, conn, share, wish)
    network_id = _network(share, share_type, wish)
    if (network_id, share_type["id"], wish.host) == (share["share_network_id"], share["share_type_id"], share["host"]):
        await shares.set_share(conn, share["id"], task_state="migration_success")
        return False
    zones = share_type["extra_specs"].get("availability_zones", "")
    if zones and service["zone"] not in zones.split(","):
        raise InvalidShare(
            reason=f"Share {share['id']} cannot be migrated to host {wish.host} because share type "
            f"{share_type['name'] or ''}(ID: {share_type['id']}) is not supported within the availability zone "
            f"({service['zone']}) that the host is in."
        )
    await table.set_task_state(conn, share["id"], "migration_starting")
    await table.set_instance_status(conn, share["instance_id"], table.SOURCE, ("available",))
    await table.forget_progress(conn, share["id"])
    job = ShareMigratePlace(
        share_id=share["id"], instance_id=share["instance_id"], host=wish.host, zone_id=service["zone_id"],
        share_type_id=share_type["id"], share_network_id=network_id, force_host=wish.force_host,
        preserve_metadata=wish.preserve_metadata, writable=wish.writable, nondisruptive=wish.nondisruptive,
        preserve_snapshots=wish.preserve_snapshots, ahead=ahead,
    )  # fmt: skip
    await enqueue(conn, job, SCHEDULER, request_id=ctx.request_id)
    return True


async def _check_share(conn: Conn, share: Row, wish: Wish) -> None:
    if share["has_replicas"]:
        raise Conflict(
            err=f"Share {share['id']} has replicas. Remove the replicas before attempting to migrate the share."
        )
    if share["share_group_id"]:
        raise InvalidShare(
            reason=f"Share {share['id']} is a member of a group. This operation is not currently supported for shares "
            "that are members of groups."
        )
    if share["status"] != "available":
        raise InvalidShare(
            reason=f"Share instance {share['instance_id']} status must be available, but current status is: "
            f"{share['status']}."
        )
    if share["access_rules_status"] == "error":
        raise InvalidShare(
            reason=f"Share instance {share['instance_id']} access rules status must not be in error when attempting "
            "to start a migration."
        )
    rules.require_idle(share)
    if wish.force_host and await table.snapshot_statuses(conn, share["id"]):
        raise Conflict(err=f"Share {share['id']} must not have snapshots when using host-assisted migration.")


async def service_of(core: Core, conn: Conn, host: str) -> Row:
    """The share service of a pool's or back end's host, which must be up. Raises ServiceNotFound, ServiceIsDown."""
    name = backend_of(host)
    service = await table.service(conn, name, core.settings.default.service_down_time)
    if service is None:
        raise ServiceNotFound(service_id=name)
    if not service["up"]:
        raise ServiceIsDown(service=name)
    return service


def has_servers(share_type: Row) -> bool:
    """Whether a share type asks for share servers."""
    return read_bool(share_type["extra_specs"].get("driver_handles_share_servers", False))


async def _type(core: Core, conn: Conn, share: Row, wish: Wish) -> tuple[Row, Row | None]:
    """The type that the share will have, and the quota that was taken for a new one."""
    if wish.share_type is None:
        current = await share_changes.share_type(conn, share["share_type_id"])
        if current is None:
            raise ShareTypeNotFound(share_type_id=share["share_type_id"])
        return current, None
    wanted, ahead = wish.share_type, None
    rules.check_size_of_type(wanted, share["size"], "create")
    if has_servers(wanted) and wish.network is None and not share["share_network_id"]:
        raise InvalidInput(
            reason=f"New share network must be provided when share type of given share {share['id']} has extra_spec "
            "'driver_handles_share_servers' as True."
        )
    if wanted["id"] != share["share_type_id"]:
        ahead = await _take_quota(core, conn, share, wanted)
    qos_type = wanted["extra_specs"].get("default_qos_type")
    if qos_type and await share_create.qos_type_id(conn, qos_type) is None:
        raise InvalidInput(
            reason=f"Share type {wanted['name']} extra-specs 'default_qos_type' specified qos_type does not exist."
        )
    return wanted, ahead


def quota_of(size: int, replication_type: str | None) -> dict[str, int]:
    """What a share of ``size`` GiB counts in its type."""
    replicated = {"share_replicas": 1, "replica_gigabytes": size} if replication_type else {}
    return {"shares": 1, "gigabytes": size, **replicated}


async def _take_quota(core: Core, conn: Conn, share: Row, share_type: Row) -> Row:
    """Both instances count until one of them goes."""
    limits = await share_quota.limits(core, conn, share["project_id"], share["user_id"], share_type["id"])
    deltas = quota_of(share["size"], share_type["extra_specs"].get("replication_type"))
    try:
        await quotas.reserve(conn, share["project_id"], share["user_id"], deltas, limits, share_type["id"])
    except quotas.OverQuota as over:
        head = "Failed while migrating a share with replication support. Maximum number of allowed "
        if "replica_gigabytes" in over.overs:
            raise ShareReplicaSizeExceedsAvailableQuota(head + "replica gigabytes is exceeded.") from None
        if "share_replicas" in over.overs:
            raise ShareReplicasLimitExceeded(head + "share-replicas is exceeded.") from None
        if "gigabytes" in over.overs:
            raise ShareSizeExceedsAvailableQuota from None
        raise ShareLimitExceeded(allowed=over.quotas["shares"]) from None
    return share_quota.ahead({**share, "share_type_id": share_type["id"]}, deltas)


def _network(share: Row, share_type: Row, wish: Wish) -> str | None:
    if has_servers(share_type):
        found: str | None = wish.network["id"] if wish.network else share["share_network_id"]
        return found
    if wish.network:
        raise InvalidInput(
            reason="New share network must not be provided when share type of given share "
            f"{share['id']} has extra_spec 'driver_handles_share_servers' as False."
        )
    return None


# ---- afterwards


def why_not(resource: Row, kind: str = "share") -> str | None:
    """Why nothing can be done about a migration, from its task state; None when that is not clear."""
    name, state = f"{kind} {resource['id']}", resource["task_state"]
    if state == "migration_success":
        return f"Migration of {name} has already completed."
    if state in (None, "migration_error"):
        return f"There is no migration being performed for {name} at this moment."
    if state == "migration_cancelled":
        return f"Migration of {name} was already cancelled."
    if state in (PHASE1_DONE, COPIED):
        return f"Migration of {name} has already completed first phase."
    return None


def by_state(task_state: str | None) -> Row | None:
    """The progress that a task state says by itself."""
    if task_state in ENDED:
        return {"total_progress": 100}
    return {"total_progress": 0} if task_state in BEGUN else None


async def moving(conn: Conn, share: Row) -> tuple[Row, Row]:
    """Source and destination instance. Raises InvalidShare (400): there are none, somebody changed the state."""
    found = await table.state(conn, share["id"])
    source, destination = (found or {}).get("source"), (found or {}).get("destination")
    if source is None or destination is None:
        raise InvalidShare(
            reason=f"Share instances {source and source['id']} and {destination and destination['id']} in "
            f"inconsistent states, cannot continue share migration for share {share['id']}."
        )
    return source, destination


async def complete(conn: Conn, ctx: Context, share: Row) -> None:
    """Queue the second phase. ``share`` must be locked. Raises InvalidShare (400)."""
    if share["task_state"] not in (COPIED, PHASE1_DONE):
        raise InvalidShare(reason=why_not(share) or f"First migration phase of share {share['id']} not completed yet.")
    source, destination = await moving(conn, share)
    job = ShareMigrateComplete(
        share_id=share["id"], instance_id=source["id"], destination_id=destination["id"],
        copied=share["task_state"] == COPIED,
    )  # fmt: skip
    await enqueue(conn, job, source["host"], request_id=ctx.request_id)


async def cancel(core: Core, conn: Conn, ctx: Context, share: Row) -> None:
    """Queue the end of a migration that is not through. ``share`` must be locked. Raises InvalidShare (400)."""
    down, state = core.settings.default.service_down_time, share["task_state"]
    if state in (COPIED, PHASE1_DONE, IN_PROGRESS):
        source, destination = await moving(conn, share)
        service = await table.service(conn, backend_of(source["host"]), down, disabled=True)
        if service is not None and service["up"]:
            job = ShareMigrateCancel(
                share_id=share["id"], instance_id=source["id"], destination_id=destination["id"]
            )  # fmt: skip
            await enqueue(conn, job, source["host"], request_id=ctx.request_id)
            return
    elif state == COPYING and await table.data_service_is_up(conn, down) and await copies.cancel(conn, share["id"]):
        return
    raise InvalidShare(reason=why_not(share) or f"Migration of share {share['id']} cannot be cancelled at this moment.")


async def progress(core: Core, conn: Conn, share: Row) -> Row:
    """How far the migration is: ``total_progress`` (per cent) and the back end's details. Raises InvalidShare (400)."""
    down, state = core.settings.default.service_down_time, share["task_state"]
    found: Row | None
    if state == IN_PROGRESS:
        source, _ = await moving(conn, share)
        service = await table.service(conn, backend_of(source["host"]), down, disabled=True)
        found = await table.progress(conn, share["id"]) if service is not None and service["up"] else None
    elif state == COPYING:
        found = await copies.progress(conn, share["id"]) if await table.data_service_is_up(conn, down) else None
    else:
        found = by_state(state)
    if not found or found.get("total_progress") is None:
        raise InvalidShare(
            reason=why_not(share) or f"Migration progress of share {share['id']} cannot be obtained at this moment."
        )
    return dict(found)
