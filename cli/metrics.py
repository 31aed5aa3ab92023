"""Health and Prometheus metrics, on a port of their own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import prometheus_client
import structlog
from fastapi import FastAPI, Response
from prometheus_client import multiprocess
from prometheus_client.registry import Collector

from api.server.limits import of_metrics
from api.server.serve import Server
from cli.listen import bind
from db import instances, leases, notifications, ports_left, reconcile, service_rows, task_report, tasks
from drivers.base import ShareDriver
from drivers.client_counts import Seen
from drivers.figures import ClientFigures
from services.core import Core

LOG = structlog.get_logger("metrics")
TASKS_PENDING = prometheus_client.Gauge("manila_tasks_pending", "Tasks that run or are due")
TASKS = prometheus_client.Gauge(
    "manila_tasks",
    "Tasks of a queue: waiting (due now), running, failed (given up in the last days)",
    ["queue", "state"],
)
SERVICE_UP = prometheus_client.Gauge(
    "manila_service_up",
    "Whether a service is up: its sign of life is younger than service_down_time",
    ["binary", "host"],
)
TASKS_OLDEST = prometheus_client.Gauge(
    "manila_tasks_oldest_seconds", "Age of the oldest task of a queue that waits or runs", ["queue"]
)
NOTIFICATIONS_PENDING = prometheus_client.Gauge("manila_notifications_pending", "Notifications that wait to be sent")
_PERIODIC = ("task", "backend")
PERIODIC_STARTED = prometheus_client.Gauge(
    "manila_periodic_last_start_timestamp_seconds", "When a periodic task last started in the whole cluster", _PERIODIC
)
PERIODIC_SECONDS = prometheus_client.Gauge(
    "manila_periodic_last_duration_seconds", "How long a periodic task's last run took", _PERIODIC
)
PERIODIC_RUNS = prometheus_client.Gauge(
    "manila_periodic_runs", "Runs of a periodic task in the whole cluster", _PERIODIC
)
PERIODIC_FAILURES = prometheus_client.Gauge(
    "manila_periodic_failures", "Runs of a periodic task that failed, in the whole cluster", _PERIODIC
)
BROKEN = prometheus_client.Gauge(
    "manila_backend_broken", "What the last look at a back end found not to be as its row says", ["backend", "kind"]
)
ORPHANS = prometheus_client.Gauge(
    "manila_backend_orphans", "Objects of a back end that no row stands for, at the last look", ["backend", "kind"]
)
WAITING = prometheus_client.Gauge(
    "manila_backend_gateways_waiting", "Gateways on nodes that do not answer and that nobody has fenced", ["backend"]
)
PORTS_LEFT = prometheus_client.Gauge(
    "manila_backend_ports_left",
    "Ports that no share server has, at the last look; those not kept by anybody (ours) are removed",
    ["backend", "ours"],
)
CLUSTER = (
    TASKS_PENDING, TASKS, TASKS_OLDEST, NOTIFICATIONS_PENDING, PERIODIC_STARTED, PERIODIC_SECONDS, PERIODIC_RUNS,
    PERIODIC_FAILURES, BROKEN, ORPHANS, WAITING, PORTS_LEFT, SERVICE_UP,
)  # fmt: skip
"""Figures read from the database: the same whichever process is asked."""
CLIENTS = ClientFigures("manila_nfs")
prometheus_client.REGISTRY.register(CLIENTS)
DRIVERS: list[ShareDriver] = []
"""Those of the back ends that this process serves; who serves them puts them here."""
QUERY_SECONDS = 2.0
COMMON_QUEUES = ("scheduler", "data")
"""Queues that belong to no back end; that of a back end has the name of its host."""


async def read_cluster(core: Core) -> None:
    """Bring the figures of the whole cluster up to date."""
    async with core.db.read() as conn:
        services = await service_rows.all_services(conn, core.settings.default.service_down_time)
        _tell_services(services)
        _tell_tasks(await task_report.figures(conn), services)
        NOTIFICATIONS_PENDING.set(await notifications.count_waiting(conn))
        for row in await leases.turns(conn):
            task, _, backend = row["name"].partition(":")
            PERIODIC_STARTED.labels(task, backend).set(row["started"] or 0)
            PERIODIC_SECONDS.labels(task, backend).set(row["last_seconds"] or 0)
            PERIODIC_RUNS.labels(task, backend).set(row["runs"])
            PERIODIC_FAILURES.labels(task, backend).set(row["failures"])
        _tell_looks(await reconcile.figures(conn))
        PORTS_LEFT.clear()
        for row in await ports_left.figures(conn):
            PORTS_LEFT.labels(row["host"], str(row["ours"]).lower()).set(row["number"])


async def read_clients(core: Core, drivers: Sequence[ShareDriver]) -> None:
    """Bring the figures of what clients do on these back ends up to date."""
    CLIENTS.top = core.settings.openkeel.metrics_top
    seen = [one for driver in drivers for one in await driver.clients_seen()] if CLIENTS.top else []
    names = {name for one in seen for name in one.statistics.shares}
    async with core.db.read() as conn:
        owners = await instances.owners(conn, sorted(names)) if names else {}
    named = [_named(one, owners) for one in seen]
    CLIENTS.source = lambda: named


def _named(seen: Seen, owners: dict[str, tuple[str, str]]) -> Seen:
    """With what the database knows; all shares of a server are of one project."""
    own = {name: owners[name] for name in seen.statistics.shares if name in owners}
    project = next((project for _, project in own.values()), "")
    return replace(seen, project=project, shares={name: share for name, (share, _) in own.items()})


def _tell_services(services: list[dict[str, Any]]) -> None:
    SERVICE_UP.clear()  # one that was removed has no row
    for row in services:
        SERVICE_UP.labels(row["binary"], row["host"]).set(int(row["alive"]))


def _tell_tasks(found: list[dict[str, Any]], services: list[dict[str, Any]]) -> None:
    """Every queue is shown, those without a task with zeros: the first that is given up is a change then."""
    hosts = {row["host"] for row in services if row["binary"] == "manila-share"}
    nothing = {"waiting": 0, "running": 0, "failed": 0, "oldest": 0.0}
    shown = dict.fromkeys(sorted({*COMMON_QUEUES, *hosts}), nothing) | {row["queue"]: row for row in found}
    for figure in (TASKS, TASKS_OLDEST):
        figure.clear()  # that of a back end that is no more has no row
    for queue, row in shown.items():
        for state in ("waiting", "running", "failed"):
            TASKS.labels(queue, state).set(row[state])
        TASKS_OLDEST.labels(queue).set(row["oldest"])


def _tell_looks(found: list[dict[str, Any]]) -> None:
    for figure in (BROKEN, ORPHANS, WAITING):
        figure.clear()  # what was put right has no row
    for one in found:
        WAITING.labels(one["host"]).set(one["waiting"])
        for figure, name in ((BROKEN, "broken"), (ORPHANS, "orphans")):
            for kind, number in one[name].items():
                figure.labels(one["host"], kind).set(number)


class _Without(Collector):
    """All figures of this process but some."""

    def __init__(self, hidden: Iterable[prometheus_client.Gauge]) -> None:
        self._names = {family.name for figure in hidden for family in figure.describe()}

    def collect(self) -> Iterator[prometheus_client.Metric]:
        return (family for family in prometheus_client.REGISTRY.collect() if family.name not in self._names)


def make_app(core: Core, folder: str | None = None) -> FastAPI:
    """``/healthz``: the process lives. ``/readyz``: it can reach its database. ``/metrics``: figures.

    ``folder`` holds the figures of several processes, which are added up. What cannot be read from the database now is
    not shown: an alert about what is absent would never be given if old figures stayed.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    async def pending() -> int | None:
        try:
            async with asyncio.timeout(QUERY_SECONDS), core.db.read() as conn:
                return await tasks.pending(conn)
        except Exception:
            return None

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz")
    async def readyz(response: Response) -> dict[str, str]:
        if await pending() is None:
            response.status_code = 503
            return {"status": "database unavailable"}
        return {"status": "ok"}

    @app.get("/metrics")
    async def metrics() -> Response:
        waiting, old = await pending(), set(CLUSTER)
        if waiting is not None:
            TASKS_PENDING.set(waiting)
            old.discard(TASKS_PENDING)
            with contextlib.suppress(Exception):
                async with asyncio.timeout(QUERY_SECONDS):
                    await read_cluster(core)
                old.clear()
        CLIENTS.source = tuple
        if DRIVERS:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(QUERY_SECONDS):
                    await read_clients(core, DRIVERS)
        registry = prometheus_client.CollectorRegistry()
        if folder is not None:
            multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
            for figure in set(CLUSTER) - old:
                registry.register(figure)
        else:
            registry.register(_Without(old))
        return Response(prometheus_client.generate_latest(registry), media_type=prometheus_client.CONTENT_TYPE_LATEST)

    return app


async def serve(core: Core, stop: asyncio.Event, folder: str | None = None) -> None:
    """Serve until ``stop`` is set. A port that is taken is logged: the service itself does not depend on it."""
    own = core.settings.openkeel
    try:
        listening = bind(own.metrics_listen, own.metrics_port)
    except OSError as error:
        LOG.warning("no health and metrics here", address=own.metrics_listen, port=own.metrics_port, error=str(error))
        return
    await Server(make_app(core, folder), of_metrics(), listening, name="metrics").run(stop)
