"""Shares from creation to removal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import Stage, refused

Statements = Callable[[], contextlib.AbstractContextManager[list[str]]]


async def test_a_share_becomes_available_and_goes(stage: Stage) -> None:
    answer = await stage.ask("member-a", "POST", "/v2/shares", {"share": {"size": 2, "share_proto": "nfs"}}, "2.7")
    share = answer.json["share"]
    assert (share["status"], share["availability_zone"], share["share_proto"]) == ("creating", None, "NFS")
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}", version="2.0")).json["share"]
    assert (shown["status"], shown["availability_zone"], shown["size"]) == ("available", "nova", 2)
    assert len(shown["export_locations"]) == 3 and shown["export_location"] in shown["export_locations"]
    assert await stage.usage(TENANT_A) == {"shares": 1, "gigabytes": 2}
    gone = await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")
    assert (gone.status, gone.content) == (202, b"")
    await stage.work()
    assert refused(await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}"))[0] == 404
    assert await stage.usage(TENANT_A) == {"shares": 0, "gigabytes": 0}


async def test_reads_take_few_statements(stage: Stage, statements: Statements) -> None:
    ids = [(await stage.share(metadata={"n": str(number)}))["id"] for number in range(3)]
    with statements() as seen:
        await stage.ask("member-a", "GET", f"/v2/shares/{ids[0]}")
    assert len(seen) <= 2
    with statements() as seen:
        await stage.ask("member-a", "GET", "/v2/shares/detail?with_count=true")
    assert len(seen) <= 3


async def test_creation_takes_few_statements(stage: Stage, statements: Statements) -> None:
    with statements() as seen:
        await stage.ask("member-a", "POST", "/v2/shares", {"share": {"size": 1, "share_proto": "NFS"}})
    assert len(seen) <= 9, seen


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"size": 0}, (400, "Invalid input received: Share size '0' must be an integer and greater than 0.")),
        ({"size": True}, (400, "Invalid input received: Share size 'True' must be an integer and greater than 0.")),
        ({"availability_zone": "mars"}, (404, "Availability zone mars could not be found.")),
        ({"share_type": "no-such"}, (404, "Share type not found.")),
        ({"share_type": "default", "volume_type": "x"}, (400, "Cannot specify both share_type and volume_type")),
        ({"is_public": True}, (403, "User is not authorized to set 'is_public' to True in the request.")),
        ({"metadata": {"": "x"}}, (400, "Metadata property key is blank.")),
        ({"name": "x" * 256}, (400, "Invalid input received: name can only be 255 characters long.")),
        ({"share_network_id": "none"}, (404, "Share network none could not be found.")),
        ({"snapshot_id": "none"}, (404, "ShareSnapshotNotFound: Snapshot none could not be found.")),
        ({"scheduler_hints": {"same_host": "x"}}, (400, "x is not a valid uuid.")),
        ({"size": 1001}, (413, None)),
    ],
)
async def test_refusals_take_nothing(stage: Stage, fields: dict[str, object], expected: tuple[int, str | None]) -> None:
    body = {"share": {"size": 1, "share_proto": "NFS", **fields}}
    status, text = refused(await stage.ask("member-a", "POST", "/v2/shares", body))
    assert status == expected[0] and (expected[1] is None or text == expected[1])
    assert not any((await stage.usage(TENANT_A)).values())
    assert (await stage.ask("admin", "GET", "/v2/shares?all_tenants=1")).json["shares"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"size": None}, {"share_proto": None}, {"share_proto": 5}, {"name": {"a": 1}}, {"name": ["x"]},
        {"display_name": "x" * 256}, {"metadata": "text"}, {"metadata": {"a": ["x"]}}, {"metadata": {"a": {"b": 1}}},
        {"scheduler_hints": "text"}, {"scheduler_hints": ["x"]}, {"scheduler_hints": {"same_host": ["x"]}},
        {"share_group_id": ""}, {"size": 2**40},
    ],
)  # fmt: skip
async def test_what_the_original_answers_with_500(stage: Stage, fields: dict[str, object]) -> None:
    body = {"share": {"size": 1, "share_proto": "NFS", **fields}}
    assert (await stage.ask("member-a", "POST", "/v2/shares", body)).status in (400, 413)


@pytest.mark.parametrize("hint", ["same_host", "different_host", "only_host"])
@pytest.mark.parametrize("value", ["", [], None])
async def test_a_hint_that_names_nothing(stage: Stage, hint: str, value: object) -> None:
    """An empty text names a share that is not there, so that no pool will do; the pool of ``only_host`` is any then."""
    share = await stage.share(version="2.99", scheduler_hints={hint: value})
    lost = value is not None and hint != "only_host"
    assert share["status"] == ("error" if lost else "available")
    assert await stage.messages() == ([("001", "002")] if lost else [])


async def test_pages_end_and_cover_the_list(stage: Stage) -> None:
    everything = [(await stage.share(name=f"n{number}"))["id"] for number in range(5)]
    seen: list[str] = []
    path: str | None = "/v2/shares?limit=2"
    while path:
        body = (await stage.ask("member-a", "GET", path)).json
        seen += [one["id"] for one in body["shares"]]
        links = body.get("shares_links")
        path = "/v2/" + links[0]["href"].split("/v2/")[1] if links else None
    assert seen == everything[::-1]


async def test_names_are_searched_by_regular_expressions(stage: Stage) -> None:
    """As the original does on its databases; what is none, which is a 500 there, is a text that a name contains."""
    for name in ("s", "ss", "s.x", "S", "a_b", "a(b", r"\d\pN", "*"):
        await stage.share(name=name, description=f"of {name}")
    for pattern, found in {
        "^s$": ["s"], "^s": ["s", "s.x", "ss"], "s.x": ["s.x"], "_": ["a_b"], "[[:alpha:]]{2}": ["ss", r"\d\pN"],
        "(?i)^S": ["S", "s", "s.x", "ss"], "^(S|a.*)$": ["S", "a(b", "a_b"], "(": ["a(b"], "*": ["*"],
        r"\pN": [r"\d\pN"], r"\d": [], "***=s": [], r"(s)\1": [], "a{1000}": [], "(?=s)": [],
    }.items():  # fmt: skip
        listed = await stage.ask("member-a", "GET", f"/v2/shares?{urlencode({'name~': pattern})}")
        assert sorted(one["name"] for one in listed.json["shares"]) == sorted(found), pattern
        counted = await stage.ask("member-a", "GET", f"/v2/shares?with_count=True&{urlencode({'name~': pattern})}")
        assert counted.json["count"] == len(found)
    described = await stage.ask("member-a", "GET", f"/v2/shares?{urlencode({'description~': '^of s$'})}")
    assert [one["name"] for one in described.json["shares"]] == ["s"]


async def test_filters(stage: Stage) -> None:
    await stage.share(name="a", metadata={"k": "v"})
    await stage.share(name="a%b", description="text \\ here")

    async def names(query: str, version: str = "2.99", who: str = "member-a") -> list[str]:
        answer = await stage.ask(who, "GET", f"/v2/shares?{query}", version=version)
        assert answer.status == 200, answer.json
        return sorted(one["name"] for one in answer.json["shares"])

    assert await names("name~=%25") == ["a%b"]
    assert await names("description~=%5C") == ["a%b"]
    assert await names("name~=%25", "2.35") == ["a", "a%b"]
    assert await names("metadata=%7B'k':'v'%7D") == ["a"]
    assert await names("metadata=%7B%7D") == ["a", "a%b"]
    assert await names("status=error") == []
    assert await names("availability_zone=mars") == []
    assert await names("availability_zone=mars", "2.96") == ["a", "a%b"]
    assert await names("all_tenants=1", who="admin") == ["a", "a%b"]
    assert await names("", who="admin") == []
    assert await names("bogus=1") == ["a", "a%b"]
    for query in ("metadata=x", "is_public=bogus", "sort_key=bogus", "limit=x", "offset=-1"):
        assert (await stage.ask("member-a", "GET", f"/v2/shares?{query}")).status == 400, query
    assert (await stage.ask("member-a", "GET", "/v2/shares?host=x")).status == 403
    assert (await stage.ask("member-a", "GET", "/v2/shares/%00")).status == 404


async def test_extend_and_shrink(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}/action"
    assert (await stage.ask("member-a", "POST", path, {"extend": {"new_size": 3}})).status == 202
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["size"]) == ("extending", 1)
    await stage.work()
    assert await stage.usage(TENANT_A) == {"shares": 1, "gigabytes": 3}
    assert (await stage.ask("member-a", "POST", path, {"shrink": {"new_size": 2}})).status == 202
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["size"]) == ("available", 2)
    assert await stage.usage(TENANT_A) == {"shares": 1, "gigabytes": 2}
    status, _ = refused(await stage.ask("member-a", "POST", path, {"extend": {"new_size": 5000}}))
    assert status == 403
    await stage.ask("member-a", "POST", path, {"extend": {"new_size": 2}})
    assert await stage.usage(TENANT_A) == {"shares": 1, "gigabytes": 2}


async def test_no_room_tells_the_owner(stage: Stage) -> None:
    specs = {"share_backend_name": "nowhere", "driver_handles_share_servers": "False"}
    await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "odd", "extra_specs": specs}})
    share = await stage.share(share_type="odd")
    assert share["status"] == "error"
    assert await stage.messages() == [("001", "008")]


async def test_a_removal_that_fails_is_repeated_and_may_be_asked_for_again(stage: Stage) -> None:
    share = await stage.share()
    driver = stage.backends[share["host"].split("@")[1].split("#")[0]].driver
    driver.faults.fail("delete_share", count=1, message="busy")  # type: ignore[attr-defined]
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert shown["status"] == "error_deleting"
    assert await stage.messages() == [("007", "001")]
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")).status == 202
    await stage.work()
    assert (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).status == 404
    assert await stage.usage(TENANT_A) == {"shares": 0, "gigabytes": 0}


async def test_a_removal_that_fails_is_tried_again_by_itself(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.operations.share_delete.FIRST_PAUSE", 0.05)
    share = await stage.share()
    driver = stage.backends[share["host"].split("@")[1].split("#")[0]].driver
    driver.faults.fail("delete_share", count=2, message="busy")  # type: ignore[attr-defined]
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")
    async with asyncio.timeout(20):
        while (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).status != 404:
            await stage.work()
            await asyncio.sleep(0.05)
    assert await stage.messages() == [("007", "001")], "told once, however often it was tried"
    assert await stage.usage(TENANT_A) == {"shares": 0, "gigabytes": 0}


async def test_the_recycle_bin(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}/action"
    assert (await stage.ask("member-a", "POST", path, {"soft_delete": None})).status == 202
    assert (await stage.ask("member-a", "GET", "/v2/shares")).json["shares"] == []
    kept = (await stage.ask("member-a", "GET", "/v2/shares/detail?is_soft_deleted=true")).json["shares"]
    assert kept[0]["is_soft_deleted"] and kept[0]["scheduled_to_be_deleted_at"]
    assert (await stage.ask("member-a", "POST", path, {"restore": None})).status == 202
    assert (await stage.ask("member-a", "POST", path, {"restore": None})).status == 200


async def test_a_private_default_type_is_for_the_projects_that_were_given_it(stage: Stage) -> None:
    types = (await stage.ask("admin", "GET", "/v2/types")).json["share_types"]
    ident = types[0]["id"]
    private = {"share_type": {"share_type_access:is_public": False}}
    assert (await stage.ask("admin", "PUT", f"/v2/types/{ident}", private)).status == 200
    body = {"share": {"size": 1, "share_proto": "NFS"}}
    text = f"ShareTypeNotFound: Share type {ident} could not be found."
    assert refused(await stage.ask("member-a", "POST", "/v2/shares", body)) == (404, text)
    assert (await stage.ask("member-a", "GET", "/v2/shares")).json["shares"] == []
    assert await stage.usage("b0000000000000000000000000000000") == {}
    assert (await stage.ask("admin", "POST", "/v2/shares", body)).status == 200
    access = {"addProjectAccess": {"project": "b0000000000000000000000000000000"}}
    assert (await stage.ask("admin", "POST", f"/v2/types/{ident}/action", access)).status == 202
    assert (await stage.ask("member-a", "POST", "/v2/shares", body)).status == 200
