"""Share groups from creation to removal, and the shares in them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from db.connection import Database
from generated.runtime import Row
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import SPECS, Stage, refused, stage_over

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]
GROUPS, UNKNOWN = "/v2/share-groups", "11111111-1111-4111-8111-111111111111"


async def make_group_type(stage: Stage, name: str = "groups", **more: Any) -> str:
    """A group type, of the default share type unless ``share_types`` says otherwise."""
    body = {"share_group_type": {"name": name, "share_types": ["default"], **more}}
    answer = await stage.ask("admin", "POST", "/v2/share-group-types", body)
    assert answer.status == 200, answer.json
    return str(answer.json["share_group_type"]["id"])


async def make_group(stage: Stage, who: str = "member-a", **fields: Any) -> Row:
    """A group, made; as an administrator sees it."""
    answer = await stage.ask(who, "POST", GROUPS, {"share_group": fields})
    assert answer.status == 202, answer.json
    await stage.work()
    return await show_group(stage, answer.json["share_group"]["id"])


async def show_group(stage: Stage, group_id: str) -> Row:
    """The group as an administrator sees it."""
    shown = await stage.ask("admin", "GET", f"{GROUPS}/{group_id}")
    assert shown.status == 200, shown.json
    found: Row = shown.json["share_group"]
    return found


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db, default_share_group_type="groups"):
        await make_group_type(one)
        yield one


async def test_life_of_a_group(stage: Stage) -> None:
    asked = await stage.ask("member-a", "POST", GROUPS, {"share_group": {"name": 5, "description": "d"}})
    made = asked.json["share_group"]
    assert (made["status"], made["name"], made["host"], made["availability_zone"]) == ("creating", 5, None, None)
    assert "share_server_id" not in made
    await stage.work()
    group = await show_group(stage, made["id"])
    assert (group["status"], group["name"], group["availability_zone"]) == ("available", "5", "nova")
    assert (group["consistent_snapshot_support"], group["share_server_id"]) == ("pool", None)
    assert group["host"].startswith("node1@") and "#" in group["host"]
    changed = await stage.ask("member-a", "PUT", f"{GROUPS}/{group['id']}", {"share_group": {"name": "new"}})
    assert (changed.json["share_group"]["name"], changed.json["share_group"]["description"]) == ("new", "d")
    assert await stage.usage(TENANT_A) == {"share_groups": 1}
    assert (await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")).status == 202
    await stage.work()
    gone = refused(await stage.ask("member-a", "GET", f"{GROUPS}/{group['id']}"))
    assert gone == (404, f"Share group {group['id']} not found.")
    assert await stage.usage(TENANT_A) == {"share_groups": 0}


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        ({}, 400, "'share_group' is missing from the request body."),
        ({"share_group": []}, 400, "'share_group' is missing from the request body."),
        ({"share_group": {"bogus": 1}}, 400, "The fields {'bogus'} are invalid."),
        ({"share_group": {"share_types": ["x"]}}, 400, "The 'share_types' attribute must be a list of uuids"),
        ({"share_group": {"share_types": 5}}, 400, None),
        ({"share_group": {"share_types": [UNKNOWN]}}, 400, f"Share type with id {UNKNOWN} could not be found."),
        ({"share_group": {"share_group_type_id": None}}, 400, "The 'share_group_type_id' attribute must be a uuid."),
        ({"share_group": {"share_group_type_id": UNKNOWN}}, 400,
         f"Invalid input received: The specified share group type {UNKNOWN} does not exist."),
        ({"share_group": {"share_network_id": "x"}}, 400, "The 'share_network_id' attribute must be a uuid."),
        ({"share_group": {"share_network_id": UNKNOWN}}, 400,
         "Invalid input received: When using a share types with the driver_handles_share_servers extra spec as False, "
         "a share_network_id must not be provided."),
        ({"share_group": {"availability_zone": "no"}}, 404, "Availability zone no could not be found."),
        ({"share_group": {"availability_zone": 5}}, 400,
         "Invalid input for field availability_zone: a text is expected."),
        ({"share_group": {"source_share_group_snapshot_id": UNKNOWN}}, 400,
         f"Share group snapshot {UNKNOWN} could not be found."),
        ({"share_group": {"source_share_group_snapshot_id": UNKNOWN, "share_types": []}}, 400,
         "Cannot supply both 'share_types' and 'source_share_group_snapshot_id' attributes."),
        ({"share_group": {"name": "x" * 256}}, 400,
         "Invalid input received: name can only be 255 characters long."),
        ({"share_group": {"name": {}}}, 400, "Invalid input for field name: a text is expected."),
    ],
)  # fmt: skip
async def test_groups_that_are_refused(stage: Stage, body: Any, status: int, text: str | None) -> None:
    answer = refused(await stage.ask("member-a", "POST", GROUPS, body))
    assert answer[0] == status and (text is None or answer[1] == text)
    assert await stage.usage(TENANT_A) == {}


async def test_types_must_agree_and_be_supported(stage: Stage) -> None:
    ids = []
    for name, servers in (("plain", "False"), ("dhss", "True")):
        specs = {"driver_handles_share_servers": servers, "availability_zones": "elsewhere"}
        made = await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": name, "extra_specs": specs}})
        ids.append(made.json["share_type"]["id"])

    async def refusal(**fields: Any) -> str:
        status, text = refused(await stage.ask("member-a", "POST", GROUPS, {"share_group": fields}))
        assert status == 400
        return text

    assert "conflicting values" in await refusal(share_types=ids)
    assert "a share_network_id must be provided" in await refusal(share_types=ids[1:])
    assert "must be a subset of the share types" in await refusal(share_types=ids[:1])
    both = await make_group_type(stage, "both", share_types=["plain", "dhss"])
    assert f"the availability zone 'nova': (plain (ID: {ids[0]}))" in await refusal(
        share_types=ids[:1], share_group_type_id=both, availability_zone="nova"
    )


async def test_a_group_without_a_pool(stage: Stage) -> None:
    host = await make_group_type(stage, "strict", group_specs={"consistent_snapshot_support": "host"})
    group = await make_group(stage, share_group_type_id=host)
    assert (group["status"], group["host"]) == ("error", None)
    assert await stage.messages() == [("001", "002")]
    share = {"share": {"size": 1, "share_proto": "NFS", "share_group_id": group["id"]}}
    answer = refused(await stage.ask("member-a", "POST", "/v2/shares", share))
    assert answer == (400, "Share group status must be available, got error.")
    assert (await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")).status == 202
    assert (await stage.ask("member-a", "GET", f"{GROUPS}/{group['id']}")).status == 404
    assert await stage.usage(TENANT_A) == {"share_groups": 0}


async def test_a_driver_that_fails(stage: Stage) -> None:
    for backend in stage.backends.values():
        backend.driver.faults.fail("create_share_group")  # type: ignore[attr-defined]
    group = await make_group(stage)
    assert (group["status"], group["availability_zone"]) == ("error", "nova")
    for backend in stage.backends.values():
        backend.driver.faults.fail("delete_share_group")  # type: ignore[attr-defined]
    for status in (200, 404):
        assert (await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")).status == 202
        await stage.work()
        assert (await stage.ask("member-a", "GET", f"{GROUPS}/{group['id']}")).status == status
    assert await stage.usage(TENANT_A) == {"share_groups": 0}
    assert await stage.messages() == []


async def test_shares_live_with_their_group(stage: Stage) -> None:
    group = await make_group(stage)
    share = await stage.share(share_group_id=group["id"])
    assert (share["share_group_id"], share["host"], share["status"]) == (group["id"], group["host"], "available")
    assert refused(await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")) == (
        409, "Invalid share group: Cannot delete a share group with shares",
    )  # fmt: skip
    recycle = await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", {"soft_delete": None}, "2.69")
    assert recycle.status == 403
    forced = refused(await stage.ask("admin", "POST", f"{GROUPS}/{group['id']}/action", {"force_delete": None}))
    assert forced == (400, f"Share {share['id']} has 1 share instances.")
    before = await stage.usage(TENANT_A)
    other = {"driver_handles_share_servers": "False", **SPECS}
    await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "other", "extra_specs": other}})
    wrong = {"share": {"size": 1, "share_proto": "NFS", "share_group_id": group["id"], "share_type": "other"}}
    assert (await stage.ask("member-a", "POST", "/v2/shares", wrong)).status == 400
    assert await stage.usage(TENANT_A) == before
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")).status == 400
    path = f"/v2/shares/{share['id']}?share_group_id={group['id']}"
    assert (await stage.ask("member-a", "DELETE", path)).status == 202
    await stage.work()
    assert (await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")).status == 202


async def test_a_group_never_goes_with_a_share_in_it(stage: Stage) -> None:
    for _ in range(6):
        group = await make_group(stage)
        share = {"share": {"size": 1, "share_proto": "NFS", "share_group_id": group["id"]}}
        put, gone = await asyncio.gather(
            stage.ask("member-a", "POST", "/v2/shares", share),
            stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}"),
        )
        assert (put.status, gone.status) in ((200, 409), (400, 202), (404, 202))
        await stage.work()
        assert (await stage.ask("member-a", "GET", f"{GROUPS}/{group['id']}")).status == (
            200 if gone.status == 409 else 404
        )


async def test_administrators_reset_and_force_delete(stage: Stage) -> None:
    group = await make_group(stage)
    action = f"{GROUPS}/{group['id']}/action"
    for body, status in (
        ({"reset_status": {"status": "creating"}}, 202), ({"reset_status": {"status": "x"}}, 400),
        ({"reset_status": {}}, 400),
    ):  # fmt: skip
        assert (await stage.ask("admin", "POST", action, body)).status == status
    assert (await stage.ask("member-a", "POST", action, {"force_delete": None})).status == 403
    assert refused(await stage.ask("member-a", "DELETE", f"{GROUPS}/{group['id']}")) == (
        409, "Invalid share group: Share group status must be one of ('available', 'error')",
    )  # fmt: skip
    assert (await stage.ask("admin", "POST", action, {"force_delete": None})).status == 202
    assert (await stage.ask("admin", "GET", f"{GROUPS}/{group['id']}")).status == 404
    assert await stage.usage(TENANT_A) == {"share_groups": 0}


async def test_a_foreign_group_is_one_that_is_not_there(stage: Stage) -> None:
    group = await make_group(stage)

    async def answers(group_id: str) -> list[tuple[int, str]]:
        path, share = f"{GROUPS}/{group_id}", {"size": 1, "share_proto": "NFS", "share_group_id": group_id}
        found = [
            await stage.ask("member-b", "GET", path),
            await stage.ask("member-b", "PUT", path, {"share_group": {"name": "n"}}),
            await stage.ask("member-b", "DELETE", path),
            await stage.ask("member-b", "POST", "/v2/shares", {"share": share}),
            await stage.ask(
                "member-b", "POST", "/v2/share-group-snapshots", {"share_group_snapshot": {"share_group_id": group_id}}
            ),
        ]
        return [(status, text.replace(group_id, "ID")) for status, text in map(refused, found)]

    assert await answers(group["id"]) == await answers(UNKNOWN)
    assert (await stage.ask("member-b", "GET", f"{GROUPS}/detail?all_tenants=1")).json == {"share_groups": []}


async def test_the_limit_is_the_projects(stage: Stage) -> None:
    quota = {"quota_set": {"share_groups": 1}}
    assert (await stage.ask("admin", "PUT", f"/v2/quota-sets/{TENANT_A}", quota)).status == 200
    await make_group(stage)
    for who in ("member-a", "member2-a"):
        answer = refused(await stage.ask(who, "POST", GROUPS, {"share_group": {}}))
        assert answer == (413, "ShareGroupsLimitExceeded: Maximum number of allowed share-groups is exceeded.")


async def test_lists(stage: Stage, statements: Statements) -> None:
    ids = [(await make_group(stage, name=f"g{number}"))["id"] for number in range(3)]
    with statements() as seen:
        listed = await stage.ask("member-a", "GET", f"{GROUPS}/detail")
    assert len(seen) <= 3 and [one["id"] for one in listed.json["share_groups"]] == ids[::-1]

    async def found(query: str, who: str = "member-a", version: str = "2.99") -> list[str]:
        headers = {"X-OpenStack-Manila-API-Experimental": "true"}
        answer = await stage.ask(who, "GET", f"{GROUPS}/detail?{query}", version=version, headers=headers)
        assert answer.status == 200, answer.json
        return [one["name"] for one in answer.json["share_groups"]]

    assert await found("sort_key=name&sort_dir=asc") == ["g0", "g1", "g2"]
    assert await found("name=g1") == ["g1"] == await found("name~=1&status=available")
    assert await found("name~=1", version="2.35") == ["g2", "g1", "g0"]
    assert await found("availability_zone=nova") == [] == await found("share_server_id=x")
    assert len(await found("share_types=x")) == 3 == len(await found("all_tenants=1", "admin"))
    assert await found("consistent_snapshot_support=host") == [] == await found("", "admin")
    for query in ("bogus=1", "sort_key=bogus", "sort_dir=up", "limit=x"):
        assert (await stage.ask("member-a", "GET", f"{GROUPS}?{query}")).status == 400
    walked, path = [], f"{GROUPS}?limit=2"
    while path:
        answer = (await stage.ask("member-a", "GET", path)).json
        walked += [one["id"] for one in answer["share_groups"]]
        links = answer.get("share_groups_links", [])
        path = links[0]["href"].partition("/v2")[2] if links else ""
        path = path and f"/v2{path}"
    assert walked == ids[::-1]


@pytest.mark.parametrize(
    ("version", "experimental", "status"),
    [("2.30", True, 404), ("2.31", True, 200), ("2.54", False, 404), ("2.55", False, 200)],
)
async def test_groups_were_an_experiment_first(stage: Stage, version: str, experimental: bool, status: int) -> None:
    headers = {"X-OpenStack-Manila-API-Experimental": "true"} if experimental else {}
    answer = await stage.ask("member-a", "GET", GROUPS, version=version, headers=headers)
    assert answer.status == status


@pytest.mark.parametrize(
    ("kind", "action", "status"),
    [
        ("share-group-types", "create", 400), ("share-group-types", "delete", 400), ("types", "create", 400),
        ("types", "delete", 403), ("types", "update", 403),
    ],
)  # fmt: skip
async def test_types_cannot_be_made_by_actions(stage: Stage, kind: str, action: str, status: int) -> None:
    path = f"/v2/{kind}/{UNKNOWN}/action"
    assert (await stage.ask("member-a", "POST", path, {action: {"name": "x"}})).status == status
    assert (await stage.ask("admin", "POST", path, {action: {"name": "x"}})).status == 400
