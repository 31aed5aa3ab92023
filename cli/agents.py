"""What the agents of gateways and nodes share: logs from the environment, running until SIGTERM."""

from __future__ import annotations

import asyncio
import os
import pathlib
import signal
import sys
from collections.abc import Awaitable, Callable

from cli import log
from generated.runtime import ManilaError
from generated.settings import OpenkeelSection


def run(work: Callable[[asyncio.Event], Awaitable[None]]) -> int:
    """Run ``work`` with an event that SIGTERM sets. ``LOG_FORMAT`` and ``LOG_LEVEL`` are as in manila.conf."""
    level = os.environ.get("LOG_LEVEL", "INFO")
    log.set_up(OpenkeelSection(log_format=os.environ.get("LOG_FORMAT", "line"), log_level=level))

    async def whole() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await work(stop)

    try:
        asyncio.run(whole())
    except (ManilaError, KeyError, ValueError, OSError) as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error!r}", file=sys.stderr)
        return 1
    return 0
