"""Removals that a back end fails once, or that it has nothing left for: nobody waits for an administrator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from db.connection import Database
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import SPECS, Stage, stage_over
from tests.worker.test_servers import Stage as Servers
from tests.worker.test_servers import stage as servers
from worker.periodic import Now
from worker.tasks.backups import backup_continue

__all__ = ["servers"]
GONE = "ShareResourceNotFound"


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    """The default type has every capability, the group type ``groups`` is of it."""
    async for one in stage_over(db, default_share_group_type="groups"):
        more = {"revert_to_snapshot_support": "True", "mount_snapshot_support": "True"}
        for name, specs in (("full", {**SPECS, **more}), ("replicated", {**SPECS, "replication_type": "readable"})):
            body: Any = {"share_type": {"name": name, "extra_specs": specs}}
            assert (await one.ask("admin", "POST", "/v2/types", body)).status == 200
        body = {"share_group_type": {"name": "groups", "share_types": ["default"]}}
        assert (await one.ask("admin", "POST", "/v2/share-group-types", body)).status == 200
        yield one


async def _made(stage: Stage, path: str, key: str, **body: Any) -> str:
    headers = {"X-OpenStack-Manila-API-Experimental": "true"}
    answer = await stage.ask("member-a", "POST", f"/v2/{path}", {key: body}, headers=headers)
    assert answer.status in (200, 202), answer.content
    await stage.work()
    return f"/v2/{path}/{answer.json[key]['id']}"


async def _share(stage: Stage) -> str:
    return f"/v2/shares/{(await stage.share(share_type='full'))['id']}"


async def _snapshot(stage: Stage) -> str:
    return await _made(stage, "snapshots", "snapshot", share_id=(await _share(stage)).rpartition("/")[2])


async def _replicated(stage: Stage) -> str:
    return str((await stage.share(share_type="replicated", version="2.99"))["id"])


async def _replica(stage: Stage) -> str:
    return await _made(stage, "share-replicas", "share_replica", share_id=await _replicated(stage))


async def _replicated_snapshot(stage: Stage) -> str:
    share = await _replicated(stage)
    await _made(stage, "share-replicas", "share_replica", share_id=share)
    return await _made(stage, "snapshots", "snapshot", share_id=share)


async def _group(stage: Stage) -> str:
    return await _made(stage, "share-groups", "share_group", name="g")


async def _group_snapshot(stage: Stage) -> str:
    group = (await _group(stage)).rpartition("/")[2]
    await stage.share(share_group_id=group)
    return await _made(stage, "share-group-snapshots", "share_group_snapshot", share_group_id=group)


async def _backup(stage: Stage) -> str:
    share = (await _share(stage)).rpartition("/")[2]
    path = await _made(stage, "share-backups", "share_backup", share_id=share, backup_options={"backup_type": "dummy"})
    for backend in stage.backends.values():
        await backup_continue(Now(stage.core, backend))
    return path


@dataclass(frozen=True, slots=True)
class Kind:
    """How one is made, the driver's call that removes it, and what is counted of it."""

    make: Callable[[Stage], Awaitable[str]]
    method: str
    counted: str


KINDS = {
    "share": Kind(_share, "delete_share", "shares"),
    "snapshot": Kind(_snapshot, "delete_snapshot", "snapshots"),
    "replica": Kind(_replica, "delete_replica", "share_replicas"),
    "replicated snapshot": Kind(_replicated_snapshot, "delete_replicated_snapshot", "snapshots"),
    "group": Kind(_group, "delete_share_group", "share_groups"),
    "group snapshot": Kind(_group_snapshot, "delete_share_group_snapshot", "share_group_snapshots"),
    "backup": Kind(_backup, "delete_backup", "backups"),
}


def _fail(stage: Stage, method: str, exception: str | None = None) -> None:
    for backend in stage.backends.values():
        driver: Any = backend.driver
        driver.faults.fail(method, exception=exception)


async def _ask(stage: Stage, method: str, path: str) -> Any:
    return await stage.ask("member-a", method, path, headers={"X-OpenStack-Manila-API-Experimental": "true"})


@pytest.mark.parametrize("name", KINDS)
async def test_its_owner_may_ask_again_for_a_removal_that_failed(stage: Stage, name: str) -> None:
    kind = KINDS[name]
    path = await kind.make(stage)
    before = (await stage.usage(TENANT_A))[kind.counted]
    _fail(stage, kind.method)
    assert (await _ask(stage, "DELETE", path)).status == 202
    await stage.work()
    shown = await _ask(stage, "GET", path)
    assert shown.status == 200
    (thing,) = shown.json.values()
    assert thing["status"] in ("error", "error_deleting")
    assert (await stage.usage(TENANT_A))[kind.counted] == before, "what is there counts"
    for backend in stage.backends.values():
        driver: Any = backend.driver
        driver.faults.clear()
    assert (await _ask(stage, "DELETE", path)).status == 202, "its owner may ask again"
    await stage.work()
    assert (await _ask(stage, "GET", path)).status == 404
    assert (await stage.usage(TENANT_A))[kind.counted] == before - 1


@pytest.mark.parametrize("exception", [GONE, "SnapshotResourceNotFound"])
@pytest.mark.parametrize("name", KINDS)
async def test_what_the_back_end_does_not_know_is_removed(stage: Stage, name: str, exception: str) -> None:
    kind = KINDS[name]
    if name == "share" and exception != GONE:
        exception = GONE
    path = await kind.make(stage)
    before = (await stage.usage(TENANT_A))[kind.counted]
    _fail(stage, kind.method, exception)
    assert (await _ask(stage, "DELETE", path)).status == 202
    await stage.work()
    assert (await _ask(stage, "GET", path)).status == 404
    assert (await stage.usage(TENANT_A))[kind.counted] == before - 1
    assert await stage.messages() == []


@pytest.mark.parametrize("exception", [GONE, "SnapshotResourceNotFound"])
async def test_a_rule_of_a_snapshot_that_the_back_end_does_not_know_is_removed(stage: Stage, exception: str) -> None:
    path = await _snapshot(stage)
    ids = []
    for number in range(2):
        body: Any = {"allow_access": {"access_type": "ip", "access_to": f"10.0.0.{number}"}}
        made = await stage.ask("member-a", "POST", f"{path}/action", body)
        await stage.work()
        ids.append(made.json["snapshot_access"]["id"])
    _fail(stage, "snapshot_update_access", exception)
    body = {"deny_access": {"access_id": ids[0]}}
    assert (await stage.ask("member-a", "POST", f"{path}/action", body)).status == 202
    body = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.9"}}
    assert (await stage.ask("member-a", "POST", f"{path}/action", body)).status == 202
    await stage.work()
    rules = (await _ask(stage, "GET", f"{path}/access-list")).json["snapshot_access_list"]
    assert {one["access_to"]: one["state"] for one in rules} == {"10.0.0.1": "active", "10.0.0.9": "active"}


async def test_a_share_server_that_the_back_end_does_not_know_is_removed(servers: Servers) -> None:
    share = await servers.order(await servers.network())
    await servers.work()
    await servers.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await servers.work()
    (server,) = await servers.servers()
    servers.driver.faults.fail("teardown_server", exception=GONE)
    assert (await servers.ask("admin", "DELETE", f"/v2/share-servers/{server['id']}")).status == 202
    await servers.work()
    assert await servers.servers() == []
    assert await servers.count("network_allocations", "deleted = 'False'") == 0
