"""An application on a port, and the verbs of a stage as one."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import traceback
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


def control(stage: object) -> Starlette:
    """The control side: 501 for a verb that is not offered, 500 with a traceback for one that fails."""

    async def verb(request: Request) -> Response:
        name = request.path_params["verb"]
        method = None if name.startswith("_") else getattr(stage, f"verb_{name}", None)
        if method is None:
            return JSONResponse({"error": f"no verb {name}"}, 501)
        raw = await request.body()
        try:
            answer = await method(**(await request.json() if raw else {}))
        except Exception as error:
            return JSONResponse({"error": str(error), "traceback": traceback.format_exc()}, 500)
        return JSONResponse(answer or {})

    return Starlette(routes=[Route("/_oracle/{verb}", verb, methods=["POST"])])


@contextlib.asynccontextmanager
async def listening(app: Any, where: int | socket.socket) -> AsyncIterator[uvicorn.Server]:
    """Serve an application on a port of the loopback address, or on a socket, for the time of the block."""
    config = uvicorn.Config(
        app,
        "127.0.0.1",
        where if isinstance(where, int) else 0,
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        lifespan="off",
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    serving = asyncio.create_task(server._serve(None if isinstance(where, int) else [where]))
    while not server.started:
        if serving.done():
            serving.result()
            raise RuntimeError(f"{where} can't be served")
        await asyncio.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        server.force_exit = True
        await serving
