"""The served contract at five microversions as three personas: nothing but the listed operations answers 5xx."""

from __future__ import annotations

import importlib
import math
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conformance import launch, replay
from tests.schemathesis.calls import CALLS, FOLLOWS, WITHOUT_SUCCESS
from tests.schemathesis.traffic import Judge
from tests.schemathesis.world import World

pytestmark = [pytest.mark.schemathesis, pytest.mark.filterwarnings("default")]
VERSIONS = [0, 7, 51, 80, 99]
PERSONAS = ["admin-token", "member-a-token", "reader-a-token"]
LONG = bool(os.environ.get("LONG"))
ENOUGH = 100
"""Generated requests to an operation in a long run, over all versions and personas, if so many different ones exist."""
ODD = {"odd-values"}
"""Scenarios with texts that are none: as the original, an update answers what was sent, whatever the contract says."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[launch.Endpoint]:
    with launch.service() as found:
        yield found


@pytest.fixture(scope="module")
def judge(endpoint: launch.Endpoint) -> Judge:
    return Judge(endpoint.url)


def each(judge: Judge, ident: str) -> int:
    """Generated requests to an operation per version and persona."""
    lives = sum(ident in judge.contract(version).operations for version in VERSIONS)
    return math.ceil(ENOUGH / (lives * len(PERSONAS))) if LONG else 1


@pytest.mark.parametrize("version", VERSIONS)
def test_generated_requests(endpoint: launch.Endpoint, judge: Judge, version: int) -> None:
    world = World(endpoint.url, endpoint.control)
    world.reset()
    for ident, operation in judge.contract(version).operations.items():
        for persona in PERSONAS:
            if judge.changed:
                world.mend()
                judge.changed = False
            judge.generated(ident, version, persona, each(judge, ident), world.places(operation.path))
    _report(judge)


def test_recorded_requests(endpoint: launch.Endpoint, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenarios once more, for answers that generated requests seldom reach: each must conform too."""
    sys.path.insert(0, str(launch.VENDORED))
    runner: Any = importlib.import_module("runner")
    send = runner.http_call

    def watched(url: str, method: str, headers: Any, body: Any = None, timeout: float = 30) -> Any:
        answer = send(url, method, headers, body, timeout)
        if url.startswith(endpoint.url + "/"):
            sent = runner.decode(body.encode() if isinstance(body, str) else body) if body else None
            judge.recorded(method, url.removeprefix(endpoint.url), headers, sent, answer)
        return answer

    monkeypatch.setattr(runner, "http_call", watched)
    for name in [one for one in replay.VISIBLE if one not in ODD]:
        replay.replay(endpoint, name, limit=2)
    _report(judge)


def test_requests_that_succeed(endpoint: launch.Endpoint, judge: Judge) -> None:
    world = World(endpoint.url, endpoint.control)
    world.reset()
    for ident, version, persona, body in CALLS:
        if ident in judge.contract(version).operations:
            world.settle()
            if ident != FOLLOWS:
                world.mend()
            judge.one(ident, version, persona, body, world.known(judge.contract(version).operations[ident].path))
    _report(judge)


def test_every_operation_was_asked_and_answered_well(judge: Judge) -> None:
    asked = {ident for version in VERSIONS for ident in judge.contract(version).operations}
    failed = sorted(i for i in asked if not judge.tallies[i].successes and i not in WITHOUT_SUCCESS)
    few = sorted(i for i in asked - judge.exhausted if LONG and judge.tallies[i].requests < ENOUGH)
    total = sum(tally.requests for tally in judge.tallies.values())
    good = sum(tally.successes for tally in judge.tallies.values())
    print(f"\nschemathesis: {total} requests to {len(asked)} operations, {good} successes, ", end="")
    print(f"{len(failed)} operations without one")
    assert not failed, " ".join(failed)
    assert not few, " ".join(few)


def _report(judge: Judge) -> None:
    problems = [problem for tally in judge.tallies.values() for problem in tally.problems]
    for tally in judge.tallies.values():
        tally.problems.clear()
    assert not problems, "\n".join([f"{len(problems)} answers do not conform:", *problems[:40]])
