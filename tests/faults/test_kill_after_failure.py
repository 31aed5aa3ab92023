"""kill -9 while a failure is dealt with: between the undoing of steps, and once it is recorded."""

from __future__ import annotations

import pathlib
import signal

import pytest

from tests.faults import backup_stories, stories
from tests.faults.stage import Stage, stage
from tests.faults.stories import Facts
from tests.faults.test_kill import STORIES, neutron
from worker.periodic import Now
from worker.registry import operations
from worker.tasks.backups import data_backup_continue, data_restore_continue

__all__ = ["neutron"]
FAILING = {
    "access_update": "enforce",
    "backup_create": "start",
    "data_backup_create": "copy",
    "data_backup_delete": "erase",
    "data_backup_restore": "copy",
    "network_apply": "",
    "replica_create": "",
    "replica_promote": "",
    "server_delete": "tear_down",
    "share_create": "",
    "share_delete": "",
    "share_extend": "",
    "share_group_create": "",
    "share_group_snapshot_create": "",
    "share_manage": "",
    "share_migrate": "",
    "share_revert": "",
    "share_shrink": "",
    "share_unmanage": "",
    "snapshot_create": "",
    "snapshot_delete": "",
}
"""Operation -> the step that fails; empty: the last one, after which most is to be taken back."""


def broken(operation: str) -> str:
    return FAILING[operation] or operations()[operation].steps[-1].name


def deaths() -> list[tuple[str, str]]:
    """Operation and moment of death: after each undo that precedes the step that fails, and after ``failed``."""
    found = []
    for name in FAILING:
        for step in operations()[name].steps:
            if step.name == broken(name):
                break
            if step.undo is not None:
                found.append((name, f"undo {step.name}"))
        found.append((name, "failed"))
    return found


MOMENTS = deaths()
UNDER_WAY = """
    SELECT 'instance' AS kind, status FROM share_instances WHERE deleted = 'False'
    UNION ALL SELECT 'snapshot', status FROM share_snapshot_instances WHERE deleted = 'False'
    UNION ALL SELECT 'server', status FROM share_servers WHERE deleted = 'False'
    UNION ALL SELECT 'network', status FROM share_networks WHERE deleted = 'False'
    UNION ALL SELECT 'backup', status FROM share_backups WHERE deleted = 'False'
    UNION ALL SELECT 'group', status FROM share_groups WHERE deleted = 'False'
    UNION ALL SELECT 'group snapshot', status FROM share_group_snapshots WHERE deleted = 'False'
    UNION ALL SELECT 'rule', m.state FROM share_instance_access_map m JOIN share_instances i
        ON i.id = m.share_instance_id AND i.status <> 'error' WHERE m.deleted = 'False' AND i.deleted = 'False'
"""
"""Statuses; the rules of an instance that could not be made wait until it is made or removed."""
LASTING = {"active", "available", "inactive"}


def test_every_undo_is_among_the_moments() -> None:
    every = {(name, f"undo {step.name}") for name, one in operations().items() for step in one.steps if step.undo}
    reached = {(name, moment) for name, moment in MOMENTS if moment != "failed"}
    after = {
        (name, f"undo {step.name}")
        for name in FAILING
        for step in operations()[name].steps[[one.name for one in operations()[name].steps].index(broken(name)) :]
    }
    assert every - after == reached
    print(f"{len(MOMENTS)} moments of {len(FAILING)} operations")


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "moment"), MOMENTS, ids=[f"{name}-{what}" for name, what in MOMENTS])
async def test_kill(operation: str, moment: str, database_url: str, neutron: str, tmp_path: pathlib.Path) -> None:
    """The next worker does the work after all, or leaves the failure as it was recorded; nothing is between."""
    facts: Facts = {}
    story = STORIES[operation]
    async with stage(tmp_path, database_url, neutron, story.backends) as here:
        await stories.begin(here, story, facts)
        assert await here.doomed(operation, moment, broken(operation)) == -signal.SIGKILL
        async with here.worker():
            await backup_stories.quiet(here) if operation.startswith("data_") else await here.settled()
            await backup_stories.look(here.core)
            now = Now(here.core, None)
            await data_backup_continue(now)
            await data_restore_continue(now)
            await check(here)
            if operation.startswith("data_"):
                await backup_stories.check_nothing_left(here)


async def check(here: Stage) -> None:
    """Everything is in a status that lasts, nothing is left, and nobody was told anything twice."""
    rows = await here.rows(UNDER_WAY)
    moving = [
        f"{row['kind']} {row['status']}"
        for row in rows
        if row["status"] and row["status"] not in LASTING and "error" not in row["status"]
    ]
    assert moving == []
    assert await here.unbalanced(losses=False) == []
    twice = await here.rows(
        "SELECT resource_id, action_id, detail_id FROM messages WHERE deleted = 'False'"
        " GROUP BY 1, 2, 3 HAVING count(*) > 1"
    )
    assert twice == []
    assert await here.rows("SELECT 1 FROM quota_usages WHERE reserved <> 0") == []
    left = await here.rows("SELECT kind, state FROM openkeel_tasks WHERE state = 'running'")
    assert left == []
