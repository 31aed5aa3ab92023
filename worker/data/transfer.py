"""Runs a copy in a thread, tells how far it is, and ends it when nobody wants it any more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import structlog

from generated.settings import Settings
from worker.data.contents import Verify
from worker.data.copying import Copy
from worker.data.progress import Progress

LOG = structlog.get_logger("data")
EVERY = 1.0
"""Seconds between two reports."""
STILL = 300.0
"""Seconds without any progress after which the log says so."""
Report = Callable[[Progress], Awaitable[bool]]
"""Is told how far a copy is; False ends the copy."""


def verify_of(settings: Settings) -> Verify:
    """What is read back from the target of a copy."""
    return "all" if settings.default.check_hash else cast(Verify, settings.openkeel.data_copy_verify)


async def transfer(copy: Copy, report: Report, every: float = EVERY) -> None:
    """Run ``copy`` to its end, or until ``report`` answers False or this task is cancelled.

    Raises:
        ShareDataCopyCancelled: ``report`` wanted no more. ShareDataCopyFailed: as ``Copy.run``.
    """
    # a thread of its own: long copies must not take those that the rest of the process needs for moments
    thread = ThreadPoolExecutor(1, "copy")
    running = asyncio.get_running_loop().run_in_executor(thread, copy.run)
    stillness = _Stillness(copy)
    try:
        while not (await asyncio.wait({running}, timeout=every))[0]:
            stillness.look()
            if not await report(copy.progress):
                copy.cancel()
        await running
        await report(copy.progress)
        _tell(copy)
    finally:
        # nobody may unmount below a thread that still copies
        copy.cancel()
        await asyncio.wait({running})
        thread.shutdown(wait=False)


class _Stillness:
    """Finds copies that wait for a server; a mount with the option ``hard`` lets them wait for ever."""

    def __init__(self, copy: Copy) -> None:
        self._copy, self._seen, self._since = copy, (-1, -1), time.monotonic()

    def look(self) -> None:
        """Log when nothing has moved for a while, and again after as long."""
        now = (self._copy.progress.copied, self._copy.progress.done)
        if now != self._seen:
            self._seen, self._since = now, time.monotonic()
        elif time.monotonic() - self._since > STILL:
            self._since = time.monotonic()
            LOG.warning(
                "a copy stands still: does a server not answer? umount -f of the folder ends the copy with an error",
                source=self._copy.source, target=self._copy.target, path=self._copy.progress.path,
            )  # fmt: skip


def _tell(copy: Copy) -> None:
    """Log what was copied, and what is not at the target as it was at the source."""
    done = copy.progress
    counts = {"names": done.done, "bytes": done.copied, "checked": done.checked, "verify": copy.verify}
    LOG.info("copied", source=copy.source, target=copy.target, **counts)
    if done.changed or done.left_out:
        LOG.warning(
            "clients were at work in the share while it was copied: what is named changed or is left out; "
            "for a copy of one moment use a snapshot",
            source=copy.source, changed=done.changed, left_out=done.left_out, files=done.notices,
        )  # fmt: skip
    if done.lost:
        LOG.warning(
            "the target does not keep some ACLs or extended attributes of the source",
            source=copy.source, target=copy.target, namespaces=sorted(done.lost),
        )  # fmt: skip
