"""One process of the API for all that needs no options of its own."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest

from db.embedded import EmbeddedPostgres
from tests.hostile.target import Target, running


@pytest.fixture(scope="session")
async def target(tmp_path_factory: pytest.TempPathFactory, postgres: EmbeddedPostgres) -> AsyncIterator[Target]:
    """An API process with the defaults and an empty database."""
    url = postgres.create(f"hostile_{os.getpid()}", "template")
    async with running(tmp_path_factory.mktemp("hostile"), url) as found:
        yield found
