"""Access rules: what the API says is what the back end enforces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pytest

from db.connection import Database, Row
from db.write import insert
from tests.handlers.catalogue import refusal
from tests.handlers.share_world import World, world

Statements = Callable[[], AbstractContextManager[list[str]]]


@pytest.fixture
async def w(db: Database) -> AsyncIterator[World]:
    async with world(db) as made:
        yield made


class Enforced:
    """Remembers what the driver was last told to enforce."""

    def __init__(self, w: World, pause: float = 0.0) -> None:
        self.clients: set[str] = set()
        self.calls = 0
        original = w.driver.update_access

        async def update(share: Row, rules: Sequence[Row], *rest: Any, **more: Any) -> Any:
            await asyncio.sleep(pause)
            answer = await original(share, rules, *rest, **more)
            self.clients = {f"{rule['access_to']} {rule['access_level']}" for rule in rules}
            self.calls += 1
            return answer

        w.driver.update_access = update  # type: ignore[method-assign,assignment]


async def test_a_rule_is_queued_and_active_once_the_back_end_has_it(w: World) -> None:
    enforced = Enforced(w, pause=0.05)
    answer = await w.action({"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}})
    assert answer.json["access"]["state"] == "queued_to_apply"
    share = await w.ask("member-a", "GET", f"/v2/shares/{w.share}")
    assert share.json["share"]["access_rules_status"] == "syncing"
    await w.settle()
    (rule,) = await w.rules()
    assert (rule["state"], rule["access_level"], rule["metadata"]) == ("active", "rw", {})
    assert enforced.clients == {"10.0.0.1 rw"}
    share = await w.ask("member-a", "GET", f"/v2/shares/{w.share}")
    assert share.json["share"]["access_rules_status"] == "active"


async def test_parallel_requests_end_with_what_the_api_says(w: World) -> None:
    enforced = Enforced(w, pause=0.01)
    first = [await w.allow(f"10.1.0.{n}") for n in range(20)]

    async def deny(rule: str) -> None:
        answer = await w.action({"deny_access": {"access_id": rule}})
        assert answer.status == 202, answer.content

    await asyncio.gather(*(w.allow(f"10.2.0.{n}") for n in range(20)), *(deny(rule) for rule in first))
    await w.settle()
    rules = await w.rules()
    assert {rule["state"] for rule in rules} == {"active"}
    assert enforced.clients == {f"10.2.0.{n} rw" for n in range(20)}
    assert {f"{rule['access_to']} {rule['access_level']}" for rule in rules} == enforced.clients


async def test_one_of_two_equal_rules_asked_for_at_once_is_made(w: World) -> None:
    body = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
    answers = await asyncio.gather(*(w.action(body) for _ in range(6)))
    assert sorted(answer.status for answer in answers) == [200, 400, 400, 400, 400, 400]
    assert len(await w.rules()) == 1


async def test_a_rule_that_cannot_be_applied_fails_alone(w: World) -> None:
    Enforced(w, pause=0.05)
    await w.allow("10.0.0.1")
    await w.action({"allow_access": {"access_type": "user", "access_to": "jane-doe"}})
    await w.allow("10.0.0.2")
    await w.settle()
    states = {rule["access_to"]: rule["state"] for rule in await w.rules()}
    assert states == {"10.0.0.1": "active", "jane-doe": "error", "10.0.0.2": "active"}
    share = await w.ask("member-a", "GET", f"/v2/shares/{w.share}")
    assert share.json["share"]["access_rules_status"] == "error"
    (bad,) = [rule["id"] for rule in await w.rules() if rule["state"] == "error"]
    assert (await w.action({"deny_access": {"access_id": bad}})).status == 202
    await w.settle()
    share = await w.ask("member-a", "GET", f"/v2/shares/{w.share}")
    assert share.json["share"]["access_rules_status"] == "active"


async def test_a_failing_driver_puts_only_the_new_rule_in_error(w: World) -> None:
    await w.allow("10.0.0.1")
    await w.settle()
    w.faults.fail("update_access")
    await w.allow("10.0.0.2")
    await w.settle()
    assert {rule["access_to"]: rule["state"] for rule in await w.rules()} == {"10.0.0.1": "active", "10.0.0.2": "error"}


async def test_a_rule_the_back_end_does_not_know_is_removed_at_once(w: World) -> None:
    rule = await w.allow("10.0.0.1")
    await w.settle()
    w.faults.fail("update_access", exception="ShareResourceNotFound")
    await w.action({"deny_access": {"access_id": rule}})
    await w.settle()
    assert await w.rules() == []


async def test_a_rule_without_an_instance_is_removed(w: World) -> None:
    rule = await w.allow("10.0.0.1")
    await w.settle()
    async with w.db.write() as conn:
        await conn.run("DELETE FROM share_instance_access_map WHERE access_id = %s", (rule,))
    assert (await w.action({"deny_access": {"access_id": rule}})).status == 202
    assert (await w.ask("member-a", "GET", f"/v2/share-access-rules/{rule}")).status == 404


async def test_a_level_changes_in_place(w: World) -> None:
    rule = await w.allow("10.0.0.1")
    await w.settle()
    enforced = Enforced(w)
    answer = await w.ask("member-a", "PUT", f"/v2/share-access-rules/{rule}", {"update_access": {"access_level": "ro"}})
    assert (answer.status, answer.json["access"]["access_level"]) == (200, "ro")
    assert answer.json["access"]["state"] == "active"
    await w.settle()
    assert enforced.clients == {"10.0.0.1 ro"}
    for body, text in (
        ({"access_level": "x"}, "Invalid or unsupported share access level: x."),
        ({}, "Invalid input. Missing 'access_level' in update request."),
    ):
        answer = await w.ask("member-a", "PUT", f"/v2/share-access-rules/{rule}", {"update_access": body})
        assert refusal(answer) == (400, text)


@pytest.mark.parametrize(
    "body",
    [None, {}, [], "x", {"access_type": "ip"}, {"access_to": "10.0.0.1"}, {"access_type": "cert", "access_to": None}],
)
async def test_a_broken_request_is_refused(w: World, body: Any) -> None:
    assert (await w.action({"allow_access": body})).status == 400
    assert (await w.action({"deny_access": {}})).status == 400
    assert await w.rules() == []


async def test_strangers_see_and_change_nothing_even_of_a_public_share(w: World) -> None:
    rule = await w.allow("10.0.0.1", metadata={"k": "v"})
    await w.settle()
    for public in (False, True):
        await w.set_share(is_public=public)
        answer = await w.ask("member-b", "GET", f"/v2/share-access-rules?share_id={w.share}")
        assert refusal(answer) == (400, f"Share {w.share} not found.")
        answer = await w.ask("member-b", "GET", f"/v2/share-access-rules/{rule}")
        assert refusal(answer) == (404, f"Share access rule {rule} not found.")
        path = f"/v2/share-access-rules/{rule}/metadata"
        assert (await w.ask("member-b", "PUT", path, {"metadata": {"k": "w"}})).status == 404
        assert (await w.ask("member-b", "DELETE", f"{path}/k")).status == 404
        body = {"allow_access": {"access_type": "ip", "access_to": "10.9.9.9"}}
        assert (await w.action(body, "member-b")).status == (403 if public else 404)
    (row,) = await w.rules()
    assert (row["metadata"], row["access_to"]) == ({"k": "v"}, "10.0.0.1")


async def test_metadata_of_a_rule(w: World) -> None:
    rule = await w.allow("10.0.0.1", metadata={"a": "b"})
    path = f"/v2/share-access-rules/{rule}/metadata"
    assert (await w.ask("member-a", "PUT", path, {"metadata": {"k": "v"}})).json == {"metadata": {"k": "v"}}
    assert [one["metadata"] for one in await w.rules(query="&metadata={'k':'v'}")] == [{"a": "b", "k": "v"}]
    assert await w.rules(query="&metadata={'k':'w'}") == []
    assert (await w.ask("member-a", "DELETE", f"{path}/k")).status == 200
    assert refusal(await w.ask("member-a", "DELETE", f"{path}/k")) == (
        404,
        "Share access rule metadata does not exist.",
    )
    for bad, text in (
        ({"": "v"}, "Invalid metadata."),
        ({"k": ""}, "Invalid metadata."),
        ({"k" * 256: "v"}, "Invalid metadata size."),
    ):
        assert refusal(await w.ask("member-a", "PUT", path, {"metadata": bad})) == (400, text)
    answer = await w.ask("member-a", "GET", f"/v2/share-access-rules?share_id={w.share}&metadata=x")
    assert answer.status == 400


async def test_locks_hide_a_rule_and_keep_it(w: World) -> None:
    rule = await w.allow("10.0.0.1", lock_visibility=True, lock_deletion=True, lock_reason="because")
    await w.settle()
    assert [one["access_to"] for one in await w.rules()] == ["10.0.0.1"]
    assert [one["access_to"] for one in await w.rules("member2-a")] == ["******"]
    assert await w.rules("member2-a", "&access_type=ip&access_to=10.0.0.1") == []
    deny: dict[str, Any] = {"deny_access": {"access_id": rule}}
    assert (await w.action(deny)).status == 403
    deny["deny_access"]["unrestrict"] = True
    assert (await w.action(deny, "member2-a")).status == 403
    assert (await w.action(deny)).status == 202
    await w.settle()
    async with w.db.read() as conn:
        assert await conn.all("SELECT 1 FROM resource_locks WHERE deleted = 'False'") == []


@pytest.mark.parametrize(
    ("version", "action"), [("2.0", "os-access_list"), ("2.7", "access_list"), ("2.44", "access_list")]
)
async def test_old_lists_hide_what_a_lock_hides(w: World, version: str, action: str) -> None:
    await w.allow("10.0.0.1", lock_visibility=True)
    await w.allow("10.0.0.2")
    await w.settle()
    for who, seen in (("member-a", "10.0.0.1"), ("member2-a", "******"), ("reader-a", "******")):
        answer = await w.action({action: None}, who, version=version)
        assert {one["access_to"] for one in answer.json["access_list"]} == {seen, "10.0.0.2"}
        assert all(one.get("access_key") in (None, "******") for one in answer.json["access_list"])


async def test_a_changed_rule_is_shown_without_what_a_lock_hides(w: World) -> None:
    rule = await w.allow("10.0.0.1", lock_visibility=True)
    await w.settle()
    body = {"update_access": {"access_level": "ro"}}
    for who, seen in (("member2-a", "******"), ("member-a", "10.0.0.1")):
        answer = await w.ask(who, "PUT", f"/v2/share-access-rules/{rule}", body)
        assert (answer.status, answer.json["access"]["access_to"]) == (200, seen)
        await w.settle()


async def test_a_strangers_locked_rule_is_as_an_unknown_one(w: World) -> None:
    rule = await w.allow("10.0.0.1", lock_deletion=True)
    await w.settle()
    answer = await w.ask("member-b", "POST", "/v2/shares", {"share": {"size": 1, "share_proto": "NFS"}})
    own = answer.json["share"]["id"]
    for unrestrict in (False, True):
        body = {"deny_access": {"access_id": rule, "unrestrict": unrestrict}}
        answer = await w.ask("member-b", "POST", f"/v2/shares/{own}/action", body)
        assert refusal(answer) == (404, "Resource could not be found.")


async def test_a_lock_of_another_project_keeps_a_rule(w: World) -> None:
    rule = await w.allow("0.0.0.0/0")
    await w.settle()
    async with w.db.write() as conn:
        values = {
            "resource_id": rule,
            "resource_type": "access_rule",
            "resource_action": "delete",
            "lock_context": "admin",
            "user_id": "a0000000000000000000000000000001",
            "project_id": "a0000000000000000000000000000000",
        }
        await insert(conn, "resource_locks", values)
    for unrestrict in (False, True):
        answer = await w.action({"deny_access": {"access_id": rule, "unrestrict": unrestrict}})
        assert answer.status == 403
    assert [one["access_to"] for one in await w.rules()] == ["0.0.0.0/0"]


async def test_a_lock_that_cannot_be_placed_leaves_no_rule(w: World) -> None:
    body = {"access_type": "ip", "access_to": "10.0.0.1", "lock_deletion": True, "lock_reason": "x" * 1024}
    status, text = refusal(await w.action({"allow_access": body}))
    assert status == 400 and text.startswith("Failed to lock the deletion of the access rule ")
    assert await w.rules() == []


async def test_reads_take_few_statements_whatever_their_length(w: World, statements: Statements) -> None:
    rules = [await w.allow(f"10.0.0.{n}", metadata={"k": "v"}) for n in range(8)]
    await w.settle()
    for path, most in (
        (f"/v2/share-access-rules?share_id={w.share}", 2),
        (f"/v2/share-access-rules/{rules[0]}", 2),
    ):
        with statements() as seen:
            assert (await w.ask("member-a", "GET", path)).status == 200
        read = [one for one in seen if "openkeel_tasks" not in one]
        assert len(read) <= most, read


async def test_old_versions_show_one_state_for_all_rules(w: World) -> None:
    await w.allow("10.0.0.1", version="2.6")
    await w.settle()
    answer = await w.action({"os-access_list": None}, version="2.6")
    (rule,) = answer.json["access_list"]
    assert rule == {
        "id": rule["id"],
        "access_level": "rw",
        "access_to": "10.0.0.1",
        "access_type": "ip",
        "state": "active",
    }


async def test_rules_that_a_removal_could_not_take_off_are_in_error(w: World) -> None:
    await w.allow("10.0.0.1")
    await w.settle()
    w.driver.faults.fail("update_access", count=1, message="busy")
    assert (await w.ask("member-a", "DELETE", f"/v2/shares/{w.share}")).status == 202
    await w.settle()
    assert [rule["state"] for rule in await w.rules()] == ["error"]
    (instance,) = (await w.ask("admin", "GET", f"/v2/shares/{w.share}/instances")).json["share_instances"]
    assert (instance["status"], instance["access_rules_status"]) == ("error_deleting", "error")


async def test_the_owner_is_told_why_a_rule_is_refused(w: World) -> None:
    async def update(share: Row, rules: Sequence[Row], *_: Any, **__: Any) -> Any:
        return {
            rule["id"]: {"state": "error", "refused": "unsupported"} for rule in rules if rule["access_to"] != "0/0"
        }

    w.driver.update_access = update  # type: ignore[method-assign,assignment]
    for address in ("10.0.0.1", "10.0.0.2"):
        await w.allow(address)
        await w.settle()
    assert {rule["state"] for rule in await w.rules()} == {"error"}
    found = await w.ask("member-a", "GET", f"/v2/messages?resource_id={w.share}")
    told = [(one["action_id"], one["detail_id"]) for one in found.json["messages"]]
    assert told == [("010", "021")] * 2, "once for each request"
