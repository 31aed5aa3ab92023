"""Guests of several kernels in one tenant's network, booted once for all tests of this folder.

The kernels are the oldest and the newest, or those that ``NFS_KERNELS`` names (``all``, or names with commas between);
``NFS_LONG`` with any value adds what takes long.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from deploy.debs import Unavailable
from drivers.ganesha.embedded import missing as driver_lacks
from generated.runtime import Row
from tests.datapath.clients import guests
from tests.datapath.kernel import image
from tests.datapath.kernel.guest import Guest
from tests.datapath.kernel.kernels import KERNELS, NAMED, Kernel
from tests.datapath.lab import Lab

LONG = bool(os.environ.get("NFS_LONG"))


@dataclass(frozen=True, slots=True)
class Machine:
    """A guest and its kernel."""

    kernel: Kernel
    guest: Guest

    def __str__(self) -> str:
        return f"Linux {self.kernel}"


def chosen() -> list[Kernel]:
    """The kernels to boot, the oldest first."""
    text = os.environ.get("NFS_KERNELS", "")
    if text == "all":
        return list(KERNELS)
    return [NAMED[name] for name in text.split(",")] if text else [KERNELS[0], KERNELS[-1]]


@pytest.fixture(scope="package")
async def yard() -> AsyncIterator[Lab]:
    """A back end with timers as in production: below 10 s of grace a restart may lose locks."""
    if lacking := [*driver_lacks(), *image.missing()]:
        pytest.fail("tests with a kernel client need: " + " ".join(lacking))
    made = Lab(ganesha_grace_period=10, ganesha_lease_lifetime=10)
    try:
        await made.driver.do_setup()
        yield made
    finally:
        await made.down()


@pytest.fixture(scope="package")
async def gateway(yard: Lab) -> Row:
    """The share server."""
    return await yard.server("c")


@pytest.fixture(scope="package")
async def machines(yard: Lab, gateway: Row) -> AsyncIterator[list[Machine]]:
    """A guest of each chosen kernel that can be had; the reason is printed for one that can't."""
    kernels = []
    for kernel in chosen():
        try:
            await asyncio.to_thread(image.kept, kernel)
            kernels.append(kernel)
        except Unavailable as error:
            print(f"Linux {kernel} is left out: {error}", flush=True)
    if not kernels:
        pytest.skip("no kernel can be had from Debian's archive: the lines above say why")
    async with guests.booted(yard.fabric.switch("c"), kernels) as made:
        yield [Machine(kernel, guest) for kernel, guest in zip(kernels, made, strict=True)]
