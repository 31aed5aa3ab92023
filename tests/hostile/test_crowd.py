"""A project that asks for its largest lists two hundred times at once does not stand before another's requests."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
from collections import Counter

from tests.hostile.fairness import LIST
from tests.hostile.shares import TENANT_A, TENANT_B, fill
from tests.hostile.target import CEILING, Answer, Target, get, running


async def test_another_project_is_answered_while_a_crowd_waits(tmp_path: pathlib.Path, database_url: str) -> None:
    """Forty requests of the other project, one after the other, while the crowd has hardly moved."""
    fill(database_url, TENANT_A, 1000)
    path = f"/v2/shares/{fill(database_url, TENANT_B, 1)}"
    async with running(tmp_path, database_url) as target:
        crowd = [asyncio.create_task(target.ask(get(LIST), seconds=600)) for _ in range(200)]
        await asyncio.sleep(1)
        begun = _done(crowd)
        async with contextlib.aclosing(await target.connect()) as wire:
            for _ in range(40):
                await wire.send(get(path, "member-b-token"))
                assert (await wire.answer()).status == 200
                assert (await target.get("/healthcheck")).status == 200
        print(f"{_done(crowd) - begun} of 200 lists in the time of 40 requests, {target.peak >> 20} MiB at most")
        assert _done(crowd) - begun < 100
        statuses = Counter([(await one).status for one in crowd])
        assert statuses.keys() <= {200, 429}, "429 where a slow machine lets them wait for too long"
        assert statuses[200] > 40
        assert target.peak < CEILING


def _done(crowd: list[asyncio.Task[Answer]]) -> int:
    return sum(one.done() for one in crowd)


async def test_who_finds_no_place_to_wait_is_told_when_to_come_back(tmp_path: pathlib.Path, database_url: str) -> None:
    fill(database_url, TENANT_A, 1000)
    for status in (429, 503):
        own = f"requests_per_project = 1\nrequests_waiting_per_project = 2\nrequests_refused_with = {status}"
        async with running(tmp_path, database_url, own=own) as target:
            answers = await asyncio.gather(*(target.get(LIST) for _ in range(30)))
            refused = [one for one in answers if one.status != 200]
            assert {one.status for one in refused} == {status}
            assert all(b"\r\nretry-after: 1\r\n" in one.head for one in refused)
            assert 3 <= len(answers) - len(refused) < 30
            assert (await target.get("/v2/shares", "member-b-token")).status == 200


async def test_one_that_left_is_not_worked_for(tmp_path: pathlib.Path, database_url: str) -> None:
    """Requests whose clients went away while they waited are dropped, so that the next is not behind them."""
    fill(database_url, TENANT_A, 1000)
    async with running(tmp_path, database_url, own="requests_per_project = 1") as target:
        for _ in range(100):
            async with contextlib.aclosing(await target.connect()) as wire:
                await wire.send(get(LIST))
        assert (await target.get("/v2/shares?limit=1")).status == 200
        assert await _answered(target) < 100


async def _answered(target: Target) -> int:
    async with contextlib.aclosing(await target.connect()) as wire:
        wire.writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", target.metrics, limit=1 << 20)
    writer.write(get("/metrics", ""))
    await reader.readuntil(b"\r\n\r\n")
    text = (await reader.readuntil(b"manila_requests_created")).decode()
    writer.close()
    line = [one for one in text.splitlines() if one.startswith('manila_requests_total{method="GET",status="200"}')]
    return int(float(line[0].split()[-1])) if line else 0
