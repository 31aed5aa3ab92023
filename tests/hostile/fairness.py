"""How long one project's GET takes while another asks for its largest lists, beside how long it takes in quiet.

``python -m tests.hostile.fairness [--shares 1000] [--crowd 200] [--rounds 3] [--at-most 3] [--whole]``: quiet and
crowded stretches take turns in one run, so that a slow machine is slow for both. Fails where the 99th percentile in the
crowd is more than so many times the quiet one. The crowd is a process of its own, with a connection for each of its
requests.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import pathlib
import sys
import tempfile
import time
from collections.abc import AsyncIterator

from db import migrate
from db.embedded import EmbeddedPostgres
from tests.hostile.shares import TENANT_A, TENANT_B, fill
from tests.hostile.target import HOST, ROOT, Target, Wire, get, running

LIST = "/v2/shares/detail?limit=1000"


WHOLE = "/v2/shares/detail"


async def crowd(port: int, number: int, path: str) -> None:
    """Ask for lists for ever, so many at a time, and read the answers."""

    async def one() -> None:
        while True:
            reader, writer = await asyncio.open_connection(HOST, port, limit=1 << 21)
            async with contextlib.aclosing(Wire(reader, writer)) as wire:
                while True:
                    if path == WHOLE:
                        await wire.send(get(path, more="Connection: close\r\n"))
                        await wire.closed(600)
                        break
                    await wire.send(get(path))
                    if (await wire.answer(600)).status != 200:
                        await asyncio.sleep(1)
                        break

    await asyncio.gather(*(one() for _ in range(number)))


@contextlib.asynccontextmanager
async def crowded(target: Target, arguments: argparse.Namespace) -> AsyncIterator[None]:
    number = str(arguments.crowd)
    command = [sys.executable, "-m", "tests.hostile.fairness", "--port", str(target.port), "--crowd", number]
    command += ["--whole"] if arguments.whole else []
    child = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        await asyncio.sleep(5)  # it has asked for all
        yield
    finally:
        child.kill()
        await child.wait()
        while (await target.get("/v2/shares?limit=1")).status != 200:  # what still waits is worked off
            await asyncio.sleep(0.2)


async def measure(target: Target, path: str, seconds: float) -> list[float]:
    """Seconds of each GET of the other project, one after the other on a kept connection."""
    times, end = [], time.perf_counter() + seconds
    async with contextlib.aclosing(await target.connect()) as wire:
        while time.perf_counter() < end:
            begin = time.perf_counter()
            await wire.send(get(path, "member-b-token"))
            assert (await wire.answer()).status == 200
            times.append(time.perf_counter() - begin)
            await asyncio.sleep(0.005)
    return times


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[int(part * (len(times) - 1))] * 1000


async def compare(arguments: argparse.Namespace) -> float:
    """Print the figures; the ratio of the 99th percentiles."""
    with tempfile.TemporaryDirectory(prefix="manila-fair-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        postgres = EmbeddedPostgres(folder / "data")
        try:
            url = postgres.create("manila")
            migrate.sync(url)
            fill(url, TENANT_A, arguments.shares)
            path = f"/v2/shares/{fill(url, TENANT_B, 1)}"
            async with running(folder, url) as target:
                return await _compare(target, path, arguments)
        finally:
            postgres.stop()


async def _compare(target: Target, path: str, arguments: argparse.Namespace) -> float:
    quiet: list[float] = []
    loud: list[float] = []
    await measure(target, path, 2)
    for _ in range(arguments.rounds):
        quiet += await measure(target, path, arguments.duration)
        async with crowded(target, arguments):
            loud += await measure(target, path, arguments.duration)
    ratio = percentile(loud, 0.99) / percentile(quiet, 0.99)
    for title, times in (("quiet", quiet), ("crowd", loud)):
        figures = ", ".join(f"p{int(part * 100)} {percentile(times, part):.2f} ms" for part in (0.5, 0.95, 0.99))
        print(f"{title}: {len(times)} requests, {figures}")
    print(f"99th percentile in the crowd: {ratio:.2f} times the quiet one; {target.peak >> 20} MiB at most", flush=True)
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shares", type=int, default=1000)
    parser.add_argument("--crowd", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--duration", type=float, default=8)
    parser.add_argument("--at-most", type=float, default=3.0, metavar="TIMES")
    parser.add_argument("--whole", action="store_true", help="lists of all shares instead of 1,000")
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.port:
        asyncio.run(crowd(arguments.port, arguments.crowd, WHOLE if arguments.whole else LIST))
    return 0 if asyncio.run(compare(arguments)) < arguments.at_most else 1


if __name__ == "__main__":
    sys.exit(main())
