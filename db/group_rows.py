"""Share groups and their snapshots as a driver is given them; ``drivers.base`` says which keys it may rely on."""

from __future__ import annotations

from db import driver_rows, share_group_snapshots, share_groups
from db.connection import Conn, Row


async def group(conn: Conn, group_id: str) -> Row | None:
    """A live group with its ``shares``."""
    row = await share_groups.get(conn, group_id)
    if row is not None:
        row["shares"] = await driver_rows.shares_of_group(conn, group_id)
    return row


async def snapshot(conn: Conn, snapshot_id: str) -> Row | None:
    """A live group snapshot with its ``share_group`` and ``share_group_snapshot_members``."""
    row = await share_group_snapshots.get(conn, snapshot_id)
    if row is None:
        return None
    row["share_group"] = await share_groups.get(conn, row["share_group_id"])
    members = await share_group_snapshots.members(conn, snapshot_id)
    shares = await driver_rows.shares(conn, [one["share_instance_id"] for one in members])
    row["share_group_snapshot_members"] = [_member(one, shares.get(one["share_instance_id"])) for one in members]
    return row


def _member(row: Row, share: Row | None) -> Row:
    """A member in the form of a snapshot of one share; the group snapshot stands in place of the snapshot."""
    return {**row, "snapshot_id": row["share_group_snapshot_id"], "share_size": row["size"], "share": share}
