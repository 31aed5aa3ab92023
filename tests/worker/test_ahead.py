"""What a request takes of a quota ahead of the work is never lost, whatever an administrator does meanwhile.

Each operation is met while it waits for the scheduler, while it waits for its back end, and while the driver is at it.
Afterwards usage is what the rows say, and when all is removed it is nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from db.connection import Database
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import SPECS, Stage, stage_over
from worker.registry import operations
from worker.runner import Runner

MOVE = dict.fromkeys(("preserve_metadata", "writable", "nondisruptive", "preserve_snapshots"), False)
EXPERIMENTAL = {"X-OpenStack-Manila-API-Experimental": "true"}
COUNTED = ("shares", "gigabytes", "share_replicas", "replica_gigabytes")
SIZE, LARGER, LARGEST = 2, 5, 6


class Scene:
    """A share of tenant A, and what happens to it."""

    def __init__(self, stage: Stage, types: dict[str, str]) -> None:
        self.stage, self.types, self.share, self.snapshot, self.replica = stage, types, "", "", ""

    async def act(self, body: dict[str, Any], who: str = "admin") -> int:
        answer = await self.stage.ask(who, "POST", f"/v2/shares/{self.share}/action", body, headers=EXPERIMENTAL)
        return int(answer.status)

    async def shown(self) -> Any:
        answer = await self.stage.ask("admin", "GET", f"/v2/shares/{self.share}")
        return answer.json["share"] if answer.status == 200 else None

    async def reset(self, status: str) -> None:
        assert await self.act({"reset_task_state": {"task_state": None}}) == 202
        assert await self.act({"reset_status": {"status": status}}) == 202

    async def remove(self) -> None:
        await self.stage.ask("member-a", "DELETE", f"/v2/shares/{self.share}")

    async def schedule(self) -> None:
        """Let the scheduler do what waits for it; the back ends' workers are away."""
        runner = Runner(self.stage.core, operations(), {}, queues=("scheduler",), poll=0.02)
        stop = asyncio.Event()
        running = asyncio.create_task(runner.run(stop))
        due = """
            SELECT count(*) AS n FROM openkeel_tasks t WHERE t.queue = 'scheduler' AND t.state IN ('queued', 'running')
              AND NOT EXISTS (SELECT 1 FROM openkeel_tasks o WHERE o.resource = t.resource AND o.id < t.id
                                AND o.state IN ('queued', 'running'))
        """
        async with self.stage.core.db.read() as conn:
            while (await conn.one(due) or {"n": 0})["n"]:
                await asyncio.sleep(0.005)
        stop.set()
        runner.wake()
        await running

    async def exists(self) -> dict[str | None, dict[str, int]]:
        """Share type (None: the project) -> resource -> what the rows amount to."""
        async with self.stage.core.db.read() as conn:
            rows = await conn.all(
                """
                SELECT i.share_type_id AS type, s.size, count(i.replica_state)::int AS replicas,
                       bool_or(e.spec_value IS NOT NULL) AS replicated
                FROM shares s JOIN share_instances i ON i.share_id = s.id AND i.deleted = 'False'
                LEFT JOIN share_type_extra_specs e ON e.share_type_id = i.share_type_id
                      AND e.spec_key = 'replication_type' AND e.deleted = 0
                WHERE s.deleted = 'False' AND s.project_id = %s GROUP BY s.id, i.share_type_id, s.size
                """,
                (TENANT_A,),
            )
        found: dict[str | None, dict[str, int]] = {}
        for row in rows:
            replicas = row["replicas"] or int(row["replicated"])
            amounts = dict(zip(COUNTED, (1, row["size"], replicas, replicas * row["size"]), strict=True))
            for key in (row["type"], None):
                own = found.setdefault(key, {})
                for name, amount in amounts.items():
                    own[name] = own.get(name, 0) + amount
        return {key: {name: n for name, n in own.items() if n} for key, own in found.items()}

    async def usage(self) -> dict[str | None, dict[str, int]]:
        """As ``exists``, what the quota says."""
        async with self.stage.core.db.read() as conn:
            rows = await conn.all(
                "SELECT share_type_id AS type, resource, sum(in_use)::int AS n FROM quota_usages WHERE deleted = 0"
                " AND project_id = %s AND resource = ANY(%s) GROUP BY 1, 2 HAVING sum(in_use) > 0",
                (TENANT_A, list(COUNTED)),
            )
        found: dict[str | None, dict[str, int]] = {}
        for row in rows:
            found.setdefault(row["type"], {})[row["resource"]] = row["n"]
        return found

    async def away(self) -> None:
        """Remove everything."""
        if self.snapshot:
            await self.stage.ask("admin", "DELETE", f"/v2/snapshots/{self.snapshot}")
        if self.replica:
            await self.stage.ask(
                "admin", "POST", f"/v2/share-replicas/{self.replica}/action", {"force_delete": None},
                headers=EXPERIMENTAL,
            )  # fmt: skip
        await self.stage.work()
        if await self.shown() is not None:
            if (await self.shown())["is_soft_deleted"]:
                assert await self.act({"restore": None}, "member-a") == 202
            await self.reset("error")
            assert await self.act({"force_delete": None}) == 202
        await self.stage.work()
        assert await self.shown() is None


