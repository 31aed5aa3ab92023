"""Several API processes behind one port: a parent that listens, starts them, and serves health and metrics for all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Sequence

import structlog

from cli import metrics, service
from cli.listen import bind_api
from generated.settings import Settings

LOG = structlog.get_logger("manila")
RESTART_SECONDS = 1.0


async def serve(settings: Settings, arguments: Sequence[str], environment: dict[str, str]) -> None:
    """Run ``osapi_share_workers`` processes until SIGTERM or SIGINT; one that ends is started again."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    listening = bind_api(settings)
    with tempfile.TemporaryDirectory(prefix="manila-metrics-") as folder, contextlib.closing(listening):
        command = [sys.executable, "-m", "cli.api", "--socket", str(listening.fileno()), *arguments]
        variables = {**os.environ, **environment, "PROMETHEUS_MULTIPROC_DIR": folder}
        async with service.core(settings, "manila-api") as parts:
            keepers = [
                asyncio.create_task(_keep(command, variables, listening.fileno(), stop))
                for _ in range(settings.default.osapi_share_workers)
            ]
            if settings.openkeel.metrics_port:
                keepers.append(asyncio.create_task(metrics.serve(parts, stop, folder)))
            LOG.info("started", processes=settings.default.osapi_share_workers)
            await stop.wait()
            await asyncio.gather(*keepers)


async def _keep(command: Sequence[str], variables: dict[str, str], inherited: int, stop: asyncio.Event) -> None:
    while not stop.is_set():
        child = await asyncio.create_subprocess_exec(*command, env=variables, pass_fds=(inherited,))
        ended, asked = asyncio.create_task(child.wait()), asyncio.create_task(stop.wait())
        await asyncio.wait({ended, asked}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if not ended.done():
            child.terminate()
            await _end(child, ended)
        elif not stop.is_set():
            LOG.error("an API process ended", code=child.returncode)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), RESTART_SECONDS)


async def _end(child: asyncio.subprocess.Process, ended: asyncio.Task[int]) -> None:
    """Let a process finish its requests, but not for ever."""
    done, _ = await asyncio.wait({ended}, timeout=service.DRAIN_SECONDS + 5)
    if not done:
        child.kill()
        await ended
