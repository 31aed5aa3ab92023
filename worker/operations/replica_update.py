"""Ask a back end how a replica is."""

from __future__ import annotations

import structlog

from db import share_replicas as table
from generated.enums import Transitional
from generated.messages import Action
from services.work import ReplicaUpdate
from worker.operation import Finished, Operation, Step, Work
from worker.replicas import ERROR, STATES, of_task, rules_of, snapshot_pairs, tell

LOG = structlog.get_logger("worker")
BUSY = (*(str(one) for one in Transitional), "error_deleting", "replication_change")
"""Statuses of a replica that something else works on."""


async def ask(work: Work) -> None:
    """Let the driver look. Without an active replica there is nothing to be in sync with."""
    found = await of_task(work)
    replica = found.replica
    if replica["status"] in BUSY or replica["replica_state"] == "active":
        raise Finished
    if found.active is None:
        if replica["replica_state"] != "error":
            async with work.write() as conn:
                await table.change(conn, replica["id"], {"replica_state": "error"})
        raise Finished
    rules = await rules_of(work, replica["id"])
    pairs = await snapshot_pairs(work, replica["share_id"], found.active["id"], replica["id"])
    work.state["state"] = await work.driver.update_replica_state(
        found.every, replica, rules, pairs, share_server=found.server
    )


async def record(work: Work) -> None:
    """Write what it said."""
    replica_id, state = work.job(ReplicaUpdate).instance_id, work.state["state"]
    if state not in STATES:
        if state:
            LOG.warning("a look at a replica can't make it that", replica=replica_id, state=state)
        return
    async with work.write() as conn:
        replica = await table.get(conn, replica_id, None)
        if replica is None or replica["replica_state"] == "active" or replica["status"] in BUSY:
            raise Finished
        await table.change(conn, replica_id, {"replica_state": state})


async def failed(work: Work, error: Exception) -> None:
    """The replica is in error, with a message."""
    async with work.write() as conn:
        replica = await table.get(conn, work.job(ReplicaUpdate).instance_id, None)
        if replica is None or replica["replica_state"] == "active" or replica["status"] in BUSY:
            return
        await table.change(conn, replica["id"], ERROR, (replica["status"],))
        await tell(work, conn, Action.UPDATE, replica, error=error)


OPERATION = Operation(ReplicaUpdate, (Step("ask", ask), Step("record", record)), failed)
