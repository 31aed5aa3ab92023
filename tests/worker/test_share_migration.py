"""Shares that move: what clients may do meanwhile, what is counted, and what is left when it does not work."""

from __future__ import annotations

import asyncio
import dataclasses
import pathlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from db import copies, heartbeats, reports, tasks
from db.connection import Database
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from generated.errors import ShareBackendException
from generated.settings import BackendSection
from services.core import Core
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over
from tests.handlers.share_stage import SPECS, refused
from worker.data.mounts import Folders, Place
from worker.operation import Backend
from worker.periodic import Now
from worker.registry import operations
from worker.runner import Runner
from worker.tasks.migration import migration_continue

KEPT = {"preserve_metadata": True, "writable": True, "nondisruptive": False, "preserve_snapshots": True}
NOTHING = dict.fromkeys(KEPT, False)
POOL = "node1@{}#fake_pool_for_{}"


class Driver(DummyDriver):
    """A dummy driver that says what it can, and remembers the levels that it was to enforce."""

    def __init__(self, options: BackendOptions) -> None:
        super().__init__(options)
        self.able: dict[str, bool] = {}
        self.levels: list[list[str]] = []
        self.removed: list[str] = []

    async def migration_check_compatibility(self, *parties: Any) -> dict[str, bool]:
        return {**await super().migration_check_compatibility(*parties), **self.able}

    async def update_access(self, share: Any, access_rules: Sequence[Any], *others: Any, **more: Any) -> Any:
        self.levels.append([rule["access_level"] for rule in access_rules])
        return await super().update_access(share, access_rules, *others, **more)

    async def delete_share(self, share: Any, share_server: Any = None) -> None:
        self.removed.append(share["id"])


@dataclasses.dataclass(slots=True)
class Stage:
    """Two back ends and a data service whose exports are folders; a share of tenant A with a rule."""

    core: Core
    ask: Ask
    backends: dict[str, Backend]
    share: str = ""
    source: str = ""
    target: str = ""

    async def work(self, until: Callable[[], Any] | None = None) -> None:
        """Do what is due, or only until an async condition holds."""
        by_host = {one.host: one for one in self.backends.values()}
        runner = Runner(self.core, operations(), by_host, queues=("scheduler", "data"), poll=0.05)
        stop = asyncio.Event()
        running = asyncio.create_task(runner.run(stop))

        async def idle() -> bool:
            async with self.core.db.read() as conn:
                return not await tasks.pending(conn) and await tasks.seconds_to_next(conn, runner.queues) is None

        while not await (until or idle)():
            await asyncio.sleep(0.005)
        stop.set()
        runner.wake()
        await running

    def driver(self, name: str) -> Any:
        """The driver of ``source`` or ``target``."""
        return self.backends[getattr(self, name)].driver

    async def admin(self, body: Any) -> Any:
        return await self.ask("admin", "POST", f"/v2/shares/{self.share}/action", body)

    async def start(self, flags: dict[str, bool], **more: Any) -> None:
        host = POOL.format(self.target, self.target.upper())
        answer = await self.admin({"migration_start": {"host": host, **flags, **more}})
        assert answer.status == 202, answer.json
        await self.work()

    async def go_on(self) -> None:
        for backend in self.backends.values():
            await migration_continue(Now(self.core, backend))
        await self.work()

    async def shown(self) -> Any:
        return (await self.ask("admin", "GET", f"/v2/shares/{self.share}")).json["share"]

    async def state(self) -> tuple[str, str | None, str]:
        """Status, task state and back end of the share."""
        found = await self.shown()
        return found["status"], found["task_state"], found["host"].partition("@")[2].partition("#")[0]

    async def usage(self, *, by_type: bool = False) -> dict[Any, int]:
        """Shares that count, in the project or in each share type."""
        async with self.core.db.read() as conn:
            rows = await conn.all(
                """
                SELECT share_type_id, sum(in_use)::int AS n FROM quota_usages
                WHERE resource = 'shares' AND deleted = 0 AND project_id = %s GROUP BY share_type_id
                """,
                (TENANT_A,),
            )
        found = {row["share_type_id"]: row["n"] for row in rows}
        return {key: n for key, n in found.items() if key is not None} if by_type else {"project": found[None]}

    async def instances(self) -> list[str]:
        answer = await self.ask("admin", "GET", f"/v2/shares/{self.share}/instances")
        return [one["status"] for one in answer.json["share_instances"]]


