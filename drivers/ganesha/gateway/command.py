"""Running the system's programs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from generated.errors import ShareBackendException

_ENVIRONMENT: Final = {"LC_ALL": "C.UTF-8"}


class CommandFailed(ShareBackendException):
    """A program ended with an error or too late. ``status`` is its exit status, None when it was killed."""

    def __init__(self, command: str, status: int | None, text: str) -> None:
        outcome = "took too long" if status is None else f"ended with {status}"
        super().__init__(msg=f"{command} {outcome}: {text.strip()[-500:]}")
        self.status = status


async def run(*command: str, stdin: str = "", limit: float = 30.0) -> str:
    """Run ``command`` without a shell and give its output.

    Raises:
        CommandFailed: it ended with an error or took longer than ``limit`` seconds.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=os.environ | _ENVIRONMENT,
        )
    except FileNotFoundError as error:
        raise CommandFailed(" ".join(command), 127, "no such program") from error
    try:
        async with asyncio.timeout(limit):
            out, err = await process.communicate(stdin.encode() or None)
    except BaseException as error:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if isinstance(error, TimeoutError):
            raise CommandFailed(" ".join(command), None, "killed") from error
        raise
    if process.returncode:
        raise CommandFailed(" ".join(command), process.returncode, err.decode(errors="replace"))
    return out.decode(errors="replace")


async def start_detached(*command: str, log: Path, limit: float = 30.0) -> None:
    """Start a program that belongs to nobody and writes to ``log``; it goes on when this process ends.

    It is given no pipes: some event loops leave a copy of them in the child, and waiting for their end would take as
    long as the program lives.

    Raises:
        CommandFailed: it could not be started.
    """
    with log.open("a") as output:
        process = await asyncio.create_subprocess_exec(
            "setsid", "-f", *command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output
        )
    async with asyncio.timeout(limit):
        status = await process.wait()
    if status:
        raise CommandFailed(" ".join(command), status, f"see {log}")


async def succeeds(*command: str, limit: float = 30.0) -> bool:
    """Whether ``command`` ends well."""
    try:
        await run(*command, limit=limit)
    except CommandFailed:
        return False
    return True


async def until(condition: Callable[[], bool], patience: float) -> bool:
    """Wait up to ``patience`` seconds for something no file descriptor tells of; answers whether it came true."""
    end = time.monotonic() + patience
    while True:
        if condition():
            return True
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.01)
