"""Letting go of shares and snapshots: they stay on the back end, their rows go. The rules, in the original's order."""

from __future__ import annotations

from db import manage as table
from db import share_changes, snapshots
from db.connection import Conn
from generated.enums import Transitional
from generated.errors import InvalidShare
from generated.runtime import Fault, Row
from services import share_hints
from services import shares as rules
from services.context import Context
from services.share_changes import forget
from services.transfers import OFFERED
from services.work import ShareUnmanage, SnapshotUnmanage, enqueue


async def share(conn: Conn, ctx: Context, row: Row, *, with_servers: bool) -> None:
    """Check that a share may be let go, and queue it. ``row`` must be locked.

    Args:
        with_servers: whether a share on a share server may be.

    Raises:
        Fault: 403, 409. PolicyNotAuthorized, InvalidShare: 403 by the handler. ShareBusyException: 400.
    """
    found = await share_changes.dependents(conn, row["id"], "delete")
    _require_free(row, found, with_servers=with_servers)
    if found["locks"]:
        raise InvalidShare(f"Resource lock/s [{', '.join(found['locks'])}] prevent delete action.")
    ctx.enforce("share:unmanage")
    rules.require_idle(row)
    if row["share_group_id"]:
        raise InvalidShare(reason=f"Share {row['id']} belongs to a share group")
    await share_hints.forget(conn, row["id"], row["metadata"])
    if not row["host"]:
        await forget(conn, row["instance_id"])
        return
    status = "manage_error_unmanage_starting" if row["status"] == "manage_error" else "unmanage_starting"
    await table.start_unmanaging(conn, row["instance_id"], status, (row["status"],))
    job = ShareUnmanage(share_id=row["id"], instance_id=row["instance_id"])
    await enqueue(conn, job, row["host"], request_id=ctx.request_id)


def _require_free(row: Row, found: Row, *, with_servers: bool) -> None:
    """Raise Fault 403 or 409 when something keeps the share."""
    share_id = row["id"]
    if row["is_soft_deleted"]:
        raise Fault(403, f"Share '{share_id} cannot be unmanaged, since it has been soft deleted.")
    if row["has_replicas"]:
        raise Fault(409, f"Share {share_id} has replicas. It cannot be unmanaged until all replicas are removed.")
    if not with_servers and row["share_server_id"]:
        raise Fault(
            403,
            "Operation 'unmanage' is not supported for shares that are created on top of share servers (created with "
            "share-networks).",
        )
    if row["status"] in tuple(Transitional):
        raise Fault(
            403,
            f"Share with transitional state can not be unmanaged. Share '{share_id}' is in '{row['status']}' state.",
        )
    for name, words in (("snapshots", "snapshot(s)"), ("backups", "backup(s)")):
        if found[name]:
            raise Fault(
                403, f"Share '{share_id}' can not be unmanaged because it has '{found[name]}' dependent {words}."
            )
    if row["status"] == OFFERED:  # the original lets it go, and its offer stays for ever
        raise Fault(
            403,
            f"Share with transitional state can not be unmanaged. Share '{share_id}' is in '{row['status']}' state.",
        )


async def snapshot(conn: Conn, ctx: Context, row: Row, owner: Row, *, with_servers: bool) -> None:
    """Check that a snapshot may be let go, and queue it.

    Args:
        row: the snapshot. owner: its share.

    Raises:
        Fault: 403, 409.
    """
    if not with_servers and owner["share_server_id"]:
        raise Fault(
            403,
            "Operation 'unmanage_snapshot' is not supported for snapshots of shares that are created with share "
            "servers (created with share-networks).",
        )
    if owner["has_replicas"]:
        raise Fault(
            409,
            f"Share {owner['id']} has replicas. Snapshots of this share cannot currently be unmanaged until all "
            "replicas are removed.",
        )
    if row["status"] in tuple(Transitional):
        raise Fault(
            403,
            f"Snapshot with transitional state cannot be unmanaged. Snapshot '{row['id']}' is in '{row['status']}' "
            "state.",
        )
    for instance in row["instances"]:
        await snapshots.set_status(conn, [instance["id"]], "unmanage_starting")
        job = SnapshotUnmanage(share_id=owner["id"], snapshot_id=row["id"], snapshot_instance_id=instance["id"])
        await enqueue(conn, job, owner["host"], request_id=ctx.request_id)
