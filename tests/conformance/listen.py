"""An application on a port, and the verbs of a stage as one."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import traceback
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from api.server.limits import of_api
from api.server.serve import Server
from generated.settings import Settings


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
async def listening(app: Any, where: int | socket.socket) -> AsyncIterator[None]:
    """Serve an application, by the product's server, on a port of the loopback address or on a socket."""
    made = where if isinstance(where, socket.socket) else socket.create_server(("127.0.0.1", where))
    stop = asyncio.Event()
    serving = asyncio.create_task(Server(app, of_api(Settings()), made, name="test").run(stop, 0.1))
    try:
        yield
    finally:
        stop.set()
        await serving
