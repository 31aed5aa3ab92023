"""What the operations of a share server's migration have in common: who takes part, and how it ends without a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db import driver_rows, share_servers
from db import migrations_of_servers as table
from db.connection import Conn, Row
from db.migrations_of_shares import cast_rules
from services.networks import delete_server
from services.work import AccessUpdate, ServerJob, enqueue
from worker.operation import Finished, Work

STARTING = ("migration_starting", "migration_in_progress", "migration_driver_starting")
"""Task states before the driver moves anything."""


@dataclass(slots=True)
class Servers:
    """Both servers and what is on the old one, as drivers know them."""

    source: Row
    destination: Row
    shares: list[Row]
    snapshots: list[Row]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments that most of a driver's methods of migration take."""
        return self.source, self.destination, self.shares, self.snapshots


async def find(conn: Conn, job: ServerJob, task_states: Sequence[str]) -> Row:
    """The server that is left. Raises Finished: it is gone, or not at one of these points of a migration any more."""
    server = await driver_rows.server(conn, job.server_id)
    if server is None or server["status"] != table.SOURCE or server["task_state"] not in task_states:
        raise Finished
    return server


async def both(work: Work, job: ServerJob, task_states: Sequence[str], destination_id: str) -> Servers:
    """Everything that a driver is told. Raises Finished as ``find``."""
    async with work.core.db.read() as conn:
        source = await find(conn, job, task_states)
        destination = await driver_rows.server(conn, destination_id)
        if destination is None:
            raise Finished
        shares = await table.instances(conn, job.server_id)
        return Servers(source, destination, shares, await table.snapshots(conn, job.server_id))


async def restore_rules(work: Work, conn: Conn, shares: Sequence[Row], host: str | None = None) -> None:
    """Rules that were read-only count as they were; the back end of each share, or of ``host``, enforces them."""
    for share in shares:
        if await cast_rules(conn, share["id"], readonly=False):
            job = AccessUpdate(share_id=share["share_id"], instance_id=share["id"])
            await enqueue(conn, job, host or share["host"], request_id=work.task["request_id"])


async def back_to_source(
    work: Work, conn: Conn, server_id: str, task_state: str, expected: Sequence[str] | None = None
) -> bool:
    """The server is active where it was, with all that is on it; whether it was moving until now."""
    server = await driver_rows.server(conn, server_id)
    if server is None or server["status"] != table.SOURCE:
        return False
    if expected is not None and server["task_state"] not in expected:
        return False
    await table.set_task_state(conn, [server_id], task_state, "active")
    await table.set_statuses(conn, server_id, "available", (table.SOURCE,))
    await restore_rules(work, conn, await table.instances(conn, server_id))
    await table.forget_notes(conn, server_id)
    return True


async def remove_server(work: Work, conn: Conn, server_id: str) -> None:
    """Queue the removal of a server that nothing is on."""
    server = await share_servers.get(conn, server_id)
    if server is not None:
        await delete_server(conn, server, work.task["request_id"])
