"""Share types: visibility, texts of refusals, and that no placeholder is left unfilled."""

from __future__ import annotations

from typing import Any

import pytest

from db import share_types
from db.connection import Database
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over, refusal

PRIVATE: dict[str, Any] = {"share_type_access:is_public": False}


@pytest.fixture
def ask(db: Database) -> Ask:
    return asker(core_over(db))


def type_body(name: str = "gold", **more: Any) -> dict[str, Any]:
    specs = {"driver_handles_share_servers": "False", **more.pop("specs", {})}
    return {"share_type": {"name": name, "extra_specs": specs, **more}}


async def made(ask: Ask, name: str = "gold", **more: Any) -> str:
    answer = await ask("admin", "POST", "/v2/types", type_body(name, **more))
    assert answer.status == 200, answer.content
    return str(answer.json["share_type"]["id"])


async def test_a_private_type_is_like_an_unknown_one_until_it_is_given(ask: Ask) -> None:
    id_ = await made(ask, "private", **PRIVATE)
    assert refusal(await ask("member-a", "GET", f"/v2/types/{id_}")) == (404, "Share type not found.")
    assert (await ask("member-a", "GET", "/v2/types")).json["share_types"] == []
    given = await ask("admin", "POST", f"/v2/types/{id_}/action", {"addProjectAccess": {"project": TENANT_A}})
    assert (given.status, given.content) == (202, b"")
    assert (await ask("member-a", "GET", f"/v2/types/{id_}")).status == 200
    assert (await ask("member-b", "GET", f"/v2/types/{id_}")).status == 404
    listed = await ask("admin", "GET", f"/v2/types/{id_}/share_type_access")
    assert listed.json == {"share_type_access": [{"share_type_id": id_, "project_id": TENANT_A}]}


async def test_refusals_of_access_name_type_and_project(ask: Ask) -> None:
    id_ = await made(ask, "private", **PRIVATE)
    body = {"addProjectAccess": {"project": TENANT_A}}
    await ask("admin", "POST", f"/v2/types/{id_}/action", body)
    assert refusal(await ask("admin", "POST", f"/v2/types/{id_}/action", body)) == (
        409,
        f"Share type access for {id_} / {TENANT_A} combination already exists.",
    )
    body = {"removeProjectAccess": {"project": TENANT_A}}
    await ask("admin", "POST", f"/v2/types/{id_}/action", body)
    assert refusal(await ask("admin", "POST", f"/v2/types/{id_}/action", body)) == (
        404,
        f"Share type access not found for {id_} / {TENANT_A} combination.",
    )
    assert refusal(await ask("admin", "POST", "/v2/types/nope/action", body)) == (
        404,
        "Share type nope could not be found.",
    )


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (type_body(specs={"availability_zones": "a,,b"}), "availability_zones"),
        (type_body(specs={"snapshot_support": "perhaps"}), "perhaps"),
        (type_body(specs={"replication_type": "best"}), "replication_type"),
        (type_body(specs={"provisioning:max_share_size": "0"}), "share_size must be >= 1"),
        (type_body(specs={"k": 5}), "k: 5"),
        (type_body(specs={"k" * 256: "v"}), "Invalid extra_spec"),
        (type_body(specs={"k": "v" * 256}), "Invalid extra_spec"),
        (type_body(**{"share_type_access:is_public": "maybe"}), "share_type_access:is_public"),
        (type_body("n" * 256), "Type name or description is not valid."),
        (type_body("n") | {"share_type": {"name": ["n"]}}, "the share type's name parameter was badly formatted."),
        (type_body("n") | {"share_type": {"name": []}}, "the share type's name parameter was badly formatted."),
        (type_body(5), ""),  # type: ignore[arg-type]
        (type_body(description={}), ""),
        ({"share_type": {"name": "x"}}, "Required extra specs 'driver_handles_share_servers' not specified."),
    ],
)
async def test_a_create_that_cannot_be_is_400_and_says_why(ask: Ask, body: Any, text: str) -> None:
    status, message = refusal(await ask("admin", "POST", "/v2/types", body))
    assert status == 400
    assert text in message
    assert "%(" not in message


