"""The kinds of work that requests and workers leave for a worker: one class each, its fields are the task's payload.

Producers build one and ``enqueue`` it in the transaction that changes the rows; the operation of the same kind reads it
with ``Work.job``. Fields are JSON values. A field that is added needs a default: tasks of the release before may wait.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Self, TypeVar

from db import tasks
from db.connection import Conn, Row
from services.capabilities import backend_of

J = TypeVar("J", bound="Job")
SCHEDULER, DATA = "scheduler", "data"
"""Queues of the scheduler and of the data service; every back end's host is one, too."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    """A piece of work. ``KIND`` names the worker's operation and is kept in the database."""

    KIND: ClassVar[str]

    @property
    def resource(self) -> str | None:
        """Jobs with one text here run one after the other, in the order in which they were left."""
        return None

    @classmethod
    def read(cls, payload: Row) -> Self:
        """The job of a task's payload; what another release wrote besides is left out."""
        names = {one.name for one in dataclasses.fields(cls)}
        return cls(**{name: value for name, value in payload.items() if name in names})

    @property
    def payload(self) -> Row:
        """The fields as the task keeps them."""
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Charged(Job):
    """Work for which a request has taken usage before there is a row that says so.

    ``ahead``: ``project_id``, ``user_id``, ``share_type_id`` and ``deltas`` (resource -> amount), or None once a row or
    another task answers for it. What is left of it when the task ends is given back, whatever became of the resource.
    """

    ahead: Row | None = None


async def enqueue(conn: Conn, job: Job, queue: str, *, request_id: str | None = None, delay: float = 0) -> None:
    """Leave a job in the caller's transaction; workers wake when it commits.

    Args:
        queue: ``SCHEDULER``, ``DATA``, or the host of a back end or of one of its pools.
        request_id: of the request that led here.
        delay: seconds before the first run.
    """
    await tasks.enqueue(conn, job.KIND, backend_of(queue), job.payload, job.resource, delay, request_id)
