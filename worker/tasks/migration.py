"""Migrations under way: drivers are asked to go on from time to time."""

from __future__ import annotations

from db import migrations_of_servers, migrations_of_shares, tasks
from generated.settings import Settings
from services import work
from services.share_migration import IN_PROGRESS
from worker.periodic import Now, Periodic


async def migration_continue(now: Now) -> None:
    """Order the next part of each migration of a share that leaves this back end."""
    if now.backend is None:
        return
    async with now.core.db.write() as conn:
        for moving in await migrations_of_shares.moving_from(conn, now.backend.host, IN_PROGRESS):
            share = await migrations_of_shares.state(conn, moving["share_id"])
            if share is None or share["destination"] is None:
                continue
            job = work.ShareMigrateContinue(
                share_id=share["id"], instance_id=moving["instance_id"], destination_id=share["destination"]["id"]
            )
            if not await tasks.waits(conn, job.KIND, job.resource):
                await work.enqueue(conn, job, now.backend.host)


async def server_migration_continue(now: Now) -> None:
    """Order the next part of each migration of a share server to this back end."""
    if now.backend is None:
        return
    async with now.core.db.write() as conn:
        for moving in await migrations_of_servers.coming_to(conn, now.backend.host, IN_PROGRESS):
            job = work.ServerMigrateContinue(
                server_id=moving["source_share_server_id"], destination_id=moving["id"]
            )  # fmt: skip
            if not await tasks.waits(conn, job.KIND, job.resource):
                await work.enqueue(conn, job, now.backend.host)


def _shares_interval(settings: Settings) -> float:
    return settings.default.migration_driver_continue_update_interval


def _servers_interval(settings: Settings) -> float:
    return settings.default.server_migration_driver_continue_update_interval


PERIODIC = (
    Periodic("migration_continue", migration_continue, _shares_interval),
    Periodic("server_migration_continue", server_migration_continue, _servers_interval),
)
