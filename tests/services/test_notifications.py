"""Events stand in the outbox exactly when the change they tell of stands in its table."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from db import notifications as outbox
from db.connection import Database
from generated.settings import OsloMessagingNotificationsSection
from services import notifications
from tests.conformance import notifications as recorded
from tests.handlers.share_stage import Stage, stage_over


@pytest.fixture
async def stage(db: Database) -> Any:
    async for one in stage_over(db):
        configure(one, "test")
        yield one


def configure(stage: Stage, *drivers: str) -> None:
    section = OsloMessagingNotificationsSection(driver=drivers)
    stage.core.settings = dataclasses.replace(stage.core.settings, oslo_messaging_notifications=section)


async def told(stage: Stage) -> list[dict[str, Any]]:
    async with stage.core.db.read() as conn:
        return await outbox.since(conn, 0)


def original(event: str) -> list[str]:
    """The keys of an event's payload, as the original sends it."""
    return next(keys for one, keys in recorded.recorded("share-lifecycle") or [] if one.endswith(event))


async def test_a_shares_life_is_told_in_order_with_the_originals_keys(stage: Stage) -> None:
    share = await stage.share()
    for body in ({"extend": {"new_size": 3}}, {"shrink": {"new_size": 2}}):
        await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", body, "2.55")
        await stage.work()
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}", version="2.55")
    await stage.work()
    found = await told(stage)
    assert [one["event_type"].removeprefix("share.") for one in found] == [
        *("create.start", "create.end", "extend.start", "extend.end"),
        *("shrink.start", "shrink.end", "delete.start", "delete.end"),
    ]
    assert {tuple(recorded.keys(one["payload"])) for one in found} == {tuple(original("share.create.start"))}
    sizes = [one["payload"]["size"] for one in found]
    assert sizes == [1, 1, 1, 3, 3, 2, 2, 2]
    assert [one["payload"]["status"] for one in found[::2]] == ["creating", "extending", "shrinking", "deleting"]


async def test_no_driver_or_noop_writes_nothing(stage: Stage) -> None:
    for drivers in ((), ("noop",)):
        configure(stage, *drivers)
        await stage.share()
        assert await told(stage) == []


async def test_what_is_rolled_back_is_not_told(stage: Stage) -> None:
    with pytest.raises(RuntimeError):
        async with stage.core.db.write() as conn:
            await notifications.tell(conn, stage.core.settings, "shareType", "share_type.create", {})
            raise RuntimeError
    assert await told(stage) == []


async def test_an_event_of_one_name_is_told_once(stage: Stage) -> None:
    for _ in range(2):
        async with stage.core.db.write() as conn:
            await notifications.tell(conn, stage.core.settings, "share", "share.create.start", {}, once="1:create")
    assert len(await told(stage)) == 1


async def test_no_pool_is_told_with_what_was_asked(stage: Stage) -> None:
    body = {"share_type": {"name": "nowhere", "extra_specs": {"driver_handles_share_servers": "True"}}}
    await stage.ask("admin", "POST", "/v2/types", body)
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_types SET name = 'x' WHERE name = 'default'")
        await conn.run("UPDATE share_types SET name = 'default' WHERE name = 'nowhere'")
        await conn.run(
            "UPDATE share_type_extra_specs SET spec_value = 'False' WHERE share_type_id ="
            " (SELECT id FROM share_types WHERE name = 'default')"
        )
        await conn.run(
            "INSERT INTO share_type_extra_specs (share_type_id, spec_key, spec_value, deleted)"
            " SELECT id, 'share_backend_name', 'NONE', 0 FROM share_types WHERE name = 'default'"
        )
    share = await stage.share()
    assert share["status"] == "error"
    *_, last = await told(stage)
    assert (last["priority"], last["event_type"]) == ("ERROR", "scheduler.create_share")
    wanted = dict(recorded.recorded("csi-driver") or [])["ERROR scheduler.node1 scheduler.create_share"]
    assert recorded.keys(last["payload"]) == wanted
    assert last["payload"]["reason"].startswith("NoValidHost('No valid host was found. Failed to find a weighted host,")


async def test_share_types_are_told_and_so_are_refusals(stage: Stage) -> None:
    body = {"share_type": {"name": "t", "extra_specs": {"driver_handles_share_servers": "False"}}}
    made = (await stage.ask("admin", "POST", "/v2/types", body)).json["share_type"]
    await stage.ask("admin", "POST", "/v2/types", body)
    path = f"/v2/types/{made['id']}"
    await stage.ask("admin", "POST", f"{path}/extra_specs", {"extra_specs": {"a": "b"}})
    await stage.ask("admin", "PUT", f"{path}/extra_specs/a", {"a": "c"})
    await stage.ask("admin", "DELETE", f"{path}/extra_specs/a")
    await stage.ask("admin", "PUT", path, {"share_type": {"description": "d"}})
    await stage.ask("admin", "DELETE", path)
    await stage.ask("admin", "DELETE", path)
    found = await told(stage)
    assert [(one["priority"], one["event_type"], sorted(one["payload"])) for one in found] == [
        ("INFO", "share_type.create", ["share_types"]),
        ("ERROR", "share_type.create", ["error_message", "share_types"]),
        ("INFO", "share_type_extra_specs.create", ["specs", "type_id"]),
        ("INFO", "share_type_extra_specs.update", ["id", "type_id"]),
        ("INFO", "share_type_extra_specs.delete", ["id", "type_id"]),
        ("INFO", "share_type.update", ["share_types"]),
        ("INFO", "share_type.delete", ["share_types"]),
        ("ERROR", "share_type.delete", ["error_message", "id"]),
    ]
    assert found[1]["payload"]["error_message"] == "Share Type t already exists."
