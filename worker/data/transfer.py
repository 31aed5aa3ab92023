"""Runs a copy in a thread, tells how far it is, and ends it when nobody wants it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from worker.data.copying import Copy, Progress

EVERY = 1.0
"""Seconds between two reports."""
Report = Callable[[Progress], Awaitable[bool]]
"""Is told how far a copy is; False ends the copy."""


async def transfer(copy: Copy, report: Report, every: float = EVERY) -> None:
    """Run ``copy`` to its end, or until ``report`` answers False or this task is cancelled.

    Raises:
        ShareDataCopyCancelled: ``report`` wanted no more. ShareDataCopyFailed: as ``Copy.run``.
    """
    # a thread of its own: long copies must not take those that the rest of the process needs for moments
    thread = ThreadPoolExecutor(1, "copy")
    running = asyncio.get_running_loop().run_in_executor(thread, copy.run)
    try:
        while not (await asyncio.wait({running}, timeout=every))[0]:
            if not await report(copy.progress):
                copy.cancel()
        await running
        await report(copy.progress)
    finally:
        # nobody may unmount below a thread that still copies
        copy.cancel()
        await asyncio.wait({running})
        thread.shutdown(wait=False)
