"""Make a share on its back end, from scratch or from a snapshot, on a share server if it needs one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from db import driver_rows, encryption, export_locations, metadata, shares, write, zones
from drivers.base import ExportLocation
from generated.errors import (
    InvalidShareInstance,
    IpAddressGenerationFailureClient,
    ManilaException,
    PortLimitExceeded,
    SecurityServiceFailedAuth,
)
from generated.messages import Action, Detail
from generated.runtime import Row
from services.messages import detail_of
from services.work import ShareCreate
from worker import announce
from worker.keys import REFUSED
from worker.operation import INFRASTRUCTURE, Finished, LostLease, Operation, Retry, Step, Work
from worker.servers import address_server, choose_server, ensure_server


class Unplaced(Exception):
    """No share server could be had. ``detail`` is what the user is told."""

    def __init__(self, error: Exception, detail: Detail) -> None:
        super().__init__(repr(error))
        self.detail = detail


async def _share(work: Work) -> Row:
    """The instance as the driver gets it. Ends the operation when it is gone or not being created any more."""
    async with work.core.db.read() as conn:
        share = await driver_rows.share(conn, work.job(ShareCreate).instance_id)
    if share is None or share["status"] != "creating":
        raise Finished
    return share


async def locate(work: Work) -> None:
    """Tell of the start, and give the instance the zone of its back end, unless it has one."""
    share = await _share(work)
    async with work.write() as conn:
        await announce.share(work, conn, "create.start", share["id"])
        if share["availability_zone_id"] is None:
            zone = await zones.find(conn, work.core.settings.default.storage_availability_zone)
            if zone is not None:
                await shares.set_instance(conn, share["id"], availability_zone_id=zone["id"])


async def choose(work: Work) -> None:
    """Put the instance on a share server, a new row if none fits."""
    await _on_server(work, choose_server)


async def address(work: Work) -> None:
    """Give a new share server its addresses."""
    await _on_server(work, address_server)


async def serve(work: Work) -> None:
    """Have the share server ready."""
    await _on_server(work, ensure_server)


async def _on_server(work: Work, do: Callable[[Work, str | None, Row, str | None], Awaitable[Any]]) -> None:
    """Do a part of making the share server, if the share needs one. Raises Unplaced when there can be none."""
    share = await _share(work)
    network_id, parent = share["share_network_id"], await _parent(work)
    if network_id and not work.driver.driver_handles_share_servers:
        raise Unplaced(ManilaException("the back end has no share servers"), Detail.UNEXPECTED_NETWORK)
    if not network_id and not (parent and parent["share_server_id"]):
        return
    try:
        await do(work, network_id, share, parent["share_server_id"] if parent else None)
    except (Retry, LostLease):
        raise
    except Exception as error:
        if isinstance(error, INFRASTRUCTURE):
            raise
        raise Unplaced(error, _why_no_server(error)) from error


def _why_no_server(error: Exception) -> Detail:
    if isinstance(error, IpAddressGenerationFailureClient):
        return Detail.NEUTRON_SUBNET_FULL
    if isinstance(error, PortLimitExceeded):
        return Detail.SHARE_NETWORK_PORT_QUOTA_LIMIT_EXCEEDED
    if isinstance(error, SecurityServiceFailedAuth):
        return Detail.SECURITY_SERVICE_FAILED_AUTH
    return Detail.NO_SHARE_SERVER


async def _parent(work: Work) -> Row | None:
    """The share instance whose snapshot is copied."""
    snapshot = await _snapshot(work)
    parent: Row | None = snapshot["share"] if snapshot else None
    return parent


async def _snapshot(work: Work) -> Row | None:
    snapshot_id = work.job(ShareCreate).snapshot_id
    if not snapshot_id:
        return None
    if "snapshot" not in work.state:
        async with work.core.db.read() as conn:
            instances = await driver_rows.replica_snapshots(conn, snapshot_id=snapshot_id)
        active = [one for one in instances if one["share"] and one["share"]["replica_state"] == "active"]
        work.state["snapshot"] = next(iter(active or instances), None)
    found: Row | None = work.state["snapshot"]
    return found


async def provision(work: Work) -> None:
    """Let the driver make it."""
    share = await _share(work)
    async with work.core.db.read() as conn:
        server = await driver_rows.server(conn, share["share_server_id"])
    status = "available"
    if work.job(ShareCreate).snapshot_id:
        snapshot = await _snapshot(work)
        if snapshot is None:
            raise InvalidShareInstance(reason="the snapshot is gone")
        answer = await work.driver.create_share_from_snapshot(
            share, snapshot, share_server=server, parent_share=snapshot["share"]
        )
        status, locations = _read(answer)
    else:
        locations = await work.driver.create_share(share, share_server=server)
    extra = await work.driver.get_optional_share_creation_data(share, share_server=server)
    work.state |= {"status": status, "locations": locations, "metadata": (extra or {}).get("metadata") or {}}


def _read(answer: Any) -> tuple[str, list[ExportLocation]]:
    """A driver's answer to the copy of a snapshot. Raises InvalidShareInstance."""
    if not isinstance(answer, Mapping):
        return "available", list(answer or [])
    status = answer.get("status")
    if status not in ("available", "creating_from_snapshot"):
        raise InvalidShareInstance(reason=f"Driver returned an invalid status: {status}")
    return str(status), list(answer.get("export_locations") or [])


async def publish(work: Work) -> None:
    """Show it: where it is mounted from, and that it is available."""
    instance_id, state = work.job(ShareCreate).instance_id, work.state
    async with work.write() as conn:
        share = await driver_rows.share(conn, instance_id)
        if share is None or share["status"] != "creating":
            raise Finished
        if state["locations"]:
            await export_locations.write(conn, instance_id, [dict(one) for one in state["locations"]])
        if state["metadata"]:
            await write.hold_share(conn, instance_id)
            await metadata.put(conn, metadata.SHARE, share["share_id"], state["metadata"])
        values = {"progress": "100%" if state["status"] == "available" else "0%"}
        if await shares.replicated(conn, share["share_id"]):
            values["replica_state"] = "active"
        await shares.set_instance(conn, instance_id, touch=("launched_at",), **values)
        await shares.set_status(conn, instance_id, state["status"], ("creating",))
        await announce.share(work, conn, "create.end", instance_id, status="creating")


async def failed(work: Work, error: Exception) -> None:
    """Error, with a message; export locations that the driver named stay."""
    data = getattr(error, "detail_data", None)
    kept = data.get("export_locations") if isinstance(data, dict) else None
    detail = error.detail if isinstance(error, Unplaced) else detail_of(error)
    async with work.write() as conn:
        share = await driver_rows.share(conn, work.job(ShareCreate).instance_id)
        if share is None or share["status"] != "creating":
            return
        await write.hold_share(conn, share["id"])
        if kept:
            locations = [one if isinstance(one, dict) else {"path": one} for one in kept]
            await export_locations.write(conn, share["id"], locations)
        await shares.set_status(conn, share["id"], "error", ("creating",))
        if isinstance(error.__cause__, REFUSED):
            await encryption.drop(conn, instance_id=share["id"])
        await work.tell(conn, Action.CREATE, share["project_id"], share["share_id"], detail=detail)


OPERATION = Operation(
    ShareCreate,
    (
        Step("locate", locate),
        Step("choose_server", choose),
        Step("address_server", address),
        Step("set_up_server", serve),
        Step("provision", provision),
        Step("publish", publish),
    ),
    failed,
)
