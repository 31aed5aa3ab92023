"""A worker in this process, or workers that kill themselves after a step: see ``tests.faults.nursery``."""

from __future__ import annotations

import asyncio
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
from worker import backends
from worker.registry import operations
from worker.runner import Runner, StepHook
from worker.service import ShareManager


async def serve(parts: Core, stop: asyncio.Event, after_step: StepHook | None = None) -> None:
    """Serve the back ends' queues, the scheduler's and the data service's until ``stop`` is set."""
    own = parts.settings.openkeel
    manager = ShareManager(
        parts, backends.build(parts.settings), zone="nova", report_interval=1.0, after_step=after_step
    )
    queues = ("scheduler", "data")
    others = Runner(parts, operations(), queues=queues, lease=own.task_lease, poll=own.task_poll, after_step=after_step)
    await asyncio.gather(manager.run(stop), others.run(stop))


UNWRITTEN = "ports are made and not written"
"""Stands for a step: the worker dies between the last request to the network service and the row."""


async def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(file: str, operation: str, step: str) -> None:
    """Serve until the step is done, then die."""
    settings = config.load([pathlib.Path(file)])
    if step == UNWRITTEN:
        setattr(network_allocations, "save", _die)  # noqa: B010

    def hook(running: str, done: str) -> None:
        if (running, done) == (operation, step):
            os.kill(os.getpid(), signal.SIGKILL)

    async with core(settings, "doomed", ("share", "scheduler", "data")) as parts:
        await serve(parts, asyncio.Event(), hook)


def nurse() -> None:
    """For each line ``[CONF, OPERATION, STEP]`` of the input a fork that serves; its status when it has ended."""
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
