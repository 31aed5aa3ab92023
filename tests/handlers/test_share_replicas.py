"""Share replicas: made, promoted, asked about and removed, with their quota, rules and snapshots."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from db import reports
from db.connection import Database
from tests.handlers import share_stage
from tests.handlers.share_stage import Stage, refused
from worker.periodic import Now
from worker.tasks import replicas as periodic

Counted = Callable[[], contextlib.AbstractContextManager[list[str]]]
MALFORMED = "The server could not comply with the request since it is either malformed or otherwise incorrect."
SPECS = {
    "driver_handles_share_servers": "False",
    "replication_type": "readable",
    "snapshot_support": "True",
    "create_share_from_snapshot_support": "True",
    "revert_to_snapshot_support": "True",
}
REPLICAS = "/v2/share-replicas"


class World:
    """A replicated share of tenant A on alpha or beta, and what a test asks about its replicas."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.ask = stage, stage.ask
        self.share = ""

    async def make(self, **specs: str) -> None:
        """The type ``replicated`` and a share of it."""
        body = {"share_type": {"name": "replicated", "extra_specs": {**SPECS, **specs}}}
        answer = await self.ask("admin", "POST", "/v2/types", body)
        assert answer.status == 200, answer.json
        made = await self.stage.share(share_type="replicated")
        assert (made["status"], made["has_replicas"]) == ("available", False)
        self.share = made["id"]

    async def order(self, who: str = "member-a", version: str = "2.99", **more: Any) -> Any:
        """Ask for a replica; the answer."""
        body = {"share_replica": {"share_id": self.share, **more}}
        return await self.ask(who, "POST", REPLICAS, body, version)

    async def replica(self, **more: Any) -> str:
        """A replica that is made; its id."""
        answer = await self.order(**more)
        assert answer.status == 202, answer.json
        await self.stage.work()
        return str(answer.json["share_replica"]["id"])

    async def show(self, replica: str, who: str = "admin") -> dict[str, Any]:
        answer = await self.ask(who, "GET", f"{REPLICAS}/{replica}")
        found: dict[str, Any] = answer.json["share_replica"]
        return found

    async def states(self) -> dict[str, tuple[str, str]]:
        """Replica -> status and replica state."""
        answer = await self.ask("admin", "GET", f"{REPLICAS}?share_id={self.share}")
        return {one["id"]: (one["status"], one["replica_state"]) for one in answer.json["share_replicas"]}

    async def active(self) -> str:
        return next(ident for ident, (_, state) in (await self.states()).items() if state == "active")

    async def action(self, replica: str, body: Any, who: str = "admin", version: str = "2.99") -> Any:
        """An action on a replica, and the work that it leads to."""
        answer = await self.ask(who, "POST", f"{REPLICAS}/{replica}/action", body, version)
        await self.stage.work()
        return answer

    async def snapshot(self) -> str:
        answer = await self.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": self.share}})
        assert answer.status == 202, answer.json
        await self.stage.work()
        return str(answer.json["snapshot"]["id"])

    async def snapshot_status(self, snapshot: str) -> str:
        answer = await self.ask("member-a", "GET", f"/v2/snapshots/{snapshot}")
        return str(answer.json["snapshot"]["status"]) if answer.status == 200 else "gone"

    async def look(self) -> None:
        """Both periodic tasks, once on each back end."""
        for run in (periodic.replica_state_update, periodic.replica_snapshot_update):
            for backend in self.stage.backends.values():
                await run(Now(self.stage.core, backend))
        await self.stage.work()

    def fail(self, replica: dict[str, Any], method: str) -> None:
        """The next call of a driver method fails on the back end of a replica."""
        name = replica["host"].partition("@")[2].partition("#")[0]
        driver: Any = self.stage.backends[name].driver
        driver.faults.fail(method)


@pytest.fixture
async def world(db: Database) -> AsyncIterator[World]:
    async for stage in share_stage.stage_over(db):
        yield World(stage)


