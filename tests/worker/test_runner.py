"""The runner: repeats, retries, undo, take-over of a dead worker's task, and the fence around writes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

import pytest

from db import tasks
from db.connection import Database, DatabaseUnavailable
from generated import errors
from network.base import AddressesExhausted
from services.core import Core
from services.work import Job
from worker.operation import Finished, LostLease, Operation, Retry, Step, Work
from worker.runner import Runner

Body = Callable[[Work], Awaitable[None]]


class One(Job):
    KIND = "job"


class Next(Job):
    KIND = "next"


async def _nothing(work: Work, error: Exception) -> None:
    """No state to leave behind."""


def _core(db: Database) -> Core:
    return Core(db=db, settings=cast("object", None), policy=cast("object", None))  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def serving(db: Database, *operations: Operation, **options: float) -> AsyncIterator[Runner]:
    """A runner of queue ``q`` for the time of the block."""
    runner = Runner(_core(db), {one.name: one for one in operations}, queues=("q",), poll=0.05, **options)  # type: ignore[arg-type]
    stop = asyncio.Event()
    serving = asyncio.create_task(runner.run(stop))
    try:
        yield runner
    finally:
        stop.set()
        await serving


async def _enqueue(db: Database, kind: str = "job", resource: str | None = None) -> int:
    async with db.write() as conn:
        return await tasks.enqueue(conn, kind, "q", {"n": 1}, resource)


async def _state(db: Database, task: int) -> str:
    async with db.read() as conn:
        row = await conn.one("SELECT state FROM openkeel_tasks WHERE id = %s", (task,))
    assert row is not None
    return str(row["state"])


async def _settled(db: Database, task: int, seconds: float = 5.0) -> str:
    async with asyncio.timeout(seconds):
        while (state := await _state(db, task)) in ("queued", "running"):
            await asyncio.sleep(0.01)
    return state


async def test_steps_run_in_order_and_the_hook_sees_each(db: Database) -> None:
    seen: list[str] = []

    def note(name: str) -> Step:
        async def do(work: Work) -> None:
            seen.append(f"{name}:{work.payload['n']}")

        return Step(name, do)

    hooks: list[tuple[str, str]] = []
    operation = Operation(One, (note("a"), note("b")), _nothing)
    runner = Runner(_core(db), {"job": operation}, queues=("q",), after_step=lambda op, step: hooks.append((op, step)))
    stop = asyncio.Event()
    serving = asyncio.create_task(runner.run(stop))
    assert await _settled(db, await _enqueue(db)) == "done"
    stop.set()
    await serving
    assert seen == ["a:1", "b:1"]
    assert hooks == [("job", "a"), ("job", "b")]


async def test_a_notification_wakes_long_before_the_poll(db: Database) -> None:
    async def do(work: Work) -> None:
        return None

    runner = Runner(_core(db), {"job": Operation(One, (Step("a", do),), _nothing)}, queues=("q",), poll=30.0)
    stop = asyncio.Event()
    serving = asyncio.create_task(runner.run(stop))
    await asyncio.sleep(0.3)
    assert await _settled(db, await _enqueue(db)) == "done"
    stop.set()
    await serving


async def test_an_infrastructure_error_is_retried_from_the_first_step(db: Database) -> None:
    runs: list[str] = []

    async def first(work: Work) -> None:
        runs.append("first")

    async def second(work: Work) -> None:
        runs.append("second")
        if runs.count("second") < 2:
            raise DatabaseUnavailable("gone")

    async with serving(db, Operation(One, (Step("first", first), Step("second", second)), _nothing)):
        assert await _settled(db, await _enqueue(db)) == "done"
    assert runs == ["first", "second", "first", "second"]


async def test_a_failure_undoes_the_steps_done_and_ends_the_task(db: Database) -> None:
    trail: list[str] = []

    async def do(work: Work) -> None:
        trail.append("do")

    async def undo(work: Work) -> None:
        trail.append("undo")

    async def bad(work: Work) -> None:
        raise ValueError("driver says no")

    async def failed(work: Work, error: Exception) -> None:
        trail.append(f"failed: {error}")

    async with serving(db, Operation(One, (Step("do", do, undo), Step("bad", bad)), failed)):
        assert await _settled(db, await _enqueue(db)) == "failed"
    assert trail == ["do", "undo", "failed: driver says no"]


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (NotImplementedError(), "done"),
        (errors.ShareShrinkingPossibleDataLoss(share_id="1"), "done"),
        (errors.NetworkBadConfigurationException(reason="no such network"), "done"),
        (AddressesExhausted(), "done"),
        (errors.ManageInvalidShare(reason="too large"), "done"),
        (errors.ShareResourceNotFound(share_id="1"), "failed"),
        (errors.ShareBackendException(msg="broken"), "failed"),
        (errors.BadConfigurationException(reason="no pool"), "failed"),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
async def test_a_refused_request_is_no_task_that_was_given_up(db: Database, error: Exception, state: str) -> None:
    """Operators are called for faults; the resource ends the same way, and why is kept."""
    trail: list[Exception] = []

    async def bad(work: Work) -> None:
        raise error

    async def failed(work: Work, why: Exception) -> None:
        trail.append(why)

    async with serving(db, Operation(One, (Step("bad", bad),), failed)):
        task = await _enqueue(db)
        assert await _settled(db, task) == state
    assert trail == [error]
    async with db.read() as conn:
        assert await conn.one("SELECT last_error FROM openkeel_tasks WHERE id = %s", (task,)) == {
            "last_error": repr(error)
        }


async def test_waiting_and_finishing_early(db: Database) -> None:
    runs: list[int] = []

    async def wait(work: Work) -> None:
        runs.append(work.task["attempts"])
        if len(runs) < 3:
            raise Retry("not yet", 0.05)
        raise Finished

    async def never(work: Work) -> None:
        raise AssertionError("the operation had ended")

    async with serving(db, Operation(One, (Step("wait", wait), Step("never", never)), _nothing)):
        assert await _settled(db, await _enqueue(db)) == "done"
    assert runs == [1, 2, 3]


async def test_a_paused_worker_cannot_write_after_it_was_replaced(db: Database) -> None:
    outcome: list[str] = []

    async def slow(work: Work) -> None:
        if work.task["attempts"] == 1:
            async with db.write() as conn:  # another worker takes the task while this one sleeps
                await conn.run("UPDATE openkeel_tasks SET lease_owner = 'other', attempts = attempts + 1")
            with pytest.raises(LostLease):
                async with work.write() as conn:
                    await conn.run("DELETE FROM openkeel_tasks")
            outcome.append("refused")
            raise LostLease

    task = await _enqueue(db)
    async with serving(db, Operation(One, (Step("slow", slow),), _nothing)):
        async with asyncio.timeout(5):
            while not outcome:
                await asyncio.sleep(0.01)
    assert outcome == ["refused"]
    assert await _state(db, task) == "running"


async def test_an_unknown_operation_fails_its_task_and_no_other(db: Database) -> None:
    async def do(work: Work) -> None:
        return None

    odd = await _enqueue(db, "unheard-of")
    good = await _enqueue(db)
    async with serving(db, Operation(One, (Step("a", do),), _nothing)):
        assert await _settled(db, odd) == "failed"
        assert await _settled(db, good) == "done"


async def test_a_failure_handler_that_fails_does_not_hold_up_the_next_task(db: Database) -> None:
    async def bad(work: Work) -> None:
        if work.task["kind"] == "job":
            raise ValueError("driver says no")

    async def failed(work: Work, error: Exception) -> None:
        raise KeyError("the handler itself is wrong")

    async def undo(work: Work) -> None:
        raise RuntimeError("cannot be undone")

    async def fine(work: Work) -> None:
        return None

    job = Operation(One, (Step("fine", fine, undo), Step("bad", bad)), failed)
    async with serving(db, job, Operation(Next, (Step("fine", fine),), _nothing)):
        first = await _enqueue(db, "job", "share:1")
        second = await _enqueue(db, "next", "share:1")
        assert await _settled(db, first) == "failed"
        assert await _settled(db, second) == "done"


async def test_waiting_does_not_use_up_the_budget_of_failures(db: Database) -> None:
    runs: list[int] = []

    async def wait(work: Work) -> None:
        runs.append(work.task["failures"])
        if len(runs) < tasks.MAX_FAILURES + 3:
            raise Retry("not yet", 0.0)
        if len(runs) == tasks.MAX_FAILURES + 3:
            raise DatabaseUnavailable("gone")

    async with serving(db, Operation(One, (Step("wait", wait),), _nothing)):
        assert await _settled(db, await _enqueue(db), 15.0) == "done"
    assert runs[-1] == 1 and set(runs[:-1]) == {0}


async def test_a_task_that_kills_its_workers_ends(db: Database) -> None:
    ended: list[str] = []

    async def deadly(work: Work) -> None:
        raise AssertionError("never run again")

    async def failed(work: Work, error: Exception) -> None:
        ended.append(str(error))

    task = await _enqueue(db)
    async with db.write() as conn:
        for death in range(6):
            (claimed,) = await tasks.claim(conn, f"worker {death}", ["q"], 1, -1.0)
    assert claimed["failures"] == 5 * tasks.WEIGHT_OF_A_DEATH
    async with serving(db, Operation(One, (Step("deadly", deadly),), failed)):
        assert await _settled(db, task) == "failed"
    assert ended == ["its workers died too often"]
