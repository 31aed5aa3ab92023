"""Drivers that refuse what seldom fails: the resource says so, and may be asked for again."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from db import tasks
from drivers.base import Unfinished
from tests.handlers.catalogue import TENANT_A
from tests.handlers.conftest import stage as shares
from tests.handlers.share_stage import SPECS
from tests.handlers.share_stage import Stage as Shares
from tests.worker.test_keys import KEYS
from tests.worker.test_servers import Stage
from tests.worker.test_servers import stage as stage
from worker.operations import snapshot_access

__all__ = ["shares", "stage"]


async def _snapshot(shares: Shares, **specs: str) -> str:
    body: Any = {"share_type": {"name": "own", "extra_specs": {**SPECS, **specs}}}
    assert (await shares.ask("admin", "POST", "/v2/types", body)).status == 200
    share = await shares.share(share_type="own")
    taken = await shares.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    await shares.work()
    return f"/v2/snapshots/{taken.json['snapshot']['id']}"


def _fail(shares: Shares, method: str) -> None:
    for backend in shares.backends.values():
        driver: Any = backend.driver
        driver.faults.fail(method)


async def test_a_snapshot_that_is_not_let_go_stays_and_counts(shares: Shares) -> None:
    path = await _snapshot(shares)
    _fail(shares, "unmanage_snapshot")
    for status, used in ((200, 1), (404, 0)):
        assert (await shares.ask("admin", "POST", f"{path}/action", {"unmanage": None})).status == 202
        await shares.work()
        answer = await shares.ask("admin", "GET", path)
        assert answer.status == status
        assert status == 404 or answer.json["snapshot"]["status"] == "unmanage_error"
        usage = await shares.usage(TENANT_A)
        assert (usage["snapshots"], usage["snapshot_gigabytes"], usage["shares"]) == (used, used, 1)


async def test_a_rule_of_a_snapshot_that_is_refused_is_in_error_and_can_go(shares: Shares) -> None:
    path = await _snapshot(shares, mount_snapshot_support="True")
    _fail(shares, "snapshot_update_access")
    body: Any = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
    made = await shares.ask("member-a", "POST", f"{path}/action", body)
    await shares.work()
    listed = (await shares.ask("member-a", "GET", f"{path}/access-list")).json["snapshot_access_list"]
    assert [one["state"] for one in listed] == ["error"]
    body = {"deny_access": {"access_id": made.json["snapshot_access"]["id"]}}
    assert (await shares.ask("member-a", "POST", f"{path}/action", body)).status == 202
    await shares.work()
    assert (await shares.ask("member-a", "GET", f"{path}/access-list")).json["snapshot_access_list"] == []


async def test_a_rule_of_a_snapshot_that_is_copied_waits_and_keeps_nobody_waiting(
    shares: Shares, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_access, "PAUSE", 0.3)
    path = await _snapshot(shares, mount_snapshot_support="True")
    share = (await shares.ask("member-a", "GET", path)).json["snapshot"]["share_id"]
    done: list[str] = []
    for backend in shares.backends.values():
        _copies(backend.driver, done, 3, monkeypatch)
    body: Any = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
    made = await shares.ask("member-a", "POST", f"{path}/action", body)
    assert (await shares.ask("member-a", "POST", f"/v2/shares/{share}/action", body)).status == 200
    for states in (["applying"], ["applying"], ["active"]):
        await shares.work()
        assert await _states(shares, path) == states
        await asyncio.sleep(0.4)
    assert done[:3] == ["snapshot", "share", "snapshot"], "other work on the share is done between the looks"
    assert await shares.messages() == []
    body = {"deny_access": {"access_id": made.json["snapshot_access"]["id"]}}
    assert (await shares.ask("member-a", "POST", f"{path}/action", body)).status == 202
    await shares.work()
    assert await _states(shares, path) == []


def _copies(driver: Any, done: list[str], looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The back end has copied at its ``looks``-th look."""
    on_share, on_snapshot = driver.update_access, driver.snapshot_update_access

    async def of_share(*args: Any, **more: Any) -> Any:
        done.append("share")
        return await on_share(*args, **more)

    async def of_snapshot(*args: Any, **more: Any) -> Any:
        done.append("snapshot")
        if done.count("snapshot") < looks:
            raise Unfinished(msg="it is copied")
        return await on_snapshot(*args, **more)

    monkeypatch.setattr(driver, "update_access", of_share)
    monkeypatch.setattr(driver, "snapshot_update_access", of_snapshot)


