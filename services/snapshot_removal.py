"""The end of a snapshot on one share instance, whoever removes it."""

from __future__ import annotations

from db import quotas, snapshot_instances
from db import share_replicas as table
from db.connection import Conn


async def forget_snapshot(conn: Conn, snapshot_instance_id: str) -> None:
    """Remove a snapshot instance; with the last one its snapshot goes and its quota is given back."""
    gone = await snapshot_instances.remove(conn, snapshot_instance_id)
    if gone is None:
        return
    deltas = {"snapshots": -1, "snapshot_gigabytes": -gone["size"]}
    share_type_id = await snapshot_instances.share_type_of(conn, gone["share_id"])
    await quotas.reserve(conn, gone["project_id"], gone["user_id"], deltas, None, share_type_id)


async def forget_snapshots_on(conn: Conn, instance_id: str) -> None:
    """Do so for all snapshots of a share instance."""
    for snapshot_instance in await table.snapshots_of(conn, instance_id):
        await forget_snapshot(conn, snapshot_instance)