# ---- operations


async def extend(scene: Scene) -> None:
    assert await scene.act({"extend": {"new_size": LARGER}}, "member-a") == 202


async def revert(scene: Scene) -> None:
    """The share grows back to the size that it had."""
    assert await scene.act({"extend": {"new_size": LARGER}}, "member-a") == 202
    await scene.stage.work()
    body = {"snapshot": {"share_id": scene.share}}
    scene.snapshot = (await scene.stage.ask("member-a", "POST", "/v2/snapshots", body)).json["snapshot"]["id"]
    await scene.stage.work()
    assert await scene.act({"shrink": {"new_size": SIZE}}, "member-a") == 202
    await scene.stage.work()
    assert await scene.act({"revert": {"snapshot_id": scene.snapshot}}, "member-a") == 202


async def move(scene: Scene) -> None:
    """To a type that counts replicas, and another back end."""
    at = (await scene.shown())["host"]
    other = "node1@beta#fake_pool_for_BETA" if "alpha" in at else "node1@alpha#fake_pool_for_ALPHA"
    wish = {"host": other, **MOVE, "new_share_type_id": scene.types["replicated"]}
    assert await scene.act({"migration_start": wish}) == 202


async def _replica(scene: Scene) -> None:
    body = {"share_replica": {"share_id": scene.share}}
    answer = await scene.stage.ask("member-a", "POST", "/v2/share-replicas", body, headers=EXPERIMENTAL)
    assert answer.status == 202, answer.json
    scene.replica = answer.json["share_replica"]["id"]
    await scene.stage.work()


async def without_replica(scene: Scene) -> None:
    """A replica goes, and at once the share is to grow."""
    await _replica(scene)
    answer = await scene.stage.ask("member-a", "DELETE", f"/v2/share-replicas/{scene.replica}", headers=EXPERIMENTAL)
    assert answer.status == 202
    await extend(scene)


async def with_replica(scene: Scene) -> None:
    await _replica(scene)
    await extend(scene)


OPERATIONS: dict[str, tuple[Callable[[Scene], Awaitable[None]], str, str]] = {
    "extend": (extend, "plain", "extend_share"),
    "revert": (revert, "plain", "revert_to_snapshot"),
    "migrate": (move, "plain", "migration_start"),
    "extend_while_a_replica_goes": (without_replica, "replicated", "extend_share"),
    "extend_with_a_replica": (with_replica, "replicated", "extend_share"),
}
"""Name -> how it begins, the share's type, and the method of the driver that does it."""


# ---- what comes between


async def nothing(scene: Scene) -> None:
    """It ends as it should."""


async def forced(scene: Scene) -> None:
    await scene.act({"force_delete": None})


async def removed(scene: Scene) -> None:
    await scene.reset("available")
    await scene.remove()


async def removed_from_error(scene: Scene) -> None:
    await scene.reset("error")
    await scene.remove()


async def recycled(scene: Scene) -> None:
    await scene.reset("available")
    await scene.act({"soft_delete": None}, "member-a")


async def again(scene: Scene) -> None:
    """The share is to grow after all; more than the first request wanted."""
    await scene.reset("available")
    assert await scene.act({"extend": {"new_size": LARGEST}}, "member-a") == 202


async def looked_at(scene: Scene) -> None:
    await scene.reset("available")


