"""Stories for the kill tests: what to prepare, what to ask for, and what must be true once all is quiet again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.faults.stage import Stage

Facts = dict[str, Any]
Do = Callable[[Stage, Facts], Awaitable[None]]
NETWORK, SUBNET = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-9000-00000000000a"


async def nothing(stage: Stage, facts: Facts) -> None:
    """Nothing to prepare."""


@dataclass(frozen=True, slots=True)
class Story:
    """``prepare`` runs with a healthy worker, ``ask`` with none, ``check`` after the take-over."""

    ask: Do
    check: Do
    prepare: Do = nothing
    servers: bool = False
    replicas: bool = False

    @property
    def backends(self) -> list[str]:
        """The back ends that it needs."""
        if self.servers:
            return ["gamma"]
        return ["alpha", "beta"] if self.replicas else ["alpha"]


async def make_type(stage: Stage, servers: bool) -> None:
    """The default share type."""
    specs = {
        "driver_handles_share_servers": str(servers),
        "snapshot_support": "True",
        "create_share_from_snapshot_support": "True",
        "revert_to_snapshot_support": "True",
        "mount_snapshot_support": "True",
    }
    answer = await stage.admin("POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": specs}})
    assert answer.status == 200, answer.content


async def begin(stage: Stage, story: Story, facts: Facts) -> None:
    """What precedes the story, done by a worker that goes; then its request, which waits for one."""
    await make_type(stage, story.servers)
    async with stage.worker():
        await stage.ready()
        await story.prepare(stage, facts)
        await stage.settled()
    await story.ask(stage, facts)


async def ask_share(stage: Stage, facts: Facts) -> None:
    body = {"share": {"size": 1, "share_proto": "NFS", "name": "s", **facts.get("share_keys", {})}}
    answer = await stage.member("POST", "/v2/shares", body)
    assert answer.status == 200, answer.content
    facts["share"] = answer.json["share"]["id"]


async def a_share(stage: Stage, facts: Facts) -> None:
    await ask_share(stage, facts)
    await stage.settled()
    assert (await show(stage, facts))["status"] == "available"


async def a_network(stage: Stage, facts: Facts) -> None:
    body = {"share_network": {"neutron_net_id": NETWORK, "neutron_subnet_id": SUBNET, "name": "n"}}
    answer = await stage.member("POST", "/v2/share-networks", body)
    assert answer.status == 200, answer.content
    facts["share_keys"] = {"share_network_id": answer.json["share_network"]["id"]}


async def show(stage: Stage, facts: Facts) -> Any:
    answer = await stage.member("GET", f"/v2/shares/{facts['share']}")
    assert answer.status == 200, answer.content
    return answer.json["share"]


async def check_share(stage: Stage, facts: Facts) -> None:
    assert (await show(stage, facts))["status"] == "available"
    usage = await stage.usage()
    assert (usage["shares"], usage["gigabytes"]) == (1, 1)
    locations = await stage.rows("SELECT path FROM share_instance_export_locations WHERE deleted = 0")
    assert len(locations) == len({row["path"] for row in locations}) > 0
    assert len(await stage.rows("SELECT id FROM share_instances WHERE deleted = 'False'")) == 1


async def check_share_on_server(stage: Stage, facts: Facts) -> None:
    await check_share(stage, facts)
    servers = await stage.rows("SELECT status FROM share_servers WHERE deleted = 'False'")
    assert [row["status"] for row in servers] == ["active"]
    assert await stage.rows("SELECT id FROM network_allocations WHERE deleted = 'False' AND label = 'user'")


async def action(stage: Stage, facts: Facts, body: Facts) -> Any:
    answer = await stage.member("POST", f"/v2/shares/{facts['share']}/action", body)
    assert answer.status in (200, 202), answer.content
    return answer.json if answer.content else None


async def ask_delete(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("DELETE", f"/v2/shares/{facts['share']}")).status == 202


async def check_gone(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("GET", f"/v2/shares/{facts['share']}")).status == 404
    assert {key: n for key, n in (await stage.usage()).items() if key != "share_networks"} == {}
    for table, live in (("share_instances", "'False'"), ("share_instance_export_locations", "0")):
        assert await stage.rows(f"SELECT 1 FROM {table} WHERE deleted = {live}") == []


async def ask_extend(stage: Stage, facts: Facts) -> None:
    await action(stage, facts, {"extend": {"new_size": 3}})


async def check_extended(stage: Stage, facts: Facts) -> None:
    share = await show(stage, facts)
    assert (share["status"], share["size"]) == ("available", 3)
    assert (await stage.usage())["gigabytes"] == 3


async def a_big_share(stage: Stage, facts: Facts) -> None:
    await a_share(stage, facts)
    await ask_extend(stage, facts)
    await stage.settled()


async def ask_shrink(stage: Stage, facts: Facts) -> None:
    await action(stage, facts, {"shrink": {"new_size": 1}})


async def ask_allow(stage: Stage, facts: Facts) -> None:
    rule = {"access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"}
    answer = await stage.member("POST", f"/v2/shares/{facts['share']}/action", {"allow_access": rule})
    assert answer.status == 200, answer.content
    facts["rule"] = answer.json["access"]["id"]


async def check_rule(stage: Stage, facts: Facts) -> None:
    answer = await stage.member("GET", f"/v2/share-access-rules/{facts['rule']}")
    assert answer.json["access"]["state"] == "active"
    assert (await show(stage, facts))["access_rules_status"] == "active"


async def ask_snapshot(stage: Stage, facts: Facts) -> None:
    answer = await stage.member("POST", "/v2/snapshots", {"snapshot": {"share_id": facts["share"], "name": "n"}})
    assert answer.status == 202, answer.content
    facts["snapshot"] = answer.json["snapshot"]["id"]


async def a_snapshot(stage: Stage, facts: Facts) -> None:
    await a_share(stage, facts)
    await ask_snapshot(stage, facts)
    await stage.settled()


async def check_snapshot(stage: Stage, facts: Facts) -> None:
    answer = await stage.member("GET", f"/v2/snapshots/{facts['snapshot']}")
    assert answer.json["snapshot"]["status"] == "available"
    assert (await stage.usage())["snapshots"] == 1


async def ask_delete_snapshot(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("DELETE", f"/v2/snapshots/{facts['snapshot']}")).status == 202


async def check_no_snapshot(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("GET", f"/v2/snapshots/{facts['snapshot']}")).status == 404
    assert "snapshots" not in await stage.usage()


async def ask_revert(stage: Stage, facts: Facts) -> None:
    await action(stage, facts, {"revert": {"snapshot_id": facts["snapshot"]}})


async def check_reverted(stage: Stage, facts: Facts) -> None:
    assert (await show(stage, facts))["status"] == "available"
    await check_snapshot(stage, facts)


async def ask_allow_snapshot(stage: Stage, facts: Facts) -> None:
    rule = {"access_type": "ip", "access_to": "10.0.0.5"}
    answer = await stage.member("POST", f"/v2/snapshots/{facts['snapshot']}/action", {"allow_access": rule})
    assert answer.status == 202, answer.content


async def check_snapshot_rule(stage: Stage, facts: Facts) -> None:
    rows = await stage.rows("SELECT state FROM share_snapshot_instance_access_map WHERE deleted = 'False'")
    assert [row["state"] for row in rows] == ["active"]


async def a_server(stage: Stage, facts: Facts) -> None:
    """A share server without shares."""
    await a_network(stage, facts)
    await a_share(stage, facts)
    await ask_delete(stage, facts)


async def ask_delete_server(stage: Stage, facts: Facts) -> None:
    answer = await stage.admin("GET", "/v2/share-servers")
    for server in answer.json["share_servers"]:
        assert (await stage.admin("DELETE", f"/v2/share-servers/{server['id']}")).status == 202


async def check_no_server(stage: Stage, facts: Facts) -> None:
    for table in ("share_servers", "network_allocations"):
        assert await stage.rows(f"SELECT 1 FROM {table} WHERE deleted = 'False'") == []


async def ask_unmanage_server(stage: Stage, facts: Facts) -> None:
    answer = await stage.admin("GET", "/v2/share-servers")
    for server in answer.json["share_servers"]:
        path = f"/v2/share-servers/{server['id']}/action"
        assert (await stage.admin("POST", path, {"unmanage": None})).status == 202


async def a_used_network(stage: Stage, facts: Facts) -> None:
    """A share on a server, and a security service that is not added yet."""
    await a_network(stage, facts)
    await a_share(stage, facts)
    answer = await stage.member("POST", "/v2/security-services", {"security_service": {"type": "ldap", "name": "l"}})
    assert answer.status == 200, answer.content
    facts["service"] = answer.json["security_service"]["id"]


async def network_action(stage: Stage, facts: Facts, name: str) -> Any:
    path = f"/v2/share-networks/{facts['share_keys']['share_network_id']}/action"
    answer = await stage.member("POST", path, {name: {"security_service_id": facts["service"]}})
    assert answer.status in (200, 202), answer.content
    return answer.json


async def ask_network_check(stage: Stage, facts: Facts) -> None:
    await network_action(stage, facts, "add_security_service_check")


async def check_able(stage: Stage, facts: Facts) -> None:
    assert (await network_action(stage, facts, "add_security_service_check"))["compatible"] is True


async def a_checked_network(stage: Stage, facts: Facts) -> None:
    await a_used_network(stage, facts)
    await ask_network_check(stage, facts)


async def ask_add_service(stage: Stage, facts: Facts) -> None:
    await network_action(stage, facts, "add_security_service")


async def check_service_added(stage: Stage, facts: Facts) -> None:
    for table in ("share_networks", "share_servers"):
        rows = await stage.rows(f"SELECT status FROM {table} WHERE deleted = 'False'")
        assert [row["status"] for row in rows] == ["active"]
    rows = await stage.rows("SELECT key FROM share_server_backend_details WHERE deleted = 'False'")
    assert [row["key"] for row in rows].count("security_service_ldap") == 1


SHARE = Story(ask_share, check_share)
ENSURE = Story(nothing, check_share, a_share)
"""A worker that starts orders it by itself."""
SHARE_ON_SERVER = Story(ask_share, check_share_on_server, a_network, servers=True)
DELETE = Story(ask_delete, check_gone, a_share)
EXTEND = Story(ask_extend, check_extended, a_share)
SHRINK = Story(ask_shrink, check_share, a_big_share)
ALLOW = Story(ask_allow, check_rule, a_share)
SNAPSHOT = Story(ask_snapshot, check_snapshot, a_share)
DELETE_SNAPSHOT = Story(ask_delete_snapshot, check_no_snapshot, a_snapshot)
REVERT = Story(ask_revert, check_reverted, a_snapshot)
SNAPSHOT_ALLOW = Story(ask_allow_snapshot, check_snapshot_rule, a_snapshot)
DELETE_SERVER = Story(ask_delete_server, check_no_server, a_server, servers=True)
UNMANAGE_SERVER = Story(ask_unmanage_server, check_no_server, a_server, servers=True)
NETWORK_CHECK = Story(ask_network_check, check_able, a_used_network, servers=True)
NETWORK_APPLY = Story(ask_add_service, check_service_added, a_checked_network, servers=True)
