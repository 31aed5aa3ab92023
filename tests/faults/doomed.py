"""A worker that kills itself with SIGKILL after a named step of an operation: ``doomed.py CONF OPERATION STEP``.

With ``-`` for the operation it lives until SIGTERM.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import signal
import sys

from cli import config
from cli.service import core
from worker import backends
from worker.registry import operations
from worker.runner import Runner
from worker.service import ShareManager


async def main(file: str, operation: str, step: str) -> None:
    """Serve back ends and the scheduler's queue."""
    settings = config.load([pathlib.Path(file)])

    def hook(running: str, done: str) -> None:
        if (running, done) == (operation, step):
            os.kill(os.getpid(), signal.SIGKILL)

    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with core(settings, "doomed") as parts:
        manager = ShareManager(parts, backends.build(settings), zone="nova", report_interval=1.0, after_step=hook)
        own = settings.openkeel
        scheduler = Runner(
            parts, operations(), queues=("scheduler",), lease=own.task_lease, poll=own.task_poll, after_step=hook
        )
        await asyncio.gather(manager.run(stop), scheduler.run(stop))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
