"""What quota keeps, and does not keep: of types that are gone, of refused hints, of shares that are too large."""

from __future__ import annotations

from typing import Any

import pytest

from db import reports
from db.connection import Conn
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import SPECS, Stage, refused

UNKNOWN = "00000000-0000-4000-8000-00000000dead"
EXPERIMENTAL = {"X-OpenStack-Manila-API-Experimental": "true"}
ADMIN = "a0000000000000000000000000000000"


async def _type(stage: Stage, name: str = "gold") -> str:
    body = {"share_type": {"name": name, "extra_specs": SPECS}}
    return str((await stage.ask("admin", "POST", "/v2/types", body)).json["share_type"]["id"])


async def _limit(stage: Stage, query: str = "", project: str = TENANT_A, **limits: int) -> None:
    answer = await stage.ask("admin", "PUT", f"/v2/quota-sets/{project}{query}", {"quota_set": limits})
    assert answer.status == 200, answer.content


async def _kept(conn: Conn, type_id: str) -> dict[str, int]:
    """Table -> live rows of a share type, of every table with a column for it but those of shares themselves."""
    tables = await conn.all(
        "SELECT table_name FROM information_schema.columns WHERE column_name = 'share_type_id'"
        " AND table_schema = current_schema() AND table_name <> 'share_instances'"
    )
    found = {}
    for row in tables:
        alive = "share_type_id = %s AND deleted::text IN ('0', 'False')"
        counted = await conn.one(f"SELECT count(*) AS n FROM {row['table_name']} WHERE {alive}", (type_id,))
        assert counted is not None
        found[row["table_name"]] = int(counted["n"])
    return found


async def test_nothing_is_kept_of_a_type_that_is_removed_and_made_again(stage: Stage) -> None:
    old = await _type(stage)
    await _limit(stage, "?share_type=gold", shares=3, gigabytes=7)
    share = await stage.share(share_type="gold", size=2)
    async with stage.core.db.write() as conn:
        assert {name for name, n in (await _kept(conn, old)).items() if n} >= {
            "quota_usages", "project_share_type_quotas", "share_type_extra_specs",
        }  # fmt: skip
        await conn.run(  # as the original leaves one behind
            "INSERT INTO reservations (id, uuid, usage_id, project_id, share_type_id, resource, delta, deleted)"
            " SELECT 1, 'r', min(id), %s, %s, 'shares', 1, 0 FROM quota_usages",
            (TENANT_A, old),
        )
    assert (await stage.ask("admin", "DELETE", f"/v2/types/{old}")).status == 400
    await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")
    await stage.work()
    assert (await stage.ask("admin", "DELETE", f"/v2/types/{old}")).status == 202
    async with stage.core.db.read() as conn:
        kept = await _kept(conn, old)
    assert kept == dict.fromkeys(kept, 0)
    assert len(kept) >= 6
    new = await _type(stage)
    shown = await stage.ask("admin", "GET", f"/v2/quota-sets/{TENANT_A}/detail?share_type=gold")
    for resource, limit in (("shares", 50), ("gigabytes", 1000)):
        assert shown.json["quota_set"][resource] == {"limit": limit, "in_use": 0, "reserved": 0}
    await stage.share(share_type="gold", size=2)
    shown = await stage.ask("admin", "GET", f"/v2/quota-sets/{TENANT_A}/detail?share_type={new}")
    assert shown.json["quota_set"]["gigabytes"] == {"limit": 1000, "in_use": 2, "reserved": 0}


@pytest.mark.parametrize("hint", ["same_host", "different_host"])
async def test_refused_hints_take_nothing_of_a_quota(stage: Stage, hint: str) -> None:
    """With four refusals the original has used up four shares; here a limit of one still has its one."""
    await _limit(stage, shares=1, gigabytes=1)
    for value, status in ((UNKNOWN, 404), ("x", 400), (["x"], 400), (f"{UNKNOWN},x", 404)):
        body: Any = {"share": {"size": 1, "share_proto": "NFS", "scheduler_hints": {hint: value}}}
        answer = await stage.ask("member-a", "POST", "/v2/shares", body)
        assert answer.status == status, answer.content
        assert not any((await stage.usage(TENANT_A)).values())
    body = {"share": {"size": 1, "share_proto": "NFS", "scheduler_hints": "text"}}
    assert (await stage.ask("member-a", "POST", "/v2/shares", body)).status == 400
    share = await stage.share(version="2.99")
    assert share["status"] == "available"
    assert (await stage.ask("member-a", "DELETE", f"/v2/shares/{share['id']}")).status == 202
    await stage.work()
    assert not any((await stage.usage(TENANT_A)).values())


