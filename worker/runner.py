"""Claims tasks of its queues and runs their operations, under a lease that a heartbeat renews.

Woken by NOTIFY, with a slow poll behind it. Several runners, in any number of processes, may serve the same queues.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import uuid
from collections.abc import Callable, Mapping

import structlog

from db import tasks
from db.connection import Database, DatabaseUnavailable, Row
from services.core import Core
from services.share_quota import return_ahead
from worker.operation import INFRASTRUCTURE, Backend, Finished, LostLease, Operation, Retry, Step, Work, is_refusal

LOG = structlog.get_logger("worker")
MAX_BACKOFF = 300.0

StepHook = Callable[[str, str], None]
"""Called with the operation and what has been done: a step's name, ``undo STEP`` or ``failed``.

The fault tests kill the process there.
"""


def own_name() -> str:
    """A name for this process in leases that no other has."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class Runner:
    """Runs the tasks of some queues.

    Args:
        core: the parts of the service.
        operations: operation name -> operation.
        backends: host -> back end; each host is a queue.
        queues: further queues, such as ``scheduler``.
        lease: seconds a claim holds without a heartbeat; a dead worker's tasks are taken over after it.
        poll: seconds between looks at the table when no notification comes.
        concurrency: tasks run at the same time.
    """

    def __init__(
        self,
        core: Core,
        operations: Mapping[str, Operation],
        backends: Mapping[str, Backend] | None = None,
        queues: tuple[str, ...] = (),
        *,
        lease: float = 30.0,
        poll: float = 1.0,
        concurrency: int = 16,
        after_step: StepHook | None = None,
    ) -> None:
        self.core = core
        self.operations = operations
        self.backends = dict(backends or {})
        self.queues = [*self.backends, *queues]
        self.owner = own_name()
        self._lease, self._poll, self._concurrency = lease, poll, concurrency
        self._after_step = after_step
        self._wake = asyncio.Event()
        self._running: dict[int, asyncio.Task[None]] = {}

    @property
    def db(self) -> Database:
        return self.core.db

    def wake(self) -> None:
        """Look at the table now."""
        self._wake.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set, then finish what runs and hand back what was only claimed."""
        helpers = [asyncio.create_task(self._listen()), asyncio.create_task(self._beat())]
        stopping = asyncio.create_task(stop.wait())
        try:
            while not stop.is_set():
                self._wake.clear()
                try:
                    await self._claim_ready()
                except INFRASTRUCTURE as error:
                    LOG.warning("cannot claim tasks", error=str(error))
                await self._wait(stopping)
            await self._drain()
        finally:
            for one in [*helpers, stopping]:
                one.cancel()
            await asyncio.gather(*helpers, stopping, return_exceptions=True)

    async def _drain(self) -> None:
        if self._running:
            _, late = await asyncio.wait(self._running.values(), timeout=self._lease)
            for one in late:
                one.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        with contextlib.suppress(*INFRASTRUCTURE):
            async with self.db.single() as conn:
                await tasks.release(conn, self.owner)

    async def _wait(self, stopping: asyncio.Task[bool]) -> None:
        waking = asyncio.create_task(self._wake.wait())
        await asyncio.wait({waking, stopping}, timeout=self._poll, return_when=asyncio.FIRST_COMPLETED)
        waking.cancel()

    async def _claim_ready(self) -> None:
        while (free := self._concurrency - len(self._running)) > 0:
            async with self.db.single() as conn:
                rows = await tasks.claim(conn, self.owner, self.queues, free, self._lease)
            for row in rows:
                self._running[row["id"]] = asyncio.create_task(self._run_one(row))
            if len(rows) < free:
                return

    async def _run_one(self, task: Row) -> None:
        log = LOG.bind(task=task["id"], operation=task["kind"], request_id=task["request_id"])
        try:
            await self._settle(task, log)
        except LostLease:
            log.warning("the task was taken over by another worker")
        except INFRASTRUCTURE as error:
            log.warning("the task's outcome could not be written; it will run again", error=str(error))
            await self._hand_back(task, repr(error))
        finally:
            self._running.pop(task["id"], None)
            self._wake.set()

    async def _settle(self, task: Row, log: structlog.stdlib.BoundLogger) -> None:
        """Run the operation and write how it ended."""
        operation = self.operations.get(task["kind"])
        if operation is None:
            await self._finish(task, f"no operation is named {task['kind']}")
            return
        work = Work(self.core, task["payload"], task, self.owner, self.backends.get(task["queue"]))
        if task["failures"] > tasks.MAX_FAILURES:
            await self._give_up(operation, work, RuntimeError("its workers died too often"), log)
            return
        try:
            await self._steps(operation, work)
        except Finished:
            pass
        except Retry as wait:
            await self._postpone(task, str(wait), wait.delay)
            return
        except LostLease:
            raise
        except INFRASTRUCTURE as error:
            if task["failures"] < tasks.MAX_FAILURES:
                delay = min(MAX_BACKOFF, 0.5 * 2.0 ** task["failures"])
                log.warning("infrastructure error, the task will run again", error=repr(error), delay=delay)
                await self._postpone(task, repr(error), delay, failed=True)
                return
            await self._give_up(operation, work, error, log)
            return
        except Exception as error:
            await self._give_up(operation, work, error, log)
            return
        await self._finish(task, None)

    async def _steps(self, operation: Operation, work: Work) -> None:
        done: list[Step] = []
        for step in operation.steps:
            try:
                await step.do(work)
            except (Retry, Finished, LostLease, *INFRASTRUCTURE):
                raise
            except Exception:
                await self._undo(operation, done, work)
                raise
            done.append(step)
            self._done(operation, step.name)

    def _done(self, operation: Operation, what: str) -> None:
        if self._after_step is not None:
            self._after_step(operation.name, what)

    async def _undo(self, operation: Operation, done: list[Step], work: Work) -> None:
        """Take finished steps back, the last one first. What can't be taken back is logged; the others still are."""
        for step in reversed(done):
            if step.undo is None:
                continue
            try:
                await step.undo(work)
            except (LostLease, *INFRASTRUCTURE):
                raise
            except Exception as error:
                LOG.error("a step could not be undone", step=step.name, error=repr(error), exc_info=True)
            self._done(operation, f"undo {step.name}")

    async def _give_up(
        self, operation: Operation, work: Work, error: Exception, log: structlog.stdlib.BoundLogger
    ) -> None:
        """Leave the resource as the operation says; a request that was refused ends its task like any other."""
        refused = is_refusal(error)
        if refused:
            log.info("the back end refused the request", error=repr(error))
        else:
            log.error("the operation failed", error=repr(error), exc_info=not hasattr(error, "template"))
        try:
            await operation.failed(work, error)
        except (LostLease, *INFRASTRUCTURE):
            raise
        except Exception as second:
            # a failure handler that fails must not keep the resource's later tasks waiting for ever
            log.error("the failure could not be recorded", error=repr(second), exc_info=True)
            refused = False
        self._done(operation, "failed")
        await self._finish(work.task, repr(error), refused=refused)

    async def _finish(self, task: Row, error: str | None, *, refused: bool = False) -> None:
        """Write how a task ended; what it still holds ahead belongs to nothing, and is given back with that."""
        charged = task["payload"].get("ahead") is not None
        async with self.db.write() if charged else self.db.single() as conn:
            ended = await tasks.finish(conn, task, self.owner, error, refused=refused)
            if ended is None:
                raise LostLease
            if ended["ahead"] is not None:
                await return_ahead(conn, ended["ahead"])

    async def _hand_back(self, task: Row, reason: str) -> None:
        """Let the task run again soon; if the database stays away, its lease ends by itself."""
        for pause in (0.1, 0.5, 2.0, 5.0):
            await asyncio.sleep(pause)
            with contextlib.suppress(*INFRASTRUCTURE):
                await self._postpone(task, reason, 0.0)
                return

    async def _postpone(self, task: Row, reason: str, delay: float, *, failed: bool = False) -> None:
        async with self.db.single() as conn:
            await tasks.postpone(conn, task, self.owner, reason, delay, failed=failed)
        asyncio.get_running_loop().call_later(delay, self._wake.set)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._lease / 3)
            if not self._running:
                continue
            try:
                async with self.db.single() as conn:
                    kept = await tasks.extend_leases(conn, self.owner, list(self._running), self._lease)
            except INFRASTRUCTURE as error:
                LOG.warning("cannot renew leases", error=str(error))
                continue
            for lost in set(self._running) - kept:
                if (one := self._running.get(lost)) is not None:
                    one.cancel()

    async def _listen(self) -> None:
        """Wake at each notification for one of our queues; reconnect for ever."""
        while True:
            try:
                async for queue in tasks.notices(self.db.url):
                    if not queue or queue in self.queues:
                        self._wake.set()
            except DatabaseUnavailable as error:
                LOG.warning("cannot listen for tasks", error=str(error))
                await asyncio.sleep(self._poll)
