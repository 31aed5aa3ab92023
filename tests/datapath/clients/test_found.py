"""Defects of servers that tenants met: content that newer kernels read as zeros, folders that they can't list."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from generated.runtime import Row
from tests.datapath.clients import guests
from tests.datapath.clients.conftest import Machine
from tests.datapath.lab import Lab

pytestmark = [pytest.mark.kernel, pytest.mark.slow]

HELP = """
from tests.datapath.clients.operations.support import get, hashed, pattern, put, tried
from tests.datapath.clients.operations.content import SHAPES, shaped
"""
EDIT = "cd /mnt && echo four >> list && sed -i s/two/TWO/ list && cp list list2"
WRITE = """
f = os.open('/mnt/block', os.O_RDWR)
os.pread(f, 5000, 0)
os.pwrite(f, b'0123456789', 100)
os.fsync(f)
os.close(f)
"""


@pytest.fixture
async def mounted(yard: Lab, gateway: Row, machines: list[Machine]) -> AsyncIterator[list[Machine]]:
    """All machines with one share, mounted without options."""
    share = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    for machine in machines:
        await guests.mount(machine.guest, share["location"])
        await machine.guest(HELP)
    yield machines
    for machine in machines:
        await guests.unmount(machine.guest)
    await yard.driver.delete_share(share, gateway)


async def test_each_reads_what_the_others_wrote(mounted: list[Machine]) -> None:
    """Kernels from 6.6 on read with READ_PLUS, which servers before 6.2 of Ganesha answer with zeros or EIO."""
    wrong = []
    for number, writer in enumerate(mounted):
        want = await writer.guest(
            f"r = [shaped(f'/mnt/{number}-{{k}}', *shape) for k, shape in enumerate(SHAPES)]", 120
        )
        for reader in mounted:
            code = f"r = [hashed(f'/mnt/{number}-{{k}}') for k in range(len(SHAPES))]"
            if (got := await reader.guest(code, 120)) != want:
                wrong.append(f"{writer} wrote {want}, {reader} read {got}")
    assert wrong == []


async def test_edits_in_place_are_kept(mounted: list[Machine]) -> None:
    """A page that was read as zeros would be written back: the loss would be for good."""
    wrong = []
    for machine in mounted:
        others = [other for other in mounted if other is not machine]
        await (others or [machine])[0].guest(
            "put('/mnt/list', b'one\\ntwo\\nthree\\n'); put('/mnt/block', pattern(5000))"
        )
        await machine.guest.expression(f"sh({EDIT!r})")
        await machine.guest(WRITE)
        for reader in mounted:
            text = "one\ntwo\nthree\nfour\n".replace("two", "TWO")
            for name in ("list", "list2"):
                if (got := await reader.guest.expression(f"get('/mnt/{name}').decode('latin-1')")) != text:
                    wrong.append(f"{machine} edited {name}, {reader} reads {got!r}")
            right = "pattern(5000)[:100] + b'0123456789' + pattern(5000)[110:]"
            if not await reader.guest.expression(f"get('/mnt/block') == {right}"):
                wrong.append(f"{machine} wrote into the block, {reader} reads something else")
    assert wrong == []


@pytest.mark.parametrize("version", ["4.1", "4.2"])
async def test_folders_are_listed(yard: Lab, gateway: Row, machines: list[Machine], version: str) -> None:
    """Kernels from 6.19 on ask for delegations of folders; a server that calls that illegal fails each list."""
    share = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    wrong = []
    for number, machine in enumerate(machines):
        guest = machine.guest
        for attempt in range(4):
            await guests.mount(guest, share["location"], f"vers={version}")
            await guest(f"os.makedirs('/mnt/{number}/d', exist_ok=True); open('/mnt/{number}/d/f', 'w').close()")
            for code in ("ls -la /mnt {0} {0}/d", "mv {0}/d/f {0}/d/g", "rm -r {0}/d"):
                outcome = await guest.expression(f"sh({code.format(f'/mnt/{number}')!r})")
                if outcome[0]:
                    wrong.append(f"{machine}, mount {attempt}: {code}: {outcome}")
            await guests.unmount(guest)
    await yard.driver.delete_share(share, gateway)
    assert wrong == []
