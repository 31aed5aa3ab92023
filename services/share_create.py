"""Creation of a share: the rules, in the original's order, and the rows and the task written in one transaction."""

from __future__ import annotations

import contextlib
from typing import Any

from db import encryption, share_groups, uses
from db import share_create as table
from db.conflicts import Stale
from db.connection import Conn
from generated.errors import (
    InvalidInput,
    InvalidShareSnapshot,
    InvalidShareType,
    ManilaBarbicanACLError,
    NotFound,
    ShareGroupNotFound,
    ShareSnapshotNotFound,
    ShareTypeNotFound,
)
from generated.microversions import SNAPSHOT_SUPPORT_OPTIONAL, ZONES_OF_TYPES
from generated.runtime import Fault, Row
from network import keys
from services import share_hints, share_quota
from services import shares as rules
from services.context import Context
from services.core import Core
from services.share_attributes import driver_metadata, of_type, prefixed_mount_point
from services.share_request import Wish, checked_metadata
from services.values import is_int_like, is_uuid_like, strict_bool
from services.work import SCHEDULER, SharePlace, enqueue


async def create(core: Core, ctx: Context, wish: Wish, version: int) -> Row:
    """Create a share and queue its placement; the row as it is then.

    Raises:
        Fault, ManilaError: 400, 403, 404 or 413, in the original's order; nothing is taken or written.
    """
    async with core.db.read() as conn:
        facts = await _facts(core, conn, ctx, wish)
        zone = _zone(wish, facts)
        group = await _group(conn, ctx, wish, zone)
        if group is not None:
            zone = {"id": group["availability_zone_id"], "name": group["zone"]}
        source = await _source(conn, ctx, wish, version)
        network = await _network(conn, ctx, wish, facts, source)
        several = _subnets_in_zone(network, zone) if zone and wish.zone else {}
        share_type = await _type(core, conn, ctx, wish, facts, source, network)
        zones = _zones_of_type(wish, share_type, source, zone, version)
        qos_type = await _qos(conn, share_type)
        _check_key(wish, share_type)
    wish.metadata = checked_metadata(wish)
    if source is not None:
        _check_source(source)
        zone = zone or {"id": source["share"]["availability_zone_id"], "name": source["share"]["availability_zone"]}
        share_type = source["type"] if share_type is None else share_type
    _check_size(wish, share_type or facts["default"], source)
    _check_source_zone_and_type(core, wish, source, zone, share_type)
    _check_protocol(core, wish)
    plan: Row = {
        "zone": zone, "group": group, "source": source, "network": network, "type": share_type, "zones": zones,
        "several": several, "qos_type": qos_type,
    }  # fmt: skip
    return await _write(core, ctx, wish, plan)


async def _facts(core: Core, conn: Conn, ctx: Context, wish: Wish) -> Row:
    """What the request names, and the default type; both in one statement unless a type is named."""
    asked: dict[str, Any] = {}
    default = core.settings.default.default_share_type
    if wish.share_type:
        asked = {"type_id" if is_uuid_like(wish.share_type) else "type_name": str(wish.share_type)}
    elif default:
        asked = {"type_name": default, "any_type": True}
    found = await table.facts(
        conn, ctx.project_id, everything=ctx.is_admin, zone=wish.zone, zone_by_id=is_uuid_like(wish.zone),
        network=wish.network_id, **asked,
    )  # fmt: skip
    found["default"] = found["share_type"] if not wish.share_type else None
    return found


def _zone(wish: Wish, facts: Row) -> Row | None:
    if wish.zone and facts["zone"] is None:
        raise Fault(404, f"Availability zone {wish.zone} could not be found.")
    zone: Row | None = facts["zone"]
    return zone


