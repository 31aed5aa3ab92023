"""Shares and snapshots that are let go and taken over again."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import pytest

from generated.settings import BackendSection
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import SPECS, Stage, refused

ADMIN = "a0000000000000000000000000000000"
UNKNOWN = "00000000-0000-4000-8000-00000000dead"
Answer = Any


async def _place(stage: Stage, share: dict[str, Any]) -> dict[str, Any]:
    found = await stage.ask("admin", "GET", f"/v2/shares/{share['id']}/export_locations", version="2.55")
    path = found.json["export_locations"][1]["path"]
    return {"export_path": path, "service_host": share["host"], "protocol": "nfs"}


async def _manage(stage: Stage, place: dict[str, Any], version: str = "2.99", **fields: Any) -> Answer:
    return await stage.ask("admin", "POST", "/v2/shares/manage", {"share": {**place, **fields}}, version)


async def _unmanage(stage: Stage, path: str, version: str = "2.99") -> Answer:
    return await stage.ask("admin", "POST", f"{path}/action", {"unmanage": None}, version)


async def _status(stage: Stage, path: str) -> Any:
    answer = await stage.ask("admin", "GET", path)
    return next(iter(answer.json.values()))["status"] if answer.status == 200 else answer.status


async def test_a_share_is_let_go_and_taken_over_with_its_quota(stage: Stage) -> None:
    share = await stage.share(size=2)
    place = await _place(stage, share)
    assert refused(await _manage(stage, place)) == (
        409, "Invalid share: A share already exists with the export path specified."
    )  # fmt: skip
    assert (await _unmanage(stage, f"/v2/shares/{share['id']}")).status == 202
    await stage.work()
    assert await _status(stage, f"/v2/shares/{share['id']}") == 404
    assert await stage.usage(TENANT_A) == {"shares": 0, "gigabytes": 0}
    made = (await _manage(stage, {**place, "export_path": {"path": place["export_path"]}}, name="again")).json["share"]
    assert (made["status"], made["size"], made["name"]) == ("manage_starting", None, "again")
    await stage.work()
    shown = (await stage.ask("admin", "GET", f"/v2/shares/{made['id']}")).json["share"]
    assert (shown["status"], shown["size"], list(shown["metadata"])) == ("available", 1, ["__managed_at"])
    assert await stage.usage(ADMIN) == {"shares": 1, "gigabytes": 1}
    assert (await _unmanage(stage, f"/v2/shares/{made['id']}")).status == 202
    await stage.work()
    assert await stage.usage(ADMIN) == {"shares": 0, "gigabytes": 0}


@pytest.mark.parametrize("removes", [False, True])
async def test_rules_of_what_is_let_go_stay_unless_the_back_end_says_otherwise(
    stage: Stage, removes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a share and of a snapshot, by ``unmanage_remove_access_rules`` of the back end that it is on."""
    specs = {**SPECS, "mount_snapshot_support": "True"}
    assert (
        await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "m", "extra_specs": specs}})
    ).status == 200
    share = await stage.share(share_type="m")
    here = share["host"].partition("@")[2].partition("#")[0]
    made = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    await stage.work()
    paths = [f"/v2/snapshots/{made.json['snapshot']['id']}", f"/v2/shares/{share['id']}"]
    for path in paths:
        rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
        assert (await stage.ask("member-a", "POST", f"{path}/action", rule)).status in (200, 202)
    await stage.work()
    asked = AsyncMock(return_value=None)
    monkeypatch.setattr(stage.backends[here].driver, "update_access", asked)
    for name, backend in stage.backends.items():
        backend.section = BackendSection(unmanage_remove_access_rules=removes == (name == here))
    for path in paths:
        assert (await _unmanage(stage, path)).status == 202
        await stage.work()
        assert await _status(stage, path) == 404
    assert [[rule["access_to"] for rule in call.args[3]] for call in asked.await_args_list] == [
        ["10.0.0.1"]
    ] * 2 * removes


