"""The role ``share``: drives the back ends."""

from __future__ import annotations

import asyncio
import socket

import structlog

from cli import metrics
from generated.errors import BadConfigurationException
from services.core import Core
from worker import backends
from worker.schedule import TASKS
from worker.service import ShareManager

LOG = structlog.get_logger("share")


async def serve(parts: Core, role: str, stop: asyncio.Event, listening: socket.socket | None) -> None:
    """Serve every back end that the configuration enables, until ``stop`` is set.

    Raises:
        BadConfigurationException: not one of them can be served as it is configured.
    """
    default = parts.settings.default
    good, bad = backends.build_each(parts.settings)
    for one in bad:
        LOG.error("the back end cannot be served", backend=one.host, error=one.why)
    if bad and not good:
        raise BadConfigurationException(reason="; ".join(one.why for one in bad))
    metrics.DRIVERS[:] = [one.driver for one in good]
    manager = ShareManager(
        parts,
        good,
        unusable=[one.host for one in bad],
        zone=default.storage_availability_zone,
        report_interval=default.report_interval,
        periodic=TASKS,
    )
    await manager.run(stop)
