"""NFS through a gateway beside a plain Ganesha and the share's own file system, alternating in one run. Needs root.

``python -m tests.perf.nfs.run [--rounds 5] [--quick] [--json FILE] [--works REGEX]`` prints a table in markdown.
Clients are nfs-rs, in user space, one process each in a namespace of its own. Figures are medians; the lowest and the
highest round stand in brackets; CPU seconds are for a GiB or 1,000 operations, of the servers in the table's order.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from deploy import bootstrap
from drivers.ganesha.program import found
from tests.datapath.lab import Lab
from tests.perf.nfs import sides, table
from tests.perf.nfs.sides import Measured, Side
from tests.perf.nfs.works import QUICK, Sizes, Work, works

MANY = 50
"""Shares of the gateway that has many."""


@contextlib.asynccontextmanager
async def measured(sizes: Sizes, clients: int, asked: argparse.Namespace) -> AsyncIterator[list[Side]]:
    """All sides, ready: the gateway with one share is the first."""
    lab, many = Lab(place=asked.place), asked.many
    try:
        await lab.driver.do_setup()
        async with contextlib.AsyncExitStack() as stack:
            one, mount = await sides.gateway("gateway", lab, "n1", 1, sizes, clients)
            made = [one]
            stack.push_async_callback(one.close)
            if many:
                other, _ = await sides.gateway(f"gateway, {many} shares", lab, "n2", many, sizes, clients)
                made.append(other)
                stack.push_async_callback(other.close)
            for number, more in enumerate(asked.also):
                name, _, settings = more.partition("|")
                other, _ = await sides.gateway(name, lab, f"m{number}", 1, sizes, clients, settings)
                made.append(other)
                stack.push_async_callback(other.close)
            for number, program in enumerate(_programs() if asked.plain else []):
                beside = sides.plain(f"plain {program.release}", lab, f"p{number}", program, sizes, clients)
                made.append(await stack.enter_async_context(beside))
                stack.push_async_callback(made[-1].close)
            (mount / "local").mkdir()
            made.append(await sides.local(mount / "local", sizes, clients))
            stack.push_async_callback(made[-1].close)
            yield made
    finally:
        await lab.down()


def _programs() -> list[found.Program]:
    """The gateway's Ganesha, and the machine's where it is another."""
    ours = found.chosen(bootstrap.ganesha())
    machine = found.of_machine()
    return [ours, *([machine] if machine is not None and machine.version != ours.version else [])]


async def rounds(
    every: list[Side], chosen: list[Work], sizes: Sizes, number: int
) -> dict[Work, dict[str, list[Measured]]]:
    """Each work by all sides in turn, each round beginning with the next one."""
    results: dict[Work, dict[str, list[Measured]]] = {}
    for work in chosen:
        results[work] = {side.name: [] for side in every}
        for turn in range(number):
            at = turn % len(every)
            for side in every[at:] + every[:at]:
                results[work][side.name].append(await side.do(work, sizes))
        print(work.title, file=sys.stderr, flush=True)
    return results


def _told() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small works, two rounds, two clients: whether it works")
    parser.add_argument("--json", type=Path, help="where to write all that was measured")
    parser.add_argument("--works", default="", help="regular expression of the works' titles")
    parser.add_argument("--many", type=int, default=MANY, help="shares of the second gateway; 0: there is none")
    parser.add_argument(
        "--also", action="append", default=[], help="one more gateway: NAME|BLOCK: A = 1; / OTHER: B = 2;"
    )
    parser.add_argument("--no-plain", dest="plain", action="store_false", help="without plain Ganeshas")
    parser.add_argument(
        "--place", type=Path, default=Path("/tmp"), help="folder for the pool; in /dev/shm no disk counts"
    )
    parser.add_argument("--files", type=int, default=10_000, help="of the folder whose names are looked up and listed")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each work that has no other end")
    parser.add_argument("--clients", type=int, default=8, help="of the works that many do")
    return parser.parse_args()


async def main() -> None:
    """Measure and print."""
    asked = _told()
    sizes, number = Sizes(seconds=asked.seconds, files=asked.files), asked.rounds
    if asked.quick:
        sizes, number, asked.clients, asked.many = QUICK, 2, 2, 3
    chosen = [one for one in works(asked.clients) if re.search(asked.works, one.title)]
    before = os.getloadavg()[0]
    async with measured(sizes, max(one.clients for one in chosen), asked) as every:
        results = await rounds(every, chosen, sizes, number)
        # before all is taken down: that may fail where something else of the machine holds a mount
        _tell(
            results, [one.name for one in every[1:]], f"load {before:.1f} to {os.getloadavg()[0]:.1f}, {number} rounds"
        )
        if asked.json:
            asked.json.write_text(json.dumps(table.document(results), indent=1))


def _tell(results: dict[Work, dict[str, list[Measured]]], beside: list[str], how: str) -> None:
    words = ["git", "-C", str(bootstrap.ROOT), "describe", "--always", "--dirty"]
    commit = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    print(f"Commit {commit}, Linux {platform.release()}, {os.cpu_count()} CPUs, {how}.\n")
    print("\n".join(table.lines(results, "gateway", beside)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
