"""Share groups: the rules of their creation, change and removal, in the original's order, and the tasks."""

from __future__ import annotations

from collections.abc import Sequence

from db import share_create, share_group_snapshots, share_group_types, share_types, uses
from db import share_groups as table
from db.connection import Conn
from db.quotas import OverQuota, reserve
from generated.errors import (
    InvalidInput,
    InvalidShare,
    InvalidShareGroup,
    InvalidShareGroupSnapshot,
    ShareGroupNotFound,
    ShareGroupsLimitExceeded,
    ShareGroupSnapshotNotFound,
    ShareTypeNotFound,
)
from generated.runtime import Fault, Json, Row
from services import share_group_clone, share_group_tasks
from services.context import Context
from services.core import Core
from services.quotas import limits_for
from services.share_group_request import Wish, read, stored_texts
from services.share_types import DHSS
from services.values import strict_bool

DELETABLE = ("available", "error")


async def create(core: Core, ctx: Context, body: Json) -> Row:
    """Make a group and queue its placement, or its making when it is the copy of a snapshot; the row as it is then.

    Raises:
        Fault, ManilaError: 400, 404, 409 or 413, in the original's order; nothing is taken or written.
    """
    async with core.db.write() as conn:
        wish = await read(core, conn, body)
        await _hold_network(conn, wish)
        source = await _source(conn, ctx, wish)
        await uses.hold(conn, "share_types", wish.type_ids)
        types = await _types(conn, ctx, wish)
        await _check_network(conn, ctx, wish, source, types)
        supported = await _supported(conn, ctx, wish)
        _check_zone(wish, types or supported)
        await _take(core, conn, ctx)
        group = await table.create(conn, _values(ctx, wish, source), wish.type_ids or [one["id"] for one in supported])
        if source is not None:
            await share_group_clone.shares(core, conn, ctx, group, source["snapshot"]["id"])
            await share_group_tasks.make(conn, ctx, group)
        else:
            await share_group_tasks.place(conn, ctx, group, [one["id"] for one in types], _zones(types or supported))
    zone = source["group"]["availability_zone"] if source else (wish.zone or {}).get("name")
    return {**group, **wish.shown, "availability_zone": zone}


async def _hold_network(conn: Conn, wish: Wish) -> None:
    """The network stays from here, that of the copied group too, which comes before its snapshot (``db.order``)."""
    inherited = None if wish.source_id is None else await share_group_snapshots.network_of(conn, wish.source_id)
    await uses.hold(conn, "share_networks", [wish.network_id, inherited])


async def _source(conn: Conn, ctx: Context, wish: Wish) -> Row | None:
    """The snapshot that is copied, locked, and its group, whose types and network the new group has."""
    if wish.source_id is None:
        return None
    snapshot = await share_group_snapshots.get(conn, wish.source_id, ctx.scope, lock=True)
    if snapshot is None:
        raise Fault(400, ShareGroupSnapshotNotFound(share_group_snapshot_id=wish.source_id).msg)
    if snapshot["status"] != "available":
        raise Fault(409, InvalidShareGroupSnapshot(reason="Share group snapshot status must be available.").msg)
    group = await table.get(conn, snapshot["share_group_id"], ctx.scope)
    if group is None:
        raise ShareGroupNotFound(share_group_id=snapshot["share_group_id"])
    wish.type_ids, wish.network_id = list(group["share_types"]), group["share_network_id"]
    return {"snapshot": snapshot, "group": group}


async def _types(conn: Conn, ctx: Context, wish: Wish) -> list[Row]:
    """The share types of the wish. Raises InvalidInput: one is not there, or they don't go together."""
    found: list[Row] = []
    servers: bool | None = None
    for type_id in wish.type_ids:
        row = await share_types.get(conn, type_id, ctx.scope)
        if row is None:
            raise InvalidInput(f"Share type with id {type_id} could not be found.")
        found.append(row)
        if not row["extra_specs"]:
            continue
        own = _handles_servers(row)
        servers = own if servers is None else servers
        if servers != own:
            raise InvalidInput(
                reason="The specified share_types cannot have conflicting values for the driver_handles_share_servers "
                "extra spec."
            )
        if not own and wish.network_id:
            raise InvalidInput(
                reason="When using a share types with the driver_handles_share_servers extra spec as False, a "
                "share_network_id must not be provided."
            )
    return found


def _handles_servers(share_type: Row) -> bool:
    try:
        return strict_bool(share_type["extra_specs"].get(DHSS, "false"))
    except ValueError:
        return False


async def _check_network(conn: Conn, ctx: Context, wish: Wish, source: Row | None, types: Sequence[Row]) -> None:
    if wish.network_id:
        found = await share_create.network(conn, wish.network_id, ctx.project_id, everything=ctx.is_admin)
        network = found["network"]
        if network is None:
            raise InvalidInput(reason="The specified share network does not exist.")
        if network["status"] != "active":
            raise Fault(
                400,
                f"The share network {network['id']} used isn't in an 'active' state. Current status is "
                f"{network['status']}. The action may be retried after the share network has changed its state.",
            )
    elif source is None and any(_handles_servers(one) for one in types):
        raise InvalidInput(
            reason="When using a share type with the driver_handles_share_servers extra spec as True, a "
            "share_network_id must be provided."
        )


