"""A share of tenant A on a dummy back end, the application before it and a worker behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from db import tasks
from db.connection import Database, Row
from db.write import insert
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from drivers.dummy.faults import Faults
from tests.handlers.catalogue import ALICE, TENANT_A, Ask, asker, core_over
from worker.operation import Backend
from worker.registry import operations
from worker.runner import Runner

HOST = "node1@alpha"


@dataclass(slots=True)
class World:
    """``ask`` sends a request; ``share`` is the share's id, ``instance`` its instance's."""

    db: Database
    ask: Ask
    runner: Runner
    driver: DummyDriver
    faults: Faults
    share: str
    instance: str

    async def settle(self, seconds: float = 10.0) -> None:
        """Wait until the worker has nothing due."""
        async with asyncio.timeout(seconds):
            while True:
                self.runner.wake()
                async with self.db.read() as conn:
                    if not await tasks.pending(conn):
                        return
                await asyncio.sleep(0.01)

    async def action(self, body: Any, who: str = "member-a", version: str = "2.99") -> Any:
        """An action on the share."""
        return await self.ask(who, "POST", f"/v2/shares/{self.share}/action", body, version)

    async def allow(self, access_to: str, version: str = "2.99", **more: Any) -> str:
        """Allow an IP client; the rule's id."""
        key = "allow_access" if version != "2.6" else "os-allow_access"
        answer = await self.action({key: {"access_type": "ip", "access_to": access_to, **more}}, version=version)
        assert answer.status == 200, answer.content
        return str(answer.json["access"]["id"])

    async def rules(self, who: str = "member-a", query: str = "", version: str = "2.99") -> list[Row]:
        """The share's rules as the API lists them."""
        answer = await self.ask(who, "GET", f"/v2/share-access-rules?share_id={self.share}{query}", version=version)
        assert answer.status == 200, answer.content
        return list(answer.json["access_list"])

    async def snapshot(self, **more: Any) -> str:
        """Take a snapshot of the share; its id."""
        answer = await self.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": self.share, **more}})
        assert answer.status == 202, answer.content
        return str(answer.json["snapshot"]["id"])

    async def set_share(self, **values: Any) -> None:
        """Change columns of the share behind the service's back."""
        changes = ", ".join(f"{name} = %({name})s" for name in values)
        async with self.db.write() as conn:
            await conn.run(f"UPDATE shares SET {changes} WHERE id = %(id)s", {**values, "id": self.share})

    async def set_instance(self, **values: Any) -> None:
        """Change columns of the share's instance behind the service's back."""
        changes = ", ".join(f"{name} = %({name})s" for name in values)
        async with self.db.write() as conn:
            await conn.run(f"UPDATE share_instances SET {changes} WHERE id = %(id)s", {**values, "id": self.instance})


async def make_share(db: Database, **values: Any) -> tuple[str, str]:
    """Rows of an available NFS share of 1 GiB with every capability; ids of share and instance."""
    async with db.write() as conn:
        share = await insert(
            conn,
            "shares",
            {
                "project_id": TENANT_A,
                "user_id": ALICE,
                "size": 1,
                "share_proto": "NFS",
                "is_public": False,
                "is_soft_deleted": False,
                "snapshot_support": True,
                "create_share_from_snapshot_support": True,
                "revert_to_snapshot_support": True,
                "mount_snapshot_support": True,
                "snapshot_inherit_share_access_support": False,
                **values,
            },
        )
        instance = await insert(
            conn,
            "share_instances",
            {
                "share_id": share["id"],
                "host": f"{HOST}#pool",
                "status": "available",
                "access_rules_status": "active",
                "cast_rules_to_readonly": False,
            },
        )
    return share["id"], instance["id"]


@contextlib.asynccontextmanager
async def world(db: Database) -> AsyncIterator[World]:
    """A share with everything around it, for the time of the block."""
    core = core_over(db)
    driver = DummyDriver(BackendOptions("alpha", driver_handles_share_servers=False))
    backend = Backend("alpha", HOST, driver)
    runner = Runner(core, operations(), {HOST: backend}, queues=("data",), poll=0.05)
    share, instance = await make_share(db)
    stop = asyncio.Event()
    serving = asyncio.create_task(runner.run(stop))
    try:
        yield World(db, asker(core), runner, driver, Faults(driver), share, instance)
    finally:
        stop.set()
        await serving
