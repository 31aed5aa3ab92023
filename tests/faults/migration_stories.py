"""Stories of migrations: whatever dies on the way, the share or server arrives, or stays where it was."""

from __future__ import annotations

import pathlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from db import share_servers
from services.server_migration import Wish, leave_question
from tests.faults import stories
from tests.faults.stage import Stage, until
from tests.faults.stories import Facts, Story
from worker.data.mounts import Folders
from worker.periodic import Now
from worker.tasks import migration as periodic

OTHER_NETWORK, OTHER_SUBNET = "00000000-0000-4000-8000-000000000010", "00000000-0000-4000-9000-000000000010"
_ALPHA, _BETA = "node1@alpha#fake_pool_for_ALPHA", "node1@beta#fake_pool_for_BETA"
_KEPT: Mapping[str, bool] = {
    "preserve_metadata": True, "writable": True, "nondisruptive": False, "preserve_snapshots": True
}  # fmt: skip
_LOST: Mapping[str, bool] = dict.fromkeys(_KEPT, False)


@dataclass(frozen=True, slots=True)
class Migration(Story):
    """A story on two back ends of one kind."""

    @property
    def backends(self) -> list[str]:
        return ["gamma", "delta"] if self.servers else ["alpha", "beta"]


async def admin(stage: Stage, path: str, body: Facts) -> Any:
    """An administrator's action."""
    headers = {"X-OpenStack-Manila-API-Experimental": "true"}
    answer = await stage.admin("POST", path, body, headers=headers)
    assert answer.status in (200, 202), answer.content
    return answer.json if answer.content else None


async def go_on(stage: Stage, facts: Facts) -> None:
    """What the periodic tasks do on every back end."""
    for name in ("alpha", "beta", "gamma", "delta"):
        now = Now(stage.core, SimpleNamespace(host=f"node1@{name}"))  # type: ignore[arg-type]
        await periodic.migration_continue(now)
        await periodic.server_migration_continue(now)


def reaches(facts: Facts, stage: Stage, table: str, key: str, state: str) -> Callable[[], Awaitable[bool]]:
    """Whether the share or server is at a task state; those under way are driven on."""

    async def reached() -> bool:
        await go_on(stage, facts)
        await stage.settled()
        rows = await stage.rows(f"SELECT task_state FROM {table} WHERE id = %s", facts[key])
        return bool(rows[0]["task_state"] == state)

    return reached


async def _both_reported(stage: Stage) -> None:
    async def reported() -> bool:
        return len(await stage.rows("SELECT 1 FROM openkeel_reports")) == 2

    await until(reported, "both back ends have reported")


# ---- shares


async def a_share_to_move(stage: Stage, facts: Facts) -> None:
    """A share with a rule and a snapshot; the pool that it is not on."""
    await _both_reported(stage)
    await stories.a_share(stage, facts)
    await stories.ask_allow(stage, facts)
    await stories.ask_snapshot(stage, facts)
    await stage.settled()
    await _aim(stage, facts)


async def _aim(stage: Stage, facts: Facts) -> None:
    rows = await stage.rows("SELECT host FROM share_instances WHERE deleted = 'False'")
    facts["target"] = _ALPHA if rows[0]["host"] == _BETA else _BETA
    facts["flags"] = _KEPT


async def ask_move(stage: Stage, facts: Facts) -> None:
    body = {"migration_start": {"host": facts["target"], **facts["flags"], **facts.get("more", {})}}
    await admin(stage, f"/v2/shares/{facts['share']}/action", body)


async def a_moving_share(stage: Stage, facts: Facts) -> None:
    await a_share_to_move(stage, facts)
    await ask_move(stage, facts)


async def a_half_moved_share(stage: Stage, facts: Facts) -> None:
    await a_moving_share(stage, facts)
    await stage.settled()
    await until(reaches(facts, stage, "shares", "share", "migration_driver_phase1_done"), "the first phase is done")


async def ask_complete(stage: Stage, facts: Facts) -> None:
    await admin(stage, f"/v2/shares/{facts['share']}/action", {"migration_complete": None})


async def ask_cancel(stage: Stage, facts: Facts) -> None:
    await admin(stage, f"/v2/shares/{facts['share']}/action", {"migration_cancel": None})