async def test_a_replica_is_made_on_another_back_end_in_sync_and_counted(world: World) -> None:
    await world.make()
    replica = await world.replica(metadata={"colour": "blue"})
    found, first = await world.show(replica), await world.show(await world.active())
    assert (found["status"], found["replica_state"], found["cast_rules_to_readonly"]) == ("available", "in_sync", True)
    assert {found["host"], first["host"]} == {"node1@alpha#fake_pool_for_ALPHA", "node1@beta#fake_pool_for_BETA"}
    assert found["metadata"] == {"colour": "blue"}
    assert found["availability_zone"] == "nova"
    usage = await world.stage.usage("b0000000000000000000000000000000")
    assert (usage["shares"], usage["share_replicas"], usage["replica_gigabytes"]) == (1, 2, 2)
    share = (await world.ask("member-a", "GET", f"/v2/shares/{world.share}")).json["share"]
    assert (share["has_replicas"], share["status"]) == (True, "available")


async def test_a_third_replica_finds_no_back_end(world: World) -> None:
    await world.make()
    await world.replica()
    third = await world.replica()
    assert (await world.states())[third] == ("error", "error")
    assert await world.stage.messages() == [("001", "014")]
    assert (await world.ask("member-a", "DELETE", f"{REPLICAS}/{third}")).status == 202
    assert third not in await world.states()
    assert (await world.stage.usage("b0000000000000000000000000000000"))["share_replicas"] == 2


@pytest.mark.parametrize("kind", ["dr", "writable"])
async def test_only_readable_replicas_have_their_rules_cast(world: World, kind: str) -> None:
    for backend in world.stage.backends.values():
        stats = await backend.driver.get_share_stats(refresh=True)
        stats["pools"][0]["replication_type"] = kind
        async with world.stage.core.db.write() as conn:
            await reports.save(conn, backend.host, stats)
    await world.make(replication_type=kind)
    assert (await world.show(await world.replica()))["cast_rules_to_readonly"] is False


@pytest.mark.parametrize(
    ("body", "version", "expected"),
    [
        ({}, "2.56", (422, "Body does not contain 'share_replica' information.")),
        ({"share_replica": {}}, "2.56", (400, "Must provide Share ID to add replica.")),
        ({"share_replica": {"share_id": "x"}}, "2.56", (404, "No share exists with ID x.")),
        ({"share_replica": {"share_id": 7}}, "2.56", (400, "Invalid input for field share_id: a text is expected.")),
    ],
)
async def test_a_body_that_names_no_share(world: World, body: Any, version: str, expected: tuple[int, str]) -> None:
    assert refused(await world.ask("member-a", "POST", REPLICAS, body, version)) == expected


@pytest.mark.parametrize(
    ("more", "version", "expected"),
    [
        ({"availability_zone": "mars"}, "2.56", "Availability zone mars could not be found."),
        ({"share_network_id": "x"}, "2.72", "No share network exists with ID x."),
        ({"scheduler_hints": {"same_host": "x"}}, "2.67",
         "Invalid input received: Arg 'scheduler_hints' supports only 'only_host' key."),
        ({"metadata": {"a": ""}}, "2.95", "Metadata property value is blank."),
        ({"metadata": ["a"]}, "2.95", MALFORMED),
        ({"scheduler_hints": "x"}, "2.67", "Invalid input for field scheduler_hints: an object is expected."),
    ],
)  # fmt: skip
async def test_what_a_replica_may_not_be(world: World, more: Any, version: str, expected: str) -> None:
    await world.make()
    assert refused(await world.order(version=version, **more)) == (400, expected)
    assert (await world.stage.usage("b0000000000000000000000000000000"))["share_replicas"] == 1


