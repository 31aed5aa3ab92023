"""Share networks that change while servers are on them: what a driver is told, what it may say, and what a no means."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import heartbeats, reports
from db.connection import Database, Row
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from drivers.dummy.faults import made
from network.standalone import StandaloneOptions, StandalonePlugin
from tests.handlers.catalogue import asker, core_over
from tests.handlers.share_stage import refused
from tests.worker import test_server_migration
from worker.operation import Backend

SPECS = {"driver_handles_share_servers": "True", "snapshot_support": "True", "mount_snapshot_support": "True"}
NET, SUBNET = "00000000-0000-4000-8000-000000000010", "00000000-0000-4000-9000-000000000010"


class Driver(DummyDriver):
    """Says what a test wants, and remembers what it was told."""

    def __init__(self, options: BackendOptions) -> None:
        super().__init__(options)
        self.says: Any = {}
        self.able: Any = True
        self.told: list[tuple[list[Row], list[Row]]] = []
        self.rules: dict[str, Any] = {}

    def _able(self) -> bool:
        if isinstance(self.able, Exception):
            raise self.able
        return bool(self.able)

    async def check_update_share_server_network_allocations(self, *arguments: Any) -> bool:
        return self._able()

    async def check_update_share_server_security_service(self, *arguments: Any) -> bool:
        return self._able()

    async def update_share_server_network_allocations(self, *arguments: Any) -> Row:
        self.told.append((list(arguments[4]), list(arguments[5])))
        if isinstance(self.says, Exception):
            raise self.says
        return {**await super().update_share_server_network_allocations(*arguments), **self.says}

    async def update_share_server_security_service(self, *arguments: Any) -> Any:
        if isinstance(self.says, Exception):
            raise self.says
        (rules,) = (one["access_rules"] for one in arguments[3])
        return {arguments[2][0]["id"]: {one["id"]: {"state": "error", "access_key": "k"} for one in rules}}


@dataclasses.dataclass(slots=True)
class Stage(test_server_migration.Stage):
    """A share with a rule and a snapshot on a server of gamma."""

    snapshot: str = ""

    @property
    def gamma(self) -> Driver:
        driver = self.backends["gamma"].driver
        assert isinstance(driver, Driver)
        return driver

    async def on_network(self, body: Any, who: str = "admin") -> Any:
        answer = await self.ask(who, "POST", f"/v2/share-networks/{self.network}/action", body)
        await self.work()
        return answer

    async def check_subnet(self) -> Any:
        return await self.on_network({"share_network_subnet_create_check": {"reset_operation": True}})

    async def add_subnet(self) -> Any:
        """Ask whether a further subnet could be, twice as clients do, and order it."""
        for _ in range(2):
            await self.on_network({"share_network_subnet_create_check": {}})
        body: Any = {"share-network-subnet": {}}
        answer = await self.ask("member-a", "POST", f"/v2/share-networks/{self.network}/subnets", body)
        await self.work()
        return answer

    async def service(self) -> str:
        body = {"security_service": {"type": "ldap", "name": "s"}}
        answer = await self.ask("member-a", "POST", "/v2/security-services", body)
        return str(answer.json["security_service"]["id"])

    async def change_service(self, new: str, current: str | None) -> Any:
        word = "add" if current is None else "update"
        named = {"security_service_id": new}
        if current is not None:
            named = {"new_service_id": new, "current_service_id": current}
        for _ in range(2):
            await self.on_network({f"{word}_security_service_check": named})
        return await self.on_network({f"{word}_security_service": named})

    async def states(self) -> dict[str, str]:
        """The status of everything that is concerned."""
        (found,) = await self.rows(
            """
            SELECT n.status AS network, v.status AS server, i.status AS share, i.access_rules_status AS rules,
                   x.status AS snapshot
            FROM share_networks n, share_servers v, share_instances i, share_snapshot_instances x
            WHERE n.id = %s AND v.id = %s AND i.share_server_id = v.id AND x.share_instance_id = i.id
            """,
            self.network,
            self.server,
        )
        return found

    async def details(self) -> Any:
        return (await self.ask("admin", "GET", f"/v2/share-servers/{self.server}/details")).json["details"]


GOOD = {"network": "active", "server": "active", "share": "available", "rules": "active", "snapshot": "available"}


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    core = core_over(db)
    backend = Backend(
        "gamma",
        "node1@gamma",
        Driver(BackendOptions("gamma", "GAMMA")),
        StandalonePlugin(StandaloneOptions("10.0.0.1", "28")),
        StandalonePlugin(StandaloneOptions("11.0.0.1", "24"), "admin"),
    )
    one = Stage(core, asker(core), {"gamma": backend})
    async with db.write() as conn:
        service = await heartbeats.register(conn, "manila-share", "manila-share", backend.host, "nova")
        await heartbeats.beat(conn, service)
        await reports.save(conn, backend.host, await backend.driver.get_share_stats(refresh=True))
    made_type = await one.ask("admin", "POST", "/v2/types", {"share_type": {"name": "default", "extra_specs": SPECS}})
    assert made_type.status == 200, made_type.json
    one.network = await one.new_network()
    body: Any = {"share": {"size": 1, "share_proto": "NFS", "share_network_id": one.network}}
    one.share = (await one.ask("member-a", "POST", "/v2/shares", body)).json["share"]["id"]
    await one.work()
    rule: Any = {"allow_access": {"access_type": "ip", "access_to": "10.0.0.9"}}
    await one.ask("member-a", "POST", f"/v2/shares/{one.share}/action", rule)
    taken = await one.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": one.share}})
    one.snapshot = taken.json["snapshot"]["id"]
    await one.work()
    ((one.server, _),) = (await one.servers()).items()
    yield one


async def test_a_driver_is_told_of_the_snapshots_and_may_say_where_they_are(stage: Stage) -> None:
    (instance,) = await stage.rows("SELECT id FROM share_snapshot_instances")
    (share,) = await stage.rows("SELECT id FROM share_instances")
    stage.gamma.says = {
        "share_updates": {share["id"]: [{"path": "1.2.3.4:/s", "is_admin_only": False}], "somebody-elses": []},
        "snapshot_updates": {
            instance["id"]: {
                "provider_location": "/new/place",
                "export_locations": [{"path": "1.2.3.4:/snap", "is_admin_only": True}],
            },
            "somebody-elses": {"provider_location": "nowhere"},
        },
        "server_details": {"more": "of it"},
    }
    assert (await stage.add_subnet()).status == 200
    ((shares, snapshots),) = stage.gamma.told
    assert ([one["id"] for one in shares], [one["id"] for one in snapshots]) == ([share["id"]], [instance["id"]])
    assert snapshots[0]["share"]["id"] == share["id"]
    (found,) = await stage.rows("SELECT provider_location FROM share_snapshot_instances")
    assert found["provider_location"] == "/new/place"
    shown = await stage.ask("admin", "GET", f"/v2/snapshots/{stage.snapshot}/export-locations")
    assert [one["path"] for one in shown.json["share_snapshot_export_locations"]] == ["1.2.3.4:/snap"]
    shown = await stage.ask("member-a", "GET", f"/v2/shares/{stage.share}/export_locations")
    assert [one["path"] for one in shown.json["export_locations"]] == ["1.2.3.4:/s"]
    assert (await stage.details())["more"] == "of it"
    assert await stage.states() == GOOD


async def test_an_update_that_fails_leaves_all_that_is_on_the_server_in_error(stage: Stage) -> None:
    stage.gamma.says = made("no", None, {"server_details": {"half": "done"}})
    assert (await stage.add_subnet()).status == 200
    bad = {"server": "error", "share": "error", "snapshot": "error"}
    assert await stage.states() == {**GOOD, **bad}
    assert (await stage.details())["half"] == "done"


@pytest.mark.parametrize("no", [False, RuntimeError("cannot be asked")])
async def test_a_back_end_that_says_no_keeps_the_network_as_it_is(stage: Stage, no: Any) -> None:
    stage.gamma.able = no
    await stage.check_subnet()
    answer = await stage.on_network({"share_network_subnet_create_check": {}})
    assert (answer.status, answer.json) == (
        202,
        {"compatible": False, "hosts_check_result": {"node1@gamma": False}},
    )
    status, text = refused(await stage.add_subnet())
    assert status == 400
    assert "since at least one of its backend hosts do not support this operation" in text
    status, text = refused(await stage.change_service(await stage.service(), None))
    assert status == 400
    assert "since at least one of its backend hosts do not support this operation" in text
    assert stage.gamma.told == []
    assert await stage.states() == GOOD


async def test_a_server_that_cannot_be_changed_is_never_asked_about(stage: Stage) -> None:
    async with stage.core.db.write() as conn:
        await conn.run(
            """
            UPDATE share_servers SET network_allocation_update_support = false, security_service_update_support = false
            """
        )
    status, text = refused(await stage.check_subnet())
    assert (status, "See the capability 'network_allocation_update_support'." in text) == (400, True)
    status, text = refused(await stage.add_subnet())
    assert (status, "See the capability 'network_allocation_update_support'." in text) == (400, True)
    new = await stage.service()
    status, text = refused(await stage.on_network({"add_security_service_check": {"security_service_id": new}}))
    assert (status, "See the capability 'security_service_update_support'." in text) == (400, True)
    assert await stage.states() == GOOD


async def test_a_back_end_that_is_away_is_not_asked(stage: Stage) -> None:
    new = await stage.service()
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE services SET updated_at = '2001-01-01'")
    answer = await stage.check_subnet()
    assert refused(answer) == (409, "A share network subnet update check cannot be performed at this time.")
    assert refused(await stage.add_subnet()) == (409, "Could not add the share network subnet.")
    for word in ("add_security_service_check", "add_security_service"):
        answer = await stage.on_network({word: {"security_service_id": new}})
        assert refused(answer) == (409, "Service node1@gamma is down.")
    assert await stage.rows("SELECT 1 AS one FROM openkeel_tasks WHERE kind LIKE 'network%'") == []
    assert await stage.states() == GOOD


async def test_a_network_whose_share_moves_stays_as_it_is(stage: Stage) -> None:
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE shares SET task_state = 'data_copying_in_progress'")
    status, text = refused(await stage.check_subnet())
    assert (status, "busy as part of an active task" in text) == (400, True)
    new = await stage.service()
    status, text = refused(await stage.on_network({"add_security_service_check": {"security_service_id": new}}))
    assert (status, f"are busy: ['{stage.share}']." in text) == (400, True)


async def test_a_service_that_cannot_be_added_leaves_the_share_as_it_is(stage: Stage) -> None:
    stage.gamma.says = RuntimeError("no")
    assert (await stage.change_service(await stage.service(), None)).status == 200
    assert await stage.states() == {**GOOD, "server": "error"}


async def test_a_service_that_cannot_be_replaced_puts_shares_and_rules_in_error(stage: Stage) -> None:
    first, second = await stage.service(), await stage.service()
    assert (await stage.change_service(first, None)).status == 200
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_instance_access_map SET state = 'active'")
        await conn.run("UPDATE share_instances SET access_rules_status = 'active'")
    stage.gamma.says = RuntimeError("no")
    assert (await stage.change_service(second, first)).status == 202
    assert await stage.states() == {**GOOD, "server": "error", "share": "error", "rules": "error"}


async def test_a_driver_may_say_what_became_of_the_rules(stage: Stage) -> None:
    assert (await stage.change_service(await stage.service(), None)).status == 200
    assert await stage.states() == {**GOOD, "rules": "error"}
    (rule,) = await stage.rows(
        "SELECT m.state, a.access_key FROM share_instance_access_map m JOIN share_access_map a ON a.id = m.access_id"
    )
    assert rule == {"state": "error", "access_key": "k"}
