"""Snapshots of share groups, and groups made from them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from db.connection import Database
from generated.runtime import Row
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import Stage, refused, stage_over
from tests.handlers.test_share_groups import GROUPS, UNKNOWN, make_group, make_group_type, show_group

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]
SNAPSHOTS = "/v2/share-group-snapshots"


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db, default_share_group_type="groups"):
        await make_group_type(one)
        yield one


async def full_group(stage: Stage, shares: int = 2) -> Row:
    """A group with shares."""
    group = await make_group(stage)
    for _ in range(shares):
        await stage.share(share_group_id=group["id"])
    return group


async def take(stage: Stage, group_id: str, **more: Any) -> Row:
    """A group snapshot, taken."""
    body = {"share_group_snapshot": {"share_group_id": group_id, **more}}
    answer = await stage.ask("member-a", "POST", SNAPSHOTS, body)
    assert answer.status == 202, answer.json
    assert answer.json["share_group_snapshot"]["members"] == []
    await stage.work()
    return await show(stage, answer.json["share_group_snapshot"]["id"])


async def show(stage: Stage, snapshot_id: str) -> Row:
    answer = await stage.ask("member-a", "GET", f"{SNAPSHOTS}/{snapshot_id}")
    assert answer.status == 200, answer.json
    found: Row = answer.json["share_group_snapshot"]
    return found


async def members_of(stage: Stage, snapshot_id: str, query: str = "") -> Row:
    found: Row = (await stage.ask("member-a", "GET", f"{SNAPSHOTS}/{snapshot_id}/members{query}")).json
    return found


async def test_life_of_a_group_snapshot(stage: Stage) -> None:
    group = await full_group(stage)
    snapshot = await take(stage, group["id"], name="one")
    assert (snapshot["status"], snapshot["name"], snapshot["share_group_id"]) == ("available", "one", group["id"])
    assert [set(one) for one in snapshot["members"]] == [{"id", "size", "share_id"}] * 2
    members = (await members_of(stage, snapshot["id"]))["share_group_snapshot_members"]
    assert [one["id"] for one in members] == [one["id"] for one in snapshot["members"]]
    shares = (await stage.ask("member-a", "GET", f"/v2/shares?share_group_id={group['id']}")).json["shares"]
    assert [one["share_id"] for one in members] == [one["id"] for one in shares], "the newest share comes first"
    assert (members[0]["share_protocol"], members[0]["share_group_snapshot_id"]) == ("NFS", snapshot["id"])
    page = await members_of(stage, snapshot["id"], "?limit=1")
    assert len(page["share_group_snapshot_members"]) == 1 == len(page["share_group_snapshot_members_links"])
    instances = (await stage.ask("admin", "GET", "/v2/snapshot-instances/detail")).json["snapshot_instances"]
    assert {one["status"] for one in instances} == {"available"} and all(one["provider_location"] for one in instances)
    path = f"/v2/shares/{members[0]['share_id']}?share_group_id={group['id']}"
    assert refused(await stage.ask("member-a", "DELETE", path)) == (
        403, "Invalid share: Share still has 1 dependent share group snapshot members.",
    )  # fmt: skip
    assert refused(await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")) == (
        409, "Invalid share group: Cannot delete a share group with snapshots",
    )  # fmt: skip
    changed = await stage.ask("member-a", "PUT", f"{SNAPSHOTS}/{snapshot['id']}", {"share_group_snapshot": {"name": 9}})
    assert changed.json["share_group_snapshot"]["name"] == 9
    assert (await stage.usage(TENANT_A))["share_group_snapshots"] == 1
    assert (await stage.ask("member-a", "DELETE", f"{SNAPSHOTS}/{snapshot['id']}")).status == 202
    await stage.work()
    gone = refused(await stage.ask("member-a", "GET", f"{SNAPSHOTS}/{snapshot['id']}"))
    assert gone == (404, f"Share group snapshot {snapshot['id']} not found.")
    assert (await stage.usage(TENANT_A))["share_group_snapshots"] == 0
    assert (await stage.ask("member-a", "DELETE", path)).status == 202


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (None, "'share_group_snapshot' is missing from the request body."),
        ({}, "Must supply 'share_group_id' attribute."),
        ({"share_group_id": 5}, "The 'share_group_id' attribute must be a uuid."),
        ({"share_group_id": UNKNOWN}, f"Share group {UNKNOWN} could not be found."),
    ],
)  # fmt: skip
async def test_group_snapshots_that_are_refused(stage: Stage, given: Any, text: str) -> None:
    answer = await stage.ask("member-a", "POST", SNAPSHOTS, {"share_group_snapshot": given})
    assert refused(answer) == (400, text)


async def test_texts_are_looked_at_last(stage: Stage) -> None:
    group = await full_group(stage, 0)
    long = {"share_group_snapshot": {"share_group_id": group["id"], "name": "x" * 256}}
    too_long = (400, "Invalid input received: name can only be 255 characters long.")
    assert refused(await stage.ask("member-a", "POST", SNAPSHOTS, long)) == too_long
    snapshot = await take(stage, group["id"])
    change = {"share_group_snapshot": {"name": "x" * 256}}
    assert refused(await stage.ask("member-a", "PUT", f"{SNAPSHOTS}/{snapshot['id']}", change)) == too_long
    assert (await stage.ask("member-a", "PUT", f"{SNAPSHOTS}/{UNKNOWN}", change)).status == 404
    assert (await stage.usage(TENANT_A))["share_group_snapshots"] == 1


async def test_group_and_shares_must_be_available(stage: Stage) -> None:
    group = await full_group(stage, 1)
    (share,) = (await stage.ask("member-a", "GET", f"/v2/shares?share_group_id={group['id']}")).json["shares"]
    body = {"share_group_snapshot": {"share_group_id": group["id"]}}
    await stage.ask("admin", "POST", f"/v2/shares/{share['id']}/action", {"reset_status": {"status": "error"}})
    assert refused(await stage.ask("member-a", "POST", SNAPSHOTS, body)) == (
        409,
        f"Invalid share group: Share {share['id']} in share group must have status of available in order to create a "
        "group snapshot",
    )
    await stage.ask("admin", "POST", f"{GROUPS}/{group['id']}/action", {"reset_status": {"status": "error"}})
    assert refused(await stage.ask("member-a", "POST", SNAPSHOTS, body)) == (
        409, "Invalid share group: Share group status must be available",
    )  # fmt: skip
    assert "share_group_snapshots" not in await stage.usage(TENANT_A)


async def test_a_driver_that_fails(stage: Stage) -> None:
    group = await full_group(stage)
    for backend in stage.backends.values():
        backend.driver.faults.fail("create_share_group_snapshot")  # type: ignore[attr-defined]
    snapshot = await take(stage, group["id"])
    assert snapshot["status"] == "error"
    for backend in stage.backends.values():
        backend.driver.faults.fail("delete_snapshot")  # type: ignore[attr-defined]
    for status in (200, 404):
        assert (await stage.ask("member-a", "DELETE", f"{SNAPSHOTS}/{snapshot['id']}")).status == 202
        await stage.work()
        assert (await stage.ask("member-a", "GET", f"{SNAPSHOTS}/{snapshot['id']}")).status == status
    assert (await stage.usage(TENANT_A))["share_group_snapshots"] == 0


async def test_a_copy_of_a_group(stage: Stage) -> None:
    group = await full_group(stage)
    snapshot = await take(stage, group["id"])
    asked = await stage.ask(
        "member-a", "POST", GROUPS, {"share_group": {"name": "c", "source_share_group_snapshot_id": snapshot["id"]}}
    )
    made = asked.json["share_group"]
    assert (made["host"], made["availability_zone"], made["share_types"]) == (
        group["host"], "nova", group["share_types"],
    )  # fmt: skip
    shares = f"/v2/shares/detail?share_group_id={made['id']}"
    assert {one["status"] for one in (await stage.ask("member-a", "GET", shares)).json["shares"]} == {"creating"}
    await stage.work()
    assert (await show_group(stage, made["id"]))["status"] == "available"
    found = (await stage.ask("admin", "GET", f"{shares}&all_tenants=1")).json["shares"]
    assert {(one["status"], one["host"], one["name"]) for one in found} == {("available", group["host"], None)}
    assert {one["source_share_group_snapshot_member_id"] for one in found} == {one["id"] for one in snapshot["members"]}
    usage = await stage.usage(TENANT_A)
    assert (usage["shares"], usage["gigabytes"], usage["share_groups"]) == (4, 4, 2)


async def test_a_copy_that_fails(stage: Stage) -> None:
    snapshot = await take(stage, (await full_group(stage))["id"])
    for backend in stage.backends.values():
        backend.driver.faults.fail("create_share_from_snapshot")  # type: ignore[attr-defined]
    copy = await make_group(stage, source_share_group_snapshot_id=snapshot["id"])
    assert copy["status"] == "error"
    found = (await stage.ask("member-a", "GET", f"/v2/shares/detail?share_group_id={copy['id']}")).json["shares"]
    assert [one["status"] for one in found] == ["error"] * 2


async def test_a_copy_that_is_refused_takes_nothing(stage: Stage) -> None:
    snapshot = await take(stage, (await full_group(stage))["id"])
    before = await stage.usage(TENANT_A)
    await stage.ask("admin", "PUT", f"/v2/quota-sets/{TENANT_A}", {"quota_set": {"shares": 3}})
    body = {"share_group": {"source_share_group_snapshot_id": snapshot["id"]}}
    answer = refused(await stage.ask("member-a", "POST", GROUPS, body))
    assert answer[0] == 413 and answer[1].startswith("ShareLimitExceeded: ")
    assert await stage.usage(TENANT_A) == before
    action = f"{SNAPSHOTS}/{snapshot['id']}/action"
    await stage.ask("admin", "POST", action, {"reset_status": {"status": "error"}})
    assert refused(await stage.ask("member-a", "POST", GROUPS, body)) == (
        409, "Invalid share group snapshot: Share group snapshot status must be available.",
    )  # fmt: skip
    assert len((await stage.ask("member-a", "GET", GROUPS)).json["share_groups"]) == 1


async def test_administrators_reset_and_force_delete(stage: Stage) -> None:
    group = await full_group(stage, 1)
    snapshot, other = await take(stage, group["id"]), await take(stage, group["id"])
    path = f"{SNAPSHOTS}/{snapshot['id']}"
    assert (await stage.ask("admin", "POST", f"{path}/action", {"reset_status": {"status": "deleting"}})).status == 202
    assert refused(await stage.ask("member-a", "DELETE", path)) == (
        409,
        "Invalid share group snapshot: Share group snapshot status must be one of ('available', 'error')",
    )
    assert (await stage.ask("member-a", "POST", f"{path}/action", {"force_delete": None})).status == 403
    assert (await stage.ask("admin", "POST", f"{path}/action", {"force_delete": None})).status == 202
    assert (await stage.ask("member-a", "GET", path)).status == 404
    assert (await stage.usage(TENANT_A))["share_group_snapshots"] == 1
    for unknown in ({"reset_status": {"status": "error"}}, {"force_delete": None}):
        assert (await stage.ask("admin", "POST", f"{path}/action", unknown)).status == 404
    (share,) = (await stage.ask("member-a", "GET", f"/v2/shares?share_group_id={group['id']}")).json["shares"]
    forced = await stage.ask("admin", "POST", f"{GROUPS}/{group['id']}/action", {"force_delete": None})
    assert refused(forced) == (400, f"Share {share['id']} has 1 share instances.")
    assert (await show(stage, other["id"]))["status"] == "available"


async def test_a_foreign_group_snapshot_is_one_that_is_not_there(stage: Stage) -> None:
    snapshot = await take(stage, (await full_group(stage, 1))["id"])

    async def answers(snapshot_id: str) -> list[tuple[int, str]]:
        path = f"{SNAPSHOTS}/{snapshot_id}"
        found = [
            await stage.ask("member-b", "GET", path),
            await stage.ask("member-b", "GET", f"{path}/members"),
            await stage.ask("member-b", "PUT", path, {"share_group_snapshot": {"name": "n"}}),
            await stage.ask("member-b", "DELETE", path),
            await stage.ask(
                "member-b", "POST", GROUPS, {"share_group": {"source_share_group_snapshot_id": snapshot_id}}
            ),
        ]
        return [(status, text.replace(snapshot_id, "ID")) for status, text in map(refused, found)]

    assert await answers(snapshot["id"]) == await answers(UNKNOWN)


async def test_lists(stage: Stage, statements: Statements) -> None:
    group = await full_group(stage)
    ids = [(await take(stage, group["id"], name=f"s{number}"))["id"] for number in range(3)]
    with statements() as seen:
        listed = await stage.ask("member-a", "GET", f"{SNAPSHOTS}/detail")
    assert len(seen) <= 3 and [one["id"] for one in listed.json["share_group_snapshots"]] == ids[::-1]
    with statements() as seen:
        await stage.ask("member-a", "GET", f"{SNAPSHOTS}/{ids[0]}")
    assert len(seen) <= 2
    for query, number in (
        ("name=s1", 1), ("share_group_id=x", 0), ("status=available&sort_key=name", 3), ("limit=2", 2),
        (f"limit=2&marker={ids[1]}", 1), ("offset=2", 1),
    ):  # fmt: skip
        found = (await stage.ask("member-a", "GET", f"{SNAPSHOTS}?{query}")).json
        assert len(found["share_group_snapshots"]) == number, query
        assert ("share_group_snapshot_links" in found) == (query == "limit=2")
    assert len((await stage.ask("admin", "GET", f"{SNAPSHOTS}?all_tenants=1")).json["share_group_snapshots"]) == 3
    assert (await stage.ask("admin", "GET", SNAPSHOTS)).json == {"share_group_snapshots": []}
    for query in ("bogus=1", "name~=s", "sort_key=host", "sort_dir=up"):
        assert (await stage.ask("member-a", "GET", f"{SNAPSHOTS}?{query}")).status == 400


async def test_the_limit_of_group_snapshots(stage: Stage) -> None:
    group = await full_group(stage, 0)
    await stage.ask("admin", "PUT", f"/v2/quota-sets/{TENANT_A}", {"quota_set": {"share_group_snapshots": 1}})
    await take(stage, group["id"])
    answer = await stage.ask("member2-a", "POST", SNAPSHOTS, {"share_group_snapshot": {"share_group_id": group["id"]}})
    assert refused(answer) == (
        413, "ShareGroupSnapshotsLimitExceeded: Maximum number of allowed share-group-snapshots is exceeded.",
    )  # fmt: skip
