"""Snapshots, their instances, rules and export locations, and revert."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from db import quotas
from db.connection import Database, Row
from tests.handlers.catalogue import TENANT_A, refusal
from tests.handlers.share_world import World, make_share, world

Statements = Callable[[], AbstractContextManager[list[str]]]


@pytest.fixture
async def w(db: Database) -> AsyncIterator[World]:
    async with world(db) as made:
        yield made


async def _show(w: World, snapshot: str, who: str = "member-a") -> Row:
    answer = await w.ask(who, "GET", f"/v2/snapshots/{snapshot}")
    assert answer.status == 200, answer.content
    return dict(answer.json["snapshot"])


async def _used(w: World) -> dict[str, int]:
    async with w.db.read() as conn:
        return {name: row["in_use"] for name, row in (await quotas.usage(conn, TENANT_A)).items()}


async def test_life_of_a_snapshot(w: World) -> None:
    answer = await w.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": w.share, "name": "one"}})
    made = answer.json["snapshot"]
    assert (made["status"], made["name"], made["size"], made["metadata"]) == ("creating", "one", 1, {})
    await w.settle()
    shown = await _show(w, made["id"], "admin")
    assert shown["status"] == "available"
    assert shown["provider_location"].startswith("/path/to/fake/snapshot/snapshot_")
    assert await _used(w) == {"snapshots": 1, "snapshot_gigabytes": 1}
    assert (await w.ask("member-a", "DELETE", f"/v2/snapshots/{made['id']}")).status == 202
    await w.settle()
    assert (await w.ask("member-a", "GET", f"/v2/snapshots/{made['id']}")).status == 404
    assert await _used(w) == {"snapshots": 0, "snapshot_gigabytes": 0}


@pytest.mark.parametrize(("value", "kept"), [(False, "false"), (0, "0"), ("", ""), (None, None)])
async def test_a_name_that_is_no_text_is_shown_as_it_was_sent_once(w: World, value: Any, kept: str | None) -> None:
    body = {"snapshot": {"share_id": w.share, "name": value, "description": value}}
    made = (await w.ask("member-a", "POST", "/v2/snapshots", body)).json["snapshot"]
    assert (made["name"], made["description"]) == (value, value) and type(made["name"]) is type(value)
    shown = await _show(w, made["id"])
    assert (shown["name"], shown["description"]) == (kept, kept)


async def test_a_name_without_a_length_is_refused(w: World) -> None:
    for name in (5, True, 1.5):
        body = {"snapshot": {"share_id": w.share, "name": name}}
        text = "The server could not comply with the request since it is either malformed or otherwise incorrect."
        assert refusal(await w.ask("member-a", "POST", "/v2/snapshots", body)) == (400, text)
    body = {"snapshot": {"share_id": w.share, "display_name": 5}}
    made = (await w.ask("member-a", "POST", "/v2/snapshots", body)).json["snapshot"]
    assert (made["name"], (await _show(w, made["id"]))["name"]) == (5, "5")


async def test_a_snapshot_of_an_empty_list_of_shares(w: World) -> None:
    answer = await w.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": []}})
    assert refusal(answer) == (404, "NotFound: Resource could not be found.")


async def test_a_driver_that_fails_to_take_one(w: World) -> None:
    w.faults.fail("create_snapshot")
    snapshot = await w.snapshot()
    await w.settle()
    assert (await _show(w, snapshot))["status"] == "error"
    (message,) = (await w.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert (message["action_id"], message["resource_type"]) == ("002", "SHARE_SNAPSHOT")


async def test_a_removal_that_fails_is_repeated_and_may_be_asked_for_again(
    w: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot, other = await w.snapshot(), await w.snapshot()
    await w.settle()
    w.faults.fail("delete_snapshot")
    await w.ask("member-a", "DELETE", f"/v2/snapshots/{snapshot}")
    await w.settle()
    assert (await _show(w, snapshot))["status"] == "error_deleting"
    (message,) = (await w.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert message["action_id"] == "007"
    assert (await w.ask("member-a", "DELETE", f"/v2/snapshots/{snapshot}")).status == 202
    await w.settle()
    assert (await w.ask("member-a", "GET", f"/v2/snapshots/{snapshot}")).status == 404
    monkeypatch.setattr("worker.operations.snapshot_delete.FIRST_PAUSE", 0.05)
    w.faults.fail("delete_snapshot", count=2)
    await w.ask("member-a", "DELETE", f"/v2/snapshots/{other}")
    async with asyncio.timeout(10):
        while (await w.ask("member-a", "GET", f"/v2/snapshots/{other}")).status != 404:
            await asyncio.sleep(0.05)
    assert len((await w.ask("member-a", "GET", "/v2/messages")).json["messages"]) == 2
    assert await _used(w) == {"snapshots": 0, "snapshot_gigabytes": 0}


async def test_a_forced_removal_goes_on_without_the_back_end(w: World) -> None:
    snapshot = await w.snapshot()
    await w.settle()
    w.faults.fail("delete_snapshot")
    assert (await w.ask("admin", "POST", f"/v2/snapshots/{snapshot}/action", {"force_delete": None})).status == 202
    await w.settle()
    assert (await w.ask("member-a", "GET", f"/v2/snapshots/{snapshot}")).status == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 422),
        ([], 422),
        ({}, 400),
        ({"share_id": -1}, 400),
        ({"share_id": None}, 404),
        ({"share_id": "x"}, 404),
        ({"name": 5}, 400),
        ({"name": "x" * 256}, 400),
        ({"display_name": "x" * 256}, 400),
        ({"metadata": "x"}, 400),
        ({"metadata": {"k": ["x"]}}, 400),
    ],
)
async def test_a_broken_request_is_refused_and_nothing_counted(w: World, body: Any, status: int) -> None:
    if isinstance(body, dict) and body and "share_id" not in body:
        body = {"share_id": w.share, **body}
    assert (await w.ask("member-a", "POST", "/v2/snapshots", {"snapshot": body})).status == status
    assert await _used(w) == {}


async def test_quota_holds_under_parallel_requests(w: World) -> None:
    async with w.db.write() as conn:
        await conn.run(
            "INSERT INTO quotas (project_id, resource, hard_limit, deleted) VALUES (%s, 'snapshots', 3, 0)", (TENANT_A,)
        )
    body = {"snapshot": {"share_id": w.share}}
    answers = await asyncio.gather(*(w.ask("member-a", "POST", "/v2/snapshots", body) for _ in range(8)))
    assert sorted(answer.status for answer in answers) == [202] * 3 + [413] * 5
    await w.settle()
    assert (await _used(w))["snapshots"] == 3


async def test_pages_end_and_make_up_the_list(w: World) -> None:
    wanted = [await w.snapshot(name=f"n{n % 2}") for n in range(5)]
    await w.settle()
    for order in ("", "&sort_key=display_name&sort_dir=asc", "&sort_key=name"):
        path, seen = f"/v2/snapshots?limit=2{order}", []
        for _ in range(10):
            body = (await w.ask("member-a", "GET", path)).json
            seen += [one["id"] for one in body["snapshots"]]
            if "share_snapshots_links" not in body:
                break
            path = body["share_snapshots_links"][0]["href"].split("8786", 1)[1]
        assert sorted(seen) == sorted(wanted)
    body = (await w.ask("member-a", "GET", "/v2/snapshots?with_count=true&limit=1&name~=n")).json
    assert (body["count"], len(body["snapshots"])) == (5, 1)


@pytest.mark.parametrize(
    ("query", "who", "answer"),
    [
        ("name=a", "member-a", 1),
        ("name=b", "member-a", 0),
        ("name~=%25", "member-a", 1),
        ("name~=%5C", "member-a", 0),
        ("status=available", "member-a", 1),
        ("status=error", "member-a", 0),
        ("size=1", "member-a", 1),
        ("metadata={'k':'v'}", "member-a", 1),
        ("metadata={'k':'w'}", "member-a", 0),
        ("metadata={", "member-a", 400),
        ("metadata=[1]", "member-a", 400),
        ("sort_key=host", "member-a", 400),
        ("sort_key=status", "member-a", 400),
        ("sort_dir=x", "member-a", 400),
        ("size=abc", "member-a", 400),
        ("status=deferred_deleting", "member-a", 403),
        ("foo=", "admin", 400),
        ("usage=x", "admin", 400),
        ("all_tenants=maybe", "admin", 400),
        ("all_tenants=1", "admin", 1),
        ("", "admin", 0),
        ("all_tenants=1", "member-b", 0),
        ("offset=1", "member-a", 0),
        ("limit=0", "member-a", 0),
        ("limit=-1", "member-a", 400),
    ],
)
async def test_filters(w: World, query: str, who: str, answer: int) -> None:
    await w.snapshot(name="a", metadata={"k": "v"})
    await w.settle()
    got = await w.ask(who, "GET", f"/v2/snapshots/detail?{query}")
    assert (len(got.json["snapshots"]) if got.status == 200 else got.status) == answer, got.content


async def test_access_rules_of_a_snapshot(w: World) -> None:
    snapshot = await w.snapshot()
    await w.settle()
    path = f"/v2/snapshots/{snapshot}"
    body: dict[str, Any] = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
    made = (await w.ask("member-a", "POST", f"{path}/action", body)).json["snapshot_access"]
    assert made["state"] == "queued_to_apply"
    await w.settle()
    (rule,) = (await w.ask("member-a", "GET", f"{path}/access-list")).json["snapshot_access_list"]
    assert rule == {**made, "state": "active"}
    answer = await w.ask("member-a", "POST", f"{path}/action", body)
    assert refusal(answer) == (400, "Share snapshot access ip:10.0.0.1 exists.")
    assert (await w.ask("member-b", "GET", f"{path}/access-list")).status == 404
    body = {"deny_access": {"access_id": rule["id"]}}
    assert (await w.ask("member-a", "POST", f"{path}/action", body)).status == 202
    await w.settle()
    assert (await w.ask("member-a", "GET", f"{path}/access-list")).json == {"snapshot_access_list": []}
    for body in ({"allow_access": None}, {"allow_access": {"access_type": "ip"}}, {"deny_access": {"access_id": 5}}):
        assert (await w.ask("member-a", "POST", f"{path}/action", body)).status == 400


async def test_an_export_location_is_looked_up_within_its_snapshot(w: World, db: Database) -> None:
    snapshot = await w.snapshot()
    await w.settle()
    path = f"/v2/snapshots/{snapshot}/export-locations"
    locations = (await w.ask("admin", "GET", path)).json["share_snapshot_export_locations"]
    seen = (await w.ask("member-a", "GET", path)).json["share_snapshot_export_locations"]
    assert {one["is_admin_only"] for one in locations} == {True, False}
    assert [one["id"] for one in seen] == [one["id"] for one in locations if not one["is_admin_only"]]
    assert (await w.ask("member-a", "GET", f"{path}/{seen[0]['id']}")).status == 200
    foreign, _ = await make_share(db, project_id="c0000000000000000000000000000000")
    body = {"snapshot": {"share_id": foreign}}
    other = (await w.ask("member-b", "POST", "/v2/snapshots", body)).json["snapshot"]["id"]
    await w.settle()
    answer = await w.ask("member-b", "GET", f"/v2/snapshots/{other}/export-locations/{seen[0]['id']}")
    assert refusal(answer) == (404, "NotFound: Resource could not be found.")
    instance = locations[0]["share_snapshot_instance_id"]
    got = (await w.ask("admin", "GET", f"/v2/snapshot-instances/{instance}/export-locations")).json
    assert len(got["share_snapshot_export_locations"]) == len(locations)


async def test_revert_to_the_newest_snapshot_only(w: World) -> None:
    first = await w.snapshot()
    await w.settle()
    await w.set_share(size=3)
    assert (await w.action({"revert": {"snapshot_id": first}})).status == 202
    await w.settle()
    share = (await w.ask("member-a", "GET", f"/v2/shares/{w.share}")).json["share"]
    assert (share["status"], share["size"]) == ("available", 1)
    assert (await _show(w, first))["status"] == "available"
    second = await w.snapshot()
    await w.settle()
    status, text = refusal(await w.action({"revert": {"snapshot_id": first}}))
    assert status == 409 and text.endswith(f"Currently the latest snapshot is {second}.")
    unknown = "00000000-0000-4000-8000-00000000dead"
    assert refusal(await w.action({"revert": {"snapshot_id": unknown}}))[0] == 400


async def test_a_revert_that_fails(w: World) -> None:
    snapshot = await w.snapshot()
    await w.settle()
    w.faults.fail("revert_to_snapshot")
    await w.action({"revert": {"snapshot_id": snapshot}})
    await w.settle()
    assert (await w.ask("member-a", "GET", f"/v2/shares/{w.share}")).json["share"]["status"] == "reverting_error"
    assert (await _show(w, snapshot))["status"] == "available"
    (message,) = (await w.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert (message["action_id"], message["resource_id"]) == ("006", w.share)


async def test_metadata_of_a_snapshot(w: World) -> None:
    snapshot = await w.snapshot(metadata={"a": "b"})
    path = f"/v2/snapshots/{snapshot}/metadata"
    assert (await w.ask("member-a", "POST", path, {"metadata": {"c": "d"}})).json == {"metadata": {"c": "d"}}
    assert (await w.ask("member-a", "POST", f"{path}/a", {"metadata": {"a": "x"}})).status == 200
    assert (await w.ask("member-a", "GET", path)).json == {"metadata": {"a": "x", "c": "d"}}
    assert (await w.ask("member-a", "GET", f"{path}/c")).json == {"meta": {"c": "d"}}
    assert (await w.ask("member-a", "DELETE", f"{path}/c")).status == 200
    assert (await w.ask("member-a", "PUT", path, {"metadata": {"e": "f"}})).json == {"metadata": {"e": "f"}}
    assert (await _show(w, snapshot))["metadata"] == {"e": "f"}
    assert refusal(await w.ask("member-b", "GET", path)) == (404, "Share_snapshot not found.")


async def test_reset_of_a_status(w: World) -> None:
    snapshot = await w.snapshot()
    await w.settle()
    path = f"/v2/snapshots/{snapshot}/action"
    assert (await w.ask("member-a", "POST", path, {"reset_status": {"status": "error"}})).status == 403
    assert (await w.ask("admin", "POST", path, {"reset_status": {"status": "error"}})).status == 202
    assert (await _show(w, snapshot))["status"] == "error"
    (instance,) = (await w.ask("admin", "GET", "/v2/snapshot-instances/detail")).json["snapshot_instances"]
    assert (instance["status"], instance["share_id"]) == ("error", w.share)
    path = f"/v2/snapshot-instances/{instance['id']}/action"
    assert (await w.ask("admin", "POST", path, {"reset_status": {"status": "available"}})).status == 202
    assert (await w.ask("admin", "POST", path, {"reset_status": {"status": "x"}})).status == 400
    assert (await w.ask("admin", "POST", path, {"reset_status": {}})).status == 400


async def test_reads_take_few_statements_whatever_their_length(w: World, statements: Statements) -> None:
    made = [await w.snapshot() for _ in range(6)]
    await w.settle()
    for path, most in (
        ("/v2/snapshots/detail?with_count=true", 3),
        ("/v2/snapshots", 3),
        (f"/v2/snapshots/{made[0]}", 2),
        (f"/v2/snapshots/{made[0]}/access-list", 3),
        (f"/v2/snapshots/{made[0]}/export-locations", 3),
        (f"/v2/snapshots/{made[0]}/metadata", 2),
    ):
        with statements() as seen:
            assert (await w.ask("member-a", "GET", path)).status == 200
        read = [one for one in seen if "openkeel_tasks" not in one]
        assert len(read) <= most, read
