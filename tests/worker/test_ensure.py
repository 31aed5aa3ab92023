"""What a back end exports anew when it starts: everything, or nothing if it is as it was; and where the shares are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import backend_info
from db.connection import Database
from tests.handlers.share_stage import Stage, stage_over
from worker.operation import Backend
from worker.service import ShareManager


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db):
        yield one


def _manager(stage: Stage) -> ShareManager:
    return ShareManager(stage.core, list(stage.backends.values()), zone="nova")


async def _host(stage: Stage) -> Backend:
    """The back end that the only share is on."""
    async with stage.core.db.read() as conn:
        row = await conn.one("SELECT split_part(host, '#', 1) AS host FROM share_instances")
    assert row is not None
    return next(one for one in stage.backends.values() if one.host == row["host"])


async def test_shares_are_exported_again_when_the_back_end_has_changed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.share()
    backend, info = await _host(stage), {"b": 2, "a": "1"}

    async def say() -> dict[str, Any]:
        return info

    monkeypatch.setattr(backend.driver, "get_backend_info", say)
    manager, orders = _manager(stage), []
    for change in ({}, {}, {"a": "2"}, {}):
        info |= change
        orders.append(await manager.export_anew(backend))
        await stage.work()
    assert orders == [1, None, 1, None]
    async with stage.core.db.read() as conn:
        assert await backend_info.known(conn, backend.host) == "c9ceec69403a9e68dbd24bbf88aa4bdc36242276"


async def test_a_driver_that_says_nothing_exports_at_every_start(stage: Stage) -> None:
    await stage.share()
    backend, manager = await _host(stage), _manager(stage)
    for _ in range(2):
        assert await manager.export_anew(backend) == 1
        await stage.work()


async def test_one_that_cannot_say_does_not_start(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = stage.backends["alpha"]

    async def fail() -> dict[str, Any]:
        raise RuntimeError("no")

    monkeypatch.setattr(backend.driver, "get_backend_info", fail)
    with pytest.raises(RuntimeError):
        await _manager(stage).export_anew(backend)


@pytest.mark.parametrize(("pool", "shown"), [("east", "#east"), (None, ""), (RuntimeError("no"), "")])
async def test_a_share_without_a_pool_gets_the_drivers(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, pool: Any, shown: str
) -> None:
    await stage.share()
    backend = await _host(stage)

    async def name(share: Any) -> str | None:
        if isinstance(pool, Exception):
            raise pool
        return str(pool) if pool else None

    monkeypatch.setattr(backend.driver, "get_pool", name)
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_instances SET host = %s", (backend.host,))
    assert await _manager(stage).export_anew(backend) == 1
    await stage.work()
    async with stage.core.db.read() as conn:
        row = await conn.one("SELECT host, status FROM share_instances")
    assert row == {"host": backend.host + shown, "status": "available"}


async def test_a_driver_may_be_told_of_one_rule_at_a_time(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The older calls: a rule that changes is denied and allowed again, one that is refused is in error alone."""
    share = await stage.share()
    driver, calls = (await _host(stage)).driver, []

    async def cannot(*arguments: Any, **more: Any) -> Any:
        raise NotImplementedError

    async def allow(share: Any, rule: Any, share_server: Any = None) -> str | None:
        calls.append(("allow", rule["access_to"], rule["access_level"]))
        if rule["access_to"] == "10.0.0.66":
            raise RuntimeError("not this one")
        return f"key of {rule['access_to']}"

    async def deny(share: Any, rule: Any, share_server: Any = None) -> None:
        calls.append(("deny", rule["access_to"], rule["access_level"]))

    for name, call in (("update_access", cannot), ("allow_access", allow), ("deny_access", deny)):
        monkeypatch.setattr(driver, name, call)
    ids = {}
    for address in ("10.0.0.1", "10.0.0.66"):
        rule: Any = {"allow_access": {"access_type": "ip", "access_to": address}}
        answer = await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", rule)
        ids[address] = answer.json["access"]["id"]
        await stage.work()
    listed = await stage.ask("member-a", "GET", f"/v2/share-access-rules?share_id={share['id']}")
    assert {one["access_to"]: (one["state"], one["access_key"]) for one in listed.json["access_list"]} == {
        "10.0.0.1": ("active", "key of 10.0.0.1"),
        "10.0.0.66": ("error", None),
    }
    for one in ids.values():
        await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", {"deny_access": {"access_id": one}})
        await stage.work()
    assert [call[:2] for call in calls] == [
        ("allow", "10.0.0.1"), ("allow", "10.0.0.66"), ("deny", "10.0.0.1"), ("deny", "10.0.0.66"),
    ]  # fmt: skip
    listed = await stage.ask("member-a", "GET", f"/v2/share-access-rules?share_id={share['id']}")
    assert listed.json["access_list"] == []