async def _group(conn: Conn, ctx: Context, wish: Wish, zone: Row | None) -> Row | None:
    if not wish.group_id:
        return None
    group = await table.group(conn, wish.group_id, ctx.project_id, everything=ctx.is_admin)
    if group is None:
        raise Fault(404, str(ShareGroupNotFound(share_group_id=wish.group_id)))
    if zone and zone["id"] != group["availability_zone_id"]:
        raise InvalidInput(
            f"Share cannot have AZ ('{zone['id']}') different than share group's one ({group['availability_zone_id']})."
        )
    if group["zone"] is None:
        raise Fault(400, f"Share group status must be available, got {group['status']}.")
    return group


async def _source(conn: Conn, ctx: Context, wish: Wish, version: int) -> Row | None:
    """The snapshot, its share and that share's type."""
    if wish.snapshot_id is None:
        return None
    snapshot = await table.snapshot(conn, wish.snapshot_id, ctx.project_id, everything=ctx.is_admin)
    if snapshot is None:
        raise ShareSnapshotNotFound(snapshot_id=wish.snapshot_id)
    if not ctx.allows("share_snapshot:get_snapshot", snapshot):
        raise NotFound
    deferred = any(status in rules.DEFERRED for status in snapshot["statuses"])
    if deferred and not ctx.allows("share_snapshot:list_snapshots_in_deferred_deletion_states", snapshot):
        raise NotFound
    share = await rules.get(conn, ctx, snapshot["share_id"])
    if share["share_type_id"] is None:
        raise InvalidShareType(reason="id cannot be None")
    found = await table.facts(conn, ctx.project_id, everything=ctx.is_admin, type_id=share["share_type_id"])
    if found["share_type"] is None:
        raise ShareTypeNotFound(share_type_id=share["share_type_id"])
    if wish.network_id and wish.network_id != share["share_network_id"]:
        raise Fault(400, "Share network ID should be the same as snapshot's parent share's or empty")
    if version >= SNAPSHOT_SUPPORT_OPTIONAL and not share["create_share_from_snapshot_support"]:
        raise Fault(
            400,
            f"A new share may not be created from snapshot '{wish.snapshot_id}', because the snapshot's parent share "
            "does not have that capability.",
        )
    return {"snapshot": snapshot, "share": share, "type": found["share_type"]}


async def _network(conn: Conn, ctx: Context, wish: Wish, facts: Row, source: Row | None) -> Row | None:
    network_id = wish.network_id or (source["share"]["share_network_id"] if source else None)
    if not network_id:
        return None
    if not wish.network_id:
        facts |= {
            key: value
            for key, value in (await table.network(conn, network_id, ctx.project_id, everything=ctx.is_admin)).items()
            if key in ("network", "zones")
        }
    network: Row | None = facts["network"]
    if network is None:
        raise Fault(404, f"Share network {network_id} could not be found.")
    if network["status"] != "active":
        raise Fault(
            400,
            f"The share network {network_id} used isn't in an 'active' state. Current status is {network['status']}. "
            "The action may be retried after the share network has changed its state.",
        )
    network["zones"] = facts["zones"]
    return network


def _count_in_zone(network: Row, zone_id: str) -> int:
    """Subnets of the network that serve a zone: its own, or else those for every zone."""
    subnets = network["subnets"]
    return int(subnets.count(zone_id) or subnets.count(None))


def _subnets_in_zone(network: Row | None, zone: Row) -> dict[str, bool]:
    if network is None:
        return {}
    number = _count_in_zone(network, zone["id"])
    if not number:
        raise Fault(400, "A share network subnet was not found for the requested availability zone.")
    return {zone["id"]: number > 1}


async def _type(
    core: Core, conn: Conn, ctx: Context, wish: Wish, facts: Row, source: Row | None, network: Row | None
) -> Row | None:
    """The type asked for or the default one; None with a snapshot and no type named."""
    if wish.both_types:
        raise Fault(400, "Cannot specify both share_type and volume_type")
    share_type: Row | None = facts["share_type"]
    if wish.share_type and share_type is None:
        raise Fault(404, "Share type not found.")
    if not wish.share_type and source is not None:
        return None
    if not network and not source and not wish.group_id and _has_servers(share_type):
        raise Fault(400, "Share network must be set when the driver_handles_share_servers is true.")
    return share_type