@pytest.mark.parametrize("of_user", [False, True])
async def test_the_largest_share_is_a_limit_for_creating_and_growing(stage: Stage, of_user: bool) -> None:
    share = await stage.share(size=2)
    await _limit(stage, "?user_id=b0000000000000000000000000000001" if of_user else "", per_share_gigabytes=3)
    path = f"/v2/shares/{share['id']}/action"
    text = "Requested share size 4 is larger than maximum allowed limit 3."
    before = await stage.usage(TENANT_A)
    body: Any = {"share": {"size": 4, "share_proto": "NFS"}}
    for answer in (
        await stage.ask("member-a", "POST", "/v2/shares", body),
        await stage.ask("member-a", "POST", path, {"extend": {"new_size": 4}}),
    ):
        assert answer.status == 413
        assert refused(answer)[1].endswith(text)
    assert await stage.usage(TENANT_A) == before
    assert (await stage.ask("member-a", "POST", path, {"extend": {"new_size": 3}})).status == 202
    await stage.work()
    assert (await stage.usage(TENANT_A))["gigabytes"] == 3


async def test_what_is_larger_already_may_still_be_moved_restored_and_taken_over(stage: Stage) -> None:
    """As with the original: the limit is for what is made or grown; who takes over is warned in a log at most."""
    share, other = await stage.share(size=2), await stage.share(size=2)
    backup: Any = {"share_backup": {"share_id": share["id"], "backup_options": {"backup_type": "dummy"}}}
    made = await stage.ask("member-a", "POST", "/v2/share-backups", backup, headers=EXPERIMENTAL)
    assert made.status == 202, made.content
    await stage.work()
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_backups SET status = 'available'")
        await conn.run("UPDATE share_instances SET status = 'available'")
    for project in (TENANT_A, ADMIN):
        await _limit(stage, project=project, per_share_gigabytes=1)
    body: Any = {"restore": other["id"]}
    path = f"/v2/share-backups/{made.json['share_backup']['id']}/action"
    answer = await stage.ask("member-a", "POST", path, body, headers=EXPERIMENTAL)
    assert answer.status == 202, answer.content
    await stage.work()
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_backups SET status = 'available'")
        await conn.run("UPDATE share_instances SET status = 'available'")
    end = "beta" if "alpha" in other["host"] else "alpha"
    body = {"migration_start": {
        "host": f"node1@{end}#fake_pool_for_{end.upper()}", "force_host_assisted_migration": False,
        "preserve_metadata": False, "preserve_snapshots": False, "writable": False, "nondisruptive": False,
    }}  # fmt: skip
    answer = await stage.ask("admin", "POST", f"/v2/shares/{other['id']}/action", body)
    assert answer.status == 202, answer.content
    gone = (await stage.share(size=1))["id"]
    found = await stage.ask("admin", "GET", f"/v2/shares/{gone}/export_locations")
    host = (await stage.ask("admin", "GET", f"/v2/shares/{gone}")).json["share"]["host"]
    assert (await stage.ask("admin", "POST", f"/v2/shares/{gone}/action", {"unmanage": None})).status == 202
    await stage.work()
    body = {"share": {
        "export_path": found.json["export_locations"][0]["path"], "service_host": host, "protocol": "nfs",
    }}  # fmt: skip

    async def larger(*_: Any, **__: Any) -> dict[str, Any]:
        return {"size": 5, "export_locations": []}

    for backend in stage.backends.values():
        driver: Any = backend.driver
        driver.manage_existing = larger
    managed = await stage.ask("admin", "POST", "/v2/shares/manage", body)
    assert managed.status == 200, managed.content
    await stage.work()
    shown = (await stage.ask("admin", "GET", f"/v2/shares/{managed.json['share']['id']}")).json["share"]
    assert (shown["status"], shown["size"]) == ("available", 5)


@pytest.mark.parametrize("thin", [True, False])
async def test_a_share_grows_where_nothing_is_said_of_what_was_granted(stage: Stage, thin: bool) -> None:
    share = await stage.share()
    for backend in stage.backends.values():
        stats: Any = await backend.driver.get_share_stats(refresh=True)
        for pool in stats.get("pools") or [stats]:
            pool |= {"provisioned_capacity_gb": None, "thin_provisioning": thin, "max_over_subscription_ratio": 1.0}
        async with stage.core.db.write() as conn:
            await reports.save(conn, backend.host, stats)
    path = f"/v2/shares/{share['id']}/action"
    assert (await stage.ask("member-a", "POST", path, {"extend": {"new_size": 3}})).status == 202
    await stage.work()
    shown = (await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}")).json["share"]
    assert (shown["status"], shown["size"]) == ("available", 3)
    assert await stage.messages() == []
