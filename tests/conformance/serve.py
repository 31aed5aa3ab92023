"""The service on an embedded database, with a control side for the conformance runner.

The control contract (``POST /_oracle/VERB``, a JSON object): reset, settle, tick, periodic, heartbeat, driver_fail,
config and dump. Nothing periodic happens by itself. With ``--processes N`` there are N API processes on one port, N
schedulers and N workers of each back end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pathlib
import shutil
import signal
import sys
import tempfile

from db import migrate
from db.embedded import EmbeddedPostgres
from tests.conformance import settings
from tests.conformance.cluster import Cluster
from tests.conformance.listen import control, listening
from tests.conformance.stage import Stage

DATABASE = "manila"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, required=True, help="the API")
    parser.add_argument("--control-port", type=int, required=True, help="the control side")
    parser.add_argument("--neutron-port", type=int, required=True, help="where a fake Neutron listens already")
    parser.add_argument("--backends", default="alpha,beta,gamma")
    parser.add_argument("--processes", type=int, default=1, help="API, scheduler and workers so many times each")
    parser.add_argument("--database", help="URL of a database that is there and is used as it is; no reset then")
    parser.add_argument("--log-level", default="WARNING", help="of the service's log on standard error")
    return parser.parse_args()


async def serve(args: argparse.Namespace, file: pathlib.Path, postgres: EmbeddedPostgres | None) -> None:
    """Run until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)

    def fresh() -> str:
        return args.database if postgres is None else postgres.create(DATABASE, "template")

    local = "http://127.0.0.1"
    ready = (
        f"READY api={local}:{args.port} control={local}:{args.control_port}/_oracle neutron={local}:{args.neutron_port}"
    )
    if args.processes > 1:
        cluster = Cluster(file, fresh, args.processes, args.port)
        await cluster.start()
        try:
            async with listening(control(cluster), args.control_port):
                print(ready, flush=True)
                await stop.wait()
        finally:
            await cluster.stop()
        return
    stage = Stage(file, fresh)
    await stage.start()
    try:
        async with listening(stage.app, args.port), listening(control(stage), args.control_port):
            print(ready, flush=True)
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
        if args.database:
            migrate.sync(args.database)
        else:
            postgres = EmbeddedPostgres(folder / "data", durable=False)
            migrate.sync(postgres.create("template"))
        file = settings.write(
            folder,
            port=args.port,
            database=args.database or (postgres.url_of(DATABASE) if postgres else ""),
            neutron=f"http://127.0.0.1:{args.neutron_port}",
            backends=args.backends.split(","),
            log_level=args.log_level,
        )
        asyncio.run(serve(args, file, postgres))
    finally:
        if postgres is not None:
            postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
