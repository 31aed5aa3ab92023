"""Hands notifications on from the outbox, in the order in which they were written, at least once.

Any number of processes may run it: one of them sends at a time, under a lease.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import prometheus_client
import structlog

from db import leases, notifications
from generated.runtime import Row
from services.core import Core
from worker.transports import NotDelivered, Refused, Transport

LOG = structlog.get_logger("notifications")
SENT = prometheus_client.Counter("manila_notifications", "Notifications handed on", ["transport", "outcome"])
NAME = "notifications"
LEASE = 60.0
"""Seconds after which another process takes over from one that died."""
BATCH = 50
LONGEST_PAUSE = 60.0


def message_of(row: Row) -> Row:
    """The envelope, with the keys of oslo.messaging's."""
    context = {f"_context_{key}": value for key, value in row["context"].items()}
    names = ("message_id", "publisher_id", "event_type", "priority", "payload", "timestamp")
    return {**{name: row[name] for name in names}, **context}


class Notifier:
    """Sends what is in the outbox.

    Args:
        owner: names this process in the lease.
        poll: seconds between looks when nothing waits.
    """

    def __init__(self, core: Core, transports: Sequence[Transport], owner: str, poll: float = 1.0) -> None:
        self._core, self._transports, self._owner, self._poll = core, list(transports), owner, poll
        self._held = 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set."""
        failures = 0
        while not stop.is_set():
            try:
                full = await self.send_batch()
                failures = 0
                pause = 0.0 if full else self._poll
            except Exception as error:
                failures += 1
                pause = min(LONGEST_PAUSE, self._poll * 2.0 ** min(failures, 10))
                LOG.warning("notifications wait", error=repr(error), retry_in=pause)
            try:
                await asyncio.wait_for(stop.wait(), pause or 0.001)
            except TimeoutError:
                continue
        for one in self._transports:
            await one.close()

    async def send_batch(self) -> bool:
        """Send what waits, a limited number; whether there may be more.

        Raises:
            NotDelivered: a transport does not take them now. Nothing overtakes the one that waits.
        """
        if not await self._hold():
            return False
        async with self._core.db.read() as conn:
            rows = await notifications.waiting(conn, BATCH)
        for row in rows:
            if time.monotonic() - self._held > LEASE / 3 and not await self._hold():
                return False
            await self._send(row)
        return len(rows) == BATCH

    async def _hold(self) -> bool:
        async with self._core.db.single() as conn:
            held = await leases.hold(conn, NAME, self._owner, LEASE)
        self._held = time.monotonic()
        return held

    async def _send(self, row: Row) -> None:
        message, given_up = message_of(row), None
        for one in self._transports:
            if one.name in row["delivered"]:
                continue
            try:
                await one.send(message)
            except Refused as error:
                given_up = str(error)
                self._lost(one, row, given_up)
                continue
            except NotDelivered as error:
                if not await self._again(row, error):
                    given_up = str(error)
                    self._lost(one, row, given_up)
                    continue
                raise
            SENT.labels(one.name, "sent").inc()
            async with self._core.db.single() as conn:
                await notifications.delivered(conn, row["id"], one.name)
        async with self._core.db.single() as conn:
            await notifications.done(conn, row["id"], given_up)

    async def _again(self, row: Row, error: NotDelivered) -> bool:
        """Note the failure; whether ``retry`` allows another attempt (-1: always)."""
        retry = self._core.settings.oslo_messaging_notifications.retry
        async with self._core.db.single() as conn:
            failures = await notifications.failed(conn, row["id"], str(error))
        return retry < 0 or failures <= retry

    def _lost(self, transport: Transport, row: Row, why: str) -> None:
        SENT.labels(transport.name, "given_up").inc()
        LOG.error("notification given up", message_id=row["message_id"], event_type=row["event_type"], error=why)
