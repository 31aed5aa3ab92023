"""Fixtures of tests that need a tenant with a share server and clients, whatever back end the fixture ``driven`` is."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from generated.runtime import Row
from tests.datapath.lab import Client, Driven

Scope = Literal["module", "session"]


def server(scope: Scope) -> Any:
    """The fixture ``server``: the share server of tenant a."""

    @pytest.fixture(scope=scope, name="server")
    async def made(driven: Driven) -> Row:
        return await driven.server("a")

    return made


def client(name: str, host: int, scope: Scope) -> Any:
    """A fixture of that name: the client of tenant a whose address ends in ``host``."""

    @pytest.fixture(scope=scope, name=name)
    async def made(driven: Driven, server: Row) -> Client:
        return await driven.client("a", f"{driven.subnet}.{host}")

    return made
