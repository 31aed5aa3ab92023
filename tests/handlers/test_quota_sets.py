"""Quota sets and classes, and the limits that follow from them."""

from __future__ import annotations

from typing import Any

import pytest

from db import quotas as usage
from db.connection import Database
from services import quotas
from tests.handlers.catalogue import ALICE, TENANT_A, TENANT_B, Ask, asker, core_over, refusal

PATH = f"/v2/quota-sets/{TENANT_A}"


@pytest.fixture
def ask(db: Database) -> Ask:
    return asker(core_over(db))


async def put(ask: Ask, query: str = "", version: str = "2.99", **values: Any) -> tuple[int, Any]:
    answer = await ask("admin", "PUT", f"{PATH}{query}", {"quota_set": values}, version=version)
    return (200, answer.json["quota_set"]) if answer.status == 200 else refusal(answer)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "Must supply at least one quota field to update."),
        ({"force": True}, "Must supply at least one quota field to update."),
        ({"shares": -2}, "Quota limit must be -1 or greater."),
        ({"shares": "abc"}, "Quota 'abc' for shares should be integer."),
        ({"shares": [1]}, "Quota '[1]' for shares should be integer."),
        ({"shares": 1, "bogus": 1, "other": 2}, "Bad key(s) bogus,other in quota_set."),
        ({"shares": 2147483648}, "Invalid input received: Quota limit should not exceed 2147483647."),
    ],
)
async def test_updates_that_are_refused(ask: Ask, values: Any, text: str) -> None:
    assert await put(ask, **values) == (400, text)


@pytest.mark.parametrize("body", [{"quota_set": None}, {"quota_set": []}, [], "x"])
async def test_a_body_that_is_no_quota_set_is_400(ask: Ask, body: Any) -> None:
    assert (await ask("admin", "PUT", PATH, body)).status == 400


async def test_the_policy_comes_after_the_body_s_form(ask: Ask) -> None:
    """Without a role: an unreadable body is found first, then the policy, then what a readable one lacks."""
    assert (await ask("norole-a", "PUT", PATH, [], version="2.40")).status == 400
    assert refusal(await ask("norole-a", "PUT", PATH, {}, version="2.40")) == (
        403,
        "Access was denied to this resource.",
    )


@pytest.mark.parametrize(
    ("version", "key", "since"),
    [
        ("2.39", "share_groups", "2.40"),
        ("2.52", "share_replicas", "2.53"),
        ("2.61", "per_share_gigabytes", "2.62"),
        ("2.79", "backups", "2.80"),
        ("2.89", "encryption_keys", "2.90"),
    ],
)
async def test_keys_are_refused_before_their_version(ask: Ask, version: str, key: str, since: str) -> None:
    status, text = await put(ask, "", version, **{key: 5})
    assert status == 400
    assert f"'{key}' key is not supported by this microversion. Use {since}" in text
    assert (await put(ask, "", since, **{key: 5}))[0] == 200


async def test_a_user_stays_within_the_project_and_the_project_above_its_users(ask: Ask) -> None:
    await put(ask, shares=10)
    assert await put(ask, f"?user_id={ALICE}", shares=11) == (400, "Quota limit must be less than 10.")
    assert (await put(ask, f"?user_id={ALICE}", shares=8))[1]["shares"] == 8
    assert await put(ask, shares=7) == (400, "Quota limit must be greater than 8.")
    assert (await put(ask, shares=7, force=True))[1]["shares"] == 7
    assert (await put(ask, shares=-1))[1]["shares"] == -1


async def test_usage_bounds_a_limit_unless_forced(ask: Ask, db: Database) -> None:
    async with db.write() as conn:
        await usage.reserve(conn, TENANT_A, ALICE, {"shares": 3})
    assert await put(ask, shares=2) == (
        400,
        "Quota value 2 for shares is smaller than already used and reserved 3.",
    )
    assert (await put(ask, shares=2, force="true"))[0] == 200
    answer = await ask("admin", "GET", f"{PATH}/detail")
    assert answer.json["quota_set"]["shares"] == {"limit": 2, "in_use": 3, "reserved": 0}


async def test_delete_forgets_limits_and_not_usage(ask: Ask, db: Database) -> None:
    await put(ask, shares=9)
    await put(ask, f"?user_id={ALICE}", shares=5)
    async with db.write() as conn:
        await usage.reserve(conn, TENANT_A, ALICE, {"shares": 3})
    deleted = await ask("admin", "DELETE", PATH)
    assert (deleted.status, deleted.content) == (202, b"")
    for query in ("", f"?user_id={ALICE}"):
        answer = await ask("admin", "GET", f"{PATH}/detail{query}")
        assert answer.json["quota_set"]["shares"] == {"limit": 50, "in_use": 3, "reserved": 0}


