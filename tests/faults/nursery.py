"""Workers that die: forks of one process that has imported everything, since starting Python is most of a test."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
_running: list[subprocess.Popen[str]] = []


async def doomed(conf: pathlib.Path, operation: str, step: str, seconds: float, broken: str = "") -> int:
    """Run a worker that dies after a step; the status it ended with.

    Raises:
        TimeoutError: it still lives after so many seconds; it is killed.
    """
    if not _running:
        _start()
    nursery = _running[0]
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(json.dumps([str(conf), operation, step, broken]) + "\n")
    nursery.stdin.flush()
    try:
        return int(await asyncio.wait_for(asyncio.to_thread(nursery.stdout.readline), seconds))
    except (TimeoutError, ValueError):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(nursery.pid, signal.SIGKILL)
        _end()
        raise


def _start() -> None:
    command = [sys.executable, "-m", "tests.faults.doomed"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    _running.append(
        subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
    )


@atexit.register
def _end() -> None:
    while _running:
        with _running.pop() as nursery:
            assert nursery.stdin is not None
            nursery.stdin.close()
