"""Share replicas: the rules of the original in its order, and the rows and tasks written in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from db import quotas, security_services, share_changes, share_create, uses, zones
from db import share_replicas as table
from db.connection import Conn
from generated.errors import (
    AdminRequired,
    AvailabilityZoneNotFound,
    InvalidHost,
    InvalidInput,
    InvalidShare,
    InvalidShareType,
    ReplicationException,
    ShareReplicaSizeExceedsAvailableQuota,
    ShareReplicasLimitExceeded,
    ShareTypeNotFound,
)
from generated.runtime import Row
from services import share_quota, share_types
from services import shares as rules
from services.context import Context
from services.core import Core
from services.share_changes import forget
from services.snapshot_removal import forget_snapshots_on
from services.values import strict_bool
from services.work import SCHEDULER, ReplicaDelete, ReplicaPlace, ReplicaPromote, ReplicaUpdate, ShareJob, enqueue


@dataclass(slots=True)
class Wish:
    """What a client asks of a new replica. ``network_named``: the network is not just the share's."""

    zone: str | None = None
    network_id: str | None = None
    network_named: bool = False
    hints: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)


async def create(core: Core, conn: Conn, ctx: Context, share: Row, wish: Wish) -> Row:
    """Add a replica to a share and queue its placement; the row as it is then. ``share`` must be locked.

    Raises:
        InvalidInput, InvalidShare, ShareBusyException, ReplicationException, AvailabilityZoneNotFound: 400.
        ShareTypeNotFound: 404. ShareReplicasLimitExceeded, ShareReplicaSizeExceedsAvailableQuota: 413.
    """
    await _check_domain(conn, share, wish)
    if not share["replication_type"]:
        raise InvalidShare(f"Replication not supported for share {share['id']}.")
    if share["share_group_id"]:
        raise InvalidShare("Replication not supported for shares in a group.")
    if wish.hints and set(wish.hints) != {"only_host"}:
        raise InvalidInput(reason="Arg 'scheduler_hints' supports only 'only_host' key.")
    rules.require_idle(share)
    active = await table.active(conn, share["id"])
    if active is None:
        raise ReplicationException(reason=f"Share {share['id']} does not have any active replica in available state.")
    share_type = await _type(conn, share, wish)
    allowed = _zones_of_type(share_type, wish)
    qos_type = await share_types.default_qos_type(conn, share_type)
    await _take_quota(core, conn, share)
    zone = await _zone(conn, wish)
    several: dict[str, bool] = {}
    if wish.network_id is not None:
        allowed, several = await _reached(conn, ctx, wish.network_id, zone, allowed)
    values = {
        "share_id": share["id"], "share_network_id": wish.network_id, "share_type_id": share["share_type_id"],
        "cast_rules_to_readonly": share["replication_type"] == "readable", "qos_type_id": qos_type,
        "mount_point_name": active["mount_point_name"],
    }  # fmt: skip
    replica = await table.create(conn, values, zone, wish.metadata)
    job = ReplicaPlace(
        share_id=share["id"], instance_id=replica["id"], project_id=ctx.project_id, active_host=active["host"],
        zones=allowed, several_subnets=several,
        only_host=wish.hints.get("only_host") if ctx.allows("context_is_host_admin") else None,
    )  # fmt: skip
    await enqueue(conn, job, SCHEDULER, request_id=ctx.request_id)
    return replica


async def _check_domain(conn: Conn, share: Row, wish: Wish) -> None:
    own = share["share_network_id"]
    if not own or not wish.network_id or own == wish.network_id:
        return
    known = [{one["id"] for one in await security_services.of_network(conn, n)} for n in (own, wish.network_id)]
    if known[0] != known[1]:
        raise InvalidInput(reason="Share and its replica can't be in different authentication domains.")


async def _type(conn: Conn, share: Row, wish: Wish) -> Row:
    if share["share_type_id"] is None:
        raise InvalidShareType(reason="id cannot be None")
    await uses.hold(conn, "share_types", [share["share_type_id"]])
    found = await share_changes.share_type(conn, share["share_type_id"])
    if found is None:
        raise ShareTypeNotFound(share_type_id=share["share_type_id"])
    servers = found["extra_specs"].get("driver_handles_share_servers", "false")
    try:
        without = not strict_bool(servers)
    except ValueError:
        without = False
    if wish.network_named and without:
        raise InvalidInput(reason="Share network must not be set when the driver_handles_share_servers is false.")
    return found


def _zones_of_type(share_type: Row, wish: Wish) -> list[str]:
    """Names of the zones that the type allows; empty: all."""
    text = share_type["extra_specs"].get("availability_zones", "")
    allowed = text.split(",") if text else []
    if wish.zone and allowed and wish.zone not in allowed:
        raise InvalidShare(
            f"Share replica cannot be created since the share type {share_type['name'] or ''}(ID: {share_type['id']}) "
            f"is not supported within the availability zone chosen {wish.zone}."
        )
    return allowed