@pytest.fixture
async def stage(db: Database, tmp_path: pathlib.Path) -> AsyncIterator[Stage]:
    core = core_over(db, data_node_access_ips=("10.9.9.9",), mount_tmp_location=str(tmp_path / "mounts"))
    own = dataclasses.replace(core.settings.openkeel, data_folders=str(tmp_path / "exports"))
    sections = {name: BackendSection() for name in ("alpha", "beta")}
    core.settings = dataclasses.replace(core.settings, openkeel=own, backends=sections)
    backends = {}
    for name in ("alpha", "beta"):
        options = BackendOptions(name, name.upper(), driver_handles_share_servers=False)
        backends[name] = Backend(name, f"node1@{name}", Driver(options))
        async with db.write() as conn:
            service = await heartbeats.register(conn, "manila-share", "manila-share", f"node1@{name}", "nova")
            await heartbeats.beat(conn, service)
            await reports.save(conn, f"node1@{name}", await backends[name].driver.get_share_stats(refresh=True))
    async with db.write() as conn:
        service = await heartbeats.register(conn, "manila-data", "manila-data", "node1", "nova")
        await heartbeats.beat(conn, service)
    one = Stage(core, asker(core), backends)
    for name in ("default", "other"):
        made = await one.ask("admin", "POST", "/v2/types", {"share_type": {"name": name, "extra_specs": SPECS}})
        assert made.status == 200, made.json
    answer = await one.ask("member-a", "POST", "/v2/shares", {"share": {"size": 1, "share_proto": "NFS"}})
    one.share = answer.json["share"]["id"]
    await one.work()
    rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.5"}}
    assert (await one.ask("member-a", "POST", f"/v2/shares/{one.share}/action", rule)).status == 200
    await one.work()
    one.source = (await one.state())[2]
    one.target = "beta" if one.source == "alpha" else "alpha"
    yield one


async def type_id(stage: Stage, name: str) -> str:
    listed = (await stage.ask("admin", "GET", "/v2/types")).json["share_types"]
    return str(next(one["id"] for one in listed if one["name"] == name))


# ---- by the driver


async def test_a_move_keeps_what_is_counted(stage: Stage) -> None:
    await stage.start(KEPT)
    assert await stage.state() == ("migrating", "migration_driver_in_progress", stage.source)
    await stage.go_on()
    await stage.go_on()
    assert (await stage.admin({"migration_complete": None})).status == 202
    await stage.work()
    assert await stage.state() == ("available", "migration_success", stage.target)
    assert await stage.usage() == {"project": 1}
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{stage.share}")).status == 202
    await stage.work()
    assert await stage.usage() == {"project": 0}


@pytest.mark.parametrize(("ending", "goes_to"), [("migration_complete", "other"), ("migration_cancel", "default")])
async def test_a_new_type_counts_beside_the_old_one_until_the_end(stage: Stage, ending: str, goes_to: str) -> None:
    types = {name: await type_id(stage, name) for name in ("default", "other")}
    await stage.start(KEPT, new_share_type_id=types["other"])
    assert await stage.usage() == {"project": 2}
    assert await stage.usage(by_type=True) == {types["default"]: 1, types["other"]: 1}
    await stage.go_on()
    await stage.go_on()
    assert (await stage.admin({ending: None})).status == 202
    await stage.work()
    assert await stage.usage() == {"project": 1}
    counted = {key: n for key, n in (await stage.usage(by_type=True)).items() if n}
    assert counted == {types[goes_to]: 1}
    assert (await stage.shown())["share_type_name"] == goes_to


