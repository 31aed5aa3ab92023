"""The service in one process, on an embedded database, with a control side for the conformance runner.

The control contract (``POST /_oracle/VERB``, a JSON object): reset, settle, tick, periodic, heartbeat, driver_fail and
config. Nothing periodic happens by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from db import migrate
from db.embedded import EmbeddedPostgres
from tests.conformance import settings
from tests.conformance.stage import Stage

DATABASE = "manila"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, required=True, help="the API")
    parser.add_argument("--control-port", type=int, required=True, help="the control side")
    parser.add_argument("--neutron-port", type=int, required=True, help="where a fake Neutron listens already")
    parser.add_argument("--backends", default="alpha,beta,gamma")
    parser.add_argument("--log-level", default="WARNING", help="of the service's log on standard error")
    return parser.parse_args()


def control(stage: Stage) -> Starlette:
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
async def listening(app: Any, port: int) -> AsyncIterator[uvicorn.Server]:
    """Serve an application on a port of the loopback address for the time of the block."""
    config = uvicorn.Config(
        app,
        "127.0.0.1",
        port,
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        lifespan="off",
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    serving = asyncio.create_task(server._serve())
    while not server.started:
        if serving.done():
            serving.result()
            raise RuntimeError(f"port {port} can't be served")
        await asyncio.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        server.force_exit = True
        await serving


async def serve(args: argparse.Namespace, folder: pathlib.Path, postgres: EmbeddedPostgres) -> None:
    """Run until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    file = settings.write(
        folder,
        port=args.port,
        database=postgres.url_of(DATABASE),
        neutron=f"http://127.0.0.1:{args.neutron_port}",
        backends=args.backends.split(","),
        log_level=args.log_level,
    )
    stage = Stage(file, lambda: postgres.create(DATABASE, "template"))
    await stage.start()
    try:
        async with listening(stage.app, args.port), listening(control(stage), args.control_port):
            local = "http://127.0.0.1"
            print(
                f"READY api={local}:{args.port} control={local}:{args.control_port}/_oracle"
                f" neutron={local}:{args.neutron_port}",
                flush=True,
            )
            await stop.wait()
    finally:
        await stage.stop()


def main() -> int:
    args = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="manila-target-"))
    folder.chmod(0o755)  # the database server runs as another user when we are root
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    # SIGTERM while the database starts must clean up too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    postgres = None
    try:
        postgres = EmbeddedPostgres(folder / "data", durable=False)
        migrate.sync(postgres.create("template"))
        asyncio.run(serve(args, folder, postgres))
    finally:
        if postgres is not None:
            postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