async def test_a_name_of_a_snapshot_that_is_no_text_is_shown_as_it_was_sent_once(stage: Stage) -> None:
    share = await stage.share()
    body = {"snapshot": {"share_id": share["id"], "provider_location": "x", "name": 5, "description": True}}
    made = (await stage.ask("admin", "POST", "/v2/snapshots/manage", body)).json["snapshot"]
    assert (made["name"], made["description"]) == (5, True)
    shown = (await stage.ask("admin", "GET", f"/v2/snapshots/{made['id']}")).json["snapshot"]
    assert (shown["name"], shown["description"]) == ("5", "true")
    body["snapshot"] |= {"provider_location": "z", "metadata": {"": "", "n": 0}}
    made = (await stage.ask("admin", "POST", "/v2/snapshots/manage", body)).json["snapshot"]
    assert made["metadata"] == {"": "", "n": "0"}, "which no other snapshot may have"
    body["snapshot"] |= {"provider_location": "y", "name": ["x"]}
    assert (await stage.ask("admin", "POST", "/v2/snapshots/manage", body)).status == 400


async def test_what_is_not_there_is_not_taken_over_and_never_counted(stage: Stage) -> None:
    share = await stage.share()
    place = await _place(stage, share)
    for fields in ({"export_path": "nowhere:/x"}, {"export_path": "x:/y", "service_host": "node1@alpha#no-pool"}):
        made = (await _manage(stage, {**place, **fields})).json["share"]["id"]
        await stage.work()
        shown = (await stage.ask("admin", "GET", f"/v2/shares/{made}")).json["share"]
        assert (shown["status"], shown["size"]) == ("manage_error", 0)
        assert (await _unmanage(stage, f"/v2/shares/{made}")).status == 202
        await stage.work()
        assert await _status(stage, f"/v2/shares/{made}") == 404
    assert await stage.usage(ADMIN) == {}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"protocol": ""}, (422, "Required parameter protocol is empty")),
        ({"export_path": {"a": 1}}, (422, "Export path must be a string, or a dictionary with a 'path' item")),
        ({"service_host": "node1@alpha"}, (400, "service_host parameter should contain pool.")),
        ({"service_host": "x" * 256}, (400, "service_host parameter should contain pool.")),
        ({"service_host": "x" * 256 + "#p"}, (404, f"Service {'x' * 256} could not be found.")),
        ({"service_host": "nowhere@alpha#p"}, (404, "Service nowhere@alpha could not be found.")),
        ({"share_type": "nope"}, (404, "Share type with name nope could not be found.")),
        ({"share_server_id": UNKNOWN}, (
            400,
            "Invalid input received: Share Server ID parameter is not expected when managing a share using a share "
            "type with driver_handles_share_servers extra-spec set to False.",
        )),
        ({"export_path": 5}, (400, "export_path must be a text.")),
        ({"protocol": ["nfs"]}, (400, "protocol must be a text.")),
    ],
)  # fmt: skip
async def test_a_refused_take_over(stage: Stage, fields: dict[str, Any], expected: tuple[int, str]) -> None:
    place = {"export_path": "h:/p", "service_host": "node1@alpha#fake_pool_for_ALPHA", "protocol": "nfs"}
    assert refused(await _manage(stage, place, **fields)) == expected


async def test_bodies_of_old_versions(stage: Stage) -> None:
    bodies: list[Any] = [[], {"share": "x"}, {"share": True}, 5]
    for body in bodies:
        assert (await stage.ask("admin", "POST", "/v2/os-share-manage", body, "2.6")).status == 400
    assert (await stage.ask("admin", "POST", "/v2/os-share-manage", {}, "2.6")).status == 422
    share = await stage.share()
    path = f"/v2/os-share-unmanage/{share['id']}/unmanage"
    assert (await stage.ask("admin", "POST", path, {"x": 1}, "2.6")).status == 400
    assert (await stage.ask("admin", "POST", path, version="2.6")).status == 202


async def test_what_keeps_a_share(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}"
    assert (await stage.ask("member-a", "POST", f"{path}/action", {"unmanage": None})).status == 403
    snapshot = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    await stage.work()
    text = f"Share '{share['id']}' can not be unmanaged because it has '1' dependent snapshot(s)."
    assert refused(await _unmanage(stage, path)) == (403, text)
    await stage.ask("member-a", "DELETE", f"/v2/snapshots/{snapshot.json['snapshot']['id']}")
    await stage.work()
    await stage.ask("member-a", "POST", "/v2/share-transfers", {"transfer": {"share_id": share["id"]}})
    status, text = refused(await _unmanage(stage, path))
    assert status == 403 and text.endswith("is in 'awaiting_transfer' state.")


