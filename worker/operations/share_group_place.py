"""Choose a pool for a new share group: one that takes shares of all its types."""

from __future__ import annotations

from db import share_changes, share_group_types, share_groups
from db.connection import Conn
from generated.messages import Action, Detail, Resource
from generated.runtime import Row
from scheduler.groups import GroupRequest, choose_for_group
from scheduler.request import Request
from scheduler.requests import rules_of
from services.work import ShareGroupCreate, ShareGroupPlace, enqueue
from worker import placing
from worker.operation import Finished, Operation, Step, Work


async def place(work: Work) -> None:
    """Decide, note the decision and hand the group to its back end; or leave it in error with a message."""
    job, settings = work.job(ShareGroupPlace), work.core.settings
    async with work.write() as conn:
        pools = await placing.pools_in_turn(conn, settings.default.service_down_time)
        group = await share_groups.get(conn, job.group_id, lock=True)
        if group is None or group["status"] != "creating" or group["host"]:
            raise Finished
        request = await _request(conn, group, job)
        filters = settings.default.scheduler_default_share_group_filters
        host = choose_for_group(pools, request, rules_of(settings), filters)
        if host is None:
            await share_groups.change(conn, group["id"], {"status": "error"}, ("creating",))
            await work.tell(
                conn, Action.ALLOCATE_HOST, job.project_id, group["id"], resource_type=Resource.SHARE_GROUP,
                detail=Detail.NO_VALID_HOST,
            )  # fmt: skip
            return
        await share_groups.change(conn, group["id"], {"host": host}, ("creating",))
        await enqueue(conn, ShareGroupCreate(group_id=group["id"]), host, request_id=work.task["request_id"])


async def _request(conn: Conn, group: Row, job: ShareGroupPlace) -> GroupRequest:
    types = []
    for type_id in job.type_ids:
        share_type = await share_changes.share_type(conn, type_id)
        types.append(
            Request(
                size=0,
                extra_specs=share_type["extra_specs"] if share_type else {},
                zone_id=group["availability_zone_id"],
                zones=tuple(job.zones),
            )
        )
    group_type = await share_group_types.get(conn, group["share_group_type_id"], None)
    specs = group_type["group_specs"] if group_type else {}
    return GroupRequest(types, group["availability_zone_id"], tuple(job.zones), specs)


async def failed(work: Work, error: Exception) -> None:
    """What nobody foresaw."""
    async with work.write() as conn:
        await share_groups.change(conn, work.job(ShareGroupPlace).group_id, {"status": "error"}, ("creating",))


OPERATION = Operation(ShareGroupPlace, (Step("place", place),), failed)
