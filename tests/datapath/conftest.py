"""The back end of the data-path tests: one per module, with a tenant network and a share server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.embedded import missing
from generated.runtime import Row
from tests.datapath.lab import Client, Lab


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
async def server(lab: Lab) -> Row:
    """The share server of tenant a."""
    return await lab.server("a")


@pytest.fixture(scope="module")
async def five(lab: Lab, server: Row) -> Client:
    """The client 10.0.0.5 of tenant a."""
    return await lab.client("a", "10.0.0.5")


@pytest.fixture(scope="module")
async def six(lab: Lab, server: Row) -> Client:
    """The client 10.0.0.6 of tenant a."""
    return await lab.client("a", "10.0.0.6")