async def test_a_share_does_not_move_to_one_that_it_was_to_be_apart_from(stage: Stage) -> None:
    body = {"size": 1, "share_proto": "NFS", "scheduler_hints": {"different_host": stage.share}}
    other = (await stage.ask("member-a", "POST", "/v2/shares", {"share": body})).json["share"]["id"]
    await stage.work()
    host = (await stage.ask("admin", "GET", f"/v2/shares/{other}")).json["share"]["host"]
    assert host == POOL.format(stage.target, stage.target.upper())
    await stage.start(KEPT)
    assert await stage.state() == ("available", "migration_error", stage.source)
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{other}")).status == 202
    await stage.work()
    await stage.start(KEPT)
    assert await stage.state() == ("migrating", "migration_driver_in_progress", stage.source)


async def test_a_type_without_room_is_refused_before_anything_happens(stage: Stage) -> None:
    body = {"quota_set": {"shares": 1}}
    assert (await stage.ask("admin", "PUT", f"/v2/quota-sets/{TENANT_A}", body)).status == 200
    host = POOL.format(stage.target, stage.target.upper())
    wish = {"host": host, **KEPT, "new_share_type_id": await type_id(stage, "other")}
    assert refused(await stage.admin({"migration_start": wish}))[0] == 413
    assert await stage.state() == ("available", None, stage.source)
    assert await stage.usage() == {"project": 1}


@pytest.mark.parametrize("ending", ["migration_complete", "migration_cancel"])
async def test_clients_may_only_read_what_the_driver_cannot_keep_writable(stage: Stage, ending: str) -> None:
    stage.driver("source").able = {"writable": False}
    await stage.start(NOTHING)
    assert stage.driver("source").levels[-1] == ["ro"]
    await stage.go_on()
    await stage.go_on()
    assert (await stage.admin({ending: None})).status == 202
    await stage.work()
    last = "target" if ending == "migration_complete" else "source"
    assert stage.driver(last).levels[-1] == ["rw"]
    rules = (await stage.ask("member-a", "GET", f"/v2/share-access-rules?share_id={stage.share}")).json["access_list"]
    assert [(one["access_level"], one["state"]) for one in rules] == [("rw", "active")]


@pytest.mark.parametrize(
    ("able", "demand"),
    [
        ({"compatible": False}, "writable"),
        ({}, "nondisruptive"),
        ({"preserve_metadata": False}, "preserve_metadata"),
        ({"writable": False}, "writable"),
        ({"preserve_snapshots": False}, "preserve_snapshots"),
    ],
)
async def test_what_the_driver_cannot_fulfil_leaves_the_share_where_it_was(
    stage: Stage, able: dict[str, bool], demand: str
) -> None:
    stage.driver("source").able = able
    await stage.start({**NOTHING, demand: True})
    assert await stage.state() == ("available", "migration_error", stage.source)
    assert await stage.instances() == ["available"]


async def test_a_driver_that_fails_on_the_way_gives_everything_back(stage: Stage) -> None:
    await stage.start(KEPT, new_share_type_id=await type_id(stage, "other"))
    stage.driver("source").faults.fail("migration_continue")
    await stage.go_on()
    assert await stage.state() == ("available", "migration_error", stage.source)
    assert (await stage.instances(), await stage.usage()) == (["available"], {"project": 1})


async def test_a_driver_that_fails_at_the_end_leaves_both_for_an_administrator(stage: Stage) -> None:
    await stage.start(KEPT)
    await stage.go_on()
    await stage.go_on()
    stage.driver("source").faults.fail("migration_complete")
    await stage.admin({"migration_complete": None})
    await stage.work()
    assert await stage.instances() == ["error", "error"]
    assert (await stage.state())[1] == "migration_error"