async def replica_forced(scene: Scene) -> None:
    """Of a share with a second replica that goes."""
    if scene.replica:
        path = f"/v2/share-replicas/{scene.replica}/action"
        await scene.stage.ask("admin", "POST", path, {"force_delete": None}, headers=EXPERIMENTAL)


BETWEEN = (nothing, forced, removed, removed_from_error, recycled, again, looked_at, replica_forced)


async def _waiting(scene: Scene, between: Callable[[Scene], Awaitable[None]], method: str) -> None:
    await between(scene)


async def _placed(scene: Scene, between: Callable[[Scene], Awaitable[None]], method: str) -> None:
    await scene.schedule()
    await between(scene)


async def _at_the_driver(scene: Scene, between: Callable[[Scene], Awaitable[None]], method: str) -> None:
    calls = []
    with contextlib.ExitStack() as patches:
        for backend in scene.stage.backends.values():
            patch = patches.enter_context(pytest.MonkeyPatch.context())
            original = getattr(backend.driver, method)

            async def meanwhile(*given: Any, original: Any = original, **more: Any) -> Any:
                calls.append(method)
                if len(calls) == 1:
                    await between(scene)
                return await original(*given, **more)

            patch.setattr(backend.driver, method, meanwhile)
        await scene.stage.work()
    assert calls


MOMENTS = {"waiting": _waiting, "placed": _placed, "at_the_driver": _at_the_driver}


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db, is_deferred_deletion_enabled=False):
        yield one


async def _scene(stage: Stage, types: dict[str, str], kind: str) -> Scene:
    scene = Scene(stage, types)
    scene.share = (await stage.share(share_type=kind, size=SIZE, version="2.99"))["id"]
    return scene


async def _types(stage: Stage) -> dict[str, str]:
    specs = {**SPECS, "revert_to_snapshot_support": "True"}
    found = {}
    for name, more in (("plain", {}), ("replicated", {"replication_type": "readable"})):
        answer = await stage.ask(
            "admin", "POST", "/v2/types", {"share_type": {"name": name, "extra_specs": specs | more}}
        )
        found[name] = str(answer.json["share_type"]["id"])
    return found


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", OPERATIONS)
async def test_usage_is_what_exists(stage: Stage, name: str, moment: str) -> None:
    begin, kind, method = OPERATIONS[name]
    types = await _types(stage)
    for between in BETWEEN:
        if between is replica_forced and "replica" not in name:
            continue
        scene = await _scene(stage, types, kind)
        await begin(scene)
        await MOMENTS[moment](scene, between, method)
        await stage.work()
        assert await scene.usage() == await scene.exists(), between.__name__
        if scene.snapshot:
            shown = await stage.ask("admin", "GET", f"/v2/snapshots/{scene.snapshot}")
            assert shown.json["snapshot"]["status"] == "available", between.__name__
        await scene.away()
        assert await scene.usage() == {}, between.__name__


@pytest.mark.parametrize(("moment", "size"), [("waiting", SIZE), ("placed", SIZE), ("at_the_driver", LARGER)])
async def test_a_size_that_the_driver_has_made_is_written(stage: Stage, moment: str, size: int) -> None:
    """Whatever status an administrator has given the share; what has not begun does not begin then."""
    scene = await _scene(stage, await _types(stage), "plain")
    await extend(scene)
    await MOMENTS[moment](scene, looked_at, "extend_share")
    await stage.work()
    shown = await scene.shown()
    assert (shown["status"], shown["size"]) == ("available", size)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_the_newest_request_decides(stage: Stage, moment: str) -> None:
    scene = await _scene(stage, await _types(stage), "plain")
    await extend(scene)
    await MOMENTS[moment](scene, again, "extend_share")
    await stage.work()
    shown = await scene.shown()
    assert (shown["status"], shown["size"]) == ("available", LARGEST)


async def test_what_nobody_settled_is_given_back_when_the_task_ends(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when neither the operation nor its failure can be written."""
    scene = await _scene(stage, await _types(stage), "plain")

    async def broken(*given: Any, **more: Any) -> None:
        raise RuntimeError("broken")

    for backend in stage.backends.values():
        monkeypatch.setattr(backend.driver, "extend_share", broken)
    monkeypatch.setattr("worker.operations.share_extend._refuse", broken)
    await extend(scene)
    await stage.work()
    assert (await scene.usage())[None]["gigabytes"] == SIZE
