"""User messages: what went wrong behind an accepted request, told in the API's fixed sentences."""

from __future__ import annotations

from db import messages
from db.connection import Conn
from generated.errors import NoValidHost
from generated.messages import Action, Detail, Resource

DEFAULT_TTL = 2592000
"""Seconds a message lives at least, by default (option ``message_ttl``)."""


async def create_message(
    conn: Conn,
    action: Action,
    project_id: str | None,
    *,
    resource_type: Resource = Resource.SHARE,
    resource_id: str | None = None,
    detail: Detail | None = None,
    request_id: str | None = None,
    ttl: float = DEFAULT_TTL,
    level: str = "ERROR",
) -> None:
    """Write a message in the caller's transaction.

    Args:
        project_id: who may read it; None writes nothing, since nobody could.
        detail: None is the unknown error.
        request_id: of the request that led here.
        ttl: seconds until it expires.
    """
    if project_id is None:
        return
    values = {
        "project_id": project_id,
        "request_id": request_id,
        "resource_type": str(resource_type),
        "resource_id": resource_id,
        "action_id": str(action),
        "detail_id": str(detail or Detail.UNKNOWN_ERROR),
        "level": level,
    }
    await messages.create(conn, values, ttl)


def detail_of(error: BaseException) -> Detail:
    """The detail that stands for an error that has one of its own, else the unknown one."""
    return Detail.NO_VALID_HOST if isinstance(error, NoValidHost) else Detail.UNKNOWN_ERROR


async def delete_expired(conn: Conn, ahead: float = 0) -> int:
    """Remove expired messages; ``ahead`` seconds count as past. Returns how many there were."""
    return await messages.delete_expired(conn, ahead)