async def test_sizes_among_extra_specs_may_be_numbers(ask: Ask) -> None:
    specs = {"driver_handles_share_servers": "False", "provisioning:max_share_size": 5}
    answer = await ask("admin", "POST", "/v2/types", type_body("sized", specs=specs))
    assert answer.status == 200
    assert answer.json["share_type"]["extra_specs"]["provisioning:max_share_size"] == "5"


async def test_the_mode_of_a_new_type_may_be_a_number(ask: Ask) -> None:
    """The answer shows it as sent, a list as stored; other numbers and specs are refused, and later changes."""
    for number in (0, 1):
        specs = {"driver_handles_share_servers": number}
        body = {"share_type": {"name": f"n{number}", "extra_specs": specs}}
        made = (await ask("admin", "POST", "/v2/types", body)).json["share_type"]
        assert made["extra_specs"] == {"driver_handles_share_servers": str(number)}
        assert made["required_extra_specs"] == {"driver_handles_share_servers": number}
        assert (await ask("admin", "POST", f"/v2/types/{made['id']}/extra_specs", {"extra_specs": specs})).status == 400
    mode = {"driver_handles_share_servers": "False"}
    for odd in ({"driver_handles_share_servers": 2}, {"driver_handles_share_servers": 1.0}, {**mode, "k": None}):
        body = {"share_type": {"name": "odd", "extra_specs": odd}}
        assert (await ask("admin", "POST", "/v2/types", body)).status == 400


async def test_up_to_2_23_a_type_has_snapshot_support(ask: Ask) -> None:
    old = await ask("admin", "POST", "/v2/types", type_body("old"), version="2.23")
    new = await ask("admin", "POST", "/v2/types", type_body("new"), version="2.24")
    assert old.json["share_type"]["extra_specs"]["snapshot_support"] == "True"
    assert "snapshot_support" not in new.json["share_type"]["extra_specs"]


async def test_tenants_see_well_known_specs_and_inferred_ones(ask: Ask) -> None:
    id_ = await made(ask, specs={"secret": "x", "snapshot_support": "True"})
    shown = {}
    for version in ("2.23", "2.24", "2.99"):
        answer = await ask("member-a", "GET", f"/v2/types/{id_}", version=version)
        shown[version] = answer.json["share_type"]["extra_specs"]
    assert shown["2.23"] == {"driver_handles_share_servers": "False", "snapshot_support": "True"}
    assert shown["2.24"]["revert_to_snapshot_support"] is False
    assert shown["2.24"]["snapshot_support"] == "True"
    assert "snapshot_inherit_share_access_support" not in shown["2.24"]
    assert shown["2.99"]["snapshot_inherit_share_access_support"] is False


async def test_the_default_is_the_configured_type(ask: Ask, db: Database) -> None:
    await made(ask, "bronze")
    assert refusal(await ask("member-a", "GET", "/v2/types/default")) == (404, "Default share type not found")
    silver = asker(core_over(db, default_share_type="bronze"))
    assert (await silver("member-a", "GET", "/v2/types/default")).json["share_type"]["name"] == "bronze"
    none = asker(core_over(db, default_share_type=None))
    assert (await none("member-a", "GET", "/v2/types/default")).status == 404


async def test_a_type_in_use_stays_and_a_new_one_of_its_name_starts_at_nothing(ask: Ask, db: Database) -> None:
    id_ = await made(ask)
    await ask("admin", "PUT", f"/v2/quota-sets/{TENANT_A}?share_type=gold", {"quota_set": {"shares": 3}})
    async with db.read() as conn:
        await conn.run(
            "INSERT INTO quota_usages (project_id, share_type_id, resource, in_use, reserved, deleted)"
            " VALUES (%s, %s, 'shares', 2, 0, 0)",
            (TENANT_A, id_),
        )
        await conn.run(
            "INSERT INTO share_instances (id, share_type_id, deleted, cast_rules_to_readonly)"
            " VALUES ('i', %s, 'False', false)",
            (id_,),
        )
    assert refusal(await ask("admin", "DELETE", f"/v2/types/{id_}")) == (400, "Target share type is still in use.")
    async with db.read() as conn:
        await conn.run("UPDATE share_instances SET deleted = id")
    assert (await ask("admin", "DELETE", f"/v2/types/{id_}")).status == 202
    again = await made(ask)
    answer = await ask("admin", "GET", f"/v2/quota-sets/{TENANT_A}/detail?share_type={again}")
    assert answer.json["quota_set"]["shares"] == {"limit": 50, "in_use": 0, "reserved": 0}


