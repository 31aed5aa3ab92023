"""Several processes of the service on one database and one port, steered as one.

Each child runs an API, a scheduler, the data service's queue and a worker of each back end; all accept on one socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import pathlib
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import httpx2

from cli import config
from tests.conformance.listen import control, listening
from tests.conformance.stage import Stage

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 20.0


class Cluster:
    """The verbs of the control contract over several processes.

    Args:
        file: the configuration file of all.
        fresh: makes an empty, migrated database, whose URL the file has.
        processes: how many there are.
        port: of the API, on the loopback address.
    """

    def __init__(self, file: pathlib.Path, fresh: Callable[[], str], processes: int, port: int) -> None:
        self._file, self._fresh, self._number = file, fresh, processes
        self._api = _bound(port)
        self._children: list[asyncio.subprocess.Process] = []
        self._controls: list[str] = []
        self._http = httpx2.AsyncClient(timeout=60.0, trust_env=False)
        self._faults = 0

    async def start(self) -> None:
        """Start the processes, one after the other, so that the first registers the services."""
        await asyncio.to_thread(self._fresh)
        for _ in range(self._number):
            steering = _bound(0)
            inherited = (self._api.fileno(), steering.fileno())
            child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.conformance.cluster", str(self._file), *map(str, inherited)),
                pass_fds=inherited, stdout=asyncio.subprocess.PIPE, cwd=ROOT,
            )  # fmt: skip
            self._children.append(child)
            self._controls.append(f"http://127.0.0.1:{steering.getsockname()[1]}/_oracle")
            steering.close()
            assert child.stdout is not None
            if not (await asyncio.wait_for(child.stdout.readline(), START_SECONDS)).startswith(b"READY"):
                raise RuntimeError(f"a process of the cluster ended with status {await child.wait()}")

    async def stop(self) -> None:
        """End the processes."""
        for child in self._children:
            if child.returncode is None:
                child.terminate()
        for child in self._children:
            try:
                await asyncio.wait_for(child.wait(), STOP_SECONDS)
            except TimeoutError:
                child.kill()
                await child.wait()
        await self._http.aclose()
        self._api.close()

    async def _ask(self, control: str, verb: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._http.post(f"{control}/{verb}", json=arguments)
        found: dict[str, Any] = answer.json()
        if answer.status_code != 200:
            raise RuntimeError(found.get("traceback") or found.get("error"))
        return found

    async def _all(self, verb: str, **arguments: Any) -> None:
        for one in self._controls:
            await self._ask(one, verb, **arguments)

    async def verb_reset(self) -> None:
        await self._all("stop")
        await asyncio.to_thread(self._fresh)
        await self._all("start")

    async def verb_settle(self) -> None:
        await self._ask(self._controls[0], "settle")

    async def verb_tick(self) -> None:
        await self._all("tick")

    async def verb_heartbeat(self, **arguments: Any) -> None:
        await self._all("heartbeat", **arguments)

    async def verb_periodic(self, **arguments: Any) -> None:
        await self._ask(self._controls[0], "periodic", **arguments)

    async def verb_config(self, **arguments: Any) -> None:
        await self._all("config", **arguments)

    async def verb_driver_fail(self, count: int = 1, **arguments: Any) -> None:
        self._faults += 1
        ledger = self._file.with_name(f"faults-{self._faults}")
        ledger.write_text(str(count))
        await self._all("driver_fail", ledger=str(ledger), **arguments)

    async def verb_dump(self) -> dict[str, Any]:
        return await self._ask(self._controls[0], "dump")


class SharedNumbers:
    """A mapping of names to numbers in a file that several processes share: what a real storage would know.

    The dummy driver keeps the progress of its migrations so; in one process a dictionary does.
    """

    def __init__(self, file: pathlib.Path) -> None:
        self._file = file
        self._file.touch()

    @contextlib.contextmanager
    def _open(self) -> Iterator[dict[str, int]]:
        with self._file.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            held: dict[str, int] = json.loads(file.read() or "{}")
            yield held
            file.seek(0)
            file.truncate()
            file.write(json.dumps(held))

    def get(self, name: str, default: int) -> int:
        with self._open() as held:
            return held.get(name, default)

    def pop(self, name: str, default: Any) -> Any:
        with self._open() as held:
            return held.pop(name, default)

    def __getitem__(self, name: str) -> int:
        with self._open() as held:
            return held[name]

    def __setitem__(self, name: str, number: int) -> None:
        with self._open() as held:
            held[name] = number


class Child(Stage):
    """The stage of one process; its parent empties the database while it is stopped."""

    async def start(self) -> None:
        await super().start()
        for one in self.manager.served.values():
            if hasattr(one.backend.driver, "_moved"):
                one.backend.driver._moved = SharedNumbers(self._file.with_name(f"moved-{one.backend.name}"))

    async def verb_stop(self) -> None:
        await self.stop()

    async def verb_start(self) -> None:
        self.settings = config.load([self._file])
        await self.start()


def _bound(port: int) -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", port))
    made.listen(128)
    return made


async def main(file: str, api: str, steering: str) -> None:
    """A child: ``cluster.py CONF API-SOCKET CONTROL-SOCKET``, until SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    settings = config.load([pathlib.Path(file)])
    stage = Child(pathlib.Path(file), lambda: str(settings.database.connection))
    await stage.start()
    try:
        async with (
            listening(stage.app, socket.socket(fileno=int(api))),
            listening(control(stage), socket.socket(fileno=int(steering))),
        ):
            print("READY", flush=True)
            await stop.wait()
    finally:
        await stage.stop()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