async def test_a_share_network_needs_share_servers_and_a_version(world: World) -> None:
    await world.make()
    network = (await world.ask("member-a", "POST", "/v2/share-networks", {"share_network": {}})).json["share_network"]
    answer = await world.order(version="2.71", share_network_id=network["id"])
    assert refused(answer)[0] == 400
    assert "Use 2.72 or greater microversion" in refused(answer)[1]
    answer = await world.order(share_network_id=network["id"])
    assert refused(answer) == (
        400,
        "Invalid input received: Share network must not be set when the driver_handles_share_servers is false.",
    )


async def test_a_plain_share_has_no_replicas(world: World) -> None:
    world.share = (await world.stage.share())["id"]
    assert refused(await world.order()) == (400, f"Replication not supported for share {world.share}.")
    assert await world.states() == {}


async def test_a_share_in_the_recycle_bin_gets_no_replica_and_one_with_replicas_is_not_put_there(world: World) -> None:
    await world.make()
    path = f"/v2/shares/{world.share}/action"
    assert (await world.ask("member-a", "POST", path, {"soft_delete": None})).status == 202
    expected = f"Replica cannot be created for share '{world.share}' since it has been soft deleted."
    assert refused(await world.order()) == (403, expected)
    assert (await world.ask("member-a", "POST", path, {"restore": None})).status == 202
    await world.replica()
    status, text = refused(await world.ask("member-a", "POST", path, {"soft_delete": None}))
    assert (status, text) == (
        409, f"Share {world.share} has replicas. Remove the replicas before soft deleting the share.",
    )  # fmt: skip
    status, text = refused(await world.ask("member-a", "DELETE", f"/v2/shares/{world.share}"))
    assert (status, text) == (409, f"Share {world.share} has replicas. Remove the replicas before deleting the share.")


async def test_quota_of_replicas_is_a_limit_for_shares_replicas_and_growth(world: World) -> None:
    await world.make()
    path = "/v2/quota-sets/b0000000000000000000000000000000"
    for limits, text in (
        ({"share_replicas": 1}, "ShareReplicasLimitExceeded: Maximum number of allowed share-replicas is exceeded."),
        (
            {"share_replicas": 5, "replica_gigabytes": 1},
            "ShareReplicaSizeExceedsAvailableQuota: Requested share replica exceeds allowed project/user or share "
            "type gigabytes quota.",
        ),
    ):
        assert (await world.ask("admin", "PUT", path, {"quota_set": limits})).status == 200
        assert refused(await world.order()) == (413, text)
    grow = await world.ask("member-a", "POST", f"/v2/shares/{world.share}/action", {"extend": {"new_size": 2}})
    assert grow.status == 413
    assert (await world.stage.usage("b0000000000000000000000000000000"))["replica_gigabytes"] == 1


async def test_growing_and_shrinking_count_every_replica(world: World) -> None:
    await world.make()
    await world.replica()
    path = f"/v2/shares/{world.share}/action"
    for body, gigabytes in (({"extend": {"new_size": 3}}, 3), ({"shrink": {"new_size": 2}}, 2)):
        assert (await world.ask("member-a", "POST", path, body)).status == 202
        await world.stage.work()
        usage = await world.stage.usage("b0000000000000000000000000000000")
        assert (usage["gigabytes"], usage["replica_gigabytes"]) == (gigabytes, 2 * gigabytes)


async def test_an_administrators_replica_is_its_owners_to_pay(world: World) -> None:
    await world.make()
    assert (await world.order("admin")).status == 202
    await world.stage.work()
    assert (await world.stage.usage("b0000000000000000000000000000000"))["share_replicas"] == 2
    assert "share_replicas" not in await world.stage.usage("a0000000000000000000000000000000")


