"""The work that requests on share groups leave for the scheduler and the back ends."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn
from generated.runtime import Row
from services.context import Context
from services.work import (
    SCHEDULER,
    ShareGroupCreate,
    ShareGroupDelete,
    ShareGroupPlace,
    ShareGroupSnapshotCreate,
    ShareGroupSnapshotDelete,
    enqueue,
)


async def place(conn: Conn, ctx: Context, group: Row, type_ids: Sequence[str], zones: Sequence[str]) -> None:
    """Choose a pool for a new group that takes shares of these types, in one of ``zones`` (none: all)."""
    job = ShareGroupPlace(
        group_id=group["id"], project_id=ctx.project_id, type_ids=list(type_ids), zones=list(zones)
    )  # fmt: skip
    await enqueue(conn, job, SCHEDULER, request_id=ctx.request_id)


async def make(conn: Conn, ctx: Context, group: Row) -> None:
    """Make a group on the back end that it names."""
    await enqueue(conn, ShareGroupCreate(group_id=group["id"]), group["host"], request_id=ctx.request_id)


async def remove(conn: Conn, ctx: Context, group: Row) -> None:
    """Remove a group from its back end."""
    await enqueue(conn, ShareGroupDelete(group_id=group["id"]), group["host"], request_id=ctx.request_id)


async def take_snapshot(conn: Conn, ctx: Context, snapshot: Row, group: Row) -> None:
    """Take a group snapshot."""
    job = ShareGroupSnapshotCreate(group_id=group["id"], group_snapshot_id=snapshot["id"])
    await enqueue(conn, job, group["host"], request_id=ctx.request_id)


async def remove_snapshot(conn: Conn, ctx: Context, snapshot: Row, group: Row) -> None:
    """Remove a group snapshot from its back end."""
    job = ShareGroupSnapshotDelete(group_id=group["id"], group_snapshot_id=snapshot["id"])
    await enqueue(conn, job, group["host"], request_id=ctx.request_id)