async def check_arrives(stage: Stage, facts: Facts) -> None:
    """Drive the first phase, complete, and see that nothing is left of the source."""
    await until(reaches(facts, stage, "shares", "share", "migration_driver_phase1_done"), "the first phase is done")
    await ask_complete(stage, facts)
    await stage.settled()
    await check_arrived(stage, facts)


async def check_arrived(stage: Stage, facts: Facts) -> None:
    await stories.check_share(stage, facts)
    rows = await stage.rows("SELECT host, cast_rules_to_readonly AS ro FROM share_instances WHERE deleted = 'False'")
    assert [(row["host"], row["ro"]) for row in rows] == [(facts["target"], False)]
    assert (await stage.rows("SELECT task_state FROM shares"))[0]["task_state"] == "migration_success"
    if "rule" in facts:
        await stories.check_rule(stage, facts)
    if "snapshot" in facts:
        await stories.check_snapshot(stage, facts)
        assert len(await stage.rows("SELECT 1 FROM share_snapshot_instances WHERE deleted = 'False'")) == 1


async def check_stayed(stage: Stage, facts: Facts) -> None:
    await stories.check_share(stage, facts)
    await stories.check_rule(stage, facts)
    await stories.check_snapshot(stage, facts)
    rows = await stage.rows("SELECT host FROM share_instances WHERE deleted = 'False'")
    assert [row["host"] for row in rows] != [facts["target"]]
    assert (await stage.rows("SELECT task_state FROM shares"))[0]["task_state"] == "migration_cancelled"


# ---- shares that the data service copies


async def a_share_to_copy(stage: Stage, facts: Facts) -> None:
    """A share with a rule and a file in it."""
    await _both_reported(stage)
    await stories.a_share(stage, facts)
    await stories.ask_allow(stage, facts)
    await stage.settled()
    await _aim(stage, facts)
    facts["flags"], facts["more"] = _LOST, {"force_host_assisted_migration": True}
    for folder in await _folders(stage):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "file").write_text("kept")


async def _folders(stage: Stage) -> list[pathlib.Path]:
    """The folders that stand for the exports of all live instances, for the data service."""
    rows = await stage.rows(
        "SELECT path FROM share_instance_export_locations WHERE is_admin_only AND deleted = 0 ORDER BY id"
    )
    root = pathlib.Path(str(stage.core.settings.openkeel.data_folders))
    return [Folders(root).folder(row["path"]) for row in rows]


async def check_copied(stage: Stage, facts: Facts) -> None:
    async def copied() -> bool:
        await stage.settled()
        rows = await stage.rows("SELECT task_state FROM shares")
        return bool(rows[0]["task_state"] == "data_copying_completed")

    await until(copied, "the data is copied")
    await ask_complete(stage, facts)
    await stage.settled()
    await check_arrived(stage, facts)
    assert [(one / "file").read_text() for one in await _folders(stage)] == ["kept"]
    assert len(await stage.rows("SELECT 1 FROM share_access_map WHERE deleted = 'False'")) == 1


async def a_share_on_a_server(stage: Stage, facts: Facts) -> None:
    """A share on a server, that goes to another network of the same back end."""
    await _both_reported(stage)
    await stories.a_network(stage, facts)
    await stories.a_share(stage, facts)
    rows = await stage.rows("SELECT host FROM share_instances WHERE deleted = 'False'")
    facts["target"], facts["flags"] = rows[0]["host"], _KEPT
    facts["more"] = {"new_share_network_id": await _other_network(stage)}


async def _other_network(stage: Stage) -> str:
    body = {"share_network": {"neutron_net_id": OTHER_NETWORK, "neutron_subnet_id": OTHER_SUBNET, "name": "o"}}
    answer = await stage.member("POST", "/v2/share-networks", body)
    return str(answer.json["share_network"]["id"])


# ---- share servers


async def a_server_to_move(stage: Stage, facts: Facts) -> None:
    await _both_reported(stage)
    await stories.a_network(stage, facts)
    await stories.a_share(stage, facts)
    await stories.ask_allow(stage, facts)
    await stage.settled()
    rows = await stage.rows("SELECT id, host FROM share_servers WHERE deleted = 'False'")
    facts["server"] = rows[0]["id"]
    facts["target"] = "node1@delta" if rows[0]["host"] == "node1@gamma" else "node1@gamma"


def _server_body(facts: Facts) -> Facts:
    return {
        "host": facts["target"], "writable": True, "nondisruptive": False, "preserve_snapshots": True,
        "new_share_network_id": None,
    }  # fmt: skip