async def test_other_tenants_find_no_replica(world: World) -> None:
    await world.make()
    replica = await world.replica()
    assert refused(await world.order("member-b")) == (404, f"No share exists with ID {world.share}.")
    assert (await world.ask("member-b", "GET", f"{REPLICAS}/detail")).json == {"share_replicas": []}
    place = (await world.ask("member-a", "GET", f"{REPLICAS}/{replica}/export-locations")).json["export_locations"][0]
    for method, path, body in (
        ("GET", "/{}", None),
        ("DELETE", "/{}", None),
        ("POST", "/{}/action", {"promote": None}),
        ("GET", "/{}/export-locations", None),
        ("GET", f"/{{}}/export-locations/{place['id']}", None),
        ("GET", "/{}/metadata", None),
        ("POST", "/{}/metadata", {"metadata": {"a": "b"}}),
        ("PUT", "/{}/metadata", {"metadata": {"a": "b"}}),
        ("DELETE", "/{}/metadata/a", None),
    ):
        foreign = await world.ask("member-b", method, REPLICAS + path.format(replica), body)
        unknown = await world.ask("member-b", method, REPLICAS + path.format("unknown"), body)
        assert foreign.status == unknown.status == 404
        assert foreign.content.replace(replica.encode(), b"unknown") == unknown.content
    assert replica in await world.states()


async def test_the_rules_of_a_share_hold_on_its_replicas(world: World) -> None:
    await world.make()
    path = f"/v2/shares/{world.share}/action"
    for address in ("10.0.0.1", "10.0.0.2"):
        rule = await world.ask("member-a", "POST", path, {"allow_access": {"access_type": "ip", "access_to": address}})
        assert rule.status == 200
        await world.stage.work()
        if address == "10.0.0.1":
            replica = await world.replica()
    async with world.stage.core.db.read() as conn:
        rows = await conn.all("SELECT state FROM share_instance_access_map WHERE deleted = 'False'")
    assert [row["state"] for row in rows] == ["active"] * 4
    instance = (await world.ask("admin", "GET", f"/v2/share_instances/{replica}")).json["share_instance"]
    assert (instance["access_rules_status"], instance["progress"]) == ("active", "100%")
    assert (await world.ask("member-a", "DELETE", f"{REPLICAS}/{replica}")).status == 202
    await world.stage.work()
    rules = (await world.ask("member-a", "GET", f"/v2/share-access-rules?share_id={world.share}")).json["access_list"]
    assert [one["state"] for one in rules] == ["active"] * 2


async def test_a_promoted_replica_takes_the_place_of_the_active_one(world: World) -> None:
    await world.make()
    replica, first = await world.replica(), await world.active()
    answer = await world.action(replica, {"promote": {"quiesce_wait_time": "5"}}, "member-a")
    assert (answer.status, answer.json["share_replica"]["status"]) == (202, "replication_change")
    assert await world.states() == {first: ("available", "in_sync"), replica: ("available", "active")}
    assert [(await world.show(one))["cast_rules_to_readonly"] for one in (first, replica)] == [True, False]
    assert (await world.action(replica, {"promote": None}, "member-a")).status == 200
    text = "Unable to perform a replication action: Cannot delete last active replica."
    assert refused(await world.ask("member-a", "DELETE", f"{REPLICAS}/{replica}")) == (400, text)
    assert refused(await world.action(replica, {"force_delete": None})) == (400, text)
    assert (await world.ask("member-a", "DELETE", f"{REPLICAS}/{first}")).status == 202


async def test_what_may_not_be_promoted(world: World) -> None:
    await world.make()
    replica = await world.replica()
    for value in (-1, "x", [1], True):
        answer = await world.action(replica, {"promote": {"quiesce_wait_time": value}}, "member-a")
        assert refused(answer) == (400, "quiesce_wait_time must be an integer and greater than 0.")
    assert (await world.action(replica, {"reset_replica_state": {"replica_state": "out_of_sync"}})).status == 202
    answer = await world.action(replica, {"promote": None}, "member-a")
    assert refused(answer) == (403, "User does not have admin privileges.")
    assert (await world.action(replica, {"reset_status": {"status": "error"}})).status == 202
    answer = await world.action(replica, {"promote": None})
    assert refused(answer) == (
        400,
        f"Unable to perform a replication action: Replica {replica} must be in available state to be promoted.",
    )


