"""Long operations as named steps, each of which may be repeated.

An operation runs at least once: after a crash another worker starts it again from its first step. So a step says
"make it so": it looks at the row and at the observed world, and does only what is missing.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from db import tasks
from db.connection import LOST, Conn, Row
from drivers.base import ShareDriver
from generated.errors import (
    ManilaException,
    NetworkBadConfigurationException,
    ShareGroupSnapshotNotSupported,
    ShareShrinkingPossibleDataLoss,
)
from generated.messages import Action, Detail, Resource
from generated.settings import BackendSection
from network.base import NetworkPlugin
from network.keys import KeyManager, NoKeys
from services.core import Core
from services.messages import create_message, detail_of
from services.work import Job

INFRASTRUCTURE = (*LOST, ConnectionError, TimeoutError)
"""Errors that say nothing about the resource: the task is run again later.

Drivers raise ``drivers.base.Transient``, a ``ConnectionError``, for "ask me again".
"""
REFUSALS = (
    NotImplementedError,
    NetworkBadConfigurationException,
    ShareGroupSnapshotNotSupported,
    ShareShrinkingPossibleDataLoss,
)
"""What a back end answers to a request that it can't grant, besides the errors that a client's mistake is."""
J = TypeVar("J", bound=Job)


def is_refusal(error: Exception) -> bool:
    """Whether the request is at fault (a back end that can't shrink, a full subnet), and no operator need look at it.

    Something that a driver does not find is missing, which is a fault.
    """
    clients = isinstance(error, ManilaException) and error.code < 500 and error.code != 404
    return clients or isinstance(error, REFUSALS)


@dataclass(slots=True)
class Backend:
    """A storage back end as the worker drives it. ``host`` is ``node1@alpha``; pools add ``#pool``."""

    name: str
    host: str
    driver: ShareDriver
    network: NetworkPlugin | None = None
    admin_network: NetworkPlugin | None = None
    keys: KeyManager = field(default_factory=NoKeys)
    section: BackendSection = field(default_factory=BackendSection)
    """Options of its section."""


@dataclass(slots=True)
class Work:
    """One run of an operation. ``state`` is scratch between the steps of this run and is not kept."""

    core: Core
    payload: Row
    task: Row
    owner: str
    backend: Backend | None = None
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def driver(self) -> ShareDriver:
        """The back end's driver; operations of the scheduler have none."""
        return self.on_backend.driver

    @property
    def on_backend(self) -> Backend:
        """The back end whose queue the task stood in."""
        if self.backend is None:
            raise RuntimeError(f"task {self.task['kind']} does not belong to a back end")
        return self.backend

    def job(self, kind: type[J]) -> J:
        """What the task is about."""
        return kind.read(self.payload)

    async def tell(
        self,
        conn: Conn,
        action: Action,
        project_id: str | None,
        resource_id: str,
        *,
        resource_type: Resource = Resource.SHARE,
        error: BaseException | None = None,
        detail: Detail | None = None,
    ) -> None:
        """Write a user message in the caller's transaction.

        Args:
            project_id: who may read it.
            detail: what to say; without it what stands for ``error``, else that the reason is unknown.
        """
        await create_message(
            conn,
            action,
            project_id,
            resource_type=resource_type,
            resource_id=resource_id,
            detail=detail or (None if error is None else detail_of(error)),
            request_id=self.task["request_id"],
            ttl=self.core.settings.default.message_ttl,
        )

    async def remember(self, conn: Conn, **fields: Any) -> None:
        """Keep fields of the job for this run and the ones after it, in a transaction of ``write``."""
        await tasks.remember(conn, self.task, fields)
        self.payload = {**self.payload, **fields}

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[Conn]:
        """A transaction fenced by the task's lease: a step writes through this, never through ``core.db.write``.

        Raises:
            LostLease: another worker has taken the task over; nothing is written.
        """
        known = self.payload
        try:
            async with self.core.db.write() as conn:
                if not await tasks.still_ours(conn, self.task, self.owner):
                    raise LostLease
                yield conn
        except BaseException:
            self.payload = known  # what was to be remembered was rolled back
            raise


Do = Callable[[Work], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Step:
    """A named part of an operation; ``undo`` takes it back and may be repeated too."""

    name: str
    do: Do
    undo: Do | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """A long operation: its steps in order, and what a failure of one means to the resource.

    ``failed`` runs when a step raised something other than an infrastructure error, after the undo of the steps done;
    it leaves the resource in a final state with a user message. It may be repeated as well.
    """

    job: type[Job]
    steps: tuple[Step, ...]
    failed: Callable[[Work, Exception], Awaitable[None]]

    @property
    def name(self) -> str:
        """The kind of job that it does."""
        return self.job.KIND


class Retry(Exception):
    """Raised by a step to be run again after ``delay`` seconds: something it waits for isn't there yet."""

    def __init__(self, reason: str, delay: float = 1.0) -> None:
        super().__init__(reason)
        self.delay = delay


class Finished(Exception):
    """Raised by a step when nothing is left to do: the operation ends well without its other steps."""


class LostLease(Exception):
    """Another worker owns the task now; whatever this run does must stop."""
