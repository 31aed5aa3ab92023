"""What the operations of a share's migration have in common: who takes part, and how it ends without a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db import access_sync, driver_rows, share_changes
from db import migrations_of_shares as table
from db.connection import Conn, Row
from services import share_quota
from services.share_migration import quota_of
from services.work import AccessUpdate, ShareDelete, ShareJob, enqueue
from worker import ahead, last_share
from worker.operation import Finished, Work
from worker.operations.access_update import apply

STARTING = ("migration_starting", "migration_in_progress", "migration_driver_starting")
"""Task states before the driver or the data service moves anything."""


@dataclass(slots=True)
class Parties:
    """The two instances with their servers as drivers know them, and the source's snapshots with their copies."""

    share: Row
    source: Row
    destination: Row
    source_server: Row | None
    destination_server: Row | None
    snapshots: list[Row]
    copies: Row
    """Snapshot instance of the source -> its copy's row."""

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments that most of a driver's methods of migration take."""
        return (
            self.source, self.destination, self.snapshots, self.copies, self.source_server, self.destination_server
        )  # fmt: skip


async def find(
    conn: Conn, job: ShareJob, task_states: Sequence[str], destination_id: str | None = None, *, lock: bool = False
) -> Row:
    """The share's state, if the migration is still the one that the job speaks of.

    Raises:
        Finished: the share is gone, it is at another task state, or its instances are others by now.
    """
    share = await table.state(conn, job.share_id, lock=lock)
    if share is None or share["task_state"] not in task_states:
        raise Finished
    if share["source"] is None or share["source"]["id"] != job.instance_id:
        raise Finished
    if destination_id is not None and (share["destination"] or {}).get("id") != destination_id:
        raise Finished
    return share


async def parties(work: Work, job: ShareJob, task_states: Sequence[str], destination_id: str) -> Parties:
    """Everything that a driver is told. Raises as ``find``."""
    async with work.core.db.read() as conn:
        share = await find(conn, job, task_states, destination_id)
        source, destination = (
            await driver_rows.share(conn, job.instance_id),
            await driver_rows.share(conn, destination_id),
        )
        if source is None or destination is None:
            raise Finished
        snapshots, copies = [], {}
        for own, copy in await table.pairs(conn, source["id"], destination["id"]):
            snapshots.append(await driver_rows.snapshot(conn, own))
            copies[own] = await driver_rows.snapshot(conn, copy)
        servers = [await driver_rows.server(conn, one["share_server_id"]) for one in (source, destination)]
    return Parties(
        share, source, destination, servers[0], servers[1], [one for one in snapshots if one is not None], copies
    )


async def enforce(work: Work, instance_id: str) -> bool:
    """Let the driver enforce the rules that are queued for an instance, now; whether none ended in error."""
    async with work.write() as conn:
        rules = await access_sync.mark(conn, instance_id)
        share, server = await driver_rows.share_on_server(conn, instance_id)
    if share is None or all(rule["state"] == "active" for rule in rules):
        return True
    results = await apply(work, share, server, rules)
    async with work.write() as conn:
        await access_sync.settle(conn, instance_id, results)
    return all(one.get("state") != "error" for one in results.values())


async def cast_to_readonly(work: Work, instance_id: str) -> None:
    """Clients may only read what is being moved."""
    async with work.write() as conn:
        await table.cast_rules(conn, instance_id, readonly=True)
    await enforce(work, instance_id)


async def replication_of(conn: Conn, share_type_id: str | None) -> str | None:
    """Replication type of a share type."""
    share_type = await share_changes.share_type(conn, share_type_id)
    return None if share_type is None else share_type["extra_specs"].get("replication_type")


async def back_to_source(work: Work, conn: Conn, share: Row, task_state: str, *, remove: bool = True) -> None:
    """The share is where it was, with its rules; the quota of another type is given back. Happens once.

    Args:
        share: state of the share, with ``source``; its destination goes.
        remove: the destination's rows go at once; else its back end has something to remove first.
    """
    source, destination = share["source"], share["destination"]
    if not await table.set_instance_status(conn, source["id"], "available", (table.SOURCE,)):
        return
    charge = await charge_of(conn, share)
    if destination is not None and remove:
        await forget_instance(work, conn, destination)
    elif destination is not None:
        await remove_instance(work, conn, share["id"], destination)
    await table.set_snapshots(conn, [source["id"]], "available", (table.SOURCE,))
    await table.set_task_state(conn, share["id"], task_state)
    await restore_rules(work, conn, share["id"], source)
    if charge is not None:
        await share_quota.return_ahead(conn, charge)
    await ahead.give_back(work, conn)
    await table.forget_progress(conn, share["id"])


async def charge_of(conn: Conn, share: Row) -> Row | None:
    """What the destination of a migration counts besides its source: in another type it is a share of its own.

    Until there is a destination, the task answers for that (``worker.ahead``).
    """
    source, destination = share["source"], share["destination"]
    if destination is None or destination["share_type_id"] == source["share_type_id"]:
        return None
    deltas = quota_of(share["size"], await replication_of(conn, destination["share_type_id"]))
    return share_quota.ahead({**share, "share_type_id": destination["share_type_id"]}, deltas)


async def forget_instance(work: Work, conn: Conn, instance: Row) -> None:
    """Remove the rows of an instance that no back end holds; its server may go with it."""
    await table.forget_instance(conn, instance["id"])
    await last_share.left(work, conn, instance["share_server_id"])


async def remove_instance(work: Work, conn: Conn, share_id: str, instance: Row) -> None:
    """Queue the removal of an instance that a back end holds, even if that refuses."""
    await table.set_instance_status(conn, instance["id"], "deleting", (instance["status"],))
    job = ShareDelete(share_id=share_id, instance_id=instance["id"], force=True, counted=False)
    await enqueue(conn, job, instance["host"], request_id=work.task["request_id"])


async def restore_rules(work: Work, conn: Conn, share_id: str, instance: Row) -> None:
    """The instance's rules count as they were before they were read-only."""
    if await table.cast_rules(conn, instance["id"], readonly=False):
        job = AccessUpdate(share_id=share_id, instance_id=instance["id"])
        await enqueue(conn, job, instance["host"], request_id=work.task["request_id"])