def _has_servers(share_type: Row | None) -> bool:
    try:
        return strict_bool((share_type or {}).get("extra_specs", {}).get("driver_handles_share_servers", "false"))
    except ValueError:
        return False


def _zones_of_type(wish: Wish, share_type: Row | None, source: Row | None, zone: Row | None, version: int) -> list[str]:
    """Names of the zones that the type allows; empty: all."""
    chosen = share_type or (source["type"] if source else None)
    if chosen is None or version < ZONES_OF_TYPES:
        return []
    allowed = chosen["extra_specs"].get("availability_zones", "")
    zones = allowed.split(",") if allowed else []
    if zone and zones and zone["name"] not in zones:
        name = wish.share_type or f"{chosen['name'] or chosen['id']} (from source snapshot)"
        raise Fault(400, f"Share type {name} is not supported within the availability zone chosen {zone['name']}.")
    return zones


async def _qos(conn: Conn, share_type: Row | None) -> str | None:
    name = (share_type or {}).get("extra_specs", {}).get("default_qos_type")
    if not name or share_type is None:
        return None
    found = await table.qos_type_id(conn, name)
    if found is None:
        raise Fault(400, f"The 'default_qos_type' specified in the share type {share_type['name']} does not exist.")
    return found


def _check_key(wish: Wish, share_type: Row | None) -> None:
    if share_type is None or not wish.key_ref:
        return
    if share_type["extra_specs"].get("encryption_support") not in ("share", "share_server"):
        raise Fault(
            400,
            f"Share type {share_type['name']} extra-specs 'encryption_support' is missing valid value e.g. share, "
            "share_server.",
        )
    if not _has_servers(share_type):
        raise Fault(400, f"Share type {share_type['name']} must set dhss=True for share encryption.")


def _check_source(source: Row) -> None:
    statuses = source["snapshot"]["statuses"]
    if not statuses or any(status != "available" for status in statuses):
        raise InvalidShareSnapshot(reason="status must be 'available'")


def _check_size(wish: Wish, share_type: Row | None, source: Row | None) -> None:
    if source is not None and not wish.size:
        wish.size = source["snapshot"]["size"]
    if not is_int_like(wish.size) or int(wish.size) <= 0:
        raise InvalidInput(reason=f"Share size '{wish.size}' must be an integer and greater than 0")
    wish.size = int(wish.size)
    if source is not None and wish.size < source["snapshot"]["size"]:
        raise InvalidInput(reason=f"Share size '{wish.size}' must be equal or greater than snapshot size")
    rules.check_size_of_type(share_type, wish.size, "create")


def _check_source_zone_and_type(
    core: Core, wish: Wish, source: Row | None, zone: Row | None, share_type: Row | None
) -> None:
    if source is None or zone is None:
        return
    elsewhere = zone["name"] != source["share"]["availability_zone"]
    if elsewhere and not core.settings.default.use_scheduler_creating_share_from_snapshot:
        raise InvalidInput(
            reason="The specified availability zone must be the same as the parent share when creating from snapshot."
        )
    if share_type is None or share_type["id"] != source["share"]["share_type_id"]:
        raise InvalidInput(
            reason="Invalid share type specified: the requested share type must match the type of the source share. "
            "If a share type is not specified when requesting a new share from a snapshot, the share type of the "
            "source share will be applied to the new share."
        )


def _check_protocol(core: Core, wish: Wish) -> None:
    supported = list(core.settings.default.enabled_share_protocols)
    if not wish.proto or wish.proto not in (one.upper() for one in supported):
        raise InvalidInput(
            reason=f"Invalid share protocol provided: {wish.proto}. It is either disabled or unsupported. "
            f"Available protocols: {supported}"
        )


