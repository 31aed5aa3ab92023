"""Notifications of long operations: told in a step's transaction, once, however often the step runs."""

from __future__ import annotations

from db.connection import Conn
from generated.runtime import Row
from services import notifications
from worker.operation import Work


async def share(
    work: Work, conn: Conn, event: str, instance_id: str, *, status: str | None = None, extra: Row | None = None
) -> None:
    """Tell ``share.EVENT``.

    Args:
        status: the status that the operation found the share in, when the row has another one now.
    """
    await notifications.tell_share(
        conn, work.core.settings, instance_id, event, host=work.on_backend.host, status=status, extra=extra,
        context=_context(work), once=_once(work, event, instance_id),
    )  # fmt: skip


async def unscheduled(
    work: Work,
    conn: Conn,
    method: str,
    instance_id: str,
    state: Row,
    reason: str,
    wanted: Row | None = None,
) -> None:
    """Tell ``scheduler.METHOD``: no pool was found; see ``services.notifications.tell_unscheduled``."""
    await notifications.tell_unscheduled(
        conn, work.core.settings, instance_id, method, state, reason, wanted=wanted, context=_context(work),
        once=_once(work, method, instance_id),
    )  # fmt: skip


def no_host(last_filter: str | None) -> str:
    """Why no pool was chosen, in the original's words."""
    if last_filter is None:
        return "Failed to find a weighted host, the last executed filter was None."
    return f"Failed to find a weighted host, the last executed filter was {last_filter}."


def not_there(share_id: str, host: str, last_filter: str | None) -> str:
    """Why a share may not be on a pool, in the original's words."""
    return f"Cannot place share {share_id} on {host}, the last executed filter was {last_filter}."


def _context(work: Work) -> Row:
    return {"request_id": work.task["request_id"]} if work.task["request_id"] else {}


def _once(work: Work, event: str, instance_id: str) -> str:
    # the request too: one that asks again for what a waiting task does is told of again
    return f"{work.task['id']}:{work.task['request_id'] or ''}:{instance_id}:{event}"
