"""The periodic tasks themselves, as a share manager runs them: each is tested here or where its subject is."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from db import heartbeats, share_servers, tasks
from db import notifications as outbox
from db.connection import Conn, Database, Row
from db.write import insert
from drivers.base import Transient
from generated.settings import OpenkeelSection, OsloMessagingNotificationsSection
from network.base import Held
from tests.handlers.share_stage import Stage, stage_over
from tests.worker import test_servers
from worker.periodic import Now
from worker.schedule import TASKS
from worker.tasks.servers import leaked_ports

TESTS = pathlib.Path(__file__).parents[1]
OLD = "2001-01-01 00:00:00"
servers = test_servers.stage


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    async for one in stage_over(db, enable_gathering_share_usage_size=True):
        yield one


async def run(stage: Any, name: str, backend: Any = None) -> None:
    """One run of a task."""
    (task,) = [one for one in TASKS if one.name == name]
    await task.run(Now(stage.core, backend))


async def rows(stage: Any, sql: str, *params: Any) -> list[Row]:
    async with stage.core.db.read() as conn:
        found: list[Row] = await conn.all(sql, params)
        return found


def test_no_task_is_without_a_test() -> None:
    places = (("*.py", TESTS), ("*.yaml", TESTS / "cases"), ("*.yaml", TESTS / "conformance"))
    files = [file for kind, place in places for file in place.rglob(kind) if file.name != "test_periodic.py"]
    text = "\n".join(file.read_text() for file in files)
    assert [one.name for one in TASKS if one.name not in text and one.run.__name__ not in text] == []


async def copied(stage: Stage, monkeypatch: pytest.MonkeyPatch, answer: Any) -> tuple[Row, Any]:
    """A share that is filled in the background, after its back end was asked once."""
    share = await stage.share()
    taken = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    await stage.work()

    async def begin(*arguments: Any, **more: Any) -> Any:
        return {"status": "creating_from_snapshot"}

    async def say(*arguments: Any, **more: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    for backend in stage.backends.values():
        monkeypatch.setattr(backend.driver, "create_share_from_snapshot", begin)
        monkeypatch.setattr(backend.driver, "get_share_status", say)
    copy = await stage.share(snapshot_id=taken.json["snapshot"]["id"])
    assert (copy["status"], copy["progress"]) == ("creating_from_snapshot", "0%")
    for backend in stage.backends.values():
        await run(stage, "share_status_update", backend)
    shown = (await stage.ask("admin", "GET", f"/v2/shares/{copy['id']}")).json["share"]
    places = await stage.ask("member-a", "GET", f"/v2/shares/{copy['id']}/export_locations")
    return shown, [one["path"] for one in places.json["export_locations"]]


@pytest.mark.parametrize(
    ("answer", "status", "progress", "paths"),
    [
        (
            {"status": "available", "export_locations": [{"path": "1.2.3.4:/x", "is_admin_only": False}]},
            "available", "100%", ["1.2.3.4:/x"],
        ),
        ({"status": "creating_from_snapshot", "progress": "40%"}, "creating_from_snapshot", "40%", []),
        (Transient("away"), "creating_from_snapshot", "0%", []),
    ],
)  # fmt: skip
async def test_a_share_that_a_back_end_fills_is_asked_about(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, answer: Any, status: str, progress: str, paths: list[str]
) -> None:
    shown, found = await copied(stage, monkeypatch, answer)
    assert (shown["status"], shown["progress"], found) == (status, progress, paths)
    assert await stage.messages() == []


@pytest.mark.parametrize("answer", [{"status": "error"}, RuntimeError("lost")])
async def test_one_that_cannot_be_filled_is_told_as_such(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    shown, _ = await copied(stage, monkeypatch, answer)
    assert (shown["status"], shown["progress"]) == ("error", None)
    assert await stage.messages() == [("005", "017")]


@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_a_row_that_vanishes_stops_no_loop(stage: Stage, monkeypatch: pytest.MonkeyPatch, gone: int) -> None:
    """Of three shares that are asked about one is removed while the loop runs; the others are served."""
    made = [await stage.share() for _ in range(3)]
    ids = [one["id"] for one in made]
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_instances SET status = 'creating_from_snapshot'")

    async def say(share: Row, server: Any = None) -> Any:
        async with stage.core.db.write() as conn:
            await conn.run("UPDATE share_instances SET deleted = id WHERE share_id = %s", (ids[gone],))
        if share["share_id"] == ids[gone]:
            raise LookupError("it is not there")
        return {"status": "available"}

    for backend in stage.backends.values():
        monkeypatch.setattr(backend.driver, "get_share_status", say)
        await run(stage, "share_status_update", backend)
    found = await rows(stage, "SELECT share_id, status FROM share_instances WHERE deleted = 'False'")
    assert {row["share_id"]: row["status"] for row in found} == {
        one: "available" for number, one in enumerate(ids) if number != gone
    }


def configure(stage: Stage) -> None:
    section = OsloMessagingNotificationsSection(driver=("test",))
    stage.core.settings = dataclasses.replace(stage.core.settings, oslo_messaging_notifications=section)


async def told(stage: Stage, event: str) -> list[Row]:
    async with stage.core.db.read() as conn:
        return [one for one in await outbox.since(conn, 0) if one["event_type"] == event]


async def test_used_sizes_are_told(stage: Stage) -> None:
    share = await stage.share()
    for backend in stage.backends.values():
        await run(stage, "share_usage_size", backend)
    assert await told(stage, "share.consumed.size") == [], "nobody wants to know"
    configure(stage)
    for backend in stage.backends.values():
        await run(stage, "share_usage_size", backend)
    (event,) = await told(stage, "share.consumed.size")
    assert (event["payload"]["share_id"], event["payload"]["used_size"]) == (share["id"], 1)
    assert event["payload"]["gathered_at"]


async def test_a_growth_without_room_is_told(stage: Stage) -> None:
    configure(stage)
    share = await stage.share()
    await stage.ask("admin", "PUT", "/v2/quota-class-sets/default", {"quota_class_set": {"gigabytes": -1}})
    body = {"extend": {"new_size": 900_000}}
    assert (await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/action", body)).status == 202
    await stage.work()
    (event,) = await told(stage, "scheduler.extend_share")
    assert event["priority"] == "ERROR"
    assert {"request_spec", "state", "method", "reason"} <= set(event["payload"])
    assert event["payload"]["method"] == "extend_share"


async def test_a_share_that_fits_no_pool_is_not_taken_over_and_told(stage: Stage) -> None:
    configure(stage)
    specs = {"driver_handles_share_servers": "False", "vendor_name": "nobody"}
    await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "odd", "extra_specs": specs}})
    share = {"export_path": "/x", "service_host": "node1@alpha#fake_pool_for_ALPHA", "protocol": "nfs"}
    answer = await stage.ask("admin", "POST", "/v2/shares/manage", {"share": {**share, "share_type": "odd"}})
    assert answer.status == 200, answer.json
    await stage.work()
    (event,) = await told(stage, "scheduler.manage_share")
    assert (event["priority"], event["payload"]["method"]) == ("ERROR", "manage_share")


async def test_a_silent_service_is_marked_even_if_it_never_spoke(stage: Stage) -> None:
    async with stage.core.db.write() as conn:
        silent = await heartbeats.register(conn, "manila-share", "manila-share", "node9@gone", "nova")
        await conn.run("UPDATE services SET created_at = %s, updated_at = NULL WHERE id = %s", (OLD, silent))
        await conn.run("UPDATE services SET state = 'up'")
    await run(stage, "mark_services_down")
    assert {row["host"]: row["state"] for row in await rows(stage, "SELECT host, state FROM services")} == {
        "node1@alpha": "up", "node1@beta": "up", "node9@gone": "down",
    }  # fmt: skip


async def test_old_tasks_notifications_and_reservations_go(stage: Stage) -> None:
    async with stage.core.db.write() as conn:
        for number in range(2):
            await tasks.enqueue(conn, "share_delete", "node1@alpha", {}, f"share:{number}")
        await conn.run("UPDATE openkeel_tasks SET state = 'done', finished_at = now()")
        await conn.run("UPDATE openkeel_tasks SET finished_at = now() - interval '8 days' WHERE resource = 'share:0'")
        usage = await insert(
            conn, "quota_usages", {"project_id": "p", "user_id": "u", "resource": "shares", "in_use": 1, "reserved": 2}
        )
        values = {"uuid": "r", "usage_id": usage["id"], "project_id": "p", "resource": "shares", "delta": 2}
        await insert(conn, "reservations", {**values, "expire": OLD})
        await outbox.add(conn, outbox.Envelope("share.x", "share.h", "INFO", None, None), {})
        await conn.run("UPDATE openkeel_notifications SET created_at = now() - interval '1 year'")
    with capture_logs() as seen:
        for name in ("finished_tasks", "expired_reservations", "old_notifications"):
            await run(stage, name)
    assert [row["resource"] for row in await rows(stage, "SELECT resource FROM openkeel_tasks")] == ["share:1"]
    assert await rows(stage, "SELECT reserved FROM quota_usages WHERE project_id = 'p'") == [{"reserved": 0}]
    assert await rows(stage, "SELECT 1 AS one FROM openkeel_notifications") == []
    assert [line["number"] for line in seen if line["event"].startswith("notifications were removed")] == [1]


@pytest.mark.parametrize(("after", "status"), [(3600.0, "error"), (0.0, "creating")])
async def test_what_is_stuck_ends_unless_that_is_turned_off(stage: Stage, after: float, status: str) -> None:
    stage.core.settings = dataclasses.replace(stage.core.settings, openkeel=OpenkeelSection(stuck_timeout=after))
    await stage.share()
    async with stage.core.db.write() as conn:
        await conn.run("UPDATE share_instances SET status = 'creating', updated_at = %s", (OLD,))
    await run(stage, "end_stuck")
    assert await rows(stage, "SELECT status FROM share_instances") == [{"status": status}]


class Audited:
    """A network with these ports."""

    def __init__(self, ports: list[Held]) -> None:
        self.ports = ports

    async def held(self) -> list[Held]:
        return list(self.ports)

    async def discard(self, port: Held) -> bool:
        self.ports.remove(port)
        return True


async def test_ports_that_stayed_are_named(servers: test_servers.Stage) -> None:
    """The port of a removed server, and one that nobody wrote down; not those of others or of a new server."""
    server, known = await _served(servers)
    host = servers.backend.host
    async with servers.core.db.write() as conn:
        await insert(conn, "share_servers", {"id": "gone", "host": host, "status": "deleted", "deleted": "gone"})
        await insert(conn, "share_servers", {"id": "new", "host": host, "status": "creating"})
        await insert(conn, "share_servers", {"id": "theirs", "host": "node1@other", "status": "active"})
        where = await _on_neutron(conn, server, "gone", "new", "theirs")
    held = [
        Held("left", "gone", *where, True), Held("unwritten", server, *where, True), Held(known, server, *where),
        Held("coming", "new", *where), Held("foreign", "somebody-elses", *where), Held("other", "theirs", *where),
    ]  # fmt: skip
    network: Any = Audited(held)
    servers.backend.network = network
    with capture_logs() as seen:
        await leaked_ports(Now(servers.core, servers.backend))
    assert {
        (line["port"], line["server"], line["ours"]) for line in seen if line["event"] == "a port is left over"
    } == {("left", "gone", False), ("unwritten", server, True)}
    assert len(network.ports) == 6


async def _on_neutron(conn: Conn, server: str, *others: str) -> tuple[str, str]:
    """The server's network is one of Neutron's, on which the others are too; its project and its id there."""
    row = await conn.one(
        """
        SELECT s.id, n.project_id FROM share_network_subnets s JOIN share_networks n ON n.id = s.share_network_id
        JOIN share_server_share_network_subnet_mappings p ON p.share_network_subnet_id = s.id
        WHERE p.share_server_id = %s
        """,
        (server,),
    )
    assert row is not None
    await conn.run("UPDATE share_network_subnets SET neutron_net_id = 'net' WHERE id = %s", (row["id"],))
    await share_servers.put_on(conn, others, row["id"])
    return str(row["project_id"]), "net"


async def test_ports_that_only_say_to_be_ours_are_let_be(servers: test_servers.Stage) -> None:
    """A tenant writes a server's id on ports of its own: none is removed, none of a stranger is told of."""
    server, known = await _served(servers)
    async with servers.core.db.write() as conn:
        await insert(conn, "share_servers", {"id": "bare", "host": servers.backend.host, "status": "error"})
        project, net = await _on_neutron(conn, server, "bare")
        await conn.run("UPDATE network_allocations SET deleted = id WHERE id = %s", (known,))
    mine = [
        Held(known, server, "moved", "moved", False),  # it was written down once
        Held("marked", server, project, net, True),
        Held("crashed", "bare", project, net),  # no port of the server was ever written down
    ]
    theirs = [
        Held("unmarked", server, project, net, False),
        Held("another project's", server, "other", net),
        Held("in another network", server, project, "other"),
        Held("another project's, marked", "bare", "other", net),
    ]
    same = Held("of a member of the project", server, project, net)
    network: Any = Audited([*mine, *theirs, same])
    servers.backend.network = network
    now = Now(servers.core, servers.backend, expired=True)
    with capture_logs() as seen:
        await leaked_ports(now)
    told = {line["port"]: line["ours"] for line in seen if line["event"] == "a port is left over"}
    assert told == {**{one.port_id: True for one in mine}, same.port_id: False}
    await leaked_ports(now)
    assert network.ports == [*theirs, same]


