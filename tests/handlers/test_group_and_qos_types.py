"""Share group types and QoS types."""

from __future__ import annotations

from typing import Any

import pytest

from db.connection import Database
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over, refusal

MALFORMED = "The server could not comply with the request since it is either malformed or otherwise incorrect."
GROUP_TYPES = "/v2/share-group-types"
QOS = "/v2/qos-types"


@pytest.fixture
async def ask(db: Database) -> Ask:
    ask = asker(core_over(db, default_share_group_type="default_group"))
    body = {"share_type": {"name": "gold", "extra_specs": {"driver_handles_share_servers": "False"}}}
    await ask("admin", "POST", "/v2/types", body)
    return ask


async def group_type(ask: Ask, name: str = "g", **more: Any) -> str:
    answer = await ask(
        "admin", "POST", GROUP_TYPES, {"share_group_type": {"name": name, "share_types": ["gold"], **more}}
    )
    assert answer.status == 200, answer.content
    return str(answer.json["share_group_type"]["id"])


async def test_group_types_come_and_go(ask: Ask) -> None:
    id_ = await group_type(ask, "default_group", group_specs={"k": "v"})
    shown = (await ask("member-a", "GET", f"{GROUP_TYPES}/default")).json["share_group_type"]
    assert (shown["id"], shown["is_default"], shown["group_specs"]) == (id_, True, {"k": "v"})
    assert len(shown["share_types"]) == 1
    assert (await ask("admin", "DELETE", f"{GROUP_TYPES}/{id_}")).status == 204
    gone = await ask("member-a", "GET", f"{GROUP_TYPES}/{id_}")
    assert refusal(gone) == (404, f"Share group type with id {id_} not found.")
    assert (await ask("member-a", "GET", GROUP_TYPES)).json == {"share_group_types": []}


async def test_a_private_group_type_is_given_and_taken(ask: Ask) -> None:
    id_ = await group_type(ask, is_public=False)
    action = f"{GROUP_TYPES}/{id_}/action"
    assert (await ask("member-a", "GET", f"{GROUP_TYPES}/{id_}")).status == 404
    give = {"addProjectAccess": {"project": TENANT_A}}
    assert (await ask("admin", "POST", action, give)).status == 202
    again = refusal(await ask("admin", "POST", action, give))
    assert again == (409, f"Share group type access for {id_} / {TENANT_A} combination already exists.")
    assert (await ask("member-a", "GET", f"{GROUP_TYPES}/{id_}")).status == 200
    assert len((await ask("admin", "GET", f"{GROUP_TYPES}/{id_}/access")).json["share_group_type_access"]) == 1
    take = {"removeProjectAccess": {"project": TENANT_A}}
    assert (await ask("admin", "POST", action, take)).status == 202
    assert (await ask("admin", "POST", action, take)).status == 404


@pytest.mark.parametrize(
    ("change", "status", "text"),
    [
        ({"share_types": []}, 400, "Supported share types must be provided."),
        ({"share_types": ["no"]}, 404, "Share Type no does not exist."),
        ({"share_types": 5}, 400, "'share_types' must be names or ids."),
        ({"name": ""}, 400, "Share group type name is not valid."),
        ({"name": 0}, 400, MALFORMED),
        ({"group_specs": "x"}, 400, "Group specs can be either of 'None' or 'dict' types."),
        ({"group_specs": {"k": 1}}, 400, "Group specs keys and values should be strings."),
        ({"is_public": "maybe"}, 400, "is_public has a non-boolean value."),
        ({"name": "taken"}, 409, "Share group type taken already exists."),
    ],
)
async def test_group_types_that_are_refused(ask: Ask, change: Any, status: int, text: str) -> None:
    await group_type(ask, "taken")
    body = {"share_group_type": {"name": "x", "share_types": ["gold"], **change}}
    assert refusal(await ask("admin", "POST", GROUP_TYPES, body)) == (status, text)


async def test_group_types_by_specs(ask: Ask) -> None:
    await group_type(ask, "one", group_specs={"k": "v"})
    await group_type(ask, "two")
    found = (await ask("admin", "GET", f"{GROUP_TYPES}?group_specs={{'k':'v'}}")).json["share_group_types"]
    assert [one["name"] for one in found] == ["one"]
    assert (await ask("admin", "GET", f"{GROUP_TYPES}?group_specs=x")).status == 400
    assert (await ask("admin", "GET", f"{GROUP_TYPES}?group_specs={{}}", version="2.65")).status == 400


