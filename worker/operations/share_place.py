"""Choose a pool for a new share. The size counts on the pool from the decision on, in the same transaction."""

from __future__ import annotations

from db import placement, reports, shares
from db.connection import Conn
from db.tasks import enqueue
from generated.errors import InvalidParameterValue, WillNotSchedule
from generated.messages import Action, Detail
from generated.runtime import Row
from scheduler.choose import Decision, choose
from scheduler.pools import pools_of
from scheduler.requests import of_new_share, rules_of
from services.messages import create_message
from services.shares import queue_of, resource_of
from worker.operation import Finished, Operation, Step, Work


async def place(work: Work) -> None:
    """Decide, note the decision and hand the share to its back end; or leave it in error with a message."""
    payload, settings = work.payload, work.core.settings
    async with work.write() as conn:
        subject = await placement.subject(conn, payload["instance_id"])
        if subject is None or subject["status"] != "creating" or subject["host"]:
            raise Finished
        if subject["extra_specs"] is None:
            raise InvalidParameterValue(err="the share has no share type")
        await reports.lock_placement(conn)
        backends = await reports.backends(
            conn, settings.default.service_down_time, disabled=bool(payload.get("only_host"))
        )
        pools = pools_of(backends)
        decision = choose(pools, await of_new_share(conn, subject, payload, pools), rules_of(settings))
        if decision.host is None:
            await _refuse(work, conn, decision)
            return
        await reports.place(conn, payload["instance_id"], decision.host)
        await enqueue(
            conn, "share_create", queue_of(decision.host), _handed_on(payload), resource_of(payload["share_id"]),
            request_id=work.task["request_id"],
        )  # fmt: skip


def _handed_on(payload: Row) -> Row:
    return {name: payload.get(name) for name in ("share_id", "instance_id", "project_id", "snapshot_id")}


async def _refuse(work: Work, conn: Conn, decision: Decision) -> None:
    """No pool: the share is in error, and a message says which filter left none."""
    nobody = decision.detail is Detail.SHARE_BACKEND_NOT_READY_YET
    await _fail(work, conn, Action.CREATE if nobody else Action.ALLOCATE_HOST, decision.detail)


async def _fail(work: Work, conn: Conn, action: Action | None, detail: Detail | None) -> None:
    await shares.set_status(conn, work.payload["instance_id"], "error", ("creating",))
    if action is not None:
        await create_message(
            conn, action, work.payload["project_id"], resource_id=work.payload["share_id"], detail=detail,
            request_id=work.task["request_id"], ttl=work.core.settings.default.message_ttl,
        )  # fmt: skip


async def failed(work: Work, error: Exception) -> None:
    """Error; a missing share type has a message of its own."""
    no_type = isinstance(error, InvalidParameterValue) and not isinstance(error, WillNotSchedule)
    async with work.write() as conn:
        await _fail(work, conn, Action.CREATE if no_type else None, Detail.NO_DEFAULT_SHARE_TYPE if no_type else None)


OPERATION = Operation("share_place", (Step("place", place),), failed)
