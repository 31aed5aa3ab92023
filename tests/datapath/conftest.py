"""The back end of the data-path tests: one per module, with a tenant network and a share server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.embedded import missing
from tests.datapath import fixtures
from tests.datapath.lab import Lab


@pytest.fixture(scope="module")
async def lab() -> AsyncIterator[Lab]:
    """A back end that is set up."""
    if lacking := missing():
        pytest.fail("data-path tests need: " + " ".join(lacking))
    made = Lab()
    try:
        await made.driver.do_setup()
        yield made
    finally:
        await made.down()


@pytest.fixture(scope="module")
async def driven(lab: Lab) -> Lab:
    """What the fixtures of tenants work on."""
    return lab


server = fixtures.server("module")
five, six = fixtures.client("five", 5, "module"), fixtures.client("six", 6, "module")