async def _supported(conn: Conn, ctx: Context, wish: Wish) -> list[Row]:
    """The share types of the group type, which must include those of the wish."""
    await uses.hold(conn, "share_group_types", [wish.group_type_id])
    group_type = await share_group_types.get(conn, wish.group_type_id, ctx.scope)
    if group_type is None:
        raise InvalidInput(reason=f"The specified share group type {wish.group_type_id} does not exist.")
    found = []
    for type_id in dict.fromkeys(group_type["share_types"]):
        row = await share_types.get(conn, type_id, ctx.scope)
        if row is None:
            raise ShareTypeNotFound(share_type_id=type_id)
        found.append(row)
    if not set(wish.type_ids) <= {one["id"] for one in found}:
        raise InvalidInput(
            reason="The specified share types must be a subset of the share types supported by the share group type."
        )
    return found


def _zones_of(share_type: Row) -> list[str]:
    zones = share_type["extra_specs"].get("availability_zones")
    return zones.split(",") if zones else []


def _zones(types: Sequence[Row]) -> list[str]:
    """Names of the zones that the types allow; empty: all."""
    return sorted({zone for one in types for zone in _zones_of(one)})


def _check_zone(wish: Wish, types: Sequence[Row]) -> None:
    if wish.zone is None:
        return
    name = wish.zone["name"]
    elsewhere = {one["id"]: one for one in types if _zones_of(one) and name not in _zones_of(one)}
    if elsewhere:
        named = ", ".join(f"{one['name'] or ''} (ID: {one['id']})" for one in elsewhere.values())
        raise InvalidInput(
            reason="Share group cannot be created since the following share types are not supported within the "
            f"availability zone '{name}': ({named})"
        )


async def _take(core: Core, conn: Conn, ctx: Context) -> None:
    project, user = str(ctx.project_id), str(ctx.user_id)
    try:
        await reserve(conn, project, user, {"share_groups": 1}, await limits_for(conn, core, project, user))
    except OverQuota:
        raise ShareGroupsLimitExceeded from None


def _values(ctx: Context, wish: Wish, source: Row | None) -> Row:
    zone_id = (wish.zone or {}).get("id")
    parent = source["group"] if source else {}
    texts = stored_texts(wish.shown)
    return {
        "user_id": str(ctx.user_id), "project_id": str(ctx.project_id), "status": "creating",
        "name": texts.get("name"), "description": texts.get("description"),
        "share_group_type_id": wish.group_type_id, "source_share_group_snapshot_id": wish.source_id,
        "share_network_id": wish.network_id, "share_server_id": parent.get("share_server_id"),
        "availability_zone_id": parent.get("availability_zone_id", zone_id), "host": parent.get("host"),
    }  # fmt: skip


async def delete(conn: Conn, ctx: Context, group: Row) -> None:
    """Queue a group's removal; one that no back end has goes at once. ``group`` must be locked.

    Raises:
        InvalidShareGroup: it is not in a final status, or not empty.
    """
    if not group["host"]:
        await forget(conn, group["id"])
        return
    if group["status"] not in DELETABLE:
        raise InvalidShareGroup(reason=f"Share group status must be one of {DELETABLE}")
    shares, snapshots = await table.contents(conn, group["id"])
    if snapshots:
        raise InvalidShareGroup(reason="Cannot delete a share group with snapshots")
    if shares:
        raise InvalidShareGroup(reason="Cannot delete a share group with shares")
    await table.change(conn, group["id"], {"status": "deleting"}, DELETABLE)
    await share_group_tasks.remove(conn, ctx, group)


async def forget(conn: Conn, group_id: str) -> None:
    """Remove a group's rows and give its quota back. May be repeated."""
    gone = await table.destroy(conn, group_id)
    if gone is not None:
        await reserve(conn, gone["project_id"], gone["user_id"], {"share_groups": -1})


async def force_delete(conn: Conn, group: Row) -> None:
    """Remove a group's rows and those of its snapshots, without the back end. ``group`` must be locked.

    Raises:
        InvalidShare: it has shares that a back end may have.
    """
    held = await table.shares_with_instances(conn, group["id"])
    if held is not None:
        raise InvalidShare(f"Share {held['id']} has {held['instances']} share instances.")
    for snapshot_id in await share_group_snapshots.of_group(conn, group["id"]):
        await forget_snapshot(conn, snapshot_id)
    await table.forget_empty_shares(conn, group["id"])
    await forget(conn, group["id"])


async def forget_snapshot(conn: Conn, snapshot_id: str) -> None:
    """Remove a group snapshot's rows and give its quota back. May be repeated."""
    gone = await share_group_snapshots.destroy(conn, snapshot_id)
    if gone is not None:
        await reserve(conn, gone["project_id"], gone["user_id"], {"share_group_snapshots": -1})