async def test_what_a_broken_migration_counts_goes_with_the_share(stage: Stage) -> None:
    await stage.start(KEPT, new_share_type_id=await type_id(stage, "other"))
    await stage.go_on()
    await stage.go_on()
    stage.driver("source").faults.fail("migration_complete")
    await stage.admin({"migration_complete": None})
    await stage.work()
    assert await stage.usage() == {"project": 2}
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{stage.share}")).status == 202
    await stage.work()
    assert await stage.usage() == {"project": 0}
    assert set((await stage.usage(by_type=True)).values()) == {0}


async def test_a_driver_that_cannot_cancel_may_be_asked_again(stage: Stage) -> None:
    await stage.start(KEPT)
    stage.driver("source").faults.fail("migration_cancel")
    assert (await stage.admin({"migration_cancel": None})).status == 202
    await stage.work()
    assert await stage.state() == ("migrating", "migration_driver_in_progress", stage.source)
    assert (await stage.admin({"migration_cancel": None})).status == 202
    await stage.work()
    assert await stage.state() == ("available", "migration_cancelled", stage.source)


async def test_a_back_end_that_is_disabled_is_asked_about_the_shares_it_has(stage: Stage) -> None:
    """As for its maintenance: it takes no new shares, and yet a move may be watched and called off."""
    await stage.start(KEPT)
    body = {"host": f"node1@{stage.source}", "binary": "manila-share"}
    assert (await stage.ask("admin", "PUT", "/v2/services/disable", body)).status == 200
    progress = await stage.ask("admin", "GET", f"/v2/shares/{stage.share}/migration-progress")
    assert (progress.status, progress.json.get("task_state")) == (200, "migration_driver_in_progress"), progress.json
    assert (await stage.admin({"migration_cancel": None})).status == 202
    await stage.work()
    assert await stage.state() == ("available", "migration_cancelled", stage.source)


async def test_a_task_state_that_somebody_made_up_is_no_error_of_the_service(stage: Stage) -> None:
    for state in ("migration_driver_phase1_done", "migration_driver_in_progress", "data_copying_in_progress"):
        assert (await stage.admin({"reset_task_state": {"task_state": state}})).status == 202
        for action in ("migration_complete", "migration_cancel"):
            assert (await stage.admin({action: None})).status == 400
        answer = await stage.ask("admin", "GET", f"/v2/shares/{stage.share}/migration-progress")
        assert answer.status == (200 if state.endswith("done") else 400)


# ---- by the data service


async def folders(stage: Stage) -> list[pathlib.Path]:
    """Where the data service finds the live instances."""
    async with stage.core.db.read() as conn:
        rows = await conn.all(
            "SELECT path FROM share_instance_export_locations WHERE is_admin_only AND deleted = 0 ORDER BY id"
        )
    root = Folders(pathlib.Path(str(stage.core.settings.openkeel.data_folders)))
    return [root.folder(row["path"]) for row in rows]


async def fill(stage: Stage) -> None:
    (folder,) = await folders(stage)
    folder.mkdir(parents=True)
    (folder / "file").write_text("kept")


async def test_the_data_service_copies_what_drivers_cannot_move(stage: Stage) -> None:
    await fill(stage)
    (await folders(stage))[0].chmod(0o700)
    stage.driver("source").able = {"compatible": False}
    await stage.start(NOTHING)
    assert await stage.state() == ("migrating", "data_copying_completed", stage.source)
    progress = (await stage.ask("admin", "GET", f"/v2/shares/{stage.share}/migration-progress")).json
    assert (progress["total_progress"], progress["task_state"]) == (100, "data_copying_completed")
    rules = (await stage.ask("member-a", "GET", f"/v2/share-access-rules?share_id={stage.share}")).json["access_list"]
    assert [one["access_to"] for one in rules] == ["10.0.0.5"]
    assert (await stage.admin({"migration_complete": None})).status == 202
    await stage.work()
    assert await stage.state() == ("available", "migration_success", stage.target)
    assert [(one / "file").read_text() for one in await folders(stage)] == ["kept"]
    assert [oct(one.stat().st_mode) for one in await folders(stage)] == ["0o40700"]
    assert len(stage.driver("source").removed) == 1 and not stage.driver("target").removed
    assert stage.driver("target").levels[-1] == ["rw"]
    assert await stage.usage() == {"project": 1}


