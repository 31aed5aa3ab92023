"""A small service for tests of shares: the API, two dummy back ends, and the work done when a test asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from db import heartbeats, reports, tasks
from db.connection import Database
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from services.core import Core
from tests.api.client import Answered
from tests.handlers.catalogue import Ask, asker, core_over
from worker.operation import Backend
from worker.registry import operations
from worker.runner import Runner

SPECS = {
    "driver_handles_share_servers": "False",
    "snapshot_support": "True",
    "create_share_from_snapshot_support": "True",
}


@dataclass(slots=True)
class Stage:
    """``ask`` as anybody; ``work`` until nothing is due."""

    core: Core
    ask: Ask
    backends: dict[str, Backend]

    async def work(self) -> None:
        """Run what requests have queued."""
        by_host = {one.host: one for one in self.backends.values()}
        runner = Runner(self.core, operations(), by_host, queues=("scheduler",), poll=0.05)
        stop = asyncio.Event()
        running = asyncio.create_task(runner.run(stop))
        while True:
            async with self.core.db.read() as conn:
                if not await tasks.pending(conn):
                    break
            await asyncio.sleep(0.005)
        stop.set()
        runner.wake()
        await running

    async def share(self, who: str = "member-a", version: str = "2.55", **fields: Any) -> dict[str, Any]:
        """A new share, made."""
        body = {"share": {"size": 1, "share_proto": "NFS", **fields}}
        answer = await self.ask(who, "POST", "/v2/shares", body, version)
        assert answer.status == 200, answer.json
        await self.work()
        shown = await self.ask("admin", "GET", f"/v2/shares/{answer.json['share']['id']}", version=version)
        found: dict[str, Any] = shown.json["share"]
        return found

    async def usage(self, project: str) -> dict[str, int]:
        """Resource -> amount in use of a project."""
        async with self.core.db.read() as conn:
            rows = await conn.all(
                """
                SELECT resource, sum(in_use)::int AS n, sum(reserved)::int AS r FROM quota_usages
                WHERE project_id = %s AND share_type_id IS NULL GROUP BY resource
                """,
                (project,),
            )
        assert all(row["r"] == 0 for row in rows)
        return {row["resource"]: row["n"] for row in rows}

    async def messages(self) -> list[tuple[str, str]]:
        """Action and detail of every user message."""
        async with self.core.db.read() as conn:
            rows = await conn.all(
                "SELECT action_id, detail_id FROM messages WHERE deleted = 'False' ORDER BY created_at"
            )
        return [(row["action_id"], row["detail_id"]) for row in rows]


async def stage_over(db: Database, **options: Any) -> AsyncIterator[Stage]:
    """Back ends alpha and beta have registered and reported; the type ``default`` exists.

    Args:
        options: of the section DEFAULT.
    """
    core = core_over(db, **options)
    backends = {}
    for name in ("alpha", "beta"):
        own = BackendOptions(
            name, name.upper(), driver_handles_share_servers=False, replication_domain="replication_domain"
        )
        backend = Backend(name, f"node1@{name}", DummyDriver(own))
        backends[name] = backend
        async with db.write() as conn:
            await heartbeats.register(conn, "manila-share", "manila-share", backend.host, "nova")
            await reports.save(conn, backend.host, await backend.driver.get_share_stats(refresh=True))
    ask = asker(core)
    made = await ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": SPECS}})
    assert made.status == 200, made.json
    yield Stage(core, ask, backends)


def refused(answer: Answered) -> tuple[int, str]:
    """Status and text of a fault."""
    fault = next(iter(answer.json.values()))
    return answer.status, fault["message"]
