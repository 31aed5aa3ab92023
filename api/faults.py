"""Errors to answers: the one member of a fault body, named by the status, as the original sends it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import structlog

from api.bodies import encode
from db.connection import CONFLICTS, DatabaseUnavailable, UnusableValue
from generated.faults import DEFAULT_TEXTS, FAULT_NAMES, OTHER_FAULT
from generated.runtime import Fault, ManilaError

LOG = structlog.get_logger("api")
JSON = "application/json"
UNDECODABLE = (
    "Error decoding your request. Either the URL or the request body contained characters that could not be decoded by"
    " Manila."
)


@dataclass(slots=True)
class Answer:
    """A finished answer: header names as they go over the wire."""

    status: int
    body: bytes = b""
    content_type: str | None = JSON
    headers: dict[str, str] = field(default_factory=dict)
    parts: AsyncGenerator[bytes] | None = None
    """What comes behind ``body``, made while it is sent: the length is not known."""


def fault(status: int, message: str | None = None, headers: dict[str, str] | None = None) -> Answer:
    """A fault body; without a message the default text of the status."""
    name = FAULT_NAMES.get(status, OTHER_FAULT)
    text = message if message is not None else DEFAULT_TEXTS.get(status, DEFAULT_TEXTS[500])
    body: dict[str, object] = {"code": status, "message": text}
    headers = dict(headers or {})
    if status == 413:
        body["retryAfter"] = headers.setdefault("Retry-After", "0")
    return Answer(status, encode({name: body}), headers=headers)


def of_exception(error: Exception) -> Answer:
    """What a client is told of an exception. Nobody is shown a stack trace; what was not foreseen is logged."""
    if isinstance(error, Fault):
        return fault(error.status, error.message, error.headers)
    if isinstance(error, ManilaError):
        if error.uncaught_status >= 500:
            LOG.error("unhandled error of a request", error=repr(error), exc_info=error)
        return fault(error.uncaught_status, error.shown)
    if isinstance(error, DatabaseUnavailable):
        LOG.warning("the database is not available", error=str(error))
        return fault(503, headers={"Retry-After": "1"})
    if isinstance(error, CONFLICTS):
        LOG.warning("a conflict in the database that did not go away", error=str(error))
        return fault(503, headers={"Retry-After": "1"})
    if isinstance(error, UnicodeError):
        return fault(400, UNDECODABLE)
    if isinstance(error, UnusableValue):
        # handlers refuse what they know of with a text of their own; this is for the rest
        LOG.info("the database refused a value of a request", error=str(error))
        return fault(400)
    LOG.error("unexpected error of a request", error=repr(error), exc_info=error)
    return fault(500)
