"""Stories of share groups for the kill tests; see ``tests.faults.stories``."""

from __future__ import annotations

from typing import Any

from tests.faults.stage import Stage
from tests.faults.stories import Facts, Story, a_network, ask_share


async def a_group_type(stage: Stage, facts: Facts) -> None:
    """A group type of the default share type."""
    body = {"share_group_type": {"name": "groups", "share_types": ["default"]}}
    answer = await stage.admin("POST", "/v2/share-group-types", body)
    assert answer.status == 200, answer.content
    facts["group_type"] = answer.json["share_group_type"]["id"]


async def a_group_type_and_network(stage: Stage, facts: Facts) -> None:
    await a_network(stage, facts)
    await a_group_type(stage, facts)


async def ask_group(stage: Stage, facts: Facts, key: str = "group", **more: Any) -> None:
    given = {"share_group_type_id": facts["group_type"], "name": key, **facts.get("share_keys", {}), **more}
    answer = await stage.member("POST", "/v2/share-groups", {"share_group": given})
    assert answer.status == 202, answer.content
    facts[key] = answer.json["share_group"]["id"]


async def show(stage: Stage, facts: Facts, key: str = "group") -> Any:
    answer = await stage.admin("GET", f"/v2/share-groups/{facts[key]}")
    assert answer.status == 200, answer.content
    return answer.json["share_group"]


async def check_group(stage: Stage, facts: Facts) -> None:
    group = await show(stage, facts)
    assert (group["status"], group["availability_zone"], group["consistent_snapshot_support"]) == (
        "available", "nova", "pool",
    )  # fmt: skip
    assert (await stage.usage())["share_groups"] == 1


async def check_group_on_server(stage: Stage, facts: Facts) -> None:
    await check_group(stage, facts)
    (server,) = await stage.rows("SELECT id, status FROM share_servers WHERE deleted = 'False'")
    assert (server["status"], (await show(stage, facts))["share_server_id"]) == ("active", server["id"])
    ports = await stage.rows("SELECT id FROM network_allocations WHERE deleted = 'False' AND label = 'user'")
    assert len(ports) == 2


async def a_group(stage: Stage, facts: Facts) -> None:
    await a_group_type(stage, facts)
    await ask_group(stage, facts)
    await stage.settled()


async def ask_delete(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("DELETE", f"/v2/share-groups/{facts['group']}")).status == 202


async def check_gone(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("GET", f"/v2/share-groups/{facts['group']}")).status == 404
    assert await stage.usage() == {}
    assert await stage.rows("SELECT 1 FROM share_group_share_type_mappings WHERE deleted = 'False'") == []


async def a_full_group(stage: Stage, facts: Facts) -> None:
    """A group with two shares."""
    await a_group(stage, facts)
    facts["share_keys"] = {"share_group_id": facts["group"]}
    for _ in range(2):
        await ask_share(stage, facts)
    await stage.settled()
    del facts["share_keys"]


async def ask_snapshot(stage: Stage, facts: Facts) -> None:
    body = {"share_group_snapshot": {"share_group_id": facts["group"]}}
    answer = await stage.member("POST", "/v2/share-group-snapshots", body)
    assert answer.status == 202, answer.content
    facts["snapshot"] = answer.json["share_group_snapshot"]["id"]


async def check_snapshot(stage: Stage, facts: Facts) -> None:
    shown = (await stage.member("GET", f"/v2/share-group-snapshots/{facts['snapshot']}")).json["share_group_snapshot"]
    assert (shown["status"], len(shown["members"])) == ("available", 2)
    members = await stage.rows("SELECT status, provider_location FROM share_snapshot_instances WHERE deleted = 'False'")
    assert {row["status"] for row in members} == {"available"}
    assert len({row["provider_location"] for row in members}) == 2
    assert (await stage.usage())["share_group_snapshots"] == 1


async def a_snapshot(stage: Stage, facts: Facts) -> None:
    await a_full_group(stage, facts)
    await ask_snapshot(stage, facts)
    await stage.settled()


async def ask_delete_snapshot(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("DELETE", f"/v2/share-group-snapshots/{facts['snapshot']}")).status == 202


async def check_no_snapshot(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("GET", f"/v2/share-group-snapshots/{facts['snapshot']}")).status == 404
    assert "share_group_snapshots" not in await stage.usage()
    assert await stage.rows("SELECT 1 FROM share_snapshot_instances WHERE deleted = 'False'") == []


async def ask_copy(stage: Stage, facts: Facts) -> None:
    await ask_group(stage, facts, "copy", source_share_group_snapshot_id=facts["snapshot"])


async def check_copy(stage: Stage, facts: Facts) -> None:
    assert (await show(stage, facts, "copy"))["status"] == "available"
    found = (await stage.member("GET", f"/v2/shares/detail?share_group_id={facts['copy']}")).json["shares"]
    assert [one["status"] for one in found] == ["available"] * 2
    assert len({one["source_share_group_snapshot_member_id"] for one in found}) == 2
    for share in found:
        path = f"/v2/shares/{share['id']}/export_locations"
        assert len((await stage.member("GET", path)).json["export_locations"]) == 2
    usage = await stage.usage()
    assert (usage["share_groups"], usage["shares"], usage["gigabytes"]) == (2, 4, 4)


GROUP = Story(ask_group, check_group, a_group_type)
ON_SERVER = Story(ask_group, check_group_on_server, a_group_type_and_network, servers=True)
DELETE = Story(ask_delete, check_gone, a_group)
SNAPSHOT = Story(ask_snapshot, check_snapshot, a_full_group)
DELETE_SNAPSHOT = Story(ask_delete_snapshot, check_no_snapshot, a_snapshot)
COPY = Story(ask_copy, check_copy, a_snapshot)
