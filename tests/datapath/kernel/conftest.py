"""Two guests in one tenant's network, booted once for all tests with a kernel client."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from drivers.ganesha.embedded import missing as driver_lacks
from generated.runtime import Row
from tests.datapath.kernel import image
from tests.datapath.kernel.guest import Guest
from tests.datapath.lab import Lab


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
    return await yard.server("k")


@pytest.fixture(scope="package")
async def guests(yard: Lab, gateway: Row) -> AsyncIterator[tuple[Guest, Guest]]:
    """10.0.0.5 and 10.0.0.6, running Linux."""
    folder = Path(tempfile.mkdtemp(prefix="okm-vm-"))
    made = []
    try:
        built = await asyncio.to_thread(image.kept)
        for number in (5, 6):
            own = folder / str(number)
            own.mkdir()
            made.append(Guest(built, own, f"k{number}", yard.fabric.switch("k"), f"10.0.0.{number}/24"))
        await asyncio.gather(*(guest.start() for guest in made))
        yield made[0], made[1]
    finally:
        for guest in made:
            await guest.stop()
        shutil.rmtree(folder)
