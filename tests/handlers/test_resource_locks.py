"""Resource locks, and the lists of backups and transfers."""

from __future__ import annotations

from typing import Any

import pytest

from db.connection import Database
from tests.handlers.catalogue import TENANT_A, Ask, asker, core_over, refusal

LOCKS = "/v2/resource-locks"
SHARE = "11111111-1111-4111-8111-111111111111"


@pytest.fixture
async def ask(db: Database) -> Ask:
    async with db.write() as conn:
        await conn.run(
            "INSERT INTO shares (id, project_id, user_id, size, is_public, is_soft_deleted, deleted, created_at)"
            " VALUES (%s, %s, 'u', 1, false, false, 'False', now())",
            (SHARE, TENANT_A),
        )
        await conn.run(
            "INSERT INTO share_instances (id, share_id, status, cast_rules_to_readonly, deleted, created_at)"
            " VALUES ('i', %s, 'available', false, 'False', now())",
            (SHARE,),
        )
    return asker(core_over(db))


def lock(**more: Any) -> dict[str, Any]:
    return {"resource_lock": {"resource_id": SHARE, "resource_type": "share", **more}}


async def made(ask: Ask, who: str = "member-a", **more: Any) -> str:
    answer = await ask(who, "POST", LOCKS, lock(**more))
    assert answer.status == 200, answer.content
    return str(answer.json["resource_lock"]["id"])


async def test_a_lock_belongs_to_its_project(ask: Ask) -> None:
    id_ = await made(ask, lock_reason="keep")
    path = f"{LOCKS}/{id_}"
    text = f"Resource lock {id_} could not be found."
    for method, body in (("GET", None), ("PUT", {"resource_lock": {"lock_reason": "x"}}), ("DELETE", None)):
        assert refusal(await ask("member-b", method, path, body)) == (404, text)
    assert (await ask("reader-a", "GET", path)).json["resource_lock"]["lock_context"] == "user"
    assert refusal(await ask("reader-a", "DELETE", path))[0] == 403
    changed = await ask("member-a", "PUT", path, {"resource_lock": {"lock_reason": "other"}})
    assert changed.json["resource_lock"]["lock_reason"] == "other"
    assert (await ask("member-a", "DELETE", path)).status == 204
    assert (await ask("member-a", "DELETE", path)).status == 404


async def test_locks_of_other_projects_are_listed_for_administrators_only(ask: Ask) -> None:
    await made(ask)
    await made(ask, "admin")

    async def count(who: str, query: str = "") -> int:
        return len((await ask(who, "GET", f"{LOCKS}{query}")).json["resource_locks"])

    assert await count("member-a") == 1
    assert await count("member-b", "?all_projects=true") == 0
    assert await count("member-b", "?all_tenants=true") == 0
    assert await count("admin") == 1
    assert await count("admin", "?all_projects=true") == 2
    assert await count("member-a", "?lock_context=admin") == 0
    page = (await ask("admin", "GET", f"{LOCKS}?all_projects=true&limit=1&with_count=true")).json
    assert page["count"] == 2
    assert len(page["resource_locks_links"]) == 1
    assert (await ask("member-b", "GET", f"{LOCKS}?project_id={TENANT_A}")).status == 403


@pytest.mark.parametrize(
    ("who", "change", "status"),
    [
        ("member-b", {}, 400),
        ("reader-a", {}, 403),
        ("member-a", {"resource_id": "00000000-0000-4000-8000-00000000dead"}, 400),
        ("member-a", {"resource_action": "show"}, 400),
        ("member-a", {"lock_reason": "x" * 1024}, 400),
        ("member-a", {"resource_type": "bogus"}, 400),
    ],
)
async def test_locks_that_are_refused(ask: Ask, who: str, change: Any, status: int) -> None:
    assert (await ask(who, "POST", LOCKS, lock(**change))).status == status


async def test_a_foreign_share_is_as_an_unknown_one(ask: Ask) -> None:
    foreign = await ask("member-b", "POST", LOCKS, lock())
    unknown = await ask("member-b", "POST", LOCKS, lock(resource_id="00000000-0000-4000-8000-00000000dead"))
    assert refusal(foreign) == refusal(unknown) == (400, "No such resource found.")


async def test_a_service_locks_what_it_uses_of_any_project(ask: Ask) -> None:
    id_ = await made(ask, "service", lock_reason="mounted")
    assert (await ask("service", "GET", f"{LOCKS}/{id_}")).json["resource_lock"]["project_id"] != TENANT_A
    assert refusal(await ask("member-a", "GET", f"{LOCKS}/{id_}"))[0] == 404
    assert (await ask("admin", "GET", f"{LOCKS}/{id_}")).status == 200
    assert (await ask("service", "DELETE", f"{LOCKS}/{id_}")).status == 204


async def test_what_is_going_is_not_locked(ask: Ask, db: Database) -> None:
    async with db.write() as conn:
        await conn.run("UPDATE share_instances SET status = 'deleting'")
    status, text = refusal(await ask("member-a", "POST", LOCKS, lock()))
    assert (status, "not suitable" in text) == (409, True)


@pytest.mark.parametrize(("path", "key"), [("share-transfers", "transfers"), ("share-backups", "share_backups")])
async def test_backups_and_transfers_are_listed(ask: Ask, path: str, key: str) -> None:
    headers = {"X-OpenStack-Manila-API-Experimental": "True"}
    for where in (path, f"{path}/detail", f"{path}?all_tenants=1&name~=x&limit=2&marker=y"):
        answer = await ask("member-a", "GET", f"/v2/{where}", headers=headers)
        assert (answer.status, answer.json) == (200, {key: []})
    for bad in ("sort_key=bogus", "limit=x", "offset=-1"):
        assert (await ask("member-a", "GET", f"/v2/{path}?{bad}", headers=headers)).status == 400
    if path == "share-backups":
        unknown = await ask("member-a", "GET", f"/v2/{path}?share_id=x", headers=headers)
        assert refusal(unknown) == (400, "No share exists with ID x.")
