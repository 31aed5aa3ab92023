"""Some seconds of the fuzzer of bytes; the session ``hostile`` runs it for minutes."""

from __future__ import annotations

import pathlib

from tests.hostile.fuzz import OWN, fuzz
from tests.hostile.shares import TENANT_A, fill
from tests.hostile.target import CEILING, running


async def test_bytes_that_are_nearly_requests(tmp_path: pathlib.Path, database_url: str) -> None:
    share = fill(database_url, TENANT_A, 20)
    async with running(tmp_path, database_url, own=OWN, default="client_socket_timeout = 1") as target:
        found = await fuzz(target, share, seed=1, seconds=10, pause=0.0)
        assert found.wrong == []
        assert {200, 400} <= found.statuses.keys()
        assert target.peak < CEILING
