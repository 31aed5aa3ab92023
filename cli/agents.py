"""What the agents of gateways and nodes share: logs from the environment, running until SIGTERM.

It is part of every gateway: what it imports costs memory there.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import signal
import sys
from collections.abc import Awaitable, Callable

from generated.runtime import ManilaError


def run(work: Callable[[asyncio.Event], Awaitable[None]], logs: Callable[[str, str], None]) -> int:
    """Run ``work`` with an event that SIGTERM sets.

    Args:
        logs: is given ``LOG_FORMAT`` and ``LOG_LEVEL`` of the environment, which are as in manila.conf.
    """

    async def whole() -> None:
        logs(os.environ.get("LOG_FORMAT", "line"), os.environ.get("LOG_LEVEL", "INFO"))
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
