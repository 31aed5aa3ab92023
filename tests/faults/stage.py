"""A small installation for fault tests: the API in this process, workers in others that may be killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from api.app import make_app
from api.tokens.static import StaticTokens
from cli import config
from db import tasks
from db.connection import Database
from network.keys import STAND_IN
from services.core import Core
from services.policy import Policy
from tests.api.client import Client
from tests.conformance import launch
from tests.conformance import settings as files
from tests.faults import doomed, ledger, nursery

LEASE = 10.0
"""Seconds that a worker's claim holds without a heartbeat: more than a loaded machine makes one wait."""
TIMEOUT = 90.0
DATA = """[DEFAULT]
backup_mount_export = 10.0.0.9:/backups
mount_tmp_location = {folder}/mounts
backup_mount_tmp_location = {folder}/mounts
data_node_access_ips = 10.9.9.9
"""
"""What a data service needs, whose exports are folders."""


@dataclass(slots=True)
class Stage:
    """The API as two users, its database, and its workers."""

    conf: pathlib.Path
    core: Core
    admin: Client
    member: Client
    patience: float = TIMEOUT

    @contextlib.asynccontextmanager
    async def worker(self) -> AsyncIterator[None]:
        """A healthy worker in this process for the time of the block."""
        stop = asyncio.Event()
        serving = asyncio.create_task(doomed.serve(self.core, stop))
        try:
            yield
        finally:
            stop.set()
            await asyncio.wait_for(serving, self.patience)

    async def doomed(self, operation: str, step: str, broken: str = "") -> int:
        """Run a worker process that dies after a step, ``broken`` being one that fails; the status it ended with."""
        status = await nursery.doomed(self.conf, operation, step, self.patience, broken)
        async with self.core.db.write() as conn:  # as if the dead worker's lease had run out
            await conn.run("UPDATE openkeel_tasks SET lease_until = clock_timestamp() WHERE state = 'running'")
        return status

    @contextlib.asynccontextmanager
    async def other(self) -> AsyncIterator[None]:
        """A healthy worker in a process of its own for the time of the block; then it is killed."""
        program = f"import asyncio; from tests.faults.doomed import main; asyncio.run(main({str(self.conf)!r}, '', ''))"
        env = {**os.environ, "PYTHONPATH": str(nursery.ROOT)}
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", program, cwd=nursery.ROOT, env=env)
        try:
            yield
        finally:
            child.kill()
            await child.wait()

    async def ready(self) -> None:
        """Wait until a back end has reported its capabilities."""

        async def reported() -> bool:
            return bool(await self.rows("SELECT 1 FROM openkeel_reports"))

        await until(reported, "a back end has reported", self.patience)

    async def settled(self) -> None:
        """Wait until no task is running or due."""

        async def idle() -> bool:
            async with self.core.db.read() as conn:
                return not await tasks.pending(conn)

        await until(idle, "no task is left", self.patience)

    async def rows(self, sql: str, *params: Any) -> list[dict[str, Any]]:
        """Rows straight from the database."""
        async with self.core.db.read() as conn:
            return await conn.all(sql, params)

    async def unbalanced(self, *, losses: bool = True) -> list[str]:
        """Where the back ends and the rows disagree; without ``losses`` only what back ends hold without a row."""
        have = {
            kind: {row["id"]: str(row["status"]) for row in await self.rows(sql)} for kind, sql in ledger.ROWS.items()
        }
        return ledger.differences(doomed.book(self.core), have, losses=losses)

    async def usage(self) -> dict[str, int]:
        """Quota usage of the member's project, resources in use only."""
        found = await self.rows(
            "SELECT resource, sum(in_use)::int AS n FROM quota_usages"
            " WHERE share_type_id IS NULL AND deleted = 0 GROUP BY resource HAVING sum(in_use) <> 0"
        )
        return {row["resource"]: row["n"] for row in found}


async def until(condition: Callable[[], Any], what: str, seconds: float = TIMEOUT) -> None:
    """Wait until an async condition holds. Raises TimeoutError naming ``what``."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not await condition():
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError(f"after {seconds:.0f} s it does not hold that {what}")
        await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def stage(
    folder: pathlib.Path,
    database: str,
    neutron: str,
    backends: list[str],
    *,
    section: str = "",
    lease: float = LEASE,
    patience: float = TIMEOUT,
) -> AsyncIterator[Stage]:
    """An installation on an empty migrated database.

    Args:
        section: of ``manila.conf``, for a single back end that is no dummy.
        patience: seconds until what is waited for must have come.
    """
    conf = files.write(folder, port=0, database=database, neutron=neutron, backends=backends)
    own = f"[openkeel]\ntask_lease = {lease}\ndata_folders = {folder}/exports\n"
    text = conf.read_text().replace("[openkeel]\n", own).replace("[DEFAULT]\n", DATA.format(folder=folder))
    if section:
        text = text.partition(f"\n[{backends[0]}]\n")[0] + f"\n[{backends[0]}]\n{section}"
    conf.write_text(f"{text}\n[key_manager]\nbackend = {STAND_IN}\n")
    settings = config.load([conf])
    db = Database(database, size=8, name="fault-api", wait=TIMEOUT)
    await db.open()
    try:
        core = Core(db, settings, Policy(settings))
        app = make_app(core, StaticTokens.read(str(launch.VENDORED / "tokens.json")))
        admin, member = Client(app, "admin-token", "2.65"), Client(app, "member-a-token", "2.65")
        yield Stage(conf, core, admin, member, patience)
    finally:
        await db.close()
