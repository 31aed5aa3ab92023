"""Stories of what a comparison of a back end with its rows leaves as work."""

from __future__ import annotations

from services.work import ServerEnsure, SnapshotEnsure, enqueue
from services.work.base import Job
from tests.faults import stories
from tests.faults.stage import Stage
from tests.faults.stories import Facts, Story


async def _leave(stage: Stage, job: Job, host: str) -> None:
    async with stage.core.db.write() as conn:
        await enqueue(conn, job, host)


async def a_share_on_a_server(stage: Stage, facts: Facts) -> None:
    await stories.a_network(stage, facts)
    await stories.a_share(stage, facts)


async def ask_server(stage: Stage, facts: Facts) -> None:
    """As if its gateway had been found gone."""
    (server,) = await stage.rows("SELECT id, host FROM share_servers WHERE deleted = 'False'")
    await _leave(stage, ServerEnsure(server_id=server["id"]), server["host"])


async def ask_snapshot(stage: Stage, facts: Facts) -> None:
    """As if it had been found gone."""
    (found,) = await stage.rows(
        """
        SELECT n.id, n.snapshot_id, i.share_id, i.host FROM share_snapshot_instances n
        JOIN share_instances i ON i.id = n.share_instance_id WHERE n.deleted = 'False'
        """
    )
    job = SnapshotEnsure(share_id=found["share_id"], snapshot_id=found["snapshot_id"], snapshot_instance_id=found["id"])
    await _leave(stage, job, found["host"])


STORIES: dict[str, Story] = {
    "server_ensure": Story(ask_server, stories.check_share_on_server, a_share_on_a_server, servers=True),
    "snapshot_ensure": Story(ask_snapshot, stories.check_snapshot, stories.a_snapshot),
}
