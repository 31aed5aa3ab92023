"""User messages as their owners read them; ``db.messages`` writes them."""

from __future__ import annotations

from collections.abc import Mapping

from db.connection import Conn, Row
from db.write import columns, soft_delete
from generated.columns import COLUMNS

SORT_KEYS = COLUMNS["messages"]
FILTERS = {
    "request_id": "m.request_id = %(request_id)s",
    "resource_type": "m.resource_type = %(resource_type)s",
    "resource_id": "m.resource_id = %(resource_id)s",
    "action_id": "m.action_id = %(action_id)s",
    "detail_id": "m.detail_id = %(detail_id)s",
    "message_level": "m.message_level = %(message_level)s",
    "created_since": "m.created_at >= %(created_since)s::timestamp",
    "created_before": "m.created_at <= %(created_before)s::timestamp",
}
_OWN = "m.deleted = 'False' AND (%(project)s::text IS NULL OR m.project_id = %(project)s)"


async def get(conn: Conn, message_id: str, project_id: str | None) -> Row | None:
    """A message; ``project_id`` is its reader's project, None for an administrator."""
    return await conn.one(
        f"SELECT {columns('m', 'messages')} FROM messages m WHERE {_OWN} AND m.id = %(id)s",
        {"project": project_id, "id": message_id},
    )


async def list_page(
    conn: Conn,
    project_id: str | None,
    filters: Mapping[str, str],
    sort_key: str,
    descending: bool,
    limit: int,
    offset: int,
    marker: str | None = None,
) -> list[Row]:
    """A page of messages.

    Args:
        filters: keys of ``FILTERS``.
        sort_key: one of ``SORT_KEYS``; equal keys are ordered by id.
        marker: id of the last message of the page before; an unknown one is ignored.
    """
    assert sort_key in SORT_KEYS
    order, after = ("DESC", "<") if descending else ("ASC", ">")
    conditions = [_OWN, *(FILTERS[name] for name in filters)]
    if marker is not None:
        conditions.append(
            f"""coalesce((m.{sort_key}, m.id) {after}
                         (SELECT l.{sort_key}, l.id FROM messages l WHERE l.id = %(marker)s), true)"""
        )
    return await conn.all(
        f"""
        SELECT {columns("m", "messages")} FROM messages m WHERE {" AND ".join(conditions)}
        ORDER BY m.{sort_key} {order}, m.id {order} LIMIT %(limit)s OFFSET %(offset)s
        """,
        {**filters, "project": project_id, "limit": limit, "offset": offset, "marker": marker},
    )


async def remove(conn: Conn, message_id: str) -> bool:
    """Remove a message; False when it is gone already."""
    return bool(await soft_delete(conn, "messages", {"id": message_id}))
