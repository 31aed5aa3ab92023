"""Processes that a test run starts beside the service: their logs, and when they answer."""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


@contextlib.contextmanager
def running(
    command: Sequence[str | pathlib.Path], log: pathlib.Path, *, env: Mapping[str, str], cwd: pathlib.Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A child that writes into ``log``; it gets SIGTERM at the end of the block, SIGKILL 20 seconds later."""
    with open(log, "ab") as out:
        child = subprocess.Popen([str(word) for word in command], stdout=out, stderr=out, env=dict(env), cwd=cwd)
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def answers(url: str, child: subprocess.Popen[Any], seconds: float = 90) -> None:
    """Wait until a URL gives any HTTP answer.

    Raises:
        RuntimeError: the process ended, or did not answer in time.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise RuntimeError(f"{child.args!r} ended with status {child.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer")
