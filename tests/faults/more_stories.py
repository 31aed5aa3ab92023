"""Further stories of operations that have another way to go: a second subnet, replicas, another target, a key."""

from __future__ import annotations

from typing import Any

from db import heartbeats
from tests.faults import backup_stories as backups
from tests.faults import replica_stories as replicas
from tests.faults import stories
from tests.faults.stage import Stage
from tests.faults.stories import Facts, Story, action, show

SECOND = {
    "neutron_net_id": "00000000-0000-4000-8000-000000000010",
    "neutron_subnet_id": "00000000-0000-4000-9000-000000000010",
}
KEY = "00000000-0000-4000-8000-0000000000ee"


# ---- a further subnet of a network in use


async def a_served_share(stage: Stage, facts: Facts) -> None:
    await stories.a_network(stage, facts)
    await stories.a_share(stage, facts)
    await stories.ask_snapshot(stage, facts)
    await stage.settled()


def _network(facts: Facts) -> str:
    return f"/v2/share-networks/{facts['share_keys']['share_network_id']}"


async def ask_subnet_check(stage: Stage, facts: Facts) -> None:
    body = {"share_network_subnet_create_check": SECOND}
    answer = await stage.member("POST", f"{_network(facts)}/action", body, version="2.70")
    assert answer.status == 202, answer.content
    facts["answer"] = answer.json


async def check_subnet_possible(stage: Stage, facts: Facts) -> None:
    await ask_subnet_check(stage, facts)
    assert facts["answer"]["compatible"] is True


async def a_checked_subnet(stage: Stage, facts: Facts) -> None:
    await a_served_share(stage, facts)
    await ask_subnet_check(stage, facts)
    await stage.settled()


async def ask_subnet(stage: Stage, facts: Facts) -> None:
    body = {"share-network-subnet": SECOND}
    answer = await stage.member("POST", f"{_network(facts)}/subnets", body, version="2.70")
    assert answer.status == 200, answer.content


async def check_subnet(stage: Stage, facts: Facts) -> None:
    """Network and server are active, with two ports of each subnet and no more."""
    for table in ("share_networks", "share_servers"):
        assert [one["status"] for one in await stage.rows(f"SELECT status FROM {table} WHERE deleted = 'False'")] == [
            "active"
        ]
    ports = await stage.rows(
        "SELECT share_network_subnet_id AS subnet, count(*)::int AS n FROM network_allocations"
        " WHERE deleted = 'False' AND label = 'user' GROUP BY 1"
    )
    assert [one["n"] for one in ports] == [2, 2]
    await check_ports(stage)
    assert (await show(stage, facts))["status"] == "available"


async def check_ports(stage: Stage) -> None:
    """Neutron holds the ports that are written down, and no other."""
    import httpx2

    url = str(stage.core.settings.neutron.url)
    async with httpx2.AsyncClient() as client:
        listed = (await client.get(f"{url}/v2.0/ports", headers={"X-Auth-Token": "neutron-service-token"})).json()
    servers = {one["id"] for one in await stage.rows("SELECT id FROM share_servers")}
    ours = {one["id"] for one in listed["ports"] if one["device_id"] in servers}
    rows = await stage.rows("SELECT id FROM network_allocations WHERE deleted = 'False' AND label = 'user'")
    assert ours == {one["id"] for one in rows}


# ---- a revert of a share with replicas


async def a_replica_with_a_snapshot(stage: Stage, facts: Facts) -> None:
    await replicas.a_replica(stage, facts)
    await stories.ask_snapshot(stage, facts)
    await stage.settled()


async def check_reverted(stage: Stage, facts: Facts) -> None:
    assert (await show(stage, facts))["status"] == "available"
    rows = await stage.rows("SELECT status, replica_state FROM share_instances WHERE deleted = 'False'")
    assert sorted(one["status"] for one in rows) == ["available"] * 2
    await replicas.check_snapshots(stage, facts)


# ---- a restore to another share


async def _a_target(stage: Stage, facts: Facts) -> None:
    source = facts["share"]
    await stories.a_share(stage, facts)
    facts["target"], facts["share"] = facts["share"], source


async def a_driver_backup_and_a_target(stage: Stage, facts: Facts) -> None:
    await backups.a_driver_backup(stage, facts)
    await _a_target(stage, facts)


async def a_data_backup_and_a_target(stage: Stage, facts: Facts) -> None:
    await backups.a_data_backup(stage, facts)
    await _a_target(stage, facts)


async def ask_restore(stage: Stage, facts: Facts) -> None:
    await backups.ask(stage, "POST", f"/{facts['backup']}/action", {"restore": facts["target"]})


