"""What belongs to a share: metadata, instances, export locations, hints - and who may see or change it."""

from __future__ import annotations

import pytest

from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import Stage, refused

UNKNOWN = "00000000-0000-4000-8000-00000000dead"


async def test_metadata_of_a_foreign_and_of_an_unknown_share_look_alike(stage: Stage) -> None:
    share = await stage.share()
    for method, body in (("POST", {"metadata": {"a": "b"}}), ("PUT", {"metadata": {"a": "b"}}), ("GET", None)):
        foreign = await stage.ask("member-b", method, f"/v2/shares/{share['id']}/metadata", body)
        unknown = await stage.ask("member-b", method, f"/v2/shares/{UNKNOWN}/metadata", body)
        assert (foreign.status, foreign.content) == (unknown.status, unknown.content)
        assert foreign.status == 404


async def test_one_item_is_set_and_the_others_stay(stage: Stage) -> None:
    share = await stage.share(metadata={"a": "1"})
    path = f"/v2/shares/{share['id']}/metadata"
    answer = await stage.ask("member-a", "POST", f"{path}/b", {"meta": {"b": "2"}, "metadata": {"b": "2"}})
    assert (answer.status, answer.json) == (200, {"metadata": {"b": "2"}})
    assert (await stage.ask("member-a", "GET", path)).json == {"metadata": {"a": "1", "b": "2"}}
    wrong: list[dict[str, dict[str, str]]] = [
        {"meta": {}}, {"metadata": {"b": "2"}}, {"meta": {"b": "2"}, "metadata": {"c": "2"}},
    ]  # fmt: skip
    for body in wrong:
        assert (await stage.ask("member-a", "POST", f"{path}/b", body)).status == 400


async def test_keys_of_administrators(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}/metadata"
    kept = {"metadata": {"__affinity_same_host": "x"}}
    assert refused(await stage.ask("member-a", "POST", path, kept))[0] == 403
    assert (await stage.ask("admin", "POST", path, kept)).status == 200
    answer = await stage.ask("member-a", "PUT", path, {"metadata": {"a": "1"}})
    assert answer.json == {"metadata": {"a": "1", "__affinity_same_host": "x"}}
    assert (await stage.ask("member-a", "DELETE", f"{path}/__affinity_same_host")).status == 403


async def test_strangers_see_a_public_share_and_change_nothing(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}"
    assert (await stage.ask("member-b", "GET", path)).status == 404
    assert (await stage.ask("admin", "PUT", path, {"share": {"is_public": True}})).status == 200
    assert (await stage.ask("member-b", "GET", path)).status == 200
    assert [one["id"] for one in (await stage.ask("member-b", "GET", "/v2/shares?is_public=1")).json["shares"]] == [
        share["id"]
    ]
    attempts = [
        ("PUT", path, {"share": {"display_name": "x"}}), ("DELETE", path, None),
        ("POST", f"{path}/metadata", {"metadata": {"a": "b"}}), ("POST", f"{path}/action", {"soft_delete": None}),
        ("POST", f"{path}/action", {"extend": {"new_size": 2}}),
        ("POST", f"{path}/action", {"shrink": {"new_size": 1}}),
    ]  # fmt: skip
    for method, where, body in attempts:
        assert (await stage.ask("member-b", method, where, body)).status in (400, 403), (where, body)
    shown = (await stage.ask("member-a", "GET", path)).json["share"]
    assert (shown["size"], shown["metadata"], shown["is_soft_deleted"], shown["status"]) == (1, {}, False, "available")


async def test_export_locations_and_their_metadata(stage: Stage) -> None:
    share, other = await stage.share(), await stage.share()
    path = f"/v2/shares/{share['id']}/export_locations"
    found = (await stage.ask("member-a", "GET", path)).json["export_locations"]
    assert [one["preferred"] for one in found] == [True, False]
    assert len((await stage.ask("admin", "GET", path)).json["export_locations"]) == 3
    location = found[0]["id"]
    assert (await stage.ask("member-a", "GET", f"/v2/shares/{other['id']}/export_locations/{location}")).status == 404
    one = f"{path}/{location}"
    assert (await stage.ask("member-a", "POST", f"{one}/metadata", {"metadata": {"k": "v"}})).status == 200
    assert (await stage.ask("member-a", "GET", f"{one}/metadata")).json["metadata"]["k"] == "v"
    answer = await stage.ask("member-a", "POST", f"{one}/metadata/n", {"metadata": {"n": "w"}})
    assert (answer.status, answer.json) == (200, {"metadata": {"n": "w"}})
    assert (await stage.ask("member-a", "GET", f"{one}/metadata/k")).json == {"meta": {"k": "v"}}
    assert (await stage.ask("member-a", "DELETE", f"{one}/metadata/k")).status == 200
    assert (await stage.ask("member-a", "GET", one)).json["export_location"]["metadata"] == {"n": "w"}


