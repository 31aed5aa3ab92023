"""``manila-manage backend release``: a volume that no row stands for can be adopted, nothing else."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from cli.commands import backends as commands
from cli.commands.base import Refused
from db import private_data
from db.connection import Database
from drivers.base import BackendOptions
from drivers.dummy.driver import DummyDriver
from drivers.ganesha.managing import LET_GO, Managing
from drivers.reconciling import Findings, Orphan, ReadRows
from generated.settings import DatabaseSection, Settings
from worker import backends
from worker.operation import Backend

CLAIM = Orphan("PersistentVolumeClaim", "share-lost", "lost", 5.0, True, "it has no row", "uid-1")
POD = Orphan("Pod", "holder-held", "held", 5.0, True, "it has no row", "uid-2")
HOST = "node1@alpha"


class Holding(DummyDriver):
    """A back end with a volume and a pod that no row stands for; it lets go as Ganesha's does."""

    async def prepare_to_inspect(self) -> None:
        """Nothing to prepare."""

    async def inspect(self, read: ReadRows) -> Findings:
        await read([CLAIM.about, POD.about])
        return Findings((), (CLAIM, POD), ())

    async def unmanage_with_server(self, share: Any, share_server: Any = None) -> None:
        await Managing.unmanage_with_server(self, share, share_server)  # type: ignore[arg-type]


@pytest.fixture
async def settings(database_url: str, db: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Settings]:
    """Settings of a service with that back end."""
    made = Settings(database=DatabaseSection(connection=database_url))
    backend = Backend("alpha", HOST, Holding(BackendOptions("alpha", "ALPHA")))
    monkeypatch.setattr("worker.backends.build_each", lambda _: ([backend], []))
    yield made


async def release(settings: Settings, ident: str) -> None:
    """The command starts a loop of its own."""
    asked = argparse.Namespace(backend=None, id=ident)
    await asyncio.to_thread(commands.release, settings, asked)


async def kept(db: Database, ident: str) -> Mapping[str, str]:
    async with db.read() as conn:
        return await private_data.get(conn, ident)


async def test_a_volume_is_let_go_of(settings: Settings, db: Database) -> None:
    await release(settings, "lost")
    assert (await kept(db, "lost"))[LET_GO] == "share"


@pytest.mark.parametrize("ident", ["held", "nobody"])
async def test_nothing_else_is(settings: Settings, db: Database, ident: str) -> None:
    with pytest.raises(Refused, match=f"no back end here holds a volume of {ident}"):
        await release(settings, ident)
    assert LET_GO not in await kept(db, ident)


async def test_a_back_end_that_cannot_be_served_is_left_out_and_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (good, _), bad = backends.build_each(settings), backends.Unusable("beta", "node1@beta", "[beta] a mistake")
    monkeypatch.setattr("worker.backends.build_each", lambda _: (good, [bad]))
    await asyncio.to_thread(commands.orphans, settings, argparse.Namespace(backend=None, json=False))
    said = capsys.readouterr()
    assert said.err == "beta is left out: [beta] a mistake\n"
    assert "share-lost" in said.out
    with pytest.raises(Refused, match=r"^\[beta\] a mistake$"):
        await asyncio.to_thread(commands.orphans, settings, argparse.Namespace(backend="beta", json=False))