async def test_a_driver_that_cannot_promote_leaves_all_replicas_in_error(world: World) -> None:
    await world.make()
    replica, first = await world.replica(), await world.active()
    world.fail(await world.show(replica), "promote_replica")
    await world.action(replica, {"promote": None})
    assert await world.states() == {first: ("error", "active"), replica: ("error", "in_sync")}
    assert await world.stage.messages() == [("004", "001")] * 2


async def test_states_are_reset_but_not_that_of_the_active_replica(world: World) -> None:
    await world.make()
    active = await world.active()
    answer = await world.action(active, {"reset_replica_state": {"replica_state": "error"}})
    assert refused(answer) == (400, "Cannot reset replica_state of an active replica")
    answer = await world.action(active, {"reset_replica_state": {"replica_state": "best"}})
    assert refused(answer) == (400, "Invalid state. Valid states: active, error, in_sync, out_of_sync.")
    assert refused(await world.action("unknown", {"reset_status": {"status": "error"}}))[0] == 404


async def test_a_look_brings_a_replica_back_in_sync_and_a_failing_one_into_error(world: World) -> None:
    await world.make()
    replica = await world.replica()
    await world.action(replica, {"reset_replica_state": {"replica_state": "out_of_sync"}})
    assert (await world.action(replica, {"resync": None})).status == 202
    assert (await world.states())[replica] == ("available", "in_sync")
    world.fail(await world.show(replica), "update_replica_state")
    await world.look()
    assert (await world.states())[replica] == ("error", "error")
    assert await world.stage.messages() == [("005", "001")]
    await world.look()
    assert (await world.states())[replica] == ("error", "in_sync")
    assert (await world.action(await world.active(), {"resync": None})).status == 200


async def test_without_an_active_replica_none_is_in_sync(world: World) -> None:
    await world.make()
    replica, first = await world.replica(), await world.active()
    async with world.stage.core.db.write() as conn:
        await conn.run("UPDATE share_instances SET replica_state = 'error' WHERE id = %s", (first,))
    await world.look()
    assert (await world.states())[replica] == ("available", "error")
    assert (await world.action(replica, {"promote": None})).status == 202
    assert (await world.states())[replica] == ("available", "error")
    assert await world.stage.messages() == [("004", "006")]


async def test_the_looks_of_a_back_end_do_not_pile_up(world: World) -> None:
    await world.make()
    replica = await world.show(await world.replica())
    name = replica["host"].partition("@")[2].partition("#")[0]
    for _ in range(3):
        await periodic.replica_state_update(Now(world.stage.core, world.stage.backends[name]))
    async with world.stage.core.db.read() as conn:
        rows = await conn.all("SELECT id FROM openkeel_tasks WHERE kind = 'replica_update' AND state = 'queued'")
    assert len(rows) == 1


async def test_snapshots_are_taken_and_removed_on_every_replica(world: World) -> None:
    await world.make()
    early = await world.snapshot()
    await world.replica()
    assert await world.snapshot_status(early) == "creating"
    await world.look()
    late = await world.snapshot()
    assert [await world.snapshot_status(one) for one in (early, late)] == ["available"] * 2
    instances = (await world.ask("admin", "GET", f"/v2/snapshot-instances?snapshot_id={late}")).json
    assert [one["status"] for one in instances["snapshot_instances"]] == ["available"] * 2
    for one in (early, late):
        assert (await world.ask("member-a", "DELETE", f"/v2/snapshots/{one}")).status == 202
    await world.stage.work()
    assert [await world.snapshot_status(one) for one in (early, late)] == ["gone"] * 2
    usage = await world.stage.usage("b0000000000000000000000000000000")
    assert (usage["snapshots"], usage["snapshot_gigabytes"]) == (0, 0)