async def test_pages_of_instances_end(stage: Stage) -> None:
    made = [(await stage.share())["id"] for _ in range(3)]
    first = (await stage.ask("admin", "GET", "/v2/share_instances?limit=3")).json
    assert [one["share_id"] for one in first["share_instances"]] == made
    (link,) = first["share_instances_links"]
    following = (await stage.ask("admin", "GET", "/v2/" + link["href"].rpartition("/v2/")[2])).json
    assert following == {"share_instances": []}


async def test_instances(stage: Stage) -> None:
    share = await stage.share()
    listed = (await stage.ask("admin", "GET", f"/v2/shares/{share['id']}/instances")).json["share_instances"]
    assert [one["share_id"] for one in listed] == [share["id"]]
    path = f"/v2/share_instances/{listed[0]['id']}"
    assert (await stage.ask("member-a", "GET", path)).status == 403
    assert len((await stage.ask("admin", "GET", f"{path}/export_locations")).json["export_locations"]) == 3
    assert (await stage.ask("admin", "POST", f"{path}/action", {"reset_status": {"status": "error"}})).status == 202
    assert (await stage.ask("admin", "GET", path)).json["share_instance"]["status"] == "error"
    assert (await stage.ask("admin", "GET", "/v2/share_instances?status=error")).json["share_instances"]
    assert (await stage.ask("admin", "POST", f"{path}/action", {"force_delete": None})).status == 202
    await stage.work()
    assert (await stage.ask("admin", "GET", path)).status == 404
    assert await stage.usage(TENANT_A) == {"shares": 0, "gigabytes": 0}


@pytest.mark.parametrize(("hint", "same"), [("same_host", True), ("different_host", False)])
async def test_hints_choose_the_host_and_are_remembered(stage: Stage, hint: str, same: bool) -> None:
    first = await stage.share()
    second = await stage.share(version="2.65", scheduler_hints={hint: first["id"]})
    assert (second["host"] == first["host"]) is same
    key = f"__affinity_{hint}"
    assert second["metadata"] == {key: first["id"]}
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{first['id']}")).json["share"]
    assert shown["metadata"] == {key: second["id"]}
    await stage.ask("member-a", "DELETE", f"/v2/shares/{second['id']}")
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{first['id']}")).json["share"]
    assert shown["metadata"] == {}


async def test_a_share_type_of_others_is_as_unknown(stage: Stage) -> None:
    body = {"share_type": {"name": "gold", "extra_specs": {"driver_handles_share_servers": "False"},
                           "share_type_access:is_public": False}}  # fmt: skip
    await stage.ask("admin", "POST", "/v2/types", body)
    for name in ("gold", "no-such"):
        answer = await stage.ask(
            "member-a", "POST", "/v2/shares", {"share": {"size": 1, "share_proto": "NFS", "share_type": name}}
        )
        assert refused(answer) == (404, "Share type not found.")
    assert await stage.usage(TENANT_A) == {}


async def test_sizes_of_a_type(stage: Stage) -> None:
    specs = {"driver_handles_share_servers": "False", "provisioning:min_share_size": "2",
             "provisioning:max_share_size": "3", "provisioning:max_share_extend_size": "5"}  # fmt: skip
    await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "sized", "extra_specs": specs}})
    for size in (1, 4):
        body = {"share": {"size": size, "share_proto": "NFS", "share_type": "sized"}}
        assert (await stage.ask("member-a", "POST", "/v2/shares", body)).status == 400
    share = await stage.share(size=2, share_type="sized")
    path = f"/v2/shares/{share['id']}/action"
    assert (await stage.ask("member-a", "POST", path, {"extend": {"new_size": 4}})).status == 400
    assert (await stage.ask("admin", "POST", path, {"extend": {"new_size": 6}})).status == 400
    assert (await stage.ask("admin", "POST", path, {"extend": {"new_size": 4}})).status == 202
    await stage.work()
    assert (await stage.ask("member-a", "POST", path, {"shrink": {"new_size": 1}})).status == 400


async def test_drivers_that_fail(stage: Stage) -> None:
    for one in stage.backends.values():
        one.driver.faults.fail("create_share", count=1, message="no")  # type: ignore[attr-defined]
    assert (await stage.share())["status"] == "error"
    for one in stage.backends.values():
        one.driver.faults.clear()  # type: ignore[attr-defined]
    share = await stage.share(size=2)
    driver = stage.backends[share["host"].split("@")[1].split("#")[0]].driver
    path = f"/v2/shares/{share['id']}/action"
    driver.faults.fail("shrink_share", exception="ShareShrinkingPossibleDataLoss")  # type: ignore[attr-defined]
    await stage.ask("member-a", "POST", path, {"shrink": {"new_size": 1}})
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["size"]) == ("available", 2)
    driver.faults.fail("extend_share", message="no")  # type: ignore[attr-defined]
    await stage.ask("member-a", "POST", path, {"extend": {"new_size": 3}})
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["size"]) == ("extending_error", 2)
    assert await stage.messages() == [("002", "001"), ("009", "018"), ("008", "015")]
    assert await stage.usage(TENANT_A) == {"shares": 2, "gigabytes": 3}