async def test_a_finished_copy_may_be_thrown_away(stage: Stage) -> None:
    await fill(stage)
    await stage.start(NOTHING, force_host_assisted_migration=True)
    assert (await stage.admin({"migration_cancel": None})).status == 202
    await stage.work()
    assert await stage.state() == ("available", "migration_cancelled", stage.source)
    assert (await stage.instances(), len(stage.driver("target").removed)) == (["available"], 1)
    assert stage.driver("source").levels[-1] == ["rw"]


async def test_a_copy_that_runs_may_be_cancelled(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(stage)
    let_go = asyncio.Event()

    async def slow(copy: Any, report: Any) -> None:
        await let_go.wait()
        if not await report(copy.progress):
            copy.cancel()
        copy.run()

    monkeypatch.setattr("worker.operations.share_copy.transfer", slow)
    host = POOL.format(stage.target, stage.target.upper())
    wish = {"host": host, **NOTHING, "force_host_assisted_migration": True}
    assert (await stage.admin({"migration_start": wish})).status == 202

    async def cancelled() -> bool:
        if (await stage.state())[1] == "data_copying_in_progress" and not let_go.is_set():
            progress = await stage.ask("admin", "GET", f"/v2/shares/{stage.share}/migration-progress")
            assert progress.status == 200, progress.json
            assert set(progress.json["details"]) == {"current_file_path", "current_file_progress"}
            assert (await stage.admin({"migration_cancel": None})).status == 202
            let_go.set()
        return (await stage.state())[1] == "migration_cancelled"

    await stage.work(until=cancelled)
    await stage.work()
    assert await stage.state() == ("available", "migration_cancelled", stage.source)
    async with stage.core.db.read() as conn:
        assert await copies.progress(conn, stage.share) is None
    assert await stage.instances() == ["available"]


async def test_a_copy_that_fails_leaves_the_share_where_it_was(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(stage)

    async def broken(*arguments: Any) -> None:
        raise ShareBackendException(msg="no")

    monkeypatch.setattr("worker.operations.share_copy.transfer", broken)
    await stage.start(NOTHING, force_host_assisted_migration=True)
    assert await stage.state() == ("available", "migration_error", stage.source)
    assert await stage.instances() == ["available"]
    assert stage.driver("source").levels[-1] == ["rw"]
    assert list(pathlib.Path(stage.core.settings.default.mount_tmp_location).iterdir()) == []


async def test_nothing_is_copied_where_nothing_is_mounted(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder of this machine would be a perfect source, and the share's data would be gone."""
    await fill(stage)

    async def nothing(self: Folders, one: Place) -> None:
        one.path.mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(Folders, "mount", nothing)
    await stage.start(NOTHING, force_host_assisted_migration=True)
    assert await stage.state() == ("available", "migration_error", stage.source)


async def test_a_destination_that_cannot_be_made_is_told(stage: Stage) -> None:
    stage.driver("target").faults.fail("create_share")
    await stage.start(NOTHING, force_host_assisted_migration=True)
    assert await stage.state() == ("available", "migration_error", stage.source)
    messages = (await stage.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert [(one["action_id"], one["resource_id"]) for one in messages] == [("002", stage.share)]


async def test_snapshots_are_not_for_the_data_service(stage: Stage) -> None:
    body = {"snapshot": {"share_id": stage.share}}
    assert (await stage.ask("member-a", "POST", "/v2/snapshots", body)).status == 202
    await stage.work()
    stage.driver("source").able = {"preserve_snapshots": False}
    await stage.start(NOTHING)
    assert await stage.state() == ("available", "migration_error", stage.source)