async def test_a_snapshot_that_fails_is_in_error_everywhere_and_may_be_removed_again(world: World) -> None:
    await world.make()
    await world.replica()
    active = await world.show(await world.active())
    world.fail(active, "create_replicated_snapshot")
    snapshot = await world.snapshot()
    assert await world.snapshot_status(snapshot) == "error"
    for forced in (False, True):
        world.fail(active, "delete_replicated_snapshot")
        path, body = (f"/v2/snapshots/{snapshot}/action", {"force_delete": None}) if forced else (
            f"/v2/snapshots/{snapshot}", None)  # fmt: skip
        who, method = ("admin", "POST") if forced else ("member-a", "DELETE")
        assert (await world.ask(who, method, path, body)).status == 202
        await world.stage.work()
        assert await world.snapshot_status(snapshot) == ("gone" if forced else "error_deleting")


async def test_a_share_with_replicas_is_reverted_on_all_of_them(world: World) -> None:
    await world.make()
    await world.replica()
    snapshot = await world.snapshot()
    revert = {"revert": {"snapshot_id": snapshot}}
    path = f"/v2/shares/{world.share}/action"
    assert (await world.ask("member-a", "POST", path, revert)).status == 202
    await world.stage.work()
    assert (await world.show(await world.active()))["status"] == "available"
    world.fail(await world.show(await world.active()), "revert_to_replicated_snapshot")
    assert (await world.ask("member-a", "POST", path, revert)).status == 202
    await world.stage.work()
    assert (await world.show(await world.active()))["status"] == "reverting_error"
    assert await world.snapshot_status(snapshot) == "available"


async def test_a_removal_that_fails_may_be_repeated_or_forced(world: World) -> None:
    await world.make()
    replica = await world.replica()
    world.fail(await world.show(replica), "delete_replica")
    assert (await world.ask("member-a", "DELETE", f"{REPLICAS}/{replica}")).status == 202
    await world.stage.work()
    assert (await world.states())[replica] == ("error_deleting", "error")
    assert await world.stage.messages() == [("007", "001")]
    world.fail(await world.show(replica), "delete_replica")
    assert (await world.action(replica, {"force_delete": None})).status == 202
    assert replica not in await world.states()
    usage = await world.stage.usage("b0000000000000000000000000000000")
    assert (usage["share_replicas"], usage["replica_gigabytes"]) == (1, 1)


async def test_a_driver_that_cannot_make_a_replica_leaves_it_in_error(world: World) -> None:
    await world.make()
    other = {"node1@alpha#fake_pool_for_ALPHA": "beta", "node1@beta#fake_pool_for_BETA": "alpha"}
    active = await world.show(await world.active())
    world.fail({"host": f"node1@{other[active['host']]}"}, "create_replica")
    replica = await world.replica()
    assert (await world.states())[replica] == ("error", "error")
    assert await world.stage.messages() == [("002", "001")]


async def test_an_instance_that_is_removed_by_force_takes_its_snapshots_with_it(world: World) -> None:
    await world.make()
    snapshot = await world.snapshot()
    replica = await world.replica()
    path = f"/v2/share_instances/{replica}/action"
    assert (await world.ask("admin", "POST", path, {"force_delete": None})).status == 202
    await world.stage.work()
    assert await world.snapshot_status(snapshot) == "available"
    usage = await world.stage.usage("b0000000000000000000000000000000")
    assert (usage["shares"], usage["share_replicas"], usage["snapshots"]) == (1, 1, 1)