async def _take_quota(core: Core, conn: Conn, share: Row) -> None:
    """The share's project and user are charged, whoever asks: they get it back when the replica goes."""
    owner = (share["project_id"], share["user_id"])
    limits = await share_quota.limits(core, conn, *owner, share["share_type_id"])
    deltas = {"share_replicas": 1, "replica_gigabytes": share["size"]}
    try:
        await quotas.reserve(conn, *owner, deltas, limits, share["share_type_id"])
    except quotas.OverQuota as over:
        if "share_replicas" in over.overs:
            raise ShareReplicasLimitExceeded from None
        raise ShareReplicaSizeExceedsAvailableQuota from None


async def _zone(conn: Conn, wish: Wish) -> Row | None:
    if not wish.zone:
        return None
    zone = None if "\0" in wish.zone else await zones.find(conn, wish.zone)
    if zone is not None:
        return zone
    if wish.network_id is None:
        raise AvailabilityZoneNotFound(id=wish.zone)
    raise InvalidInput("Share replica cannot be created because the specified availability zone does not exist.")


async def _reached(
    conn: Conn, ctx: Context, network_id: str, zone: Row | None, allowed: list[str]
) -> tuple[list[str], dict[str, bool]]:
    """Names of the zones to choose from, and for each zone's id whether the network has several subnets there."""
    found = await share_create.network(conn, network_id, ctx.project_id, everything=ctx.is_admin)
    subnets = found["network"]["subnets"] if found["network"] else []
    count = {one["id"]: int(subnets.count(one["id"]) or subnets.count(None)) for one in [*found["zones"], zone or {}]
             if one}  # fmt: skip
    if zone is not None:
        if not count[zone["id"]]:
            raise InvalidShare(
                "Share replica cannot be created because the share network is not available within the specified "
                "availability zone."
            )
        return allowed, {zone["id"]: count[zone["id"]] > 1}
    reached = [one["name"] for one in found["zones"] if count[one["id"]]]
    names = [name for name in allowed if name in reached] if allowed else reached
    if not names:
        raise InvalidInput(
            "The share network is not supported within any requested  availability zone. Check the share type's "
            "'availability_zones' extra-spec and the availability zones of the share network subnets"
        )
    return names, {ident: number > 1 for ident, number in count.items() if number}


async def remove(conn: Conn, ctx: Context, replica: Row, *, force: bool = False) -> None:
    """Queue the removal of a replica; one that no back end has goes at once. Its share must be locked.

    Args:
        force: even if the back end fails.

    Raises:
        ReplicationException: it is the only active one.
    """
    replicas = await table.list_all(conn, None, replica["share_id"])
    active = [one for one in replicas if one["replica_state"] == "active"]
    if replica["replica_state"] == "active" and len(active) == 1:
        raise ReplicationException(reason="Cannot delete last active replica.")
    await share_changes.start_removal(conn, replica["id"], "deleting", None)
    if not replica["host"]:
        await forget_replica(conn, replica["id"])
        return
    await _leave(conn, ctx, ReplicaDelete, replica, force=force)


async def forget_replica(conn: Conn, replica_id: str) -> None:
    """Remove a replica's rows with its snapshot instances, and give its quota back. May be repeated."""
    await forget_snapshots_on(conn, replica_id)
    await forget(conn, replica_id)


async def promote(conn: Conn, ctx: Context, replica: Row, wait: int | None) -> None:
    """Queue the promotion of a replica that is not active. Its share must be locked.

    Args:
        wait: seconds that the back end may take to quiesce the active replica.

    Raises:
        ReplicationException: it is not available. AdminRequired: it is not in sync.
    """
    if replica["status"] != "available":
        raise ReplicationException(reason=f"Replica {replica['id']} must be in available state to be promoted.")
    if replica["replica_state"] in ("out_of_sync", "error") and not ctx.is_admin:
        raise AdminRequired
    await table.change(conn, replica["id"], {"status": "replication_change"}, ("available",))
    await _leave(conn, ctx, ReplicaPromote, replica, quiesce_wait_time=wait)


async def resync(conn: Conn, ctx: Context, replica: Row) -> None:
    """Queue a look at the state of a replica. Raises InvalidHost: no back end has it."""
    if not replica["host"]:
        raise InvalidHost(reason="Share replica does not have a valid host.")
    await _leave(conn, ctx, ReplicaUpdate, replica)


async def _leave(conn: Conn, ctx: Context, kind: type[ShareJob], replica: Row, **fields: Any) -> None:
    """Leave work on a replica for the back end that has it."""
    job = kind.read({"share_id": replica["share_id"], "instance_id": replica["id"], **fields})
    await enqueue(conn, job, replica["host"], request_id=ctx.request_id)