async def test_names_are_unique_among_live_types(ask: Ask) -> None:
    first, second = await made(ask, "one"), await made(ask, "two")
    assert refusal(await ask("admin", "POST", "/v2/types", type_body("one")))[0] == 409
    renamed = await ask("admin", "PUT", f"/v2/types/{second}", {"share_type": {"name": "one"}})
    assert refusal(renamed) == (409, "Share Type one already exists.")
    assert (await ask("admin", "DELETE", f"/v2/types/{first}")).status == 202
    assert (await ask("admin", "PUT", f"/v2/types/{second}", {"share_type": {"name": "one"}})).status == 200


async def test_the_specs_filter_takes_a_dictionary_and_refuses_the_rest(ask: Ask) -> None:
    await made(ask, "one", specs={"k": "v", "availability_zones": "a, b"})
    await made(ask, "two")

    async def names(query: str) -> list[str]:
        answer = await ask("admin", "GET", f"/v2/types?extra_specs={query}")
        return [one["name"] for one in answer.json["share_types"]]

    assert await names("{'k':'v'}") == ["one"]
    assert await names("{'availability_zones':'c'}") == ["two"]
    assert await names("{'availability_zones':'b'}") == ["one", "two"]
    for bad in ("abc", "[1]", "{", "5"):
        assert (await ask("admin", "GET", f"/v2/types?extra_specs={bad}")).status == 400


async def test_extra_specs_one_by_one(ask: Ask) -> None:
    id_ = await made(ask)
    path = f"/v2/types/{id_}/extra_specs"
    assert (await ask("admin", "POST", path, {"extra_specs": {"k": "v"}})).json == {"extra_specs": {"k": "v"}}
    assert (await ask("admin", "PUT", f"{path}/k", {"k": "w"})).json == {"k": "w"}
    assert (await ask("admin", "GET", f"{path}/k")).json == {"k": "w"}
    assert refusal(await ask("admin", "PUT", f"{path}/k", {"l": "w"})) == (400, "Request body and URI mismatch")
    assert (await ask("admin", "DELETE", f"{path}/k")).status == 202
    assert refusal(await ask("admin", "DELETE", f"{path}/k")) == (
        404,
        f"Share Type {id_} has no extra specs with key k.",
    )
    assert (await ask("admin", "POST", path, {"extra_specs": {"k": {"a": "b"}}})).status == 400
    assert (await ask("admin", "POST", path, {"extra_specs": {"a b": "c"}})).status == 400


@pytest.mark.parametrize("key", ["k", "snapshot_support", "driver_handles_share_servers"])
async def test_an_extra_spec_that_is_an_object_is_refused_by_what_is_in_it(ask: Ask, key: str) -> None:
    path = f"/v2/types/{await made(ask)}/extra_specs"
    for value, named in (({"a": 1}, "a: 1"), ({"a": "b"}, f"{key}: {{'a': 'b'}}")):
        answer = await ask("admin", "POST", path, {"extra_specs": {key: value}})
        assert refusal(answer) == (400, f"Invalid extra_spec: {named}")


async def test_reads_take_one_statement(ask: Ask, db: Database, statements: Any) -> None:
    id_ = await made(ask, specs={"k": "v"})
    for number in range(5):
        await made(ask, f"more {number}", specs={"k": "v"})
    for path in ("/v2/types", f"/v2/types/{id_}", f"/v2/types/{id_}/extra_specs"):
        with statements() as seen:
            assert (await ask("admin", "GET", path)).status == 200
        assert len(seen) == 1, seen
    async with db.read() as conn:
        assert await share_types.by_name_or_id(conn, id_) == await share_types.by_name_or_id(conn, "gold")
