"""Measurements on one or two targets in turn, with the vendored load generator and two scenarios of our own."""

from __future__ import annotations

import asyncio
import importlib.util
import pathlib
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tests.perf.figures import flat

Results = dict[str, list[Mapping[str, Any]]]
READS = {"versions": "/", "get": "/shares/{share}", "access_list": "/share-access-rules?share_id={share}"}


def generator() -> Any:
    """The vendored ``bench.py`` as a module."""
    file = pathlib.Path(__file__).resolve().parent / "vendored" / "bench.py"
    spec = importlib.util.spec_from_file_location("vendored_bench", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BENCH = generator()


Turn = Callable[[Any, list[float]], Awaitable[None]]
"""What one client does until it is told to stop: it appends the seconds that each time took."""


async def _clients(target: Any, clients: int, turn: Turn) -> Any:
    times: list[float] = []

    async def worker() -> None:
        client = target.client()
        await turn(client, times)
        client.close()

    await asyncio.gather(*(worker() for _ in range(clients)))
    return BENCH.summary(times)


async def extend(target: Any, clients: int, seconds: float) -> Any:
    """POST an extend by 1 GiB and poll until the share is available, again and again."""
    stop = time.perf_counter() + seconds

    async def turn(client: Any, times: list[float]) -> None:
        _, body = await target.call(client, "POST", "/shares", target.share_body())
        path, size = f"/shares/{body['share']['id']}", 1
        await BENCH.wait_for(target, client, path, BENCH.share_available)
        while time.perf_counter() < stop:
            size += 1
            begin = time.perf_counter()
            await target.call(client, "POST", f"{path}/action", {"extend": {"new_size": size}})
            await BENCH.wait_for(target, client, path, BENCH.share_available)
            times.append(time.perf_counter() - begin)
        await target.call(client, "DELETE", path)

    return await _clients(target, clients, turn)


async def server(target: Any, clients: int, seconds: float, network: Mapping[str, Any], share_type: str) -> Any:
    """Make a share network and its first share, which needs a share server, and poll until the share is available."""
    stop = time.perf_counter() + seconds

    async def turn(client: Any, times: list[float]) -> None:
        while time.perf_counter() < stop:
            begin = time.perf_counter()
            _, body = await target.call(client, "POST", "/share-networks", {"share_network": dict(network)})
            made = {"share_type": share_type, "share_network_id": body["share_network"]["id"]}
            share = {"share": {**target.share_body()["share"], **made}}
            _, body = await target.call(client, "POST", "/shares", share)
            path = f"/shares/{body['share']['id']}"
            await BENCH.wait_for(target, client, path, BENCH.share_available)
            times.append(time.perf_counter() - begin)
            await target.call(client, "DELETE", path)

    return await _clients(target, clients, turn)


async def _one(target: Any, scenario: str, clients: int, seconds: float, share: str) -> Any:
    if scenario in READS:
        return await BENCH.hammer(target, READS[scenario].format(share=share), clients, seconds)
    if scenario.startswith("detail"):
        return await BENCH.hammer(
            target, f"/shares/detail?limit={scenario.partition(':')[2] or 1000}", clients, seconds
        )
    if scenario == "lifecycle":
        return await BENCH.lifecycle(target, clients, seconds)
    if scenario == "extend":
        return await extend(target, clients, seconds)
    raise ValueError(f"no scenario is named {scenario}")


async def measure(
    targets: Sequence[Any], scenarios: Sequence[str], levels: Sequence[int], rounds: int, seconds: float, shares: int
) -> list[Results]:
    """The results of each target.

    Every second round takes the targets the other way round, so that a drift of the machine meets all alike.

    Args:
        levels: numbers of clients at a time.
        shares: how many each project is grown to first.
    """
    first: list[str] = []
    for target in targets:
        ids, _ = await BENCH.grow(target, shares)
        first.append(ids[0])
    results: list[Results] = [{} for _ in targets]
    for number in range(rounds):
        for scenario in scenarios:
            for level in levels:
                order = range(len(targets)) if number % 2 == 0 else reversed(range(len(targets)))
                for place in order:
                    found = await _one(targets[place], scenario, level, seconds, first[place])
                    for name, one in flat(f"{scenario}@{level}", found).items():
                        results[place].setdefault(name, []).append(one)
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    return results


async def wipe(targets: Sequence[Any]) -> None:
    """Remove every share; that takes the original minutes."""
    for target in targets:
        await BENCH.wipe(target)
