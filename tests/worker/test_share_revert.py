"""A share put back to a snapshot in the background: asked about until it is done or has failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db.connection import Database
from drivers.base import Transient
from tests.handlers.catalogue import TENANT_A
from tests.handlers.share_stage import SPECS, Stage, stage_over
from worker.operations import share_revert

UPDATE, REVERT = "005", "006"
FAILED_IN_THE_BACKGROUND, UNKNOWN = "035", "001"


@pytest.fixture
async def stage(db: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    monkeypatch.setattr(share_revert, "POLL_SECONDS", 0.01)
    async for one in stage_over(db):
        yield one


class Answers:
    """What the driver says when it is asked, one after the other; the last one for ever."""

    def __init__(self, *answers: Any) -> None:
        self.left, self.asked = list(answers), 0

    async def __call__(self, *arguments: Any, **more: Any) -> Any:
        self.asked += 1
        answer = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


async def reverted(stage: Stage, monkeypatch: pytest.MonkeyPatch, *answers: Any) -> tuple[Any, Any, Answers]:
    """Share and snapshot after a revert that goes on in the background, and who was asked."""
    specs = {**SPECS, "revert_to_snapshot_support": "True"}
    await stage.ask("admin", "POST", "/v2/types", {"share_type": {"name": "revertible", "extra_specs": specs}})
    share = await stage.share(share_type="revertible")
    taken = await stage.ask("member-a", "POST", "/v2/snapshots", {"snapshot": {"share_id": share["id"]}})
    snapshot = taken.json["snapshot"]["id"]
    await stage.work()
    asked = Answers(*answers)
    for backend in stage.backends.values():
        started = Answers({"status": "reverting_to_snapshot"})
        monkeypatch.setattr(backend.driver, "revert_to_snapshot", started)
        monkeypatch.setattr(backend.driver, "get_share_status", asked)
    answer = await stage.ask(
        "member-a", "POST", f"/v2/shares/{share['id']}/action", {"revert": {"snapshot_id": snapshot}}
    )
    assert answer.status == 202, answer.json
    async with asyncio.timeout(20):
        while True:
            await stage.work()
            now = (await stage.ask("admin", "GET", f"/v2/shares/{share['id']}")).json["share"]
            if not now["status"].startswith("reverting") or now["status"].endswith("error"):
                break
            await asyncio.sleep(0.05)
    return now, (await stage.ask("admin", "GET", f"/v2/snapshots/{snapshot}")).json["snapshot"], asked


GOING = {"status": "reverting_to_snapshot", "progress": "40%"}


async def test_it_ends_when_the_back_end_says_so(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    done = {"status": "available", "export_locations": [{"path": "1.2.3.4:/new", "is_admin_only": False}]}
    share, snapshot, asked = await reverted(stage, monkeypatch, GOING, Transient("away"), GOING, done)
    assert (share["status"], share["progress"], snapshot["status"]) == ("available", "100%", "available")
    assert asked.asked == 4
    shown = await stage.ask("member-a", "GET", f"/v2/shares/{share['id']}/export_locations")
    assert [one["path"] for one in shown.json["export_locations"]] == ["1.2.3.4:/new"]
    assert await stage.messages() == []
    assert (await stage.usage(TENANT_A))["gigabytes"] == 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (RuntimeError("broken"), "reverting_error"),
        ({"status": "reverting_error"}, "reverting_error"),
        ({"status": "error"}, "error"),
    ],
)
async def test_one_that_fails_is_told_as_such(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, answer: Any, status: str
) -> None:
    share, snapshot, _ = await reverted(stage, monkeypatch, GOING, answer)
    assert (share["status"], share["progress"], snapshot["status"]) == (status, None, "available")
    assert await stage.messages() == [(UPDATE, FAILED_IN_THE_BACKGROUND)]
    usage = await stage.usage(TENANT_A)
    assert (usage["gigabytes"], usage["snapshots"]) == (1, 1)


async def test_one_that_is_refused_at_once_is_told_otherwise(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answers, "__call__", _refuses)
    share, snapshot, _ = await reverted(stage, monkeypatch, GOING)
    assert (share["status"], snapshot["status"]) == ("reverting_error", "available")
    assert await stage.messages() == [(REVERT, UNKNOWN)]


async def _refuses(*arguments: Any, **more: Any) -> Any:
    raise RuntimeError("no")