async def ask_move_server(stage: Stage, facts: Facts) -> None:
    await admin(stage, f"/v2/share-servers/{facts['server']}/action", {"migration_start": _server_body(facts)})


async def ask_server_check(stage: Stage, facts: Facts) -> None:
    """A client that does not wait for its answer."""
    async with stage.core.db.read() as conn:
        row = await share_servers.get(conn, facts["server"])
    assert row is not None
    wish = Wish(host=facts["target"], writable=True, nondisruptive=False, preserve_snapshots=True)
    facts["key"], _ = await leave_question(stage.core, row, wish, None)


async def check_answered(stage: Stage, facts: Facts) -> None:
    rows = await stage.rows("SELECT value FROM async_operation_data WHERE key = %s AND deleted = 0", facts["key"])
    assert '"compatible": true' in rows[0]["value"]


async def a_half_moved_server(stage: Stage, facts: Facts) -> None:
    await a_server_to_move(stage, facts)
    await ask_move_server(stage, facts)
    await stage.settled()
    first = reaches(facts, stage, "share_servers", "server", "migration_driver_phase1_done")
    await until(first, "the first phase is done")


async def a_moving_server(stage: Stage, facts: Facts) -> None:
    await a_server_to_move(stage, facts)
    await ask_move_server(stage, facts)


async def ask_complete_server(stage: Stage, facts: Facts) -> None:
    await admin(stage, f"/v2/share-servers/{facts['server']}/action", {"migration_complete": None})


async def ask_cancel_server(stage: Stage, facts: Facts) -> None:
    await admin(stage, f"/v2/share-servers/{facts['server']}/action", {"migration_cancel": None})


async def check_server_arrives(stage: Stage, facts: Facts) -> None:
    first = reaches(facts, stage, "share_servers", "server", "migration_driver_phase1_done")
    await until(first, "the first phase is done")
    await ask_complete_server(stage, facts)
    await stage.settled()
    await check_server_arrived(stage, facts)


async def check_server_arrived(stage: Stage, facts: Facts) -> None:
    await stories.check_share_on_server(stage, facts)
    await stories.check_rule(stage, facts)
    rows = await stage.rows("SELECT id, host FROM share_servers WHERE deleted = 'False'")
    assert [row["host"] for row in rows] == [facts["target"]] and rows[0]["id"] != facts["server"]
    rows = await stage.rows("SELECT DISTINCT share_server_id AS id FROM network_allocations WHERE deleted = 'False'")
    assert [row["id"] for row in rows] != [facts["server"]] and len(rows) == 1


async def check_server_stayed(stage: Stage, facts: Facts) -> None:
    await stories.check_share(stage, facts)
    rows = await stage.rows("SELECT status, task_state FROM share_servers WHERE id = %s", facts["server"])
    assert [(row["status"], row["task_state"]) for row in rows] == [("active", "migration_cancelled")]


_BEGIN = Migration(ask_move, check_arrives, a_share_to_move)
_COPY = Migration(ask_move, check_copied, a_share_to_copy)
_SERVER = Migration(ask_move_server, check_server_arrives, a_server_to_move, servers=True)
STORIES: dict[str, Story] = {
    "share_migrate_place": _BEGIN,
    "share_migrate": _BEGIN,
    "share_migrate_start": _BEGIN,
    "share_migrate_serve": Migration(ask_move, check_arrives, a_share_on_a_server, servers=True),
    "share_migrate_host": _COPY,
    "share_migrate_make": _COPY,
    "share_copy": _COPY,
    "share_migrate_continue": Migration(go_on, check_arrives, a_moving_share),
    "share_migrate_complete": Migration(ask_complete, check_arrived, a_half_moved_share),
    "share_migrate_finish": Migration(ask_complete, check_arrived, a_half_moved_share),
    "share_migrate_cancel": Migration(ask_cancel, check_stayed, a_half_moved_share),
    "server_migrate": _SERVER,
    "server_migrate_start": _SERVER,
    "server_migrate_check": Migration(ask_server_check, check_answered, a_server_to_move, servers=True),
    "server_migrate_continue": Migration(go_on, check_server_arrives, a_moving_server, servers=True),
    "server_migrate_complete": Migration(ask_complete_server, check_server_arrived, a_half_moved_server, servers=True),
    "server_migrate_cancel": Migration(ask_cancel_server, check_server_stayed, a_half_moved_server, servers=True),
}
