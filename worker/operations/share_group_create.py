"""Make a share group on its back end, empty or as the copy of a group snapshot, on a share server if needed."""

from __future__ import annotations

from db import driver_rows, export_locations, group_rows, share_groups, shares, write, zones
from db.connection import Conn
from drivers.groups import LATER
from generated.columns import COLUMNS
from generated.errors import InvalidShareGroupSnapshot, InvalidShareInstance, ManilaException
from generated.messages import Action, Detail, Resource
from generated.runtime import Row
from services.work import ShareGroupCreate
from worker import group_servers
from worker.operation import INFRASTRUCTURE, Finished, LostLease, Operation, Retry, Step, Work
from worker.servers import address, ready


class Unserved(Exception):
    """No share server could be had, or none is wanted."""


async def _group(work: Work) -> Row:
    """The group as the driver gets it. Ends the operation when it is gone or not being made any more."""
    async with work.core.db.read() as conn:
        group = await group_rows.group(conn, work.job(ShareGroupCreate).group_id)
    if group is None or group["status"] != "creating":
        raise Finished
    return group


async def _source(work: Work, group: Row) -> Row | None:
    """The group snapshot that is copied. Raises InvalidShareGroupSnapshot."""
    if group["source_share_group_snapshot_id"] is None:
        return None
    async with work.core.db.read() as conn:
        snapshot = await group_rows.snapshot(conn, group["source_share_group_snapshot_id"])
    if snapshot is None:
        raise InvalidShareGroupSnapshot(reason="the share group snapshot is gone")
    return snapshot


async def choose(work: Work) -> None:
    """Put the group on a share server, a new row if none fits; a copy is on its source's server already."""
    group = await _group(work)
    if group["share_network_id"] is None or group["share_server_id"] is not None:
        return
    if not work.driver.driver_handles_share_servers:
        raise ManilaException("the back end has no share servers")
    async with work.core.db.read() as conn:
        zone_id = await _zone(conn, group)
    try:
        await group_servers.choose(work, group, await _source(work, group), zone_id)
    except (Retry, LostLease, *INFRASTRUCTURE):
        raise
    except Exception as error:
        raise Unserved(repr(error)) from error


async def allocate(work: Work) -> None:
    """Give a new share server its addresses."""
    server_id = (await _group(work))["share_server_id"]
    if server_id is not None:
        try:
            await address(work, server_id)
        except (Retry, LostLease, *INFRASTRUCTURE):
            raise
        except Exception as error:
            raise Unserved(repr(error)) from error


async def serve(work: Work) -> None:
    """Have the share server ready."""
    group = await _group(work)
    if group["share_server_id"] is not None:
        try:
            await ready(work, group["share_server_id"], str(group["host"]))
        except (Retry, LostLease, *INFRASTRUCTURE):
            raise
        except Exception as error:
            raise Unserved(repr(error)) from error


async def provision(work: Work) -> None:
    """Let the driver make it."""
    group = await _group(work)
    source = await _source(work, group)
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, group["share_server_id"])
    if source is None:
        update, copies = await work.driver.create_share_group(group, share_server=server), None
    else:
        update, copies = await work.driver.create_share_group_from_share_group_snapshot(
            group, source, share_server=server
        )
    for one in copies or ():
        if one.get("status", "available") not in LATER:
            raise InvalidShareInstance(reason=f"Driver returned an invalid status {one['status']}")
    work.state |= {"update": update or {}, "copies": {one["id"]: one for one in copies or ()}}


async def publish(work: Work) -> None:
    """Show it: the group and its shares are there, and where these are mounted from."""
    copies = work.state["copies"]
    async with work.write() as conn:
        group = await share_groups.get(conn, work.job(ShareGroupCreate).group_id, lock=True)
        if group is None or group["status"] != "creating":
            raise Finished
        for share in await driver_rows.shares_of_group(conn, group["id"]):
            copy = copies.get(share["id"], {})
            status = copy.get("status", "available")
            await write.hold_share(conn, share["id"])
            if not await shares.set_status(conn, share["id"], status, ("creating",)):
                continue
            if copy:
                await export_locations.write(conn, share["id"], [dict(one) for one in copy["export_locations"]])
            progress = "100%" if status == "available" else "0%"
            await shares.set_instance(conn, share["id"], touch=("launched_at",), progress=progress)
        update = {key: value for key, value in work.state["update"].items() if key in COLUMNS["share_groups"]}
        await share_groups.created(conn, group["id"], {**update, **await _facts(work, conn, group)})


async def _zone(conn: Conn, group: Row) -> str | None:
    """The zone of the group, if it has none that of its back end."""
    return group["availability_zone_id"] or await zones.of_host(conn, group["host"])


async def _facts(work: Work, conn: Conn, group: Row) -> Row:
    stats = await work.driver.get_share_stats()
    support = (stats.get("share_group_stats") or {}).get("consistent_snapshot_support")
    return {"availability_zone_id": await _zone(conn, group), "consistent_snapshot_support": support}


async def failed(work: Work, error: Exception) -> None:
    """Group and shares in error; without a share server there is a message."""
    async with work.write() as conn:
        group = await share_groups.get(conn, work.job(ShareGroupCreate).group_id, lock=True)
        if group is None or group["status"] != "creating":
            return
        for share in await driver_rows.shares_of_group(conn, group["id"]):
            await shares.set_status(conn, share["id"], "error", ("creating",))
        facts = {} if isinstance(error, Unserved) else await _facts(work, conn, group)
        await share_groups.change(conn, group["id"], {**facts, "status": "error"}, ("creating",))
        if isinstance(error, Unserved):
            await work.tell(
                conn, Action.CREATE, group["project_id"], group["id"], resource_type=Resource.SHARE_GROUP,
                detail=Detail.NO_SHARE_SERVER,
            )  # fmt: skip


OPERATION = Operation(
    ShareGroupCreate,
    (
        Step("choose_server", choose),
        Step("address_server", allocate),
        Step("set_up_server", serve),
        Step("provision", provision),
        Step("publish", publish),
    ),
    failed,
)
