"""Snapshots of share groups: the rules of their creation and removal, in the original's order, and the tasks."""

from __future__ import annotations

from db import share_group_snapshots as table
from db import share_groups
from db.connection import Conn
from db.quotas import OverQuota, reserve
from generated.errors import (
    InvalidShareGroup,
    InvalidShareGroupSnapshot,
    ShareGroupNotFound,
    ShareGroupSnapshotsLimitExceeded,
)
from generated.runtime import Fault, Json, Row
from services import share_group_tasks
from services.context import Context
from services.core import Core
from services.quotas import limits_for
from services.share_group_request import content, shown_texts, stored_texts
from services.values import is_uuid_like

DELETABLE = ("available", "error")


async def create(core: Core, conn: Conn, ctx: Context, body: Json) -> Row:
    """Make a snapshot of every share of a group and queue it; the row as it is then, without members.

    Raises:
        Fault, ManilaError: 400, 409 or 413; nothing is taken or written.
    """
    given = content(body, "share_group_snapshot")
    group_id = given.get("share_group_id")
    if not group_id:
        raise Fault(400, "Must supply 'share_group_id' attribute.")
    if not is_uuid_like(group_id):
        raise Fault(400, "The 'share_group_id' attribute must be a uuid.")
    group = await share_groups.get(conn, str(group_id), ctx.scope, lock=True)
    if group is None:
        raise Fault(400, ShareGroupNotFound(share_group_id=group_id).msg)
    if group["status"] != "available":
        raise InvalidShareGroup(reason="Share group status must be available")
    shares = (await share_groups.shares(conn, group["id"]))[::-1]  # the newest comes first, as the original's list
    for share in shares:
        if share["status"] != "available":
            raise InvalidShareGroup(
                reason=f"Share {share['id']} in share group must have status of available in order to create a group "
                "snapshot"
            )
    project, user = str(ctx.project_id), str(ctx.user_id)
    try:
        limits = await limits_for(conn, core, project, user)
        await reserve(conn, project, user, {"share_group_snapshots": 1}, limits)
    except OverQuota:
        raise ShareGroupSnapshotsLimitExceeded from None
    shown = shown_texts(given)
    texts = stored_texts(shown)
    values = {"share_group_id": group["id"], "user_id": user, "project_id": project,
              "name": texts.get("name"), "description": texts.get("description")}  # fmt: skip
    snapshot = await table.create(conn, values, shares)
    await share_group_tasks.take_snapshot(conn, ctx, snapshot, group)
    return {**snapshot, **shown, "members": []}


async def delete(conn: Conn, ctx: Context, snapshot: Row) -> None:
    """Queue a group snapshot's removal. ``snapshot`` must be locked.

    Raises:
        ShareGroupNotFound: 404. InvalidShareGroupSnapshot: it is not in a final status.
    """
    group = await share_groups.get(conn, snapshot["share_group_id"], ctx.scope)
    if group is None:
        raise ShareGroupNotFound(share_group_id=snapshot["share_group_id"])
    if snapshot["status"] not in DELETABLE:
        raise InvalidShareGroupSnapshot(reason=f"Share group snapshot status must be one of {DELETABLE}")
    await table.change(conn, snapshot["id"], {"status": "deleting"}, DELETABLE)
    await share_group_tasks.remove_snapshot(conn, ctx, snapshot, group)
