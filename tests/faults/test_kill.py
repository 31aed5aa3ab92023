"""kill -9 after every step of every long operation loses nothing and leaves nothing behind.

The steps come from the code's own list: an operation without a story here fails the suite.
"""

from __future__ import annotations

import pathlib
import signal
import sys
from collections.abc import Iterator

import pytest

from tests.conformance import launch
from tests.faults import (
    backup_stories,
    group_stories,
    manage_stories,
    metadata_stories,
    migration_stories,
    more_stories,
    reconcile_stories,
    replica_stories,
    stories,
)
from tests.faults.stage import stage
from tests.faults.stories import Facts, Story
from worker.registry import operations

STORIES: dict[str, Story] = {
    **backup_stories.STORIES,
    "access_update": stories.ALLOW,
    **manage_stories.STORIES,
    "network_apply": stories.NETWORK_APPLY,
    "network_check": stories.NETWORK_CHECK,
    "server_delete": stories.DELETE_SERVER,
    "server_unmanage": stories.UNMANAGE_SERVER,
    "share_create": stories.SHARE_ON_SERVER,
    "share_delete": stories.DELETE,
    "share_ensure": stories.ENSURE,
    "share_extend": stories.EXTEND,
    "share_extend_place": stories.EXTEND,
    "share_group_create": group_stories.ON_SERVER,
    "share_group_delete": group_stories.DELETE,
    "share_group_place": group_stories.GROUP,
    "share_group_snapshot_create": group_stories.SNAPSHOT,
    "share_group_snapshot_delete": group_stories.DELETE_SNAPSHOT,
    "share_place": stories.SHARE,
    "share_revert": stories.REVERT,
    "share_shrink": stories.SHRINK,
    "snapshot_access": stories.SNAPSHOT_ALLOW,
    "snapshot_create": stories.SNAPSHOT,
    "snapshot_delete": stories.DELETE_SNAPSHOT,
    **metadata_stories.STORIES,
    **migration_stories.STORIES,
    **reconcile_stories.STORIES,
    **replica_stories.STORIES,
}
STEPS = [(name, step.name) for name, operation in sorted(operations().items()) for step in operation.steps]
OTHER_WAYS = [(way, step.name) for way, (name, _) in more_stories.STORIES.items() for step in operations()[name].steps]


def test_every_operation_has_a_story() -> None:
    assert set(STORIES) == set(operations())
    print(f"{len(STEPS)} steps of {len(STORIES)} operations")


@pytest.fixture(scope="module")
def neutron() -> Iterator[str]:
    """URL of a fake Neutron."""
    (port,) = launch.free_ports(1)
    fake = [sys.executable, str(launch.VENDORED / "fake_neutron.py"), "--port", str(port)]
    with launch.process(fake):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "step"), STEPS, ids=[f"{name}-{step}" for name, step in STEPS])
async def test_kill(operation: str, step: str, database_url: str, neutron: str, tmp_path: pathlib.Path) -> None:
    await _kill(STORIES[operation], operation, step, database_url, neutron, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("step", ["choose_server", "provision", "publish"])
async def test_kill_a_copy(step: str, database_url: str, neutron: str, tmp_path: pathlib.Path) -> None:
    await _kill(group_stories.COPY, "share_group_create", step, database_url, neutron, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "step"), OTHER_WAYS, ids=[f"{name}-{step}" for name, step in OTHER_WAYS])
async def test_kill_on_another_way(
    name: str, step: str, database_url: str, neutron: str, tmp_path: pathlib.Path
) -> None:
    operation, story = more_stories.STORIES[name]
    await _kill(story, operation, step, database_url, neutron, tmp_path)


async def _kill(
    story: Story, operation: str, step: str, database_url: str, neutron: str, tmp_path: pathlib.Path
) -> None:
    facts: Facts = {}
    async with stage(tmp_path, database_url, neutron, story.backends) as here:
        await stories.begin(here, story, facts)
        assert await here.doomed(operation, step) == -signal.SIGKILL
        async with here.worker():
            await here.settled()
            await story.check(here, facts)
        assert await here.unbalanced() == []
        # what a worker asks of itself at its start may wait for the next one
        left = await here.rows(
            "SELECT kind, last_error FROM openkeel_tasks"
            " WHERE state <> 'done' AND (kind <> 'share_ensure' OR last_error IS NOT NULL)"
        )
        assert left == []
        twice = await here.rows(
            "SELECT event_type, payload->>'share_id' AS share_id, payload->>'host' AS host FROM openkeel_notifications"
            " WHERE starts_with(event_type, 'share.') GROUP BY 1, 2, 3 HAVING count(*) > 1"
        )
        assert twice == []