async def check_restored(stage: Stage, facts: Facts) -> None:
    """The target has the saved contents, and the share of the backup is as it was."""
    await backups.quiet(stage)
    await backups.look(stage.core)
    backup = (await backups.ask(stage, "GET", f"/{facts['backup']}"))["share_backup"]
    assert (backup["status"], backup["restore_progress"]) == ("available", "100")
    rows = await stage.rows("SELECT status FROM share_instances WHERE deleted = 'False'")
    assert [one["status"] for one in rows] == ["available"] * 2
    if "files" in facts:
        (place,) = await stage.rows(
            "SELECT path FROM share_instance_export_locations e JOIN share_instances i ON i.id = e.share_instance_id"
            " WHERE e.deleted = 0 AND e.is_admin_only AND i.share_id = %s ORDER BY e.id LIMIT 1",
            facts["target"],
        )
        assert (backups.folder(stage, place["path"]) / "file").read_text() == "contents"
        assert (facts["files"] / "file").read_text() == "changed"
        await backups.check_nothing_left(stage)


# ---- exports ordered by an administrator


async def ask_ensure(stage: Stage, facts: Facts) -> None:
    """The worker's own order at its start is done; this one puts the shares in ``ensuring``."""
    (service,) = await stage.rows("SELECT id FROM services WHERE \"binary\" = 'manila-share' AND deleted = 0")
    async with stage.core.db.write() as conn:  # as if the worker that was stopped were still there
        await heartbeats.beat(conn, service["id"])
    body = {"ensure_shares": {"host": "node1@alpha"}}
    answer = await stage.admin("POST", "/v2/services/ensure-shares", body, version="2.86")
    assert answer.status == 202, answer.content
    rows = await stage.rows("SELECT status FROM share_instances WHERE deleted = 'False'")
    assert [one["status"] for one in rows] == ["ensuring"]


# ---- a share whose server has a key


async def a_network_for_keys(stage: Stage, facts: Facts) -> None:
    await stories.a_network(stage, facts)
    specs = {"driver_handles_share_servers": "True", "encryption_support": "share_server"}
    body: Any = {"share_type": {"name": "keyed", "extra_specs": specs}}
    assert (await stage.admin("POST", "/v2/types", body)).status == 200
    facts["share_keys"] |= {"share_type": "keyed", "encryption_key_ref": KEY}


async def ask_keyed(stage: Stage, facts: Facts) -> None:
    body: Any = {"share": {"size": 1, "share_proto": "NFS", "name": "s", **facts["share_keys"]}}
    answer = await stage.member("POST", "/v2/shares", body, version="2.90")
    assert answer.status == 200, answer.content
    facts["share"] = answer.json["share"]["id"]


async def check_keyed(stage: Stage, facts: Facts) -> None:
    await stories.check_share_on_server(stage, facts)
    (server,) = await stage.rows("SELECT encryption_key_ref, application_credential_id FROM share_servers")
    assert server["encryption_key_ref"] == KEY
    assert server["application_credential_id"] is not None
    assert (await stage.usage())["encryption_keys"] == 1
    refs = await stage.rows("SELECT share_server_id, encryption_key_ref FROM encryption_refs WHERE deleted = 'False'")
    assert {one["encryption_key_ref"] for one in refs} == {KEY}
    assert len([one for one in refs if one["share_server_id"]]) == 1


async def a_keyed_server(stage: Stage, facts: Facts) -> None:
    await a_network_for_keys(stage, facts)
    await ask_keyed(stage, facts)
    await stage.settled()
    await stories.ask_delete(stage, facts)


async def check_no_key(stage: Stage, facts: Facts) -> None:
    await stories.check_no_server(stage, facts)
    assert await stage.rows("SELECT 1 FROM encryption_refs WHERE deleted = 'False'") == []
    assert "encryption_keys" not in await stage.usage()


async def ask_revert(stage: Stage, facts: Facts) -> None:
    await action(stage, facts, {"revert": {"snapshot_id": facts["snapshot"]}})


STORIES: dict[str, tuple[str, Story]] = {
    "a further subnet": ("network_check", Story(ask_subnet_check, check_subnet_possible, a_served_share, servers=True)),
    "its ports": ("network_apply", Story(ask_subnet, check_subnet, a_checked_subnet, servers=True)),
    "replicas": ("share_revert", Story(ask_revert, check_reverted, a_replica_with_a_snapshot, replicas=True)),
    "another share": ("backup_restore", Story(ask_restore, check_restored, a_driver_backup_and_a_target)),
    "another mount": ("data_backup_restore", Story(ask_restore, check_restored, a_data_backup_and_a_target)),
    "an order": ("share_ensure", Story(ask_ensure, stories.check_share, stories.a_share)),
    "a key": ("share_create", Story(ask_keyed, check_keyed, a_network_for_keys, servers=True)),
    "a key that goes": ("server_delete", Story(stories.ask_delete_server, check_no_key, a_keyed_server, servers=True)),
}
"""What is particular -> the operation and its story."""