async def test_a_replicated_share_that_failed_gives_all_its_quota_back(world: World) -> None:
    await world.make()
    assert (await world.ask("member-a", "DELETE", f"/v2/shares/{world.share}")).status == 202
    await world.stage.work()
    for backend in world.stage.backends.values():
        driver: Any = backend.driver
        driver.faults.fail("create_share")
    body = {"share": {"size": 1, "share_proto": "NFS", "share_type": "replicated"}}
    made = (await world.ask("member-a", "POST", "/v2/shares", body)).json["share"]["id"]
    await world.stage.work()
    assert (await world.ask("member-a", "DELETE", f"/v2/shares/{made}")).status == 202
    await world.stage.work()
    usage = await world.stage.usage("b0000000000000000000000000000000")
    assert {name: amount for name, amount in usage.items() if amount} == {}


async def test_back_ends_are_told_what_kind_of_replica_it_is(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.make()
    replica = await world.replica()
    host = (await world.show(replica))["host"]
    driver: Any = world.stage.backends[host.partition("@")[2].partition("#")[0]].driver
    levels, waits = [], []

    async def update_access(share: Any, rules: Any, *_: Any, share_server: Any) -> None:
        levels.append([rule["access_level"] for rule in rules])

    async def promote_replica(every: Any, one: Any, rules: Any, share_server: Any, quiesce_wait_time: Any) -> None:
        waits.append(quiesce_wait_time)

    monkeypatch.setattr(driver, "update_access", update_access)
    monkeypatch.setattr(driver, "promote_replica", promote_replica)
    rule = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1", "access_level": "rw"}}
    assert (await world.ask("member-a", "POST", f"/v2/shares/{world.share}/action", rule)).status == 200
    await world.stage.work()
    first = await world.active()
    await world.action(replica, {"promote": {"quiesce_wait_time": 7}})
    assert (levels, waits) == ([["ro"]], [7])
    assert await world.states() == {first: ("available", "out_of_sync"), replica: ("available", "active")}


async def test_a_copy_of_a_snapshot_is_made_where_the_active_replica_is(world: World) -> None:
    await world.make()
    replica = await world.replica()
    snapshot = await world.snapshot()
    await world.action(replica, {"promote": None})
    body = {"share": {"share_proto": "NFS", "size": 1, "snapshot_id": snapshot}}
    answer = await world.ask("member-a", "POST", "/v2/shares", body)
    assert answer.status == 200, answer.json
    await world.stage.work()
    copy = (await world.ask("admin", "GET", f"/v2/shares/{answer.json['share']['id']}")).json["share"]
    assert (copy["status"], copy["host"]) == ("available", (await world.show(replica))["host"])


async def test_an_administrator_may_name_the_pool(world: World) -> None:
    await world.make()
    taken = (await world.show(await world.active()))["host"]
    body = {"share_replica": {"share_id": world.share, "scheduler_hints": {"only_host": taken}}}
    for who, state in (("admin", "error"), ("member-a", "in_sync")):
        answer = await world.ask(who, "POST", REPLICAS, body)
        await world.stage.work()
        assert (await world.states())[answer.json["share_replica"]["id"]][1] == state


async def test_a_replica_is_not_made_from_one_that_is_not_available(world: World) -> None:
    await world.make()
    active = await world.active()
    ordered = (await world.order()).json["share_replica"]["id"]
    async with world.stage.core.db.write() as conn:
        await conn.run("UPDATE share_instances SET status = 'error' WHERE id = %s", (active,))
    await world.stage.work()
    assert (await world.states())[ordered] == ("error", "error")
    assert await world.stage.messages() == [("002", "006")]
    text = f"Unable to perform a replication action: Share {world.share} does not have any active replica in available"
    assert refused(await world.order()) == (400, f"{text} state.")


async def test_metadata_of_a_replica(world: World) -> None:
    await world.make()
    path = f"{REPLICAS}/{await world.replica()}/metadata"
    for method, tail, body, status, expected in (
        ("POST", "", {"metadata": {"a": "1", "b": "2"}}, 200, {"metadata": {"a": "1", "b": "2"}}),
        ("POST", "/a", {"metadata": {"a": "3"}}, 200, {"metadata": {"a": "3"}}),
        ("GET", "/a", None, 200, {"meta": {"a": "3"}}),
        ("DELETE", "/b", None, 200, None),
        ("PUT", "", {"metadata": {"c": "4"}}, 200, {"metadata": {"c": "4"}}),
        ("GET", "", None, 200, {"metadata": {"c": "4"}}),
        ("POST", "", {"metadata": {"a": {"b": "c"}}}, 400, None),
        ("POST", "", {"metadata": {"a": ""}}, 400, None),
        ("GET", "/zz", None, 404, None),
    ):
        answer = await world.ask("member-a", method, path + tail, body)
        assert answer.status == status
        if expected is not None:
            assert answer.json == expected


async def test_export_locations_of_a_replica_are_its_own(world: World) -> None:
    await world.make()
    replica = await world.replica()
    path = f"{REPLICAS}/{replica}/export-locations"
    seen = (await world.ask("member-a", "GET", path)).json["export_locations"]
    every = (await world.ask("admin", "GET", path)).json["export_locations"]
    assert (len(seen), len(every)) == (2, 3)
    assert {one["replica_state"] for one in seen} == {"in_sync"}
    shown = await world.ask("member-a", "GET", f"{path}/{seen[0]['id']}")
    assert shown.json["export_location"]["path"] == seen[0]["path"]
    others = await world.ask("member-a", "GET", f"{REPLICAS}/{await world.active()}/export-locations/{seen[0]['id']}")
    assert refused(others) == (404, f"Export location {seen[0]['id']} could not be found.")


async def test_a_list_walks_on_from_its_marker_in_few_statements(world: World, statements: Counted) -> None:
    await world.make()
    await world.replica()
    first = await world.ask("member-a", "GET", f"{REPLICAS}/detail?limit=1")
    marker = first.json["share_replicas"][0]["id"]
    assert f"marker={marker}" in first.json["share_replica_links"][0]["href"]
    with statements() as seen:
        second = await world.ask("member-a", "GET", f"{REPLICAS}/detail?limit=1&marker={marker}")
    assert len(seen) <= 3
    assert second.json["share_replicas"][0]["id"] != marker
    last = second.json["share_replicas"][0]["id"]
    assert (await world.ask("member-a", "GET", f"{REPLICAS}?marker={last}")).json == {"share_replicas": []}


@pytest.mark.parametrize("says", ["nothing", {"access_rules_status": "error"}, {"access_rules_status": "out_of_sync"}])
async def test_rules_of_a_replica_do_not_stay_queued(world: World, monkeypatch: pytest.MonkeyPatch, says: Any) -> None:
    """Those of one that could not be made are in error; they are active again when it is gone."""
    await world.make()
    path = f"/v2/shares/{world.share}/action"
    body: Any = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.1"}}
    assert (await world.ask("member-a", "POST", path, body)).status == 200
    await world.stage.work()

    async def made(*_: Any, **__: Any) -> Any:
        if says == "nothing":
            raise RuntimeError("planted")
        return {"export_locations": [], "replica_state": "out_of_sync", **says}

    for backend in world.stage.backends.values():
        monkeypatch.setattr(backend.driver, "create_replica", made)
    replica = await world.replica()
    assert (await world.show(replica))["status"] == ("error" if says == "nothing" else "available")

    async def state() -> str:
        listed = await world.ask("member-a", "GET", f"/v2/share-access-rules?share_id={world.share}")
        (rule,) = listed.json["access_list"]
        return str(rule["state"])

    instance = await world.ask("admin", "GET", f"/v2/share_instances/{replica}")
    assert (await state(), instance.json["share_instance"]["access_rules_status"]) == ("error", "error")
    assert (await world.ask("admin", "DELETE", f"{REPLICAS}/{replica}")).status == 202
    await world.stage.work()
    assert await state() == "active"
