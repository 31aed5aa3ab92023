"""A worker in this process, or workers that kill themselves after a step: see ``tests.faults.nursery``.

The dummy drivers of all of them write what they are told to one file (``tests.faults.ledger``).
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import pathlib
import signal
import sys
import traceback

from cli import config
from cli.service import core
from db import network_allocations
from services.core import Core
from tests.faults import ledger
from worker import backends, service
from worker.operation import Operation, Work
from worker.registry import operations
from worker.runner import Runner, StepHook
from worker.service import ShareManager


async def serve(parts: Core, stop: asyncio.Event, after_step: StepHook | None = None) -> None:
    """Serve the back ends' queues, the scheduler's and the data service's until ``stop`` is set."""
    own = parts.settings.openkeel
    made = backends.build(parts.settings)
    for one in made:
        ledger.keep(one.driver, book(parts))
        one.driver.restore_to_target_support = True  # type: ignore[misc]
    manager = ShareManager(parts, made, zone="nova", report_interval=1.0, after_step=after_step)
    queues = ("scheduler", "data")
    others = Runner(parts, operations(), queues=queues, lease=own.task_lease, poll=own.task_poll, after_step=after_step)
    await asyncio.gather(manager.run(stop), others.run(stop))


UNWRITTEN = "ports are made and not written"
"""Stands for a step: the worker dies between the last request to the network service and the row."""


async def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def book(parts: Core) -> pathlib.Path:
    """The file that the drivers of an installation write to."""
    return pathlib.Path(parts.settings.default.state_path) / "ledger"


def breaking(operation: str, step: str) -> None:
    """Let a step of an operation fail from now on, in this process; what it does is not done."""

    async def fail(work: Work) -> None:
        raise RuntimeError("planted")

    known = operations()
    found = known[operation]
    steps = tuple(dataclasses.replace(one, do=fail) if one.name == step else one for one in found.steps)
    changed: dict[str, Operation] = {**known, operation: dataclasses.replace(found, steps=steps)}
    for module in (vars(service), globals()):
        module["operations"] = lambda: changed


async def main(file: str, operation: str, step: str, broken: str = "") -> None:
    """Serve until the step is done, then die.

    Args:
        step: also ``undo STEP`` or ``failed``, what follows the failure of a step.
        broken: the step that fails.
    """
    if broken:
        breaking(operation, broken)
    settings = config.load([pathlib.Path(file)])
    if step == UNWRITTEN:
        setattr(network_allocations, "save", _die)  # noqa: B010

    def hook(running: str, done: str) -> None:
        if (running, done) == (operation, step):
            os.kill(os.getpid(), signal.SIGKILL)

    async with core(settings, "doomed", ("share", "scheduler", "data")) as parts:
        await serve(parts, asyncio.Event(), hook)


def nurse() -> None:
    """For each line ``[CONF, OPERATION, STEP, BROKEN]`` of the input a fork that serves; its status at its end."""
    for line in sys.stdin:
        child = os.fork()  # nothing of a loop, a thread or a connection exists here
        if not child:
            os.dup2(2, 1)  # what it prints is no answer
            try:
                asyncio.run(main(*json.loads(line)))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    nurse()