async def test_a_driver_that_refuses_may_be_asked_again(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}"
    for one in stage.backends.values():
        one.driver.faults.fail("unmanage")  # type: ignore[attr-defined]
    await _unmanage(stage, path)
    await stage.work()
    assert await _status(stage, path) == "unmanage_error"
    assert (await _unmanage(stage, path)).status == 202
    await stage.work()
    assert await _status(stage, path) == 404


async def test_whether_a_text_fits_is_looked_at_last(stage: Stage) -> None:
    """What is taken, or not there, is said before; the original's database is what refuses the text."""
    share, long = await stage.share(), "x" * 256
    place = await _place(stage, share)
    for fields in ({"name": long}, {"description": "x" * 70000}, {"name": ["x"]}, {"protocol": long}):
        assert (await _manage(stage, {**place, **fields})).status == 409
        assert (await _manage(stage, {**place, **fields, "export_path": "free:/x"})).status == 400
        assert (await _manage(stage, {**place, **fields}, share_type="nope")).status == 404
    assert (await _manage(stage, {**place, "export_path": "x" * 3000})).status == 400
    for share_id, status in ((UNKNOWN, 404), (share["id"], 400)):
        wish = {"share_id": share_id, "provider_location": long}
        assert (await stage.ask("admin", "POST", "/v2/snapshots/manage", {"snapshot": wish})).status == status


async def test_a_snapshot_is_let_go_and_taken_over(stage: Stage) -> None:
    share = await stage.share()
    body = {"snapshot": {"share_id": share["id"]}}
    snapshot = (await stage.ask("member-a", "POST", "/v2/snapshots", body)).json["snapshot"]["id"]
    await stage.work()
    shown = (await stage.ask("admin", "GET", f"/v2/snapshots/{snapshot}")).json["snapshot"]
    assert (await _unmanage(stage, f"/v2/snapshots/{snapshot}")).status == 202
    await stage.work()
    assert (await stage.usage(TENANT_A))["snapshots"] == 0
    wish = {"share_id": share["id"], "provider_location": shown["provider_location"], "name": "n"}
    made = await stage.ask("admin", "POST", "/v2/snapshots/manage", {"snapshot": wish})
    assert made.status == 202 and made.json["snapshot"]["status"] == "manage_starting"
    again = await stage.ask("admin", "POST", "/v2/snapshots/manage", {"snapshot": wish})
    assert again.status == 409
    await stage.work()
    path = f"/v2/snapshots/{made.json['snapshot']['id']}"
    assert await _status(stage, path) == "available"
    assert (await stage.usage(ADMIN)) == {"snapshots": 1, "snapshot_gigabytes": 1}
    lost = {**wish, "provider_location": "nowhere"}
    failed = (await stage.ask("admin", "POST", "/v2/snapshots/manage", {"snapshot": lost})).json["snapshot"]["id"]
    await stage.work()
    assert await _status(stage, f"/v2/snapshots/{failed}") == "manage_error"
    for one in (path, f"/v2/snapshots/{failed}"):
        assert (await _unmanage(stage, one)).status == 202
    await stage.work()
    assert (await stage.usage(ADMIN)) == {"snapshots": 0, "snapshot_gigabytes": 0}


@pytest.mark.parametrize(
    ("snapshot", "expected"),
    [
        (None, (422, "Snapshot entity not found in request body.")),
        ({"provider_location": "x"}, (422, "Required parameter share_id not found.")),
        ({"share_id": 5, "provider_location": "x"}, (422, "Parameter share_id must be a string.")),
        ({"share_id": UNKNOWN, "provider_location": "x"}, (404, f"ShareNotFound: Share {UNKNOWN} could not be found.")),
    ],
)
async def test_a_refused_snapshot(stage: Stage, snapshot: Any, expected: tuple[int, str]) -> None:
    assert refused(await stage.ask("admin", "POST", "/v2/snapshots/manage", {"snapshot": snapshot})) == expected