async def _served(servers: test_servers.Stage) -> tuple[str, str]:
    """A share server with a share, and one of its ports."""
    share = await servers.order(await servers.network())
    await servers.work()
    server = str((await servers.share(share))["share_server_id"])
    (row,) = await rows(servers, "SELECT id FROM network_allocations WHERE deleted = 'False' LIMIT 1")
    return server, str(row["id"])


async def test_ports_that_nobody_keeps_are_removed_at_the_second_look(servers: test_servers.Stage) -> None:
    """Of a server that is there, and of one that was removed; never those of one that was let go."""
    server, known = await _served(servers)
    host = servers.backend.host
    async with servers.core.db.write() as conn:
        for name, kinds in (("gone", ["delete"]), ("let-go", ["unmanage"]), ("both", ["delete", "unmanage"])):
            await insert(conn, "share_servers", {"id": name, "host": host, "status": "deleted", "deleted": name})
            for kind in kinds:
                await conn.run(
                    "INSERT INTO openkeel_tasks (queue, kind, state, payload) VALUES (%s, %s, 'done', %s)",
                    (host, f"server_{kind}", json.dumps({"server_id": name})),
                )
        where = await _on_neutron(conn, server, "gone", "let-go", "both")
    gone = [Held("unwritten", server, *where, True), Held("left", "gone", *where, True)]
    kept = [Held("kept", "let-go", *where, True), Held("kept too", "both", *where, True)]
    network: Any = Audited([*gone, Held(known, server, *where, True), *kept])
    servers.backend.network = network
    now = Now(servers.core, servers.backend, expired=True)
    await leaked_ports(now)
    assert len(network.ports) == 5
    await leaked_ports(now)
    assert {one.port_id for one in network.ports} == {known, "kept", "kept too"}
    await leaked_ports(now)
    assert [row["port_id"] for row in await rows(servers, "SELECT port_id FROM openkeel_ports_left ORDER BY 1")] == [
        "kept", "kept too",
    ]  # fmt: skip
    network.ports.clear()
    await leaked_ports(now)
    assert await rows(servers, "SELECT 1 FROM openkeel_ports_left") == []