def _check_group(wish: Wish, plan: Row, network_id: str | None) -> None:
    group, share_type = plan["group"], plan["type"]
    if group is None:
        return
    if group["status"] != "available":
        raise Fault(400, f"Share group status must be available, got {group['status']}.")
    if share_type and share_type["id"] not in group["share_types"]:
        raise Fault(
            400,
            f"The specified share type ({share_type['id']}) is not supported by the specified share group "
            f"({group['id']}).",
        )
    if group["share_network_id"] != network_id:
        raise Fault(
            400,
            f"The specified share network ({network_id}) is not supported by the specified share group "
            f"({group['id']}).",
        )


def _compatible_zones(plan: Row) -> None:
    """Without a zone, the scheduler is told which zones the network reaches."""
    network = plan["network"]
    if network is None or plan["zone"]:
        return
    counts = {zone["name"]: (zone["id"], _count_in_zone(network, zone["id"])) for zone in network["zones"]}
    reached = [name for name, (_, number) in counts.items() if number]
    plan["zones"] = [name for name in plan["zones"] if name in reached] if plan["zones"] else reached
    if not plan["zones"]:
        raise InvalidInput(
            "The share network is not supported within any requested availability zone. Check the share type's "
            "'availability_zones' extra-spec and the availability zones of the share network subnets"
        )
    plan["several"] |= {zone_id: number > 1 for zone_id, number in counts.values() if number}


async def _write(core: Core, ctx: Context, wish: Wish, plan: Row) -> Row:
    share_type, network, source, zone = plan["type"], plan["network"], plan["source"], plan["zone"]
    type_id = share_type["id"] if share_type else None
    project, user = str(ctx.project_id), str(ctx.user_id)
    attributes = of_type(share_type)
    await _grant(core, ctx, wish.key_ref)
    async with core.db.write() as conn:
        await _hold_network(conn, ctx, network)
        if plan["group"] is not None:
            plan["group"]["status"] = await share_groups.hold(conn, plan["group"]["id"])
        limits = await share_quota.limits(core, conn, project, user, type_id)
        share_quota.check_share_size(limits, wish.size)
        mount_point = prefixed_mount_point(core, ctx, wish.mount_point_name, share_type, attributes)
        deltas = {"shares": 1, "gigabytes": wish.size}
        await share_hints.hold(conn, wish.hints)
        await _hold_source(conn, ctx, source)
        await _hold_types(conn, plan)
        if attributes["replication_type"]:
            deltas |= {"share_replicas": 1, "replica_gigabytes": wish.size}
        if wish.key_ref and await share_quota.is_new_key(conn, wish.key_ref, project):
            deltas["encryption_keys"] = 1
        await share_quota.take(conn, project, user, type_id, deltas, limits)
        _check_group(wish, plan, network["id"] if network else None)
        _compatible_zones(plan)
        await _require_access(conn, ctx, share_type)
        metadata = driver_metadata(core, share_type, wish.metadata)
        share_id, metadata = await share_hints.save(conn, ctx, wish.hints, metadata)
        direct = plan["group"]["host"] if plan["group"] else None
        if source and not core.settings.default.use_scheduler_creating_share_from_snapshot:
            direct = source["share"]["host"]
        share = {
            "id": share_id, "user_id": user, "project_id": project, "size": wish.size, "display_name": wish.name,
            "display_description": wish.description, "snapshot_id": wish.snapshot_id,
            "share_proto": wish.proto, "is_public": wish.is_public, "share_group_id": wish.group_id or None,
            **{name: value for name, value in attributes.items() if name != "mount_point_name_support"},
        }  # fmt: skip
        instance = {
            "status": "creating", "host": direct or "", "share_network_id": network["id"] if network else None,
            "availability_zone_id": zone["id"] if zone else None, "share_type_id": type_id,
            "access_rules_status": "active", "cast_rules_to_readonly": False, "mount_point_name": mount_point,
            "encryption_key_ref": wish.key_ref, "qos_type_id": plan["qos_type"],
        }  # fmt: skip
        made = await table.insert(conn, share, instance, metadata)
        if wish.key_ref:
            await encryption.refer(conn, wish.key_ref, project, instance_id=made["instance_id"])
        await _enqueue(conn, ctx, wish, plan, made, direct)
    return _row(share, instance, made, metadata, zone, share_type)


