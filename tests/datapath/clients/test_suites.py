"""Other people's suites on a share and, for their own failures, on the guest's XFS; by night on each kernel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from deploy.debs import Unavailable
from generated.runtime import Row
from tests.datapath.clients import guests
from tests.datapath.clients.conftest import LONG, Machine, chosen
from tests.datapath.clients.suites import databases, expected, programs, running, standard
from tests.datapath.lab import Lab

pytestmark = [pytest.mark.nfs_clients, pytest.mark.slow]

SECONDS = 120 if LONG else 40
"""How long a suite goes on that could go on for ever."""
MEMORY = 512
KERNELS = [kernel for kernel in chosen() if LONG or kernel is chosen()[-1]]


@pytest.fixture(scope="module", params=KERNELS, ids=str)
async def machine(yard: Lab, gateway: Row, request: pytest.FixtureRequest) -> AsyncIterator[Machine]:
    """A guest with the suites' programs."""
    async with AsyncExitStack() as stack:
        try:
            disk, lacking = programs.disk()
            made = await stack.enter_async_context(
                guests.booted(
                    yard.fabric.switch("c"), [request.param], first=40, memory=MEMORY, disks=[disk], prefix="s"
                )
            )
        except Unavailable as error:
            pytest.skip(f"the suites' programs or the kernel can't be had: {error}")
        for line in lacking:
            print(line, flush=True)
        await running.plug(made[0])
        yield Machine(request.param, made[0])


@pytest.fixture
async def share(yard: Lab, gateway: Row, machine: Machine) -> AsyncIterator[Row]:
    """A share, mounted without options."""
    made = await yard.share(gateway, 2, "rw 10.0.0.0/24")
    await guests.mount(machine.guest, made["location"])
    yield made
    await guests.unmount(machine.guest)
    await yard.driver.delete_share(made, gateway)


async def _killed(yard: Lab, gateway: Row, work: asyncio.Future[Any]) -> None:
    """End Ganesha three times while the work is going on."""
    for _ in range(3):
        await asyncio.sleep(8)
        assert not work.done(), "the work ended too early"
        before = yard.ganesha(gateway)
        await yard.kill(before)
        async with asyncio.timeout(60):
            while yard.ganesha(gateway) in (0, before):
                await asyncio.sleep(0.1)


@pytest.mark.parametrize("suite", standard.SUITES)
async def test_suite(share: Row, machine: Machine, suite: str) -> None:
    run = standard.SUITES[suite]
    if suite in programs.CRATES:
        try:
            programs.crate(suite)
        except programs.Lacking as error:
            pytest.skip(str(error))
    outcome = await run(machine.guest, "/mnt/suite", SECONDS)
    # what fails on the local file system of the same machine is not the share's
    local = await run(machine.guest, "/local/suite", SECONDS) if outcome.failed else running.Outcome()
    await machine.guest.expression("sh('rm -rf /local/suite')")
    print(f"{machine}: {suite}: {outcome}; locally: {local if outcome.failed else 'not needed'}", flush=True)
    assert expected.judged(suite, outcome, local) == []


@pytest.mark.parametrize("mode", ["delete", "wal"])
async def test_sqlite_loses_no_commit(yard: Lab, gateway: Row, share: Row, machine: Machine, mode: str) -> None:
    """Two writers of one machine, Ganesha killed three times."""
    guest = machine.guest
    await guest(databases.SQLITE)
    work = guest.post(f"done, wrong = sqlite_run('/mnt/{mode}.db', 40, {mode!r}); r = [len(done), wrong]")
    await _killed(yard, gateway, work)
    count, wrong = (await work)["r"]
    assert wrong == []
    checked = await guest.expression(f"sqlite_check('/mnt/{mode}.db', done)")
    print(f"{machine}: sqlite {mode}: {count} commits, {checked[1]} lost, {checked[2]}", flush=True)
    assert count > 10
    assert checked == [count, 0, "ok"]


async def test_postgresql_loses_no_commit(yard: Lab, gateway: Row, share: Row, machine: Machine) -> None:
    """pgbench with Ganesha killed three times, then PostgreSQL killed and recovered."""
    guest, at = machine.guest, "/mnt/pg"
    uid = programs.USERS["postgres"]
    await guest(f"os.mkdir({at!r}); os.chown({at!r}, {uid}, {uid})")

    async def done(words: str, seconds: float = 300) -> str:
        status, output, _ = await running.program(guest, words.format(at=at, seconds=60), seconds, uid=uid)
        assert status == 0, output[-1500:]
        return output

    await done(databases.PREPARE)
    await done(databases.START)
    try:
        await done(databases.FILL)
        bench = asyncio.ensure_future(done(databases.RUN))
        await _killed(yard, gateway, bench)
        output = await bench
        line = next(line for line in output.splitlines() if "number of transactions actually processed" in line)
        processed = int(line.partition(":")[2].split("/")[0])
        before = (await done(databases.CHECK)).split()
        await done(databases.STOP)
        await guest("open('/proc/sys/vm/drop_caches', 'w').write('3')")
        await done(databases.START)
        after = (await done(databases.CHECK)).split()
    finally:
        await running.program(guest, databases.STOP.format(at=at), 120, uid=uid)
    print(
        f"{machine}: pgbench: {processed} transactions, {after[0]} in the history, sums agree: {after[1]}", flush=True
    )
    assert processed > 10
    assert before == after == [str(processed), "t"]
