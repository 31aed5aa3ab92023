"""Fixtures of the handler tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from db.connection import Database
from tests.handlers.share_stage import Stage, stage_over


@pytest.fixture
async def stage(db: Database) -> AsyncIterator[Stage]:
    """Two dummy back ends, the type ``default``, and an API over a fresh database."""
    async for one in stage_over(db):
        yield one
