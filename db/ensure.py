"""What the worker writes when it has exported the shares of a back end again."""

from __future__ import annotations

from collections.abc import Sequence

from db.connection import Conn, Row
from db.write import insert_many, new_id, soft_delete, update


async def write_export_locations(conn: Conn, instance_id: str, current: Sequence[Row], wanted: Sequence[Row]) -> None:
    """Make the export locations of a share instance ``wanted``; the ids of those that stay don't change."""
    paths = {one["path"] for one in wanted}
    gone = [one["path"] for one in current if one["path"] not in paths]
    if gone:
        await soft_delete(conn, "share_instance_export_locations", {"share_instance_id": instance_id, "path": gone})
    known = {one["path"] for one in current}
    fresh = [one for one in wanted if one["path"] not in known]
    await insert_many(
        conn,
        "share_instance_export_locations",
        [
            {
                "share_instance_id": instance_id,
                "uuid": new_id(),
                "path": one["path"],
                "is_admin_only": bool(one.get("is_admin_only", False)),
            }
            for one in fresh
        ],
    )


async def write_status(conn: Conn, instance_id: str, status: str) -> None:
    """The status that the back end found."""
    await update(conn, "share_instances", {"id": instance_id}, {"status": status})
