"""Make a replica on its back end, on a share server if it needs one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from db import access_sync, export_locations, zones
from db import share_replicas as table
from generated.errors import InvalidDriverMode, ManilaException, ReplicationException
from generated.messages import Action, Detail
from generated.runtime import Row
from services.work import ReplicaCreate
from worker.operation import INFRASTRUCTURE, Finished, LostLease, Operation, Retry, Step, Work
from worker.replicas import ERROR, Replicas, lock, of_task, rules_of, set_rules_status, snapshot_pairs, tell
from worker.servers import address_server, choose_server, ensure_server

QUEUED = ("queued_to_apply",)
"""The state of rules that a replica has got from its share and no driver has applied."""


class Refused(Exception):
    """The replica can't be made here. ``detail`` is what the user is told."""

    def __init__(self, error: Exception, detail: Detail) -> None:
        super().__init__(repr(error))
        self.detail = detail


async def _replicas(work: Work) -> Replicas:
    """What drivers are told. Ends the operation when the replica is not being created any more."""
    found = await of_task(work)
    if found.replica["status"] != "creating":
        raise Finished
    return found


async def locate(work: Work) -> None:
    """Give the replica the zone of its back end; check that it can be made from an active one, and here."""
    found = await _replicas(work)
    if found.replica["availability_zone_id"] is None:
        async with work.write() as conn:
            zone = await zones.find(conn, work.core.settings.default.storage_availability_zone)
            if zone is not None:
                await table.change(conn, found.replica["id"], {"availability_zone_id": zone["id"]})
    if found.active is None or found.active["status"] != "available":
        reason = "An 'active' replica must exist in 'available' state to create a new replica for share "
        raise Refused(ReplicationException(reason=f"{reason}{found.replica['share_id']}."), Detail.NO_ACTIVE_REPLICA)
    if bool(found.replica["share_network_id"]) != work.driver.driver_handles_share_servers:
        raise Refused(InvalidDriverMode("the share network does not fit the back end"), Detail.UNEXPECTED_NETWORK)


async def choose(work: Work) -> None:
    """Put the replica on a share server, a new row if none fits."""
    await _on_server(work, choose_server)


async def address(work: Work) -> None:
    """Give a new share server its addresses."""
    await _on_server(work, address_server)


async def serve(work: Work) -> None:
    """Have the share server ready."""
    await _on_server(work, ensure_server)


async def _on_server(work: Work, do: Callable[[Work, str | None, Row], Awaitable[Any]]) -> None:
    """Do a part of making the share server, if the replica needs one. Raises Refused when there can be none."""
    replica = (await _replicas(work)).replica
    if not replica["share_network_id"]:
        return
    try:
        await do(work, replica["share_network_id"], replica)
    except (Retry, LostLease):
        raise
    except Exception as error:
        if isinstance(error, INFRASTRUCTURE):
            raise
        raise Refused(error, Detail.NO_SHARE_SERVER) from error


async def copy_rules(work: Work) -> None:
    """The replica gets the access rules of its share."""
    job = work.job(ReplicaCreate)
    async with work.write() as conn:
        await lock(conn, job.share_id)
        await table.copy_rules(conn, job.share_id, job.instance_id)
    work.state["ruled"] = True


async def make(work: Work) -> None:
    """Let the driver make it."""
    found = await _replicas(work)
    if found.active is None:
        raise ManilaException("the active replica is gone")
    replica = found.replica
    pairs = await snapshot_pairs(work, replica["share_id"], found.active["id"], replica["id"])
    rules = await rules_of(work, replica["id"])
    answer = await work.driver.create_replica(found.every, replica, rules, pairs, share_server=found.server)
    work.state["answer"] = dict(answer or {})


async def publish(work: Work) -> None:
    """Show where it is mounted from, how it is, and that its rules are in force."""
    job, answer = work.job(ReplicaCreate), work.state["answer"]
    replica_id = job.instance_id
    values = {"status": "available", "progress": "100%", "replica_state": answer.get("replica_state") or "out_of_sync"}
    async with work.write() as conn:
        await lock(conn, job.share_id)
        if not await table.change(conn, replica_id, values, ("creating",)):
            raise Finished
        if isinstance(answer.get("export_locations"), list):
            await export_locations.write(conn, replica_id, [dict(one) for one in answer["export_locations"]])
        status, told = answer.get("access_rules_status") or "active", answer.get("share_access_rules") or ()
        if status == "active" or told:
            states = {one["id"]: one["state"] for one in told} if status != "active" else {}
            await table.settle_rules(conn, replica_id, states)
            await set_rules_status(conn, replica_id, status)
        else:  # which of them are in force is not said
            await access_sync.fail(conn, replica_id, QUEUED)


async def failed(work: Work, error: Exception) -> None:
    """Error, with a message; the rules that the replica got already are in error too: nothing applies them."""
    job, detail = work.job(ReplicaCreate), error.detail if isinstance(error, Refused) else None
    replica_id = job.instance_id
    async with work.write() as conn:
        await lock(conn, job.share_id)
        replica = await table.get(conn, replica_id, None)
        if replica is None or not await table.change(conn, replica_id, ERROR, ("creating",)):
            return
        if work.state.get("ruled"):
            await access_sync.fail(conn, replica_id, QUEUED)
        await tell(work, conn, Action.CREATE, replica, error=error, detail=detail)


OPERATION = Operation(
    ReplicaCreate,
    (
        Step("locate", locate),
        Step("choose_server", choose),
        Step("address_server", address),
        Step("set_up_server", serve),
        Step("copy_rules", copy_rules),
        Step("make", make),
        Step("publish", publish),
    ),
    failed,
)
