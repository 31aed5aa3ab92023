"""Any text, time or number in any property, parameter or path: an answer below 500, as JSON where it says so."""

from __future__ import annotations

import collections
import json
import logging
import os
from collections.abc import Iterable, Iterator

import pytest
import structlog

from db.connection import Database
from services import server_migration
from tests.api.client import Answered
from tests.contract import requests, rows
from tests.handlers.catalogue import ALICE, TENANT_A, Ask, asker
from tests.hostile import odd_values

DRAWN = 0 if os.environ.get("LONG") else 2
"""How many of the odd values each place gets, in turn; by night all."""


ASKS_A_BACK_END = frozenset({"share_servers.action.migration_check"})
"""Operations that wait for a back end's answer. None answers here, which is a 503."""


class Tally:
    """What was asked, and what was answered as it should not be."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.asked: collections.Counter[int] = collections.Counter()
        self.wrong: list[str] = []

    async def send(self, one: requests.Request, where: str, path: str, raw: bytes = b"") -> None:
        headers = requests.headers(one.route)
        try:
            answer = await self._ask(
                "admin", one.route.method, path, None, f"2.{one.version}", raw=raw, headers=headers
            )
        except Exception as error:  # it would be a closed connection to a client
            self.wrong.append(f"{one.route.operation} {where}: {error!r:.200} {path[:120]} {raw[:120]!r}")
            return
        self.asked[answer.status] += 1
        if one.route.operation in ASKS_A_BACK_END and answer.status == 503:
            return
        if problem := _problem(answer):
            self.wrong.append(f"{one.route.operation} {where}: {problem} {path[:120]} {raw[:120]!r}")

    def judge(self, fewest: int) -> None:
        print(f"{self.asked.total()} requests: {dict(sorted(self.asked.items()))}")
        assert not self.wrong, f"{len(self.wrong)} answers\n" + "\n".join(self.wrong[:60])
        assert self.asked.total() >= fewest


def _problem(answer: Answered) -> str | None:
    if answer.status >= 500:
        return f"{answer.status} {answer.content[:160]!r}"
    if answer.headers.get("content-type", "").startswith("application/json") and answer.content:
        try:
            json.loads(answer.content)
        except ValueError:
            return f"{answer.status} is no JSON: {answer.content[:160]!r}"
    return None


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without the records of each request, and no wait for back ends: thousands are sent."""
    monkeypatch.setattr(server_migration, "CHECK_SECONDS", 0)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    yield
    structlog.reset_defaults()


@pytest.fixture
async def ids(db: Database) -> dict[str, str]:
    async with db.write() as conn:
        shared = await rows.common(conn)
        await rows.usage(conn, {"project_id": TENANT_A, "user_id": ALICE})
        return await rows.tenant(conn, shared, TENANT_A, ALICE)


def operations(*, written: bool) -> Iterable[requests.Request]:
    found = requests.operations(all_versions=False)
    return (one for one in found if (one.body is not None) == written and one.route.method != "DELETE")


async def test_odd_values_in_bodies(db: Database, ids: dict[str, str]) -> None:
    tally, draw = Tally(asker(rows.core(db))), odd_values.Drawing(DRAWN)
    for one in operations(written=True):
        path = one.filled(ids, [ids[kind] for kind in one.kinds])[0]
        for where, raw in odd_values.in_bodies(one, ids, draw):
            await tally.send(one, where, path, raw)
    tally.judge(1800)


async def test_odd_values_in_queries(db: Database, ids: dict[str, str]) -> None:
    tally, draw = Tally(asker(rows.core(db))), odd_values.Drawing(DRAWN)
    for one in operations(written=False):
        for where, path in odd_values.in_queries(one, ids, draw):
            await tally.send(one, where, path)
    tally.judge(1000)


async def test_odd_values_in_paths(db: Database, ids: dict[str, str]) -> None:
    tally, draw = Tally(asker(rows.core(db))), odd_values.Drawing(DRAWN)
    for one in requests.operations(all_versions=False):
        raw = json.dumps(one.filled(ids, [ids[kind] for kind in one.kinds])[1]).encode() if one.body else b""
        for where, path in odd_values.in_paths(one, ids, draw):
            await tally.send(one, where, path, raw)
    tally.judge(300)