async def test_another_project_is_refused(ask: Ask) -> None:
    assert (await ask("member-b", "GET", PATH)).status == 403
    assert (await ask("member-b", "GET", f"{PATH}/defaults")).status == 200
    assert (await ask("member-a", "GET", PATH)).status == 200
    assert (await ask("member-a", "PUT", PATH, {"quota_set": {"shares": 1}})).status == 403


async def test_share_types(ask: Ask) -> None:
    body = {"share_type": {"name": "gold", "extra_specs": {"driver_handles_share_servers": "False"}}}
    await ask("admin", "POST", "/v2/types", body)
    status, shown = await put(ask, "?share_type=gold", gigabytes=7)
    assert (status, shown["gigabytes"]) == (200, 7)
    assert not {"share_networks", "share_groups", "share_group_snapshots"} & shown.keys()
    assert (await put(ask, "?share_type=gold", share_networks=7))[0] == 400
    assert (await put(ask, "?share_type=gold", share_groups=7))[0] == 400
    assert await put(ask, f"?share_type=gold&user_id={ALICE}", shares=1) == (
        400,
        "'user_id' and 'share_type' values are mutually exclusive",
    )
    assert await put(ask, "?share_type=no", shares=1) == (404, "Share type with name or id 'no' not found.")
    assert (await put(ask, "?share_type=gold", version="2.38", shares=1))[0] == 400


async def test_the_default_class_is_what_projects_start_from(ask: Ask) -> None:
    path = "/v2/quota-class-sets/default"
    answer = await ask("admin", "PUT", path, {"quota_class_set": {"shares": 7, "bogus": 1}})
    assert answer.json["quota_class_set"]["shares"] == 7
    assert (await ask("admin", "GET", PATH)).json["quota_set"]["shares"] == 7
    assert (await ask("admin", "GET", f"{PATH}/defaults")).json["quota_set"]["shares"] == 7
    assert (await ask("admin", "GET", "/v2/quota-class-sets/other")).json["quota_class_set"]["shares"] == 50
    for bad in (-2, 2147483648):
        assert (await ask("admin", "PUT", path, {"quota_class_set": {"shares": bad}})).status == 400
    assert (await ask("admin", "PUT", path, {"quota_class_set": {"share_group_snapshots": "x"}})).status == 400
    assert (await ask("member-a", "GET", path)).status == 403


async def test_classes_know_group_quotas_since_2_40(ask: Ask) -> None:
    path = "/v2/quota-class-sets/default"
    body = {"quota_class_set": {"share_groups": 3, "share_group_snapshots": 4}}
    assert (await ask("admin", "PUT", path, body, version="2.40")).json["quota_class_set"]["share_groups"] == 3
    assert "share_groups" not in (await ask("admin", "GET", path, version="2.39")).json["quota_class_set"]
    assert (await ask("admin", "GET", path, version="2.40")).json["quota_class_set"]["share_group_snapshots"] == 4


async def test_limits_for_work(ask: Ask, db: Database) -> None:
    core = core_over(db)
    await put(ask, shares=-1)
    await put(ask, f"?user_id={ALICE}", shares=5)
    async with db.read() as conn:
        limits = await quotas.limits_for(conn, core, TENANT_A, ALICE)
        other = await quotas.limits_for(conn, core, TENANT_B, ALICE, "a type")
    assert (limits.project["shares"], limits.user["shares"], limits.share_type) == (-1, 5, {})
    assert (other.project["shares"], other.user["shares"], other.share_type["shares"]) == (50, 50, 50)


async def test_limits_by_version(ask: Ask, db: Database, statements: Any) -> None:
    async with db.write() as conn:
        await usage.reserve(conn, TENANT_A, ALICE, {"shares": 3, "gigabytes": 12})
    with statements() as seen:
        answer = await ask("member-a", "GET", "/v2/limits", version="2.52")
    absolute = answer.json["limits"]["absolute"]
    assert len(seen) == 2
    assert (absolute["totalSharesUsed"], absolute["totalShareGigabytesUsed"], absolute["maxTotalShares"]) == (3, 12, 50)
    sizes = {}
    for version in ("2.52", "2.53", "2.58", "2.80", "2.99"):
        answer = await ask("member-a", "GET", "/v2/limits", version=version)
        sizes[version] = len(answer.json["limits"]["absolute"])
    assert sizes == {"2.52": 10, "2.53": 14, "2.58": 18, "2.80": 22, "2.99": 22}


async def test_reads_take_two_statements(ask: Ask, statements: Any) -> None:
    for path in (PATH, f"{PATH}/detail?user_id={ALICE}", f"{PATH}/defaults", "/v2/quota-class-sets/default"):
        with statements() as seen:
            assert (await ask("admin", "GET", path)).status == 200
        assert len(seen) <= 2