async def test_rules_of_a_snapshot_that_is_copied_wait_together(
    shares: Shares, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await _snapshot(shares, mount_snapshot_support="True")
    for backend in shares.backends.values():
        _copies(backend.driver, [], 100, monkeypatch)
    for number in range(4):
        body: Any = {"allow_access": {"access_type": "ip", "access_to": f"10.0.0.{number}"}}
        assert (await shares.ask("member-a", "POST", f"{path}/action", body)).status == 202
    await shares.work()
    assert await _states(shares, path) == ["applying"] * 4
    async with shares.core.db.read() as conn:
        waiting = [one for one in await tasks.since(conn, 0) if one["state"] == "queued"]
    assert [one["kind"] for one in waiting] == ["snapshot_access"]


async def _states(shares: Shares, path: str) -> list[str]:
    listed = (await shares.ask("member-a", "GET", f"{path}/access-list")).json["snapshot_access_list"]
    return [one["state"] for one in listed]


async def _idle_server(stage: Stage) -> str:
    share = await stage.order(await stage.network())
    await stage.work()
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share}")
    await stage.work()
    (server,) = await stage.servers()
    return str(server["id"])


async def test_a_server_that_is_not_let_go_stays(stage: Stage) -> None:
    server = await _idle_server(stage)
    stage.driver.faults.fail("unmanage_server")
    for left in (["unmanage_error"], []):
        body: Any = {"unmanage": {"force": False}}
        answer = await stage.ask("admin", "POST", f"/v2/share-servers/{server}/action", body)
        assert answer.status == 202, answer.json
        await stage.work()
        assert [one["status"] for one in await stage.servers()] == left


async def test_a_server_that_is_not_torn_down_is_in_error_without_ports(stage: Stage) -> None:
    server = await _idle_server(stage)
    stage.driver.faults.fail("teardown_server")
    for left in (["error"], []):
        assert (await stage.ask("admin", "DELETE", f"/v2/share-servers/{server}")).status == 202
        await stage.work()
        assert [one["status"] for one in await stage.servers()] == left
        assert await stage.count("network_allocations", "deleted = 'False'") == 0


@pytest.mark.parametrize("limit", [0, 1])
async def test_the_limit_of_encryption_keys(stage: Stage, limit: int) -> None:
    specs = {"driver_handles_share_servers": "True", "encryption_support": "share_server"}
    await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "enc", "extra_specs": specs}})
    quota: Any = {"quota_set": {"encryption_keys": limit}}
    assert (await stage.ask("admin", "PUT", f"/v2/quota-sets/{TENANT_A}", quota)).status == 200
    share: Any = {"size": 1, "share_proto": "NFS", "share_network_id": await stage.network(), "share_type": "enc"}
    answers = []
    for key in (KEYS[0], KEYS[0], KEYS[1]):
        body = {"share": {**share, "encryption_key_ref": key}}
        answers.append((await stage.ask("member-a", "POST", "/v2/shares", body)).status)
    assert answers == ([200, 200, 413] if limit else [413, 413, 413])
    assert await stage.count("shares", "deleted = 'False'") == answers.count(200)


async def test_metadata_of_a_subnet_that_a_driver_acts_on_is_removed_without_it(stage: Stage) -> None:
    default = dataclasses.replace(stage.core.settings.default, driver_updatable_subnet_metadata=("mtu",))
    stage.core.settings = dataclasses.replace(stage.core.settings, default=default)
    network = await stage.network()
    (subnet,) = (await stage.ask("member-a", "GET", f"/v2/share-networks/{network}/subnets")).json[
        "share_network_subnets"
    ]
    path = f"/v2/share-networks/{network}/subnets/{subnet['id']}/metadata"
    await stage.ask("member-a", "POST", path, {"metadata": {"mtu": "9000", "other": "x"}})
    for key, told in (("other", 0), ("mtu", 1)):
        assert (await stage.ask("member-a", "DELETE", f"{path}/{key}")).status == 200
        assert await stage.count("messages", "detail_id = '031'") == told