@pytest.mark.parametrize("kind", ["group", "qos"])
async def test_specs_one_by_one(ask: Ask, kind: str) -> None:
    if kind == "group":
        path, key = f"{GROUP_TYPES}/{await group_type(ask)}/group-specs", "group_specs"
    else:
        made = await ask("admin", "POST", QOS, {"qos_type": {"name": "q"}})
        path, key = f"{QOS}/{made.json['qos_type']['id']}/specs", "specs"
    assert (await ask("admin", "POST", path, {key: {"k": "v"}})).json == {key: {"k": "v"}}
    assert (await ask("admin", "PUT", f"{path}/k", {"k": "w"})).json == {"k": "w"}
    assert (await ask("admin", "GET", f"{path}/k")).json == {"k": "w"}
    assert (await ask("admin", "GET", path)).json == {key: {"k": "w"}}
    assert (await ask("admin", "PUT", f"{path}/k", {"k": True})).json == {"k": True}
    assert (await ask("admin", "GET", f"{path}/k")).json == {"k": "true"}
    for method, where, body in (
        ("POST", "", {}), ("POST", "", {key: {"k": 1}}), ("POST", "", {key: {"a b": "c"}}), ("PUT", "/k", {}),
        ("PUT", "/k", {"l": "v"}), ("PUT", "/k", {"k": "v", "l": "v"}),
    ):  # fmt: skip
        assert (await ask("admin", method, f"{path}{where}", body)).status == 400
    assert (await ask("admin", "DELETE", f"{path}/k")).status == 204
    assert (await ask("admin", "DELETE", f"{path}/k")).status == 404
    assert (await ask("member-a", "GET", path)).status == 403


async def test_a_spec_that_is_an_object_is_refused_by_what_is_in_it(ask: Ask) -> None:
    path = f"{GROUP_TYPES}/{await group_type(ask)}/group-specs"
    for value, named in (({"a": 1}, "a: 1"), ({"a": "b"}, "k: {'a': 'b'}")):
        answer = await ask("admin", "POST", path, {"group_specs": {"k": value}})
        assert refusal(answer) == (400, f"Invalid extra_spec: {named}")


async def test_qos_types_come_and_go(ask: Ask) -> None:
    made = await ask("admin", "POST", QOS, {"qos_type": {"name": "q", "description": "d", "specs": {"iops": "9"}}})
    type_ = made.json["qos_type"]
    assert (type_["specs"], type_["updated_at"]) == ({"iops": "9"}, None)
    changed = await ask("admin", "PUT", f"{QOS}/{type_['id']}", {"qos_type": {"description": "e"}})
    assert changed.json["qos_type"]["description"] == "e"
    assert changed.json["qos_type"]["updated_at"] is not None
    assert [one["name"] for one in (await ask("member-a", "GET", f"{QOS}?name=q")).json["qos_types"]] == ["q"]
    assert (await ask("member-a", "GET", f"{QOS}?name~=z")).json == {"qos_types": []}
    assert (await ask("admin", "DELETE", f"{QOS}/{type_['id']}")).status == 204
    assert (await ask("admin", "DELETE", f"{QOS}/{type_['id']}")).status == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"qos_type": {}}, 400),
        ({"qos_type": {"name": 5}}, 400),
        ({"qos_type": {"name": "n" * 256}}, 400),
        ({"qos_type": {"name": "n", "specs": None}}, 400),
        ({"qos_type": {"name": "n", "specs": "x"}}, 400),
        ({"qos_type": {"name": "n", "description": {}}}, 400),
        ({"qos_type": {"name": "taken"}}, 409),
    ],
)
async def test_qos_types_that_are_refused(ask: Ask, body: Any, status: int) -> None:
    await ask("admin", "POST", QOS, {"qos_type": {"name": "taken"}})
    assert (await ask("admin", "POST", QOS, body)).status == status


async def test_an_unknown_sort_key_of_qos_types_is_400(ask: Ask) -> None:
    assert (await ask("member-a", "GET", f"{QOS}?sort_key=size")).status == 400
    assert (await ask("member-a", "GET", f"{QOS}?sort_dir=up")).status == 400
