"""Health and Prometheus metrics, on a port of their own."""

from __future__ import annotations

import asyncio
import socket

import prometheus_client
import structlog
import uvicorn
from fastapi import FastAPI, Response
from prometheus_client import multiprocess

from cli.listen import bind
from db import tasks
from services.core import Core

LOG = structlog.get_logger("metrics")
TASKS_PENDING = prometheus_client.Gauge("manila_tasks_pending", "Tasks that run or are due")
QUERY_SECONDS = 2.0


def make_app(core: Core, folder: str | None = None) -> FastAPI:
    """``/healthz``: the process lives. ``/readyz``: it can reach its database. ``/metrics``: figures.

    ``folder`` holds the figures of several processes, which are added up.
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
        waiting = await pending()
        if waiting is not None:
            TASKS_PENDING.set(waiting)
        registry = prometheus_client.REGISTRY
        if folder is not None:
            registry = prometheus_client.CollectorRegistry()
            multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
            registry.register(TASKS_PENDING)
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
    config = uvicorn.Config(make_app(core, folder), log_config=None, access_log=False, lifespan="off")
    await serve_until(uvicorn.Server(config), listening, stop)


async def serve_until(server: uvicorn.Server, listening: socket.socket, stop: asyncio.Event) -> None:
    """Serve on a socket until ``stop`` is set, then let the open requests finish."""
    serving = asyncio.create_task(server._serve(sockets=[listening]))
    waiting = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    server.should_exit = True
    await serving
