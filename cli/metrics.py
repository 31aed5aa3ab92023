"""Health and Prometheus metrics, on a port of their own."""

from __future__ import annotations

import asyncio

import prometheus_client
import uvicorn
from fastapi import FastAPI, Response

from db import tasks
from services.core import Core

TASKS_PENDING = prometheus_client.Gauge("manila_tasks_pending", "Tasks that run or are due")
QUERY_SECONDS = 2.0


def make_app(core: Core) -> FastAPI:
    """``/healthz``: the process lives. ``/readyz``: it can reach its database. ``/metrics``: figures."""
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
        return Response(prometheus_client.generate_latest(), media_type=prometheus_client.CONTENT_TYPE_LATEST)

    return app


async def serve(core: Core, stop: asyncio.Event) -> None:
    """Serve until ``stop`` is set."""
    own = core.settings.openkeel
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(core), own.metrics_listen, own.metrics_port, log_config=None, access_log=False, lifespan="off"
        )
    )
    serving = asyncio.create_task(server._serve())
    waiting = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    server.should_exit = True
    await serving