async def _hold_network(conn: Conn, ctx: Context, network: Row | None) -> None:
    """The network is as it was read, and stays so until the transaction ends. Raises Stale."""
    if network is None:
        return
    await uses.hold(conn, "share_networks", [network["id"]])
    now = (await table.network(conn, network["id"], ctx.project_id, everything=ctx.is_admin))["network"]
    if now is None or now["status"] != network["status"] or {*now["subnets"]} != {*network["subnets"]}:
        raise Stale(network["id"])


async def _hold_source(conn: Conn, ctx: Context, source: Row | None) -> None:
    """The same for the snapshot that is copied."""
    if source is None:
        return
    ident = source["snapshot"]["id"]
    await uses.hold(conn, "share_snapshots", [ident])
    now = await table.snapshot(conn, ident, ctx.project_id, everything=ctx.is_admin)
    if now is None or now["statuses"] != source["snapshot"]["statuses"]:
        raise Stale(ident)


async def _hold_types(conn: Conn, plan: Row) -> None:
    """The same for the types, of which only the removal matters."""
    share_type = plan["type"]["id"] if plan["type"] else None
    for name, ident in (("share_types", share_type), ("qos_types", plan["qos_type"])):
        if ident is not None and not await uses.hold(conn, name, [ident]):
            raise Stale(ident)


async def _require_access(conn: Conn, ctx: Context, share_type: Row | None) -> None:
    """A default type that is private is for the projects that were given it. Raises ShareTypeNotFound (404)."""
    if share_type is None or share_type["is_public"] or ctx.is_admin:
        return
    found = await table.facts(conn, ctx.project_id, everything=False, type_id=share_type["id"])
    if found["share_type"] is None:
        raise ShareTypeNotFound(share_type_id=share_type["id"])


async def _grant(core: Core, ctx: Context, key_ref: str | None) -> None:
    """Let the service read the key, while the owner's token is here. What is refused now fails when it is read."""
    if key_ref and is_uuid_like(key_ref):
        with contextlib.suppress(ManilaBarbicanACLError):
            await keys.build(core.settings.key_manager, core.settings.barbican).grant(key_ref, ctx.token)


async def _enqueue(conn: Conn, ctx: Context, wish: Wish, plan: Row, made: Row, direct: str | None) -> None:
    job = SharePlace(
        share_id=made["id"],
        instance_id=made["instance_id"],
        project_id=ctx.project_id,
        snapshot_id=wish.snapshot_id,
        zones=plan["zones"],
        several_subnets=plan["several"],
        snapshot_host=plan["source"]["share"]["host"] if plan["source"] else None,
        same_host=wish.hints.get("same_host"),
        different_host=wish.hints.get("different_host"),
        only_host=wish.hints.get("only_host") if ctx.allows("context_is_host_admin") else None,
    )
    if direct is None:
        await enqueue(conn, job, SCHEDULER, request_id=ctx.request_id)
    else:
        await enqueue(conn, job.placed(), direct, request_id=ctx.request_id)


def _row(
    share: Row, instance: Row, made: Row, metadata: dict[str, str], zone: Row | None, share_type: Row | None
) -> Row:
    """The new share as ``db.shares.get`` would read it."""
    blank = dict.fromkeys(
        ("share_server_id", "progress", "replica_state", "task_state", "scheduled_to_be_deleted_at", "updated_at",
         "source_backup_id", "source_share_group_snapshot_member_id", "export_location", "launched_at")
    )  # fmt: skip
    return {
        **blank, **instance, **share, **made, "metadata": metadata, "has_replicas": False, "is_soft_deleted": False,
        "export_locations": [], "availability_zone": zone["name"] if zone else None,
        "share_type_name": share_type["name"] if share_type else None,
    }  # fmt: skip
