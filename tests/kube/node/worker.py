"""What a share worker does about a back end's state, without its database: looks when it is due, and puts right."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Collection

from drivers.reconciling import Broken, Findings, Rows
from generated.runtime import ManilaError, Row
from tests.kube.node.site import Site

EVERY = 10.0
"""Seconds between looks when nothing is told."""


class Worker:
    """Reconciles one installation. ``servers`` and ``shares`` are its rows; rules are written ``rw 10.0.0.5``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.servers: list[Row] = []
        self.shares: list[Row] = []
        self.rules: dict[str, tuple[str, ...]] = {}
        self.findings = Findings()
        self.mended: list[str] = []
        self._busy: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._jobs: list[asyncio.Task[None]] = []

    async def share(self, server: Row, *rules: str) -> Row:
        """Make a share that this worker knows."""
        made = await self._site.share(server, 1, *rules)
        self.shares.append(made)
        self.rules[made["id"]] = rules
        return made

    def _row(self, share: Row) -> Row:
        rules = []
        for text in self.rules[share["id"]]:
            level, to = text.split()
            rules.append({"id": text, "access_type": "ip", "access_to": to, "access_level": level, "state": "active"})
        return {**share, "share_server": share["server"], "access_rules": rules}

    async def read(self, ids: Collection[str]) -> Rows:
        """The rows now."""
        known = {one["id"] for one in (*self.servers, *self.shares)}
        return Rows(self.servers, [self._row(one) for one in self.shares], (), frozenset(known & set(ids)))

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Worker]:
        """Look and put right meanwhile."""
        self._start()
        try:
            yield self
        finally:
            await self._stop()

    @contextlib.asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """No worker runs meanwhile; the next one knows nothing that the last one saw."""
        await self._stop()
        try:
            yield
        finally:
            self.findings = Findings()
            self._start()

    def _start(self) -> None:
        due = asyncio.Event()
        self._jobs = [asyncio.create_task(self._watch(due)), asyncio.create_task(self._look(due))]

    async def _stop(self) -> None:
        tasks = [*self._jobs, *self._busy.values()]
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._busy.clear()  # one that had not begun does not say that it ends

    async def _watch(self, due: asyncio.Event) -> None:
        async for _ in self._site.driver.changes():
            due.set()

    async def _look(self, due: asyncio.Event) -> None:
        while True:
            due.clear()
            try:
                self.findings = await self._site.driver.inspect(self.read)
            except (ManilaError, ConnectionError) as error:
                print(f"a look failed: {error}", flush=True)
            for one in self.findings.broken:
                if (one.kind, one.id) not in self._busy:
                    self._busy[one.kind, one.id] = asyncio.create_task(self._mend(one))
            with contextlib.suppress(TimeoutError):
                # not wait_for: it forgets that it is cancelled if the event is set at the same time
                async with asyncio.timeout(EVERY):
                    await due.wait()
            await asyncio.sleep(0.5)

    async def _mend(self, broken: Broken) -> None:
        begin = time.monotonic()
        try:
            if broken.kind == "share_server":
                (server,) = [one for one in self.servers if one["id"] == broken.id]
                await self._site.driver.ensure_server(server)
            else:
                await self._site.driver.ensure_shares([self._row(one) for one in self.shares if one["id"] == broken.id])
        except (ManilaError, ConnectionError) as error:
            print(f"{broken.kind} {broken.id}: {error}", flush=True)
        finally:
            self._busy.pop((broken.kind, broken.id), None)
            self.mended.append(f"{broken.kind} {broken.why}")
            print(f"  {broken.kind}: {broken.why}; worked on for {time.monotonic() - begin:.1f} s", flush=True)
