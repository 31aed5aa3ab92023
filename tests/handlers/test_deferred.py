"""Removal in the background: the owner is rid of it at once, the back end whenever it can."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import Stage
from worker.periodic import Now
from worker.tasks.deferred import deferred_share_deletion, deferred_snapshot_deletion


@pytest.fixture
def lazy(stage: Stage) -> Stage:
    """The stage with deferred deletion."""
    default = dataclasses.replace(stage.core.settings.default, is_deferred_deletion_enabled=True)
    stage.core.settings = dataclasses.replace(stage.core.settings, default=default)
    return stage


def _fail(stage: Stage, method: str, count: int = 1) -> None:
    for one in stage.backends.values():
        driver: Any = one.driver
        driver.faults.fail(method, count)


async def _again(stage: Stage) -> None:
    for task in (deferred_snapshot_deletion, deferred_share_deletion):
        for backend in stage.backends.values():
            await task(Now(stage.core, backend))
        await stage.work()


async def _status(stage: Stage, path: str) -> Any:
    answer = await stage.ask("admin", "GET", path)
    return next(iter(answer.json.values()))["status"] if answer.status == 200 else answer.status


async def test_a_share_goes_after_its_snapshots(lazy: Stage) -> None:
    share = await lazy.share(size=2)
    body = {"snapshot": {"share_id": share["id"]}}
    snapshot = (await lazy.ask("member-a", "POST", "/v2/snapshots", body)).json["snapshot"]["id"]
    await lazy.work()
    _fail(lazy, "delete_snapshot", 2)
    assert (await lazy.ask("member-a", "DELETE", f"/v2/snapshots/{snapshot}")).status == 202
    assert await lazy.usage(TENANT_A) == {"shares": 1, "gigabytes": 2, "snapshots": 0, "snapshot_gigabytes": 0}
    await lazy.work()
    assert await _status(lazy, f"/v2/snapshots/{snapshot}") == "error_deferred_deleting"
    assert (await lazy.ask("member-a", "GET", f"/v2/snapshots/{snapshot}")).status == 404
    assert (await lazy.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")).status == 202
    assert set((await lazy.usage(TENANT_A)).values()) == {0}
    await lazy.work()
    assert await _status(lazy, f"/v2/shares/{share['id']}") == "error_deferred_deleting"
    await _again(lazy)
    assert await _status(lazy, f"/v2/shares/{share['id']}") == "error_deferred_deleting"
    await _again(lazy)
    assert await _status(lazy, f"/v2/snapshots/{snapshot}") == 404
    assert await _status(lazy, f"/v2/shares/{share['id']}") == 404
    assert set((await lazy.usage(TENANT_A)).values()) == {0}
    assert await lazy.messages() == [("007", "001")]


async def test_a_refused_share_stays_hidden_and_is_counted_once(lazy: Stage) -> None:
    other = await lazy.share()
    share = await lazy.share()
    _fail(lazy, "delete_share", 2)
    await lazy.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")
    await lazy.work()
    assert await _status(lazy, f"/v2/shares/{share['id']}") == "error_deferred_deleting"
    assert (await lazy.ask("member-a", "GET", f"/v2/shares/{share['id']}")).status == 404
    await _again(lazy)
    assert await _status(lazy, f"/v2/shares/{share['id']}") == "error_deferred_deleting"
    forced = await lazy.ask("admin", "POST", f"/v2/shares/{share['id']}/action", {"force_delete": None})
    assert forced.status == 202
    await lazy.work()
    assert await _status(lazy, f"/v2/shares/{share['id']}") == 404
    assert await lazy.usage(TENANT_A) == {"shares": 1, "gigabytes": other["size"]}


async def test_an_administrator_lets_a_back_end_export_again(stage: Stage) -> None:
    share = await stage.share()
    host = share["host"].partition("#")[0]
    path, body = "/v2/services/ensure-shares", {"ensure_shares": {"host": host}}
    assert (await stage.ask("admin", "POST", path, body)).status == 409
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE services SET state = 'up'")
    for wrong, status in ((None, 400), ({"ensure_shares": {"host": "nowhere"}}, 404)):
        assert (await stage.ask("admin", "POST", path, wrong)).status == status
    assert (await stage.ask("member-a", "POST", path, body)).status == 403
    for fault in (None, "NotImplementedError", "ShareBackendException"):
        if fault:
            driver: Any = stage.backends[host.partition("@")[2]].driver
            driver.faults.fail("ensure_shares", exception=fault)
        assert (await stage.ask("admin", "POST", path, body)).status == 202
        services = (await stage.ask("admin", "GET", f"/v2/services?host={host}")).json["services"]
        assert (await _status(stage, f"/v2/shares/{share['id']}"), services[0]["ensuring"]) == ("ensuring", True)
        await stage.work()
        services = (await stage.ask("admin", "GET", f"/v2/services?host={host}")).json["services"]
        assert (await _status(stage, f"/v2/shares/{share['id']}"), services[0]["ensuring"]) == ("available", False)
