"""Stories of replicas: on two back ends of one replication domain."""

from __future__ import annotations

from db import share_replicas
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from tests.faults.stage import Stage, until
from tests.faults.stories import Facts, Story, ask_share, ask_snapshot, show
from worker.operation import Backend
from worker.periodic import Now
from worker.tasks.replicas import replica_snapshot_update

TYPE = {
    "driver_handles_share_servers": "False",
    "replication_type": "readable",
    "snapshot_support": "True",
    "revert_to_snapshot_support": "True",
}


async def _both_reported(stage: Stage) -> None:
    async def reported() -> bool:
        return len(await stage.rows("SELECT 1 FROM openkeel_reports")) == 2

    await until(reported, "both back ends have reported")


async def a_replicated_share(stage: Stage, facts: Facts) -> None:
    """A share with a rule, of a replicated type."""
    await _both_reported(stage)
    body = {"share_type": {"name": "replicated", "extra_specs": TYPE}}
    assert (await stage.admin("POST", "/v2/types", body)).status == 200
    facts["share_keys"] = {"share_type": "replicated"}
    await ask_share(stage, facts)
    await stage.settled()
    rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.5"}}
    assert (await stage.member("POST", f"/v2/shares/{facts['share']}/action", rule)).status == 200
    await stage.settled()


async def ask_replica(stage: Stage, facts: Facts) -> None:
    answer = await stage.member("POST", "/v2/share-replicas", {"share_replica": {"share_id": facts["share"]}})
    assert answer.status == 202, answer.content
    facts["replica"] = answer.json["share_replica"]["id"]


async def a_replica(stage: Stage, facts: Facts) -> None:
    await a_replicated_share(stage, facts)
    await ask_replica(stage, facts)
    await stage.settled()


async def _replicas(stage: Stage, facts: Facts) -> dict[str, tuple[str, str]]:
    answer = await stage.member("GET", f"/v2/share-replicas?share_id={facts['share']}")
    return {one["id"]: (one["status"], one["replica_state"]) for one in answer.json["share_replicas"]}


async def check_replica(stage: Stage, facts: Facts) -> None:
    found = await _replicas(stage, facts)
    assert found[facts["replica"]] == ("available", "in_sync")
    assert len(found) == 2
    usage = await stage.usage()
    assert (usage["shares"], usage["share_replicas"], usage["replica_gigabytes"]) == (1, 2, 2)
    rules = await stage.rows("SELECT state FROM share_instance_access_map WHERE deleted = 'False'")
    assert [row["state"] for row in rules] == ["active", "active"]
    places = await stage.rows("SELECT path FROM share_instance_export_locations WHERE deleted = 0")
    assert len(places) == len({row["path"] for row in places}) == 6


async def ask_delete_replica(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("DELETE", f"/v2/share-replicas/{facts['replica']}")).status == 202


async def check_no_replica(stage: Stage, facts: Facts) -> None:
    assert len(await _replicas(stage, facts)) == 1
    usage = await stage.usage()
    assert (usage["share_replicas"], usage["replica_gigabytes"]) == (1, 1)


async def _action(stage: Stage, facts: Facts, body: Facts) -> None:
    answer = await stage.admin("POST", f"/v2/share-replicas/{facts['replica']}/action", body)
    assert answer.status == 202, answer.content


async def ask_promote(stage: Stage, facts: Facts) -> None:
    await _action(stage, facts, {"promote": None})


async def check_promoted(stage: Stage, facts: Facts) -> None:
    found = await _replicas(stage, facts)
    assert found[facts["replica"]] == ("available", "active")
    assert sorted(found.values()) == [("available", "active"), ("available", "in_sync")]
    assert (await show(stage, facts))["status"] == "available"
    casts = await stage.rows("SELECT id, cast_rules_to_readonly AS ro FROM share_instances WHERE deleted = 'False'")
    assert [row["ro"] for row in casts if row["id"] == facts["replica"]] == [False]
    assert sorted(row["ro"] for row in casts) == [False, True]


async def ask_resync(stage: Stage, facts: Facts) -> None:
    await _action(stage, facts, {"reset_replica_state": {"replica_state": "out_of_sync"}})
    await _action(stage, facts, {"resync": None})


async def a_replica_behind(stage: Stage, facts: Facts) -> None:
    """A replica of a share that has a snapshot: the replica does not have it yet."""
    await a_replicated_share(stage, facts)
    await ask_snapshot(stage, facts)
    await stage.settled()
    await ask_replica(stage, facts)
    await stage.settled()


async def ask_snapshot_look(stage: Stage, facts: Facts) -> None:
    async with stage.core.db.read() as conn:
        replica = await share_replicas.get(conn, facts["replica"], None)
    assert replica is not None
    host = replica["host"].partition("#")[0]
    driver = DummyDriver(BackendOptions("any"))
    await replica_snapshot_update(Now(stage.core, Backend("any", host, driver)))


async def check_snapshots(stage: Stage, facts: Facts) -> None:
    rows = await stage.rows("SELECT status FROM share_snapshot_instances WHERE deleted = 'False'")
    assert [row["status"] for row in rows] == ["available", "available"]
    assert (await stage.usage())["snapshots"] == 1


async def a_replicated_snapshot(stage: Stage, facts: Facts) -> None:
    await a_replica(stage, facts)
    await ask_snapshot(stage, facts)
    await stage.settled()


async def ask_delete_snapshot(stage: Stage, facts: Facts) -> None:
    assert (await stage.member("DELETE", f"/v2/snapshots/{facts['snapshot']}")).status == 202


async def check_no_snapshots(stage: Stage, facts: Facts) -> None:
    assert await stage.rows("SELECT 1 FROM share_snapshot_instances WHERE deleted = 'False'") == []
    assert "snapshots" not in await stage.usage()


CREATE = Story(ask_replica, check_replica, a_replicated_share, replicas=True)
STORIES: dict[str, Story] = {
    "replica_place": CREATE,
    "replica_create": CREATE,
    "replica_delete": Story(ask_delete_replica, check_no_replica, a_replica, replicas=True),
    "replica_promote": Story(ask_promote, check_promoted, a_replica, replicas=True),
    "replica_update": Story(ask_resync, check_replica, a_replica, replicas=True),
    "replica_snapshot_update": Story(ask_snapshot_look, check_snapshots, a_replica_behind, replicas=True),
    "replicated_snapshot_create": Story(ask_snapshot, check_snapshots, a_replica, replicas=True),
    "replicated_snapshot_delete": Story(ask_delete_snapshot, check_no_snapshots, a_replicated_snapshot, replicas=True),
}
