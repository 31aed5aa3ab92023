"""Three guests contend for one file for an hour: the server lives, and neither memory nor descriptors pile up.

``NFS_MINUTES`` is how long, 60 without it.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from generated.runtime import Row
from tests.datapath.clients import guests
from tests.datapath.clients.conftest import chosen
from tests.datapath.lab import Lab

pytestmark = [pytest.mark.nfs_clients, pytest.mark.slow]

MINUTES = float(os.environ.get("NFS_MINUTES", "60"))
WARM = min(10.0, MINUTES / 3)
"""Minutes after which the memory is taken that the end is compared with."""
ROUND = 60.0
PROCESSES = 10
GROWTH = 0.10


@dataclass(frozen=True, slots=True)
class Size:
    """What a process has.

    Attributes:
        pid: its number; another one is another process.
        memory: resident, KiB.
        descriptors: open ones.
    """

    pid: int
    memory: int
    descriptors: int


def size(yard: Lab, gateway: Row) -> Size:
    """What Ganesha has now. Raises OSError: it is not running."""
    pid = yard.ganesha(gateway)
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    return Size(pid, memory, len(os.listdir(f"/proc/{pid}/fd")))


async def test_an_hour_of_contention(yard: Lab, gateway: Row) -> None:
    kernels = chosen()
    three = [kernels[-1], kernels[0], kernels[len(kernels) // 2]]
    share = await yard.share(gateway, 1, "rw 10.0.0.0/24")
    async with guests.booted(yard.fabric.switch("c"), three, first=20, prefix="h") as machines:
        for guest in machines:
            await guests.mount(guest, share["location"])
            await guest("from tests.datapath.clients.operations import contention")
        first = size(yard, gateway)
        begin, sizes = time.monotonic(), [(0.0, first)]
        counted: list[dict[str, int]] = []
        while time.monotonic() - begin < MINUTES * 60:
            seed = len(counted) * 1000
            code = "contention.contend('/mnt/race', {}, {}, {})"
            counted += await asyncio.gather(
                *(
                    guest.expression(code.format(PROCESSES, ROUND, seed + 100 * number), ROUND + 240)
                    for number, guest in enumerate(machines)
                )
            )
            sizes.append((time.monotonic() - begin, size(yard, gateway)))
            print(f"{sizes[-1][0] / 60:.1f} min: {sizes[-1][1]} {counted[-3:]}", flush=True)
            assert sizes[-1][1].pid == first.pid, "Ganesha ended and was started again"
        for guest in machines:
            await guests.unmount(guest)
    # sessions of clients that are gone end with their lease
    await asyncio.sleep(25)
    last = size(yard, gateway)
    await yard.driver.delete_share(share, gateway)
    warm = next(one for at, one in sizes if at >= WARM * 60 or one is sizes[-1][1])
    print(
        f"contention for {MINUTES:.0f} minutes: {first} at the start, {warm} warm, "
        f"{sizes[-1][1]} at the end, {last} at rest"
    )
    assert sum(one.get("rounds", 0) for one in counted) > 30
    assert sum(number for one in counted for key, number in one.items() if key.endswith("EIO")) == 0
    assert sizes[-1][1].memory <= warm.memory * (1 + GROWTH)
    assert last.descriptors <= first.descriptors + 2
