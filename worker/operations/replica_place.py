"""Choose a pool for a new replica, in the domain of the active one and where there is none yet."""

from __future__ import annotations

from db import reports, snapshot_instances
from db import share_replicas as table
from db.connection import Conn
from generated.errors import InvalidParameterValue, WillNotSchedule
from generated.messages import Action, Detail, Resource
from scheduler.choose import choose
from scheduler.requests import of_new_replica, rules_of
from services.work import ReplicaPlace, enqueue
from worker import placing
from worker.operation import Operation, Step, Work
from worker.replicas import ERROR


async def place(work: Work) -> None:
    """Decide, note the decision and hand the replica to its back end; or leave it in error with a message."""
    job, settings = work.job(ReplicaPlace), work.core.settings
    async with work.write() as conn:
        subject = await placing.waiting(conn, job.instance_id)
        pools = await placing.pools_in_turn(conn, settings.default.service_down_time, job.only_host)
        request = await of_new_replica(conn, subject, job, await table.hosts(conn, job.share_id), pools)
        decision = choose(pools, request, rules_of(settings))
        if decision.host is None:
            await _fail(conn, job)
            await _explain(work, conn, decision.detail)
            return
        await reports.place(conn, job.instance_id, decision.host)
        await enqueue(conn, job.placed(), decision.host, request_id=work.task["request_id"])


async def _explain(work: Work, conn: Conn, detail: Detail | None) -> None:
    """Say which filter left no pool; that there is no back end at all is told of the share, as in the original."""
    job = work.job(ReplicaPlace)
    if detail is Detail.SHARE_BACKEND_NOT_READY_YET:
        await work.tell(conn, Action.CREATE, job.project_id, job.share_id, detail=detail)
        return
    await work.tell(
        conn, Action.ALLOCATE_HOST, job.project_id, job.instance_id, resource_type=Resource.SHARE_REPLICA, detail=detail
    )


async def _fail(conn: Conn, job: ReplicaPlace) -> None:
    """The replica and its snapshot instances are in error."""
    if not await table.change(conn, job.instance_id, ERROR, ("creating",)):
        return
    for snapshot_instance in await table.snapshots_of(conn, job.instance_id):
        await snapshot_instances.reset_status(conn, snapshot_instance, "error")


async def failed(work: Work, error: Exception) -> None:
    """Error; a missing share type has a message of its own."""
    job = work.job(ReplicaPlace)
    async with work.write() as conn:
        await _fail(conn, job)
        if isinstance(error, InvalidParameterValue) and not isinstance(error, WillNotSchedule):
            await work.tell(conn, Action.CREATE, job.project_id, job.share_id, detail=Detail.NO_DEFAULT_SHARE_TYPE)


OPERATION = Operation(ReplicaPlace, (Step("place", place),), failed)
