"""What the figures say of services and queues: the ones that are down, and zeros before the first task."""

from __future__ import annotations

import pathlib

import prometheus_client
import pytest

from cli import metrics
from db import heartbeats, service_rows, tasks
from db.connection import Database
from drivers.base import BackendOptions, ShareDriver
from drivers.client_counts import Count, Seen, Statistics
from tests.worker.test_periodic import core_over


def value(name: str, **labels: str) -> float | None:
    return prometheus_client.REGISTRY.get_sample_value(name, labels)


async def registered(db: Database, binary: str, host: str, *, beats: bool) -> int:
    async with db.write() as conn:
        service = await heartbeats.register(conn, binary, binary, host, "nova")
        if beats:
            await heartbeats.beat(conn, service)
    return service


async def test_a_service_is_up_while_its_sign_of_life_is_young(db: Database) -> None:
    await registered(db, "manila-share", "node1@up", beats=True)
    await registered(db, "manila-share", "node1@never", beats=False)
    stopped = await registered(db, "manila-share", "node1@stopped", beats=True)
    old = await registered(db, "manila-scheduler", "node1", beats=True)
    async with db.write() as conn:
        await heartbeats.stopped(conn, stopped)
        await conn.run("UPDATE services SET updated_at = updated_at - interval '1 hour' WHERE id = %s", (old,))
    await metrics.read_cluster(core_over(db))
    found = {
        host: value("manila_service_up", binary="manila-share", host=host)
        for host in ("node1@up", "node1@never", "node1@stopped")
    }
    assert found == {"node1@up": 1, "node1@never": 0, "node1@stopped": 0}
    assert value("manila_service_up", binary="manila-scheduler", host="node1") == 0
    async with db.write() as conn:
        await conn.run("UPDATE services SET deleted = id WHERE id = %s", (old,))
    await metrics.read_cluster(core_over(db))
    assert value("manila_service_up", binary="manila-scheduler", host="node1") is None


async def test_a_queue_is_shown_before_its_first_task_so_that_the_first_failure_is_a_change(db: Database) -> None:
    await registered(db, "manila-share", "node1@alpha", beats=True)
    await metrics.read_cluster(core_over(db))
    for queue in ("scheduler", "data", "node1@alpha"):
        for state in ("waiting", "running", "failed"):
            assert value("manila_tasks", queue=queue, state=state) == 0
        assert value("manila_tasks_oldest_seconds", queue=queue) == 0
    async with db.write() as conn:
        await tasks.enqueue(conn, "kind", "node1@alpha", {})
        await conn.run("UPDATE openkeel_tasks SET state = 'failed'")
    await metrics.read_cluster(core_over(db))
    assert value("manila_tasks", queue="node1@alpha", state="failed") == 1


class Watching(ShareDriver):
    """A back end with one gateway, as an embedded one: it knows neither projects nor shares."""

    async def clients_seen(self) -> list[Seen]:
        some = (Count(3, 0, 0.5, 4096), Count(), Count())
        return [Seen("server", Statistics({"an-instance": some, "a-view": some, "gone": some}, {"10.0.0.5": some}))]


async def test_what_clients_do_is_shown_with_share_and_project(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async with db.write() as conn:
        for row in (
            "shares (id, project_id, is_soft_deleted, snapshot_inherit_share_access_support)"
            " VALUES ('a-share', 'a-project', false, false)",
            "share_instances (id, share_id, cast_rules_to_readonly) VALUES ('an-instance', 'a-share', false)",
            "share_snapshots (id, share_id, project_id) VALUES ('s', 'a-share', 'a-project')",
            "share_snapshot_instances (id, snapshot_id) VALUES ('a-view', 's')",
        ):
            await conn.run(f"INSERT INTO {row}")
    monkeypatch.setattr(metrics, "DRIVERS", [Watching(BackendOptions("a"))])
    text = await text_of(db)
    for labels in (
        'kind="read",project="a-project",share="a-share",share_instance="an-instance"',
        'kind="read",project="a-project",share="a-share",share_instance="a-view"',
        'kind="read",project="a-project",share="",share_instance="gone"',
    ):
        assert f"manila_nfs_share_operations_total{{{labels}}} 3.0\n" in text
        assert f"manila_nfs_share_seconds_total{{{labels}}} 0.5\n" in text
    client = 'client="10.0.0.5",kind="read",project="a-project",server="server"'
    assert f"manila_nfs_client_bytes_total{{{client}}} 4096.0\n" in text


@pytest.mark.parametrize("wrong", [OSError("away"), NotImplementedError()])
async def test_a_back_end_that_does_not_answer_keeps_no_other_figure_away(
    db: Database, monkeypatch: pytest.MonkeyPatch, wrong: Exception
) -> None:
    async def refuse() -> list[Seen]:
        raise wrong

    driver = Watching(BackendOptions("a"))
    monkeypatch.setattr(metrics, "DRIVERS", [driver])
    assert "\nmanila_nfs_share_operations_total{" in await text_of(db)
    monkeypatch.setattr(driver, "clients_seen", refuse)
    text = await text_of(db)
    assert "\nmanila_tasks_pending " in text
    assert "\nmanila_nfs_share_operations_total{" not in text, "those of the time before"


async def text_of(db: Database, folder: str | None = None) -> str:
    """What ``/metrics`` answers."""
    app = metrics.make_app(core_over(db), folder)
    (endpoint,) = [vars(route)["endpoint"] for route in app.routes if vars(route)["path"] == "/metrics"]
    return str((await endpoint()).body.decode())


async def shown(db: Database, folder: str | None) -> set[str]:
    """Names of what ``/metrics`` shows."""
    text = await text_of(db, folder)
    return {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE ")}


@pytest.mark.parametrize("several", [False, True])
async def test_what_cannot_be_read_is_not_shown(
    several: bool, db: Database, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old figures would keep ``ManilaAway`` silent for as long as the database is away."""
    folder = str(tmp_path) if several else None
    of_database = {"manila_tasks_pending", "manila_tasks", "manila_service_up", "manila_notifications_pending"}

    async def away(*_: object) -> int:
        raise OSError("away")

    assert of_database <= await shown(db, folder)
    with monkeypatch.context() as patched:
        patched.setattr(service_rows, "all_services", away)
        assert of_database & await shown(db, folder) == {"manila_tasks_pending"}
        patched.setattr(tasks, "pending", away)
        found = await shown(db, folder)
        assert not of_database & found
        assert several or "python_info" in found or "process_cpu_seconds_total" in found
    assert of_database <= await shown(db, folder)
