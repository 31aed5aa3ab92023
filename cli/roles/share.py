"""The role ``share``: drives the back ends."""

from __future__ import annotations

import asyncio
import socket

from services.core import Core
from worker import backends
from worker.schedule import TASKS
from worker.service import ShareManager


async def serve(parts: Core, role: str, stop: asyncio.Event, listening: socket.socket | None) -> None:
    """Serve every back end that the configuration enables, until ``stop`` is set."""
    default = parts.settings.default
    manager = ShareManager(
        parts,
        backends.build(parts.settings),
        zone=default.storage_availability_zone,
        report_interval=default.report_interval,
        periodic=TASKS,
    )
    await manager.run(stop)
